/* One attempt of a transaction: everything that was read and is to be written. As a
 * lane, it sends what reads and collects what writes. */

import { createHash } from "node:crypto"
import type { CallOptions, Command, Driver, Reply } from "../driver/driver.ts"
import { readAfterWrite, readChanged, transactionScript } from "../errors/transaction.ts"
import { collect } from "./collect.ts"
import { commitPlan } from "./entity/durability.ts"
import { type Holders, leaveAfterwards } from "./entity/holders.ts"
import { remember } from "./entity/known.ts"
import { loadMany } from "./entity/reads.ts"
import type { Loaded } from "./entity/record-store.ts"
import type { Repository } from "./entity/repository.ts"
import type { Lane } from "./lane.ts"
import { withoutIds } from "./placeholder.ts"
import { Plan } from "./plan.ts"
import { ReadAhead } from "./read-ahead.ts"
import type { TransactionOptions } from "./transaction.ts"
import { withoutResending } from "./without-resending.ts"

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

const SHORT = 256
const SAFE: CallOptions = Object.freeze({ safe: true })
const NO_IDS: ReadonlyMap<string, string> = new Map()

/** Replies that change by themselves, or that come at random: not compared. */
const uncompared = new Set([
  "PTTL",
  "TTL",
  "MEMORY",
  "OBJECT",
  "SRANDMEMBER",
  "HRANDFIELD",
  "ZRANDMEMBER",
  "RANDOMKEY",
  "DUMP",
  "SCAN",
  "SSCAN",
  "HSCAN",
  "ZSCAN",
])

export class Attempt implements Lane {
  readonly driver: Driver
  readonly plan = new Plan()
  readonly by: string | undefined
  /** Where reads go: straight to the server, unless they were made ahead. */
  readonly base: ReadAhead
  readonly #repositories = new Map<string, Repository>()
  readonly #records = new Map<string, Touched>()
  #loading: Map<string, Promise<unknown>> | undefined
  /** Sets that were compared, with what they held then. */
  #compared: Map<string, Reply> | undefined
  readonly #written = new Set<string>()
  #dropped: Map<string, { readonly repository: Repository; readonly kind: "set" | "zset" }> | undefined

  constructor(base: Lane, by: string | undefined) {
    this.base = new ReadAhead(base)
    this.driver = withoutResending(base.driver)
    this.by = by
  }

  /** Reads are sent and remembered, writes are collected and answer nothing yet. */
  async send(command: Command, options?: CallOptions): Promise<Reply> {
    if (options?.safe !== true) {
      this.#collect(command)
      return null
    }
    this.#refuseOwn(command)
    // A value whose deadline slides: read now, moved at the commit.
    const name = command[0]
    const read = name === "GETEX" ? ["GET", command[1]!] : command
    const reply = await this.base.send(read, options)
    this.#compare(read, reply)
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
    if (options?.safe !== true) {
      for (const command of commands) this.#collect(command)
      return commands.map(() => null)
    }
    const [read, ...moves] = commands
    const reply = await this.send(read!, options)
    for (const move of moves) collect(this.plan, move)
    return [reply, ...moves.map(() => null)]
  }

  async script(script: { readonly name: string }): Promise<Reply> {
    throw transactionScript(script.name)
  }

  /** The repository of an entity that stands in no scope: one for all that use it. */
  repository(name: string, make: () => Repository): Repository {
    let one = this.#repositories.get(name)
    if (!one) this.#repositories.set(name, (one = make()))
    return one
  }

  /** A record as this transaction sees it: its own changes included. At once where it is known. */
  record(repository: Repository, id: string): Loaded | undefined | Promise<Loaded | undefined> {
    const key = repository.keyOf(id)
    if (this.#isKnown(repository, id, key)) return this.#records.get(key)!.now
    return this.#load(repository, [id], [id]).then(first)
  }

  /** Those that are not known yet are read, all at once, and each only once. */
  records(repository: Repository, ids: readonly string[]): (Loaded | undefined)[] | Promise<(Loaded | undefined)[]> {
    let missing: string[] | undefined
    for (const id of ids) if (!this.#isKnown(repository, id, repository.keyOf(id))) (missing ??= []).push(id)
    return missing ? this.#load(repository, ids, missing) : this.#seen(repository, ids)
  }

  /** Whether a record was read, also ahead. */
  #isKnown(repository: Repository, id: string, key: string): boolean {
    if (this.#records.has(key)) return true
    const raw = repository.store.type === "string" ? this.base.text(key) : undefined
    if (raw !== undefined) this.#enter(repository, id, repository.store.load(id, raw, true))
    return raw !== undefined
  }

  #enter(repository: Repository, id: string, before: Loaded | undefined): void {
    const key = repository.keyOf(id)
    if (!this.#records.has(key)) this.#records.set(key, { repository, id, allocated: false, before, now: before })
  }

  #seen = (repository: Repository, ids: readonly string[]): (Loaded | undefined)[] =>
    ids.map((id) => this.#records.get(repository.keyOf(id))?.now)

  async #load(repository: Repository, ids: readonly string[], missing: readonly string[]) {
    const loading = (this.#loading ??= new Map<string, Promise<unknown>>())
    const fresh = [...new Set(missing)].filter((id) => !loading.has(repository.keyOf(id)))
    if (fresh.length > 0) {
      const reading = loadMany(repository, fresh, undefined, this.base, true).then((loaded) =>
        fresh.forEach((id, i) => this.#enter(repository, id, loaded[i])),
      )
      for (const id of fresh) loading.set(repository.keyOf(id), reading)
    }
    await Promise.all(missing.map((id) => loading.get(repository.keyOf(id))))
    return this.#seen(repository, ids)
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
    const key = repository.keyOf(id)
    const before = this.#records.get(key)?.before
    this.#records.set(key, { repository, id, allocated, before, now })
  }

  changeRecord(repository: Repository, id: string, now: Loaded | undefined, holders?: Holders): void {
    const touched = this.#records.get(repository.keyOf(id))!
    touched.now = now
    if (holders) touched.holders = holders
  }

  /** The sets of an index that go as a whole, unless a record of this transaction enters them. */
  dropSets(repository: Repository, keys: readonly string[], kind: "set" | "zset"): void {
    for (const key of keys) (this.#dropped ??= new Map()).set(key, { repository, kind })
  }

  #planDropped(changed: readonly Touched[]): void {
    if (!this.#dropped) return
    const entered = new Set(
      changed.flatMap(({ repository, now }) => (now ? repository.entriesOf(now.document).map(({ key }) => key) : [])),
    )
    for (const [key, { repository, kind }] of this.#dropped) {
      if (entered.has(key)) continue
      this.plan.expectType(key, kind, (found) => repository.wrongType(key, kind, found))
      this.plan.drop(key)
    }
  }

  async commit(options: TransactionOptions): Promise<ReadonlyMap<string, string>> {
    const changed: Touched[] = []
    for (const touched of this.#records.values()) if (touched.before !== touched.now) changed.push(touched)
    this.#planDropped(changed)
    if (changed.length === 0 && this.plan.writesNothing) return NO_IDS
    for (const { repository, id, before, now } of changed)
      if (before && repository.hasUnique) repository.planRelease(this.plan, id, before, now)
    for (const touched of this.#records.values()) this.#planRecord(touched)
    this.plan.purpose = "transaction"
    if (options.operationId !== undefined) this.plan.identity = this.#identity(changed)
    const { ids } = await commitPlan("transaction", this.base, this.plan, options)
    for (const { repository, id, now, holders } of changed) {
      // Where ids were allocated, what is handed out is a copy with these ids.
      if (now && ids.size === 0) remember(now)
      if (!now && holders) await leaveAfterwards(repository, id, holders.after)
    }
    return ids
  }

  /** Which records and keys it writes: whoever repeats a transaction writes the same. */
  #identity(changed: readonly Touched[]): string {
    const keys = changed.map(({ repository, id }) => withoutIds(repository.keyOf(id)))
    for (const key of this.#written) keys.push(withoutIds(key))
    return createHash("sha1")
      .update([...new Set(keys)].sort().join("\n"))
      .digest("hex")
      .slice(0, 16)
  }

  #planRecord({ repository, id, allocated, before, now, holders }: Touched): void {
    if (before === now) {
      if (before) repository.expectUnchanged(this.plan, id, before)
      else {
        const key = repository.keyOf(id)
        repository.store.expect(this.plan, key, undefined, () =>
          readChanged(repository.record.row.pattern, repository.shown(key)),
        )
      }
    } else if (before && now) repository.planUpdate(this.plan, id, before, now)
    else if (before) repository.planDelete(this.plan, id, before, holders?.together)
    else repository.planCreate(this.plan, id, allocated, now!)
  }

  #compare(command: Command, reply: Reply): void {
    const [name, key] = command as readonly [string, string]
    if (uncompared.has(name)) return
    const onFailure = () => readChanged(key, key)
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
    this.#written.add(String(command[1]))
    collect(this.plan, command)
  }

  #refuseOwn(command: Command): void {
    if (this.#written.size === 0) return
    const [name, key] = command
    const keys = name === "MGET" || name === "EXISTS" ? command.slice(1) : [key]
    const own = keys.find((one) => this.#written.has(String(one)))
    if (own !== undefined) throw readAfterWrite(String(own), String(own))
  }
}

const isOf = (touched: Touched, { head, tail }: Repository): boolean =>
  touched.repository.head === head && touched.repository.tail === tail
const first = <T>(all: readonly T[]): T | undefined => all[0]
