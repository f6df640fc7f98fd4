/* One attempt of a transaction: everything that was read and is to be written. As a
 * lane, it sends what reads and collects what writes. */

import type { CallOptions, Command, Driver, Reply, Wire } from "../driver/driver.ts"
import { readAfterWrite, readChanged, transactionScript } from "../errors/transaction.ts"
import { collect } from "./collect.ts"
import { commitPlan } from "./entity/durability.ts"
import { type Holders, leaveAfterwards } from "./entity/holders.ts"
import { remember } from "./entity/known.ts"
import { loadMany } from "./entity/reads.ts"
import type { Loaded } from "./entity/record-store.ts"
import type { Repository } from "./entity/repository.ts"
import { settled } from "./entity/writes.ts"
import type { Lane } from "./lane.ts"
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
  readonly #records = new Map<string, Touched>()
  readonly #loading = new Map<string, Promise<unknown>>()
  readonly #written = new Set<string>()

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
    const [name, key, ...words] = command as [string, string, ...Wire[]]
    const read = name === "GETEX" ? ["GET", key] : command
    const reply = await this.base.send(read, options)
    this.#compare(read, reply)
    if (name === "GETEX" && words[0] === "PX") collect(this.plan, ["PEXPIRE", key, words[1]!])
    return reply
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

  /** A record as this transaction sees it: its own changes included. */
  async record(repository: Repository, id: string): Promise<Loaded | undefined> {
    return (await this.records(repository, [id]))[0]
  }

  /** Those that are not known yet are read, all at once, and each only once. */
  async records(repository: Repository, ids: readonly string[]): Promise<(Loaded | undefined)[]> {
    const keyOf = (id: string) => repository.head + id + repository.tail
    const missing = [...new Set(ids)].filter((id) => !this.#records.has(keyOf(id)) && !this.#loading.has(keyOf(id)))
    if (missing.length > 0) {
      const reading = loadMany(repository, missing, undefined, this.base).then((loaded) => {
        missing.forEach((id, i) => {
          const before = loaded[i]
          if (!this.#records.has(keyOf(id)))
            this.#records.set(keyOf(id), { repository, id, allocated: false, before, now: before })
        })
      })
      for (const id of missing) this.#loading.set(keyOf(id), reading)
    }
    await Promise.all(ids.map((id) => this.#loading.get(keyOf(id))))
    return ids.map((id) => this.#records.get(keyOf(id))?.now)
  }

  /** The records of an entity that this transaction knows, as it sees them. */
  touched(repository: Repository): Pick<Touched, "id" | "before" | "now">[] {
    return [...this.#records.values()].filter(
      (touched) => touched.repository.head === repository.head && touched.repository.tail === repository.tail,
    )
  }

  /** Ids that the server gave, corrected by what this transaction has changed: not by what it has only read. */
  seen(repository: Repository, ids: readonly string[], isIn: (loaded: Loaded) => boolean): string[] {
    const seen = new Set(ids)
    for (const { id, before, now } of this.touched(repository)) {
      if (before === now) continue
      if (now && isIn(now)) seen.add(id)
      else seen.delete(id)
    }
    return [...seen]
  }

  newRecord(repository: Repository, id: string, allocated: boolean, now: Loaded): void {
    const key = repository.head + id + repository.tail
    const before = this.#records.get(key)?.before
    this.#records.set(key, { repository, id, allocated, before, now })
  }

  changeRecord(repository: Repository, id: string, now: Loaded | undefined, holders?: Holders): void {
    const touched = this.#records.get(repository.head + id + repository.tail)!
    touched.now = now
    if (holders) touched.holders = holders
  }

  async commit(options: TransactionOptions): Promise<ReadonlyMap<string, string>> {
    const changed = [...this.#records.values()].filter(({ before, now }) => before !== now)
    if (changed.length === 0 && this.plan.writesNothing) return new Map()
    for (const { repository, id, before, now } of changed)
      if (before) repository.planRelease(this.plan, id, before, now)
    for (const touched of this.#records.values()) this.#planRecord(touched)
    this.plan.purpose = "transaction"
    const { by: _by, ...rest } = options
    const { ids } = await commitPlan("transaction", this.base, this.plan, rest)
    for (const { repository, id, now, allocated, holders } of changed) {
      if (now && !allocated) remember(settled(repository, now, ids))
      if (!now && holders) await leaveAfterwards(repository, id, holders.after)
    }
    return ids
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
    const [name, key, ...words] = command as [string, string, ...Wire[]]
    if (uncompared.has(name)) return
    if (name === "MGET") {
      const replies = reply as readonly Reply[]
      for (const [i, one] of [key, ...(words as string[])].entries())
        this.plan.expectReply(one, [name], [replies[i]!], () => readChanged(one, one))
      return
    }
    const onFailure = () => readChanged(key, key)
    // What is short is compared as it is: cheaper than its digest, here and on the server.
    if (name === "GET" && (reply === null || (typeof reply === "string" && reply.length <= SHORT)))
      this.plan.expectString(key, reply ?? undefined, onFailure)
    else this.plan.expectReply(key, [name, ...words], reply, onFailure)
  }

  #collect(command: Command): void {
    this.#written.add(String(command[1]))
    collect(this.plan, command)
  }

  #refuseOwn([name, key, ...words]: Command): void {
    const keys = name === "MGET" || name === "EXISTS" ? [key, ...words] : [key]
    const own = keys.find((one) => this.#written.has(String(one)))
    if (own !== undefined) throw readAfterWrite(String(own), String(own))
  }
}
