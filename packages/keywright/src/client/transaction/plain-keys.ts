/* Keys without entities, as a transaction reads and writes them. Reads are sent, and
 * compared at the commit. Writes are collected; what their answers depend on is read. */

import { spread } from "../call/spread.ts"
import { firstKey } from "../../driver/first-key.ts"
import type { CallOptions, Command, Reply, Wire } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import { readAfterWrite, readChanged, transactionCommand, transactionNumber } from "../../errors/transaction.ts"
import { replyIs } from "../plan/checks/reply-is.ts"
import { hasPlaceholder } from "../plan/placeholder.ts"
import type { Plan } from "../plan/plan.ts"
import { answer } from "./answers.ts"
import { collect } from "./collect.ts"
import { KeyView } from "./key-view.ts"
import type { ReadAhead } from "./read-ahead.ts"
import type { TransactionTurns } from "./transaction-turns.ts"

const SHORT = 256
/** The limit that apply.lua sets for numbers that exist. */
const MOST_SET = 4e18
/** Reads that see no single state, or something that changes by itself. */
const refused = /^([SHZ]?SCAN|MEMORY|OBJECT|DUMP|XPENDING|XREADGROUP|HRANDFIELD|ZRANDMEMBER|RANDOMKEY)$/
/** Reads of several keys. */
const several = /^(MGET|EXISTS|SUNION|SINTER|SDIFF|PFCOUNT)$/
/** Only the existence of these is compared. */
const timed = new Set(["PTTL", "TTL"])
/** Moving a deadline does not affect the answer of any write. */
const deadlines = new Set(["PEXPIRE", "PEXPIREAT", "PERSIST"])

export class PlainKeys {
  /** A key as errors may show it. */
  readonly #show: (key: string) => string
  readonly #plan: Plan
  readonly #base: ReadAhead
  readonly #turns: TransactionTurns
  /** Sets that were compared, with what they held then. */
  #compared: Map<string, Reply> | undefined
  /** Keys that it writes. */
  readonly written = new Set<string>()
  #views: Map<string, KeyView> | undefined
  /** Writes whose answers are on their way, by key: the next one waits for them. */
  #pending: Map<string, Promise<unknown>> | undefined
  /** Strings, and fields of hashes, that it has set. */
  #set: Map<string, Wire> | undefined

  constructor(plan: Plan, base: ReadAhead, turns: TransactionTurns, show: (key: string) => string) {
    this.#show = show
    this.#plan = plan
    this.#base = base
    this.#turns = turns
  }

  /** Resolves when all writes have their answers; undefined: they already have. */
  settled(): Promise<void> | undefined {
    const pending = this.#pending
    if (pending === undefined || pending.size === 0) return undefined
    return Promise.all(pending.values()).then(() => this.settled())
  }

  /** Reads are sent and remembered. Writes are collected; what their answers depend on is read. */
  async send(command: Command, options?: CallOptions): Promise<Reply> {
    this.#base.refuseLate()
    if (options?.safe !== true) return this.#write([command], options)
    this.#refuseOwn(command)
    const name = String(command[0])
    if (refused.test(name))
      throw transactionCommand(name, "What it reads cannot be compared when the transaction commits.")
    if (name === "SRANDMEMBER") return this.#draw(command, options)
    // A value whose deadline slides: read now, moved at the commit.
    const read = name === "GETEX" ? ["GET", command[1]!] : command
    const reply = await this.#ask(read, options)
    if (name === "GETEX" && command[2] === "PX") collect(this.#plan, ["PEXPIRE", command[1]!, command[3]!], this.#show)
    return reply
  }

  /** The same for a command that only reads: synchronous where the reply is known. */
  read(command: Command): Reply | Promise<Reply> {
    const known = this.#base.answer(command)
    if (known === undefined) return this.send(command, SAFE)
    this.#refuseOwn(command)
    this.#compare(command, known)
    return known
  }

  async atomic(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    this.#base.refuseLate()
    if (options?.safe !== true) return [await this.#write(commands, options), ...commands.slice(1).map(() => null)]
    const [read, ...moves] = commands
    const reply = await this.send(read!, options)
    for (const move of moves) collect(this.#plan, move, this.#show)
    return [reply, ...moves.map(() => null)]
  }

  /** Writes whose answer nobody needs: nothing is read for them. */
  async collect(commands: readonly Command[]): Promise<void> {
    this.#base.refuseLate()
    const key = String(commands[0]![1])
    const work = () => {
      for (const command of commands) this.#collect(command)
      const view = this.#views?.get(key)
      if (view) view.isWritten = view.isUnknown = true
    }
    return this.#pending?.has(key) === true ? this.#inOrder(key, async () => work()) : work()
  }

  /** Deletes keys that end with a record: what is written to them later is for the next record of that id. */
  async drop(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const work = () => {
        this.#collect(["UNLINK", key])
        const view = this.#viewOf(key)
        view.clear()
        view.isWritten = true
      }
      if (this.#pending?.has(key) === true) await this.#inOrder(key, async () => work())
      else work()
    }
  }

  /** Removes a deleted id, in all its forms, from a set that was written before. */
  async leave([name, set, ...members]: Command): Promise<void> {
    const key = String(set)
    return this.#inOrder(key, async () => {
      this.#collect([name!, key, ...members])
      for (const member of members) this.#viewOf(key).put(member, null)
    })
  }

  /** All that it has written, or is about to. */
  get own(): string[] {
    return [...new Set([...this.written, ...(this.#pending?.keys() ?? [])])]
  }

  /** Several commands on one key, of which the first is answered. */
  #write(commands: readonly Command[], options?: CallOptions): Promise<Reply> {
    const key = String(commands[0]![1])
    return this.#inOrder(key, () => this.#answer(key, commands, options))
  }

  /** Writes of one key happen in the order in which they were called. */
  #inOrder<T>(key: string, work: () => Promise<T>): Promise<T> {
    const pending = (this.#pending ??= new Map())
    const before = pending.get(key)
    const written: Promise<T> = before ? before.then(work) : work()
    const settled = written.then(nothing, nothing).then(() => {
      if (pending.get(key) === settled) pending.delete(key)
    })
    pending.set(key, settled)
    return written
  }

  async #answer(key: string, [command, ...more]: readonly Command[], options?: CallOptions): Promise<Reply> {
    const [name, , ...words] = command as readonly [string, string]
    const view = this.#viewOf(key)
    const { reply, writes = [command!] } = await answer(name, {
      key,
      show: this.#show,
      words,
      view,
      read: (read, how = spread(options, SAFE)) => this.#ask(read, how),
      draw: (read) => this.#draw(read, spread(options, SAFE)),
    })
    for (const write of [...writes, ...more]) this.#collect(write)
    view.isWritten = true
    for (const each of more) follow(view, each)
    return reply
  }

  #viewOf(key: string): KeyView {
    const views = (this.#views ??= new Map())
    let view = views.get(key)
    if (!view) {
      views.set(key, (view = new KeyView()))
      // Written before without being answered.
      view.isWritten = view.isUnknown = this.written.has(key)
      // Named after an id that is not allocated yet: there is nothing to read.
      if (hasPlaceholder(key) && !view.isWritten) view.clear()
    }
    return view
  }

  /** Random members: the commit compares that they are still members, not that they would be drawn again. */
  async #draw(command: Command, options?: CallOptions): Promise<Reply> {
    const [, key, count] = command as readonly string[]
    const drawn = await this.#base.send(command, options)
    const members = (Array.isArray(drawn) ? drawn : drawn === null ? [] : [drawn]) as Wire[]
    if (members.length > 0)
      this.#compare(
        ["SMISMEMBER", key!, ...members],
        members.map(() => 1),
      )
    // Fewer than requested means that these are all.
    if (members.length < Number(count ?? 1)) this.#compare(["SCARD", key!], members.length)
    return drawn
  }

  /** A read that is compared at the commit. */
  async #ask(command: Command, options?: CallOptions): Promise<Reply> {
    const turn = this.#turns.arrive(String(command[1]))
    if (turn) await turn
    const reply = await this.#base.send(command, options)
    this.#compare(command, reply)
    return reply
  }

  #compare(command: Command, reply: Reply): void {
    const [name, key] = command as readonly [string, string]
    const onFailure = () => readChanged(this.#show(key))
    const expect = (words: readonly Wire[], same: Reply) =>
      void this.#plan.checks.push(replyIs(key, words, same, onFailure))
    if (timed.has(name)) return expect(["EXISTS"], reply === -2 ? 0 : 1)
    if (name === "MGET") return this.#compareAll(command.slice(1) as string[], reply as readonly Reply[])
    // What is short is compared as it is: cheaper than its digest, here and on the server.
    if (name === "GET" && reply === null) return void this.#plan.checks.push({ check: "absent", key, onFailure })
    if (name === "GET" && typeof reply === "string" && reply.length <= SHORT)
      return void this.#plan.checks.push({ check: "string", key, value: reply, onFailure })
    if (name === "SMEMBERS") {
      // The very same reply, read ahead and asked for twice.
      if (this.#compared?.get(key) === reply) return
      ;(this.#compared ??= new Map()).set(key, reply)
    }
    expect([name, ...command.slice(2)], reply)
  }

  #compareAll(keys: readonly string[], replies: readonly Reply[]): void {
    for (const [i, key] of keys.entries())
      this.#plan.checks.push(replyIs(key, ["MGET"], [replies[i]!], () => readChanged(this.#show(key))))
  }

  #collect(command: Command): void {
    const key = String(command[1])
    // Whether the list has this element is checked before anything is written.
    if (command[0] === "LSET" && this.written.has(key)) throw readAfterWrite(this.#show(key))
    this.written.add(key)
    this.#followNumber(key, command)
    collect(this.#plan, command, this.#show)
  }

  /**
   * Whether a number can be incremented is checked before anything is written; for values that the transaction itself
   * sets, it is checked here.
   */
  #followNumber(key: string, [name, , ...words]: Command): void {
    const set = (this.#set ??= new Map<string, Wire>())
    if (name === "SET") set.set(key, words[0]!)
    else if (name === "HSET")
      for (let i = 0; i < words.length; i += 2) set.set(`${key}\0${String(words[i])}`, words[i + 1]!)
    else if (name === "HSETNX") {
      // Whether it is set is not known: if it is not, what is there was checked.
      const own = `${key}\0${String(words[0])}`
      if (!set.has(own)) set.set(own, words[1]!)
    } else if (name === "UNLINK" || name === "DEL") {
      for (const own of [...set.keys()]) if (own === key || own.startsWith(`${key}\0`)) set.delete(own)
    } else {
      const isField = String(name).startsWith("HINCR")
      if (!isField && !String(name).startsWith("INCR")) return
      const own = set.get(isField ? `${key}\0${String(words[0])}` : key)
      if (own !== undefined && !(Math.abs(Number(own)) <= MOST_SET)) throw transactionNumber(this.#show(key))
    }
  }

  #refuseOwn(command: Command): void {
    if (this.written.size === 0 && this.#pending === undefined) return
    const keys = several.test(String(command[0])) ? command.slice(1) : [firstKey(command) ?? ""]
    const own = keys.find((one) => this.written.has(String(one)) || this.#pending?.has(String(one)))
    if (own !== undefined) throw readAfterWrite(this.#show(String(own)))
  }
}

/** Updates what is known of the key after a command that accompanies a write. */
function follow(view: KeyView, [name, , from, to]: Command): void {
  if (deadlines.has(String(name))) return
  if (name === "LTRIM" && view.length !== undefined) {
    const keep = Number(to) >= 0 ? Number(to) + 1 : -Number(from)
    view.length = Math.min(view.length, keep)
  } else view.isUnknown = true
}

const nothing = (): void => {}
