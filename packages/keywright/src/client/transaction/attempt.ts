/* One attempt of a transaction: everything that was read and is to be written. As a
 * lane, it sends what reads and collects what writes. */

import { firstKey } from "../../driver/first-key.ts"
import type { CallOptions, Command, Driver, Reply, Wire } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import {
  readAfterWrite,
  readChanged,
  transactionCommand,
  transactionNumber,
  transactionOver,
  transactionScript,
} from "../../errors/transaction.ts"
import type { Deadline } from "../call/deadline.ts"
import { commitPlan } from "../entity/durability.ts"
import { type Holders, leaveAfterwards } from "../entity/holders.ts"
import { remember } from "../entity/known.ts"
import { named } from "../entity/naming.ts"
import type { Loaded } from "../entity/record-store.ts"
import type { Repository } from "../entity/repository.ts"
import type { CallNotes } from "../kinds/handle.ts"
import type { Lane } from "../call/lane.ts"
import type { OperationNotes } from "../plan/operation-key.ts"
import { isDerived } from "../plan/placeholder.ts"
import { type Applied, Plan } from "../plan/plan.ts"
import { withoutResending } from "../call/without-resending.ts"
import { answer } from "./answers.ts"
import { collect } from "./collect.ts"
import { KeyView } from "./key-view.ts"
import { ReadAhead } from "./read-ahead.ts"
import type { TransactionTurns } from "./transaction-turns.ts"

/** A record that the transaction has looked at or changed. */
interface Touched {
  readonly repository: Repository
  readonly id: string
  readonly allocated: boolean
  readonly before: Loaded | undefined
  now: Loaded | undefined
  /** When it is deleted: the sets of others that it stands in. */
  holders?: Holders
}

/** Sets that go as a whole, by key. */
type Dropped = Map<string, { readonly repository: Repository; readonly kind: "set" | "zset" }>

/** What a commit is told: the answer that a repetition gets, and what tells this transaction from others. */
export interface CommitNotes extends OperationNotes {
  readonly identity: string
  readonly answer: string
}

const SHORT = 256
/** As apply.lua has it for numbers that are there. */
const MOST_SET = 4e18
const DONE: Applied = Object.freeze({ ids: new Map<string, string>() })

/** Reads that see no single state, or something that changes by itself. */
const refused = /^([SHZ]?SCAN|MEMORY|OBJECT|DUMP|XPENDING|XREADGROUP|HRANDFIELD|ZRANDMEMBER|RANDOMKEY)$/
/** Reads of several keys. */
const several = /^(MGET|EXISTS|SUNION|SINTER|SDIFF|PFCOUNT)$/
/** Of these only is compared whether there is something. */
const timed = new Set(["PTTL", "TTL"])
/** What moves a deadline changes nothing that a write answers. */
const deadlines = new Set(["PEXPIRE", "PEXPIREAT", "PERSIST"])

export class Attempt implements Lane {
  readonly driver: Driver
  readonly plan = new Plan()
  readonly by: string | undefined
  /** Where reads go: straight to the server, unless they were made ahead. */
  readonly base: ReadAhead
  readonly #lane: Lane
  readonly #deadline: Deadline
  readonly #turns: TransactionTurns
  readonly #repositories = new Map<string, Repository>()
  readonly #records = new Map<string, Touched>()
  #loading: Map<string, Promise<unknown>> | undefined
  /** Sets that were compared, with what they held then. */
  #compared: Map<string, Reply> | undefined
  readonly #written = new Set<string>()
  #views: Map<string, KeyView> | undefined
  /** Writes whose answers are on their way, by key: the next one waits for them. */
  #pending: Map<string, Promise<unknown>> | undefined
  #dropped: Dropped | undefined
  /** Strings, and fields of hashes, that it has set. */
  #set: Map<string, Wire> | undefined
  #isOver = false
  readonly #isFirst: boolean

  constructor(lane: Lane, deadline: Deadline, turns: TransactionTurns, by: string | undefined, isFirst: boolean) {
    this.#isFirst = isFirst
    this.#lane = lane
    this.#deadline = deadline
    this.#turns = turns
    this.base = new ReadAhead(lane, deadline)
    this.driver = withoutResending(lane.driver)
    this.by = by
  }

  /** Reads are sent and remembered. Writes are collected; what they answer depends on is read. */
  async send(command: Command, options?: CallOptions): Promise<Reply> {
    this.#refuseLate()
    if (options?.safe !== true) return this.#write([command], options)
    this.#refuseOwn(command)
    const name = String(command[0])
    if (refused.test(name))
      throw transactionCommand(name, "What it reads cannot be compared when the transaction commits.")
    if (name === "SRANDMEMBER") return this.#draw(command, options)
    // A value whose deadline slides: read now, moved at the commit.
    const read = name === "GETEX" ? ["GET", command[1]!] : command
    const reply = await this.#ask(read, options)
    if (name === "GETEX" && command[2] === "PX") collect(this.plan, ["PEXPIRE", command[1]!, command[3]!])
    return reply
  }

  /** The same for a command that only reads: at once where the reply is known. */
  read(command: Command): Reply | Promise<Reply> {
    const known = this.base.answer(command)
    if (known === undefined) return this.send(command, SAFE)
    this.#refuseOwn(command)
    this.#compare(command, known)
    return known
  }

  async atomic(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    this.#refuseLate()
    if (options?.safe !== true) return [await this.#write(commands, options), ...commands.slice(1).map(() => null)]
    const [read, ...moves] = commands
    const reply = await this.send(read!, options)
    for (const move of moves) collect(this.plan, move)
    return [reply, ...moves.map(() => null)]
  }

  async script(script: { readonly name: string }): Promise<Reply> {
    throw transactionScript(script.name)
  }

  /** Writes whose answer nobody needs: nothing is read for them. */
  async collect(commands: readonly Command[]): Promise<void> {
    this.#refuseLate()
    const key = String(commands[0]![1])
    const work = () => {
      for (const command of commands) this.#collect(command)
      const view = this.#views?.get(key)
      if (view) view.isWritten = view.isUnknown = true
    }
    return this.#pending?.has(key) === true ? this.#inOrder(key, async () => work()) : work()
  }

  /** What a round trip of its own is given. */
  notes(): CallNotes | undefined {
    return this.#deadline.notes()
  }

  /** The repository of an entity that stands in no scope: one for all that use it. */
  repository(name: string, make: () => Repository): Repository {
    let one = this.#repositories.get(name)
    if (!one) this.#repositories.set(name, (one = make()))
    return one
  }

  /** A record as this transaction sees it: its own changes included. At once where it is known. */
  record(repository: Repository, id: string): Loaded | undefined | Promise<Loaded | undefined> {
    this.#refuseLate()
    const key = repository.keyOf(id)
    return this.#isKnown(repository, id, key) ? this.#records.get(key)!.now : this.#load(repository, id, key)
  }

  /** Those that are not known yet are read, all at once, and each only once. */
  records(repository: Repository, ids: readonly string[]): (Loaded | undefined)[] | Promise<(Loaded | undefined)[]> {
    this.#refuseLate()
    let missing: string[] | undefined
    for (const id of ids) if (!this.#isKnown(repository, id, repository.keyOf(id))) (missing ??= []).push(id)
    return missing ? this.#loadAll(repository, ids, missing) : this.#seen(repository, ids)
  }

  /** Whether a record was read, also ahead. */
  #isKnown(repository: Repository, id: string, key: string): boolean {
    if (this.#records.has(key)) return true
    const raw = repository.store.type === "string" ? this.base.text(key) : undefined
    if (raw !== undefined) this.#enter(repository, id, key, raw)
    return raw !== undefined
  }

  #enter(repository: Repository, id: string, key: string, raw: Reply): Loaded | undefined {
    const known = this.#records.get(key)
    if (known) return known.now
    const before = repository.store.load(id, raw, true)
    this.#records.set(key, { repository, id, allocated: false, before, now: before })
    return before
  }

  #load(repository: Repository, id: string, key: string): Promise<Loaded | undefined> {
    const known = this.#loading?.get(key)
    if (known) return known.then(() => this.#records.get(key)?.now)
    const loading = this.#read(repository, id, key)
    ;(this.#loading ??= new Map()).set(key, loading)
    return loading
  }

  async #read(repository: Repository, id: string, key: string): Promise<Loaded | undefined> {
    const turn = this.#turns.arrive(key)
    if (turn) await turn
    const command = repository.read(key)
    try {
      const raw = await (this.#isMerged(repository) ? this.base.string(command) : this.base.send(command, SAFE))
      return this.#enter(repository, id, key, raw)
    } catch (error) {
      throw named(repository.record, key, error)
    }
  }

  async #loadAll(repository: Repository, ids: readonly string[], missing: readonly string[]) {
    if (missing.length === 1) await this.#load(repository, missing[0]!, repository.keyOf(missing[0]!))
    else {
      const loading = (this.#loading ??= new Map<string, Promise<unknown>>())
      const fresh = [...new Set(missing)].filter((id) => !loading.has(repository.keyOf(id)))
      const reading = this.#readAll(repository, fresh)
      for (const id of fresh) loading.set(repository.keyOf(id), reading)
      await Promise.all(missing.map((id) => loading.get(repository.keyOf(id))))
    }
    return this.#seen(repository, ids)
  }

  async #readAll(repository: Repository, ids: readonly string[]): Promise<void> {
    const reads = ids.map((id) => repository.read(repository.keyOf(id)))
    const raws = await Promise.all(
      reads.map((read) => (this.#isMerged(repository) ? this.base.string(read) : this.base.send(read, SAFE))),
    )
    ids.forEach((id, i) => this.#enter(repository, id, repository.keyOf(id), raws[i]!))
  }

  /** Whether it is read by MGET with all others. That does not tell a key of another type from none: an attempt that was beaten asks for each. */
  #isMerged({ store }: Repository): boolean {
    return store.type === "string" && !this.driver.cluster && this.#isFirst
  }

  #seen(repository: Repository, ids: readonly string[]): (Loaded | undefined)[] {
    return ids.map((id) => this.#records.get(repository.keyOf(id))?.now)
  }

  /** The records of an entity that this transaction knows, as it sees them. */
  touched(repository: Repository): Pick<Touched, "id" | "before" | "now">[] {
    const found: Touched[] = []
    for (const touched of this.#records.values()) if (isOf(touched, repository)) found.push(touched)
    return found
  }

  /** Ids that the server gave, corrected by what this transaction has changed: not by what it has only read. */
  seen(repository: Repository, ids: readonly string[], isIn: (loaded: Loaded) => boolean): readonly string[] {
    let seen: Set<string> | undefined
    for (const touched of this.#records.values()) {
      const { id, before, now } = touched
      if (before === now || !isOf(touched, repository)) continue
      seen ??= new Set(ids)
      if (now && isIn(now)) seen.add(id)
      else seen.delete(id)
    }
    return seen ? [...seen] : ids
  }

  newRecord(repository: Repository, id: string, allocated: boolean, now: Loaded): void {
    this.#refuseLate()
    const key = repository.keyOf(id)
    const before = this.#records.get(key)?.before
    this.#records.set(key, { repository, id, allocated, before, now })
  }

  changeRecord(repository: Repository, id: string, now: Loaded | undefined, holders?: Holders): void {
    this.#refuseLate()
    const touched = this.#records.get(repository.keyOf(id))!
    touched.now = now
    if (holders) touched.holders = holders
  }

  /** The sets of an index that go as a whole, unless a record of this transaction enters them. */
  dropSets(repository: Repository, keys: readonly string[], kind: "set" | "zset"): void {
    for (const key of keys) (this.#dropped ??= new Map()).set(key, { repository, kind })
  }

  /** The records and keys that it writes. */
  get writtenKeys(): string[] {
    const changed = this.#changed().flatMap(({ repository, id, allocated }) =>
      allocated ? [] : [repository.keyOf(id)],
    )
    return [...new Set([...changed, ...this.#written])]
  }

  /** Writes whose answers are on their way are part of it; after that nothing more is. At once when there are none. */
  end(): Promise<void> | undefined {
    if (this.#pending !== undefined && this.#pending.size > 0) return this.#endLater(this.#pending)
    this.abandon()
    return undefined
  }

  async #endLater(pending: ReadonlyMap<string, Promise<unknown>>): Promise<void> {
    while (pending.size > 0) await Promise.all(pending.values())
    this.abandon()
  }

  /** From now on it takes no more calls. */
  abandon(): void {
    this.#isOver = true
  }

  /** The failed read that an error comes from, if it comes from one. */
  unread(error: unknown): unknown {
    const { failures } = this.base
    if (failures === undefined) return undefined
    for (let each = error; each !== undefined && each !== null; each = (each as { cause?: unknown }).cause)
      if (failures.has(each)) return each
    return undefined
  }

  /** Whether what it has read was there at one moment: then there is nothing to compare. */
  get isOneMoment(): boolean {
    return this.base.steps <= 1
  }

  /** Makes sure that everything read is still so, and writes everything. Undefined: there is nothing to do. */
  commit(notes: CommitNotes): Promise<Applied> | undefined {
    const changed = this.#changed()
    if (this.#dropped) this.#planDropped(this.#dropped, changed)
    if (notes.operationId === undefined && changed.length === 0 && this.plan.writesNothing) {
      if (this.isOneMoment) return undefined
      if (this.plan.isEmpty && this.#areStrings) return this.#readAgain()
    }
    return this.#commit(changed, notes)
  }

  async #commit(changed: readonly Touched[], notes: CommitNotes): Promise<Applied> {
    for (const { repository, id, before, now } of changed)
      if (before && repository.hasUnique) repository.planRelease(this.plan, id, before, now)
    for (const touched of this.#records.values()) this.#planRecord(touched)
    const applied = await this.#apply(this.plan, notes)
    if (applied.replayed !== undefined) return applied
    for (const { repository, id, now, holders } of changed) {
      // Where ids were allocated, what is handed out is a copy with these ids.
      if (now && applied.ids.size === 0) remember(now)
      if (!now && holders) await leaveAfterwards(repository, id, holders.after, this.#deadline.notes())
    }
    return applied
  }

  /** Whether it has read nothing but records that are strings, on one server: then reading them again is cheaper than a script. */
  get #areStrings(): boolean {
    if (this.driver.cluster) return false
    for (const { repository } of this.#records.values()) if (repository.store.type !== "string") return false
    return true
  }

  /** All records at one moment: they must be as they were. */
  async #readAgain(): Promise<Applied> {
    this.#deadline.check("the transaction")
    const keys = [...this.#records.keys()]
    const found = (await this.#lane.send(["MGET", ...keys], { ...this.#deadline.notes(), safe: true })) as Reply[]
    let at = 0
    for (const { repository, id, before } of this.#records.values())
      if (found[at++] !== (before?.raw ?? null)) throw repository.changed(id, found[at - 1]!)
    return DONE
  }

  /** Makes sure that everything read is still so, and writes nothing: for a transaction that failed. */
  async validate(notes: CommitNotes): Promise<Applied> {
    const reads = this.plan.readsOnly()
    for (const { repository, id, before } of this.#records.values()) this.#expectRecord(reads, repository, id, before)
    return this.#apply(reads, notes)
  }

  #apply(plan: Plan, { identity, answer: kept, ...operation }: CommitNotes): Promise<Applied> {
    plan.purpose = "transaction"
    plan.identity = identity
    plan.answer = kept
    this.#deadline.check("the transaction")
    return commitPlan("transaction", this.#lane, plan, { ...operation, ...this.#deadline.notes() })
  }

  #changed(): Touched[] {
    const changed: Touched[] = []
    for (const touched of this.#records.values()) if (touched.before !== touched.now) changed.push(touched)
    return changed
  }

  #planDropped(dropped: Dropped, changed: readonly Touched[]): void {
    const entered = new Set(
      changed.flatMap(({ repository, now }) => (now ? repository.entriesOf(now.document).map(({ key }) => key) : [])),
    )
    for (const [key, { repository, kind }] of dropped) {
      if (entered.has(key)) continue
      this.plan.expectType(key, kind, (found) => repository.wrongType(key, kind, found))
      this.plan.drop(key)
    }
  }

  #planRecord({ repository, id, allocated, before, now, holders }: Touched): void {
    if (before === now) this.#expectRecord(this.plan, repository, id, before)
    else if (before && now) repository.planUpdate(this.plan, id, before, now)
    else if (before) repository.planDelete(this.plan, id, before, holders?.together)
    else {
      // It was seen that there is none: when there is one by now, that is decided again, not refused.
      if (!allocated) this.#expectRecord(this.plan, repository, id, undefined)
      repository.planCreate(this.plan, id, true, now!)
    }
  }

  #expectRecord(plan: Plan, repository: Repository, id: string, before: Loaded | undefined): void {
    if (before) return repository.expectUnchanged(plan, id, before)
    const key = repository.keyOf(id)
    const onFailure = () => readChanged(repository.record.row.pattern, repository.shown(key))
    repository.store.expect(plan, key, undefined, onFailure)
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
      words,
      view,
      read: (read, how = { ...options, safe: true }) => this.#ask(read, how),
      draw: (read) => this.#draw(read, { ...options, safe: true }),
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
      view.isWritten = view.isUnknown = this.#written.has(key)
      // Named after an id that is not allocated yet: there is nothing to read.
      if (isDerived(key) && !view.isWritten) view.clear()
    }
    return view
  }

  /** Members at random: that they are members is compared, not that they are drawn again. */
  async #draw(command: Command, options?: CallOptions): Promise<Reply> {
    const [, key, count] = command as readonly string[]
    const drawn = await this.base.send(command, options)
    const members = (Array.isArray(drawn) ? drawn : drawn === null ? [] : [drawn]) as Wire[]
    if (members.length > 0)
      this.#compare(
        ["SMISMEMBER", key!, ...members],
        members.map(() => 1),
      )
    // Fewer than were asked for are all that there are.
    if (members.length < Number(count ?? 1)) this.#compare(["SCARD", key!], members.length)
    return drawn
  }

  /** A read that is compared at the commit. */
  async #ask(command: Command, options?: CallOptions): Promise<Reply> {
    const turn = this.#turns.arrive(String(command[1]))
    if (turn) await turn
    const reply = await this.base.send(command, options)
    this.#compare(command, reply)
    return reply
  }

  #compare(command: Command, reply: Reply): void {
    const [name, key] = command as readonly [string, string]
    const onFailure = () => readChanged(key, key)
    if (timed.has(name)) return this.plan.expectReply(key, ["EXISTS"], reply === -2 ? 0 : 1, onFailure)
    if (name === "MGET") return this.#compareAll(command.slice(1) as string[], reply as readonly Reply[])
    // What is short is compared as it is: cheaper than its digest, here and on the server.
    if (name === "GET" && (reply === null || (typeof reply === "string" && reply.length <= SHORT)))
      return this.plan.expectString(key, reply ?? undefined, onFailure)
    if (name === "SMEMBERS") {
      // The very same reply, read ahead and asked for twice.
      if (this.#compared?.get(key) === reply) return
      ;(this.#compared ??= new Map()).set(key, reply)
    }
    this.plan.expectReply(key, [name, ...command.slice(2)], reply, onFailure)
  }

  #compareAll(keys: readonly string[], replies: readonly Reply[]): void {
    for (const [i, key] of keys.entries())
      this.plan.expectReply(key, ["MGET"], [replies[i]!], () => readChanged(key, key))
  }

  #collect(command: Command): void {
    const key = String(command[1])
    // Whether the list has this element is looked at before anything is written.
    if (command[0] === "LSET" && this.#written.has(key)) throw readAfterWrite(key, key)
    this.#written.add(key)
    this.#followNumber(key, command)
    collect(this.plan, command)
  }

  /** Whether a number can be added to is looked at before anything is written: what the transaction itself sets, here. */
  #followNumber(key: string, [name, , ...words]: Command): void {
    const set = (this.#set ??= new Map<string, Wire>())
    if (name === "SET") set.set(key, words[0]!)
    else if (name === "HSET")
      for (let i = 0; i < words.length; i += 2) set.set(`${key}\0${String(words[i])}`, words[i + 1]!)
    else if (name === "UNLINK" || name === "DEL") {
      for (const own of [...set.keys()]) if (own === key || own.startsWith(`${key}\0`)) set.delete(own)
    } else {
      const isField = String(name).startsWith("HINCR")
      if (!isField && !String(name).startsWith("INCR")) return
      const own = set.get(isField ? `${key}\0${String(words[0])}` : key)
      if (own !== undefined && !(Math.abs(Number(own)) <= MOST_SET)) throw transactionNumber(key)
    }
  }

  #refuseOwn(command: Command): void {
    if (this.#written.size === 0 && this.#pending === undefined) return
    const keys = several.test(String(command[0])) ? command.slice(1) : [firstKey(command) ?? ""]
    const own = keys.find((one) => this.#written.has(String(one)) || this.#pending?.has(String(one)))
    if (own !== undefined) throw readAfterWrite(String(own), String(own))
  }

  #refuseLate(): void {
    if (this.#isOver) throw transactionOver()
  }
}

/** What a command that belongs to a write does to what is known of the key. */
function follow(view: KeyView, [name, , from, to]: Command): void {
  if (deadlines.has(String(name))) return
  if (name === "LTRIM" && view.length !== undefined) {
    const keep = Number(to) >= 0 ? Number(to) + 1 : -Number(from)
    view.length = Math.min(view.length, keep)
  } else view.isUnknown = true
}

const nothing = (): void => {}
const isOf = (touched: Touched, { head, tail }: Repository): boolean =>
  touched.repository.head === head && touched.repository.tail === tail
