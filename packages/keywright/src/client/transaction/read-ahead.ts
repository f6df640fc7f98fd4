/* How a transaction reads. What it asks for in one tick goes to the server as one step
 * (MULTI … EXEC, or one MGET), so that it sees one state; and what it has read ahead is
 * answered without asking again.
 *
 * After a first attempt has lost, the next one asks at once for everything that the first
 * one read. If it takes the same path, it has seen one state, and no longer loses to
 * writers that change things while it reads.
 *
 * `steps` counts how often the server was asked: what came in one step was there at one
 * moment, and needs no comparison. A few short records that are read one after another
 * come in one step, too: each read asks for those before it again, and where these are
 * unchanged, all were there at the moment of the last one. */

import { spread } from "../call/spread.ts"
import { clusterSlot } from "../../driver/cluster-slot.ts"
import { firstKey } from "../../driver/first-key.ts"
import type { CallOptions, Command, Driver, Reply, Script, Wire } from "../../driver/driver.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import { KeywrightError } from "../../errors/error.ts"
import { transactionOver } from "../../errors/transaction.ts"
import type { Deadline } from "../call/deadline.ts"
import type { Lane } from "../call/lane.ts"
import type { ParsedText } from "../entity/recent-texts.ts"
import type { Plan } from "../plan/plan.ts"
import type { LastSeen, Seen } from "./last-seen.ts"
import { toText } from "./recorded.ts"
import type { TransactionTurns } from "./transaction-turns.ts"

interface PendingRead {
  readonly command: Command
  readonly bytes: boolean
  /** GET of a string, which may become part of an MGET. */
  readonly isString: boolean
  readonly settle: (reply: Reply) => void
  readonly fail: (error: unknown) => void
}

export class ReadAhead implements Lane {
  readonly driver: Driver
  /** How many steps the reads took. */
  steps = 0
  /** The attempt has ended: it takes no more calls. */
  isOver = false
  /** Errors that reads failed with: a result caused by them is not based on any state. */
  failures: Set<unknown> | undefined
  readonly #base: Lane
  readonly #deadline: Deadline
  /** What was asked for so far: what the next attempt begins with. */
  readonly log: Command[] = []
  #asked: PendingRead[] = []
  /** How many steps are on their way. */
  #onTheirWay = 0
  /** Everything that was read, as long as it is a few short strings: a key, its text, a key … */
  #few: string[] | undefined
  #again: Map<string, Reply> | undefined
  #known: Map<string, Reply> | undefined
  readonly #lastSeen: LastSeen | undefined
  readonly #turns: TransactionTurns
  /** The keys that were not read, because what was last seen there is taken for true until the commit. */
  readonly supposed: string[] = []

  constructor(base: Lane, deadline: Deadline, turns: TransactionTurns, lastSeen: LastSeen | undefined) {
    this.driver = base.driver
    this.#base = base
    this.#deadline = deadline
    this.#turns = turns
    this.#lastSeen = lastSeen
    this.#few = lastSeen === undefined ? [] : undefined
  }

  refuseLate(): void {
    if (this.isOver) throw transactionOver()
  }

  /** Adds keys and their values, in turn: what is already known is kept. */
  learn(replies: readonly Reply[]): void {
    const known = (this.#known ??= new Map())
    for (let i = 0; i < replies.length; i += 2) {
      const key = String(replies[i])
      if (!known.has(key)) known.set(key, replies[i + 1]!)
    }
  }

  /** Asks at once for what an earlier attempt asked for. */
  async again(log: readonly Command[]): Promise<void> {
    if (log.length < 2 || log.length > MOST_AGAIN || this.driver.cluster) return
    this.#stepOfItsOwn()
    const replies = await this.#noting(this.driver.multi(log, this.#options(true)))
    this.#again = new Map()
    for (const [i, command] of log.entries()) {
      const reply = replies[i]!
      if (!(reply instanceof KeywrightError)) this.#again.set(commandText(command), reply)
    }
  }

  send(command: Command, options?: CallOptions): Promise<Reply> {
    return this.#read(command, options?.bytes === true, false)
  }

  /** GET of a string, together with others as one MGET: a key of another type counts as missing. */
  string(command: Command): Promise<Reply> {
    return this.#read(command, false, true)
  }

  #read(command: Command, bytes: boolean, isString: boolean): Promise<Reply> {
    const known = bytes ? undefined : this.answer(command)
    if (known !== undefined) return Promise.resolve(known)
    if (command[0] === "MGET") for (const key of command.slice(1)) this.log.push(["GET", key])
    else this.log.push(command)
    const before = this.#again?.get(commandText(command))
    if (before !== undefined) return Promise.resolve(bytes ? before : toText(before))
    return new Promise((settle, fail) => {
      if (this.#asked.push({ command, bytes, isString, settle, fail }) === 1) queueMicrotask(() => this.#ask())
    })
  }

  async atomic(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    this.#stepOfItsOwn()
    return this.#noting(this.#base.atomic(commands, spread(options, this.#deadline.notes())))
  }

  async script(script: Script, keys: readonly Wire[], args: readonly Wire[], options?: CallOptions): Promise<Reply> {
    this.#stepOfItsOwn()
    return this.#noting(this.#base.script(script, keys, args, spread(options, this.#deadline.notes())))
  }

  explain(plan: Plan): void {
    this.#base.explain?.(plan)
  }

  /** The string at a key, or null when there is none; undefined: it is not known. */
  text(key: string): Reply | undefined {
    const known = this.#knownAt(key)
    return Array.isArray(known) ? undefined : known
  }

  /** What GET or SMEMBERS would answer; undefined: it is not known. */
  answer(command: Command): Reply | undefined {
    if (command.length !== 2) return undefined
    const key = command[1] as string
    if (command[0] === "GET") return this.text(key)
    const reply = command[0] === "SMEMBERS" ? this.#knownAt(key) : undefined
    return Array.isArray(reply) ? reply : undefined
  }

  /** Read ahead, or last seen. A key that others compete for is read. */
  #knownAt(key: string): Reply | undefined {
    const known = this.#known?.get(key)
    if (known !== undefined || this.#lastSeen === undefined) return known
    const seen = this.#lastSeen.get(key)
    if (seen === undefined || this.#turns.isContended(key)) return undefined
    this.#suppose(key, seen)
    return seen as Reply
  }

  /** Records whose keys begin with this are looked at: what is written to them is worth remembering. */
  looksAt(head: string): void {
    this.#lastSeen?.addHead(head)
  }

  /** What was made of a text before, where it is the one that was last seen at the key. */
  parsedAt(key: string, raw: Reply): ParsedText | undefined {
    return this.#lastSeen?.parsedAt(key, raw)
  }

  /** Should it be wrong, the next attempt begins by reading it. */
  #suppose(key: string, seen: Seen): void {
    ;(this.#known ??= new Map()).set(key, seen as Reply)
    this.supposed.push(key)
    this.log.push([Array.isArray(seen) ? "SMEMBERS" : "GET", key])
  }

  /** A step that no other one repeats: what it read is compared at the end. */
  #stepOfItsOwn(): void {
    this.steps++
    this.#few = undefined
  }

  /** All that was asked for in this tick. */
  #ask(): void {
    const asked = this.#asked
    this.#asked = []
    const areStrings = asked.every(({ isString }) => isString)
    // What is still on its way cannot be compared.
    if (!areStrings || this.#onTheirWay > 0) this.#few = undefined
    if (this.#few !== undefined && this.#few.length > 0) this.#askWithFew(asked, this.#few)
    else if (asked.length === 1 || this.#isSpread(asked)) for (const one of asked) this.#askOne(one)
    else if (areStrings) this.#askStrings(asked)
    else this.#askTogether(asked)
  }

  /** In a cluster: whether the keys are in several slots, which cannot be read in one step. */
  #isSpread(asked: readonly PendingRead[]): boolean {
    if (!this.driver.cluster) return false
    const slots = asked.map(({ command }) => clusterSlot(firstKey(command) ?? ""))
    return slots.some((slot) => slot !== slots[0])
  }

  #askOne({ command, bytes, isString, settle, fail }: PendingRead): void {
    this.steps++
    this.#onTheirWay++
    this.#base.send(command, this.#options(bytes)).then(
      (reply) => {
        this.#onTheirWay--
        if (isString) this.#keep(command, reply)
        settle(reply)
      },
      (error: unknown) => {
        this.#onTheirWay--
        fail(this.#note(error))
      },
    )
  }

  /** Records of any entities: one MGET. */
  #askStrings(asked: readonly PendingRead[]): void {
    this.steps++
    this.#strings([], asked, (replies) =>
      asked.forEach(({ command, settle }, i) => {
        this.#keep(command, replies[i]!)
        settle(replies[i]!)
      }),
    )
  }

  /** With all that was read before: the same step, if that is unchanged. */
  #askWithFew(asked: readonly PendingRead[], few: readonly string[]): void {
    const keys: string[] = []
    const texts: string[] = []
    for (let i = 0; i < few.length; i += 2) {
      keys.push(few[i]!)
      texts.push(few[i + 1]!)
    }
    this.#strings(keys, asked, (replies) => {
      if (texts.some((text, i) => text !== replies[i])) this.#stepOfItsOwn()
      asked.forEach((one, i) => {
        const reply = replies[keys.length + i]!
        this.#keep(one.command, reply)
        // MGET does not distinguish a key of another type from a missing one.
        if (reply === null) this.#askOne(one)
        else one.settle(reply)
      })
    })
  }

  #strings(keys: readonly string[], asked: readonly PendingRead[], take: (replies: readonly Reply[]) => void): void {
    this.#onTheirWay++
    const command = ["MGET", ...keys, ...asked.map((one) => one.command[1]!)]
    this.#base.send(command, this.#options(false)).then(
      (reply) => {
        this.#onTheirWay--
        take(reply as readonly Reply[])
      },
      (error: unknown) => {
        this.#onTheirWay--
        failAll(asked, this.#note(error))
      },
    )
  }

  #keep(command: Command, reply: Reply): void {
    if (this.#few === undefined) return
    const isKept = typeof reply === "string" && reply.length <= LONGEST_OF_FEW && this.#few.length < 2 * FEW
    if (isKept) this.#few.push(command[1] as string, reply)
    else this.#few = undefined
  }

  #askTogether(asked: readonly PendingRead[]): void {
    this.#stepOfItsOwn()
    const bytes = asked.some((one) => one.bytes)
    const commands = asked.map(({ command }) => command)
    this.driver.multi(commands, this.#options(bytes)).then(
      (replies) =>
        asked.forEach((one, i) => {
          const reply = replies[i]!
          if (reply instanceof KeywrightError) one.fail(reply)
          else one.settle(bytes && !one.bytes ? toText(reply) : reply)
        }),
      (error: unknown) => failAll(asked, this.#note(error)),
    )
  }

  #options(bytes: boolean): CallOptions {
    const notes = this.#deadline.notes()
    if (notes === undefined) return bytes ? SAFE_BYTES : SAFE
    return { safe: true, bytes, ...notes }
  }

  async #noting<T>(reading: Promise<T>): Promise<T> {
    try {
      return await reading
    } catch (error) {
      throw this.#note(error)
    }
  }

  #note(error: unknown): unknown {
    ;(this.failures ??= new Set()).add(error)
    return error
  }
}

/** How many records are asked for again with the next one, and how long they may be: less work than another round trip. */
const FEW = 4
const LONGEST_OF_FEW = 1024

/** The largest number that is requested at once. */
const MOST_AGAIN = 200

/** Words do not contain this character, except in bytes, which are spelled out. */
const commandText = (command: Command): string =>
  command.map((word) => (typeof word === "string" ? word : Buffer.from(word).toString("base64"))).join("\0\0")

const failAll = (asked: readonly PendingRead[], error: unknown): void => {
  for (const { fail } of asked) fail(error)
}
