/* Transactions: read several keys, decide, write several keys. Reads go to the
 * server at once and are remembered; writes are collected. The commit is one
 * compare-and-apply: it makes sure that everything read is still so, and then writes
 * everything. Otherwise the whole is decided anew, a bounded number of times.
 *
 * No WATCH: on a shared connection it would be everybody's. */

import { setTimeout as sleep } from "node:timers/promises"
import type { CallOptions, Command, Driver, Reply, Wire } from "../driver/driver.ts"
import { Refused } from "../errors/outcome.ts"
import { RecordChanged } from "../errors/record.ts"
import { readChanged, transactionContended, transactionDatabases, transactionScript } from "../errors/transaction.ts"
import { Conflict } from "../errors/outcome.ts"
import type { Loaded } from "./entity/record-store.ts"
import type { Repository } from "./entity/repository.ts"
import { settled } from "./entity/writes.ts"
import { remember } from "./entity/known.ts"
import type { Lane } from "./lane.ts"
import { Plan, withIds } from "./plan.ts"
import { withoutResending } from "./without-resending.ts"

const TRIES = 16

export interface TransactionOptions extends Omit<CallOptions, "bytes" | "safe"> {
  readonly operationId?: string
  /** Who does it: for createdBy and updatedBy. */
  readonly by?: string
}

/** A record that the transaction has looked at or changed. */
interface Touched {
  readonly repository: Repository
  readonly id: string
  readonly allocated: boolean
  readonly before: Loaded | undefined
  now: Loaded | undefined
}

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

/** What a command writes to, so that it cannot fail after others have written. */
const typeOf: Readonly<Record<string, string>> = {
  HSET: "hash",
  HDEL: "hash",
  HSETNX: "hash",
  HINCRBY: "hash",
  HINCRBYFLOAT: "hash",
  LPUSH: "list",
  RPUSH: "list",
  LREM: "list",
  LTRIM: "list",
  LPOP: "list",
  RPOP: "list",
  LSET: "list",
  SADD: "set",
  SREM: "set",
  SPOP: "set",
  ZADD: "zset",
  ZREM: "zset",
  ZINCRBY: "zset",
  ZREMRANGEBYRANK: "zset",
  ZREMRANGEBYSCORE: "zset",
  ZPOPMIN: "zset",
  ZPOPMAX: "zset",
  GEOADD: "zset",
  XADD: "stream",
  XTRIM: "stream",
  XDEL: "stream",
  INCRBY: "string",
  INCRBYFLOAT: "string",
  DECRBY: "string",
  APPEND: "string",
  SETRANGE: "string",
  SETBIT: "string",
  PFADD: "string",
}
const counts = new Set(["INCRBY", "INCRBYFLOAT", "DECRBY", "HINCRBY", "HINCRBYFLOAT"])

/** One attempt: everything that was read and is to be written. */
export class Attempt implements Lane {
  readonly driver: Driver
  readonly plan = new Plan()
  readonly by: string | undefined
  /** Where reads go: straight to the server. */
  readonly base: Lane
  readonly #records = new Map<string, Touched>()

  constructor(base: Lane, by: string | undefined) {
    this.base = base
    this.driver = withoutResending(base.driver)
    this.by = by
  }

  /** Reads are sent and remembered, writes are collected and answer nothing yet. */
  async send(command: Command, options?: CallOptions): Promise<Reply> {
    if (options?.safe !== true) {
      this.#collect(command)
      return null
    }
    const reply = await this.base.send(command, options)
    this.#compare(command, reply)
    return reply
  }

  async atomic(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    if (options?.safe !== true) {
      for (const command of commands) this.#collect(command)
      return commands.map(() => null)
    }
    // A read with a deadline that slides: the reading is done now, the moving at the commit.
    const [read, ...moves] = commands
    const reply = await this.base.send(read!, options)
    this.#compare(read!, reply)
    for (const move of moves) this.#collect(move)
    return [reply, ...moves.map(() => null)]
  }

  async script(script: { readonly name: string }): Promise<Reply> {
    throw transactionScript(script.name)
  }

  /** A record as this transaction sees it: its own changes included. */
  async record(repository: Repository, id: string): Promise<Loaded | undefined> {
    const key = repository.head + id + repository.tail
    const known = this.#records.get(key)
    if (known) return known.now
    const loaded = repository.load(id, await this.base.send(repository.read(repository.keyOf(id)), { safe: true }))
    this.#records.set(key, { repository, id, allocated: false, before: loaded, now: loaded })
    return loaded
  }

  /** Takes note of records that were read through an index. */
  sawRecord(repository: Repository, id: string, loaded: Loaded | undefined): Loaded | undefined {
    const key = repository.head + id + repository.tail
    const known = this.#records.get(key)
    if (known) return known.now
    this.#records.set(key, { repository, id, allocated: false, before: loaded, now: loaded })
    return loaded
  }

  newRecord(repository: Repository, id: string, allocated: boolean, loaded: Loaded): void {
    this.#records.set(repository.head + id + repository.tail, {
      repository,
      id,
      allocated,
      before: undefined,
      now: loaded,
    })
  }

  changeRecord(repository: Repository, id: string, now: Loaded | undefined): void {
    this.#records.get(repository.head + id + repository.tail)!.now = now
  }

  compareReply(command: Command, reply: Reply): void {
    this.#compare(command, reply)
  }

  async commit(options: TransactionOptions): Promise<Map<string, string>> {
    for (const touched of this.#records.values()) this.#planRecord(touched)
    if (this.plan.writesNothing) return new Map()
    const { by: _by, ...rest } = options
    const ids = await this.plan.carryOut(this.base, rest)
    for (const { repository, now, allocated } of this.#records.values())
      if (now && !allocated) remember(settled(repository, now, ids))
    return ids
  }

  #planRecord({ repository, id, allocated, before, now }: Touched): void {
    if (before === now) {
      if (before) repository.expectUnchanged(this.plan, id, before)
      else {
        const key = repository.keyOf(id)
        repository.store.expect(this.plan, key, undefined, () =>
          readChanged(repository.record.row.pattern, repository.shown(key)),
        )
      }
    } else if (before && now) repository.planUpdate(this.plan, id, before, now)
    else if (before) repository.planDelete(this.plan, id, before)
    else repository.planCreate(this.plan, id, allocated, now!)
  }

  #compare(command: Command, reply: Reply): void {
    const [name, key, ...words] = command as [string, string, ...Wire[]]
    if (uncompared.has(name)) return
    if (name === "MGET") {
      const replies = reply as readonly Reply[]
      for (const [i, one] of [key, ...(words as string[])].entries()) this.#compare(["GET", one], replies[i]!)
      return
    }
    this.plan.expectReply(key, [name, ...words], reply, () => readChanged(key, key))
  }

  #collect(command: Command): void {
    const [name, key, ...words] = command as [string, string, ...Wire[]]
    const type = typeOf[name]
    if (type !== undefined) {
      this.plan.expectType(
        key,
        type,
        (found) => new Refused("TRANSACTION.WRONG_TYPE", `${key} is a ${String(found)}, not a ${type}`, { key }),
      )
    }
    if (counts.has(name)) {
      const field = type === "hash" ? String(words[0]) : ""
      this.plan.expectNumber(
        key,
        field,
        () => new Refused("TRANSACTION.NOT_A_NUMBER", `${key} does not hold a number`, { key }),
      )
    }
    this.plan.write(name, key, ...words)
  }
}

/** Runs `work` until it commits. `clientOn` makes a client whose calls go to the attempt. */
export async function transaction<T>(
  laneOf: (db: number) => Lane,
  clientOn: (laneOf: (db: number) => Lane, attempt: () => Attempt) => unknown,
  work: (db: never) => Promise<T> | T,
  options: TransactionOptions = {},
): Promise<T> {
  for (let tries = 1; ; tries++) {
    let attempt: Attempt | undefined
    let database: number | undefined
    const lane = (db: number): Attempt => {
      if (database !== undefined && database !== db) throw transactionDatabases(database, db)
      database = db
      return (attempt ??= new Attempt(laneOf(db), options.by))
    }
    const result = await work(clientOn(lane, () => lane(database ?? 0)) as never)
    if (!attempt) return result
    try {
      return withIds(result, await attempt.commit(options))
    } catch (error) {
      if (!isRace(error)) throw error
      if (tries >= TRIES) throw transactionContended(tries, error)
      await sleep(Math.random() * Math.min(2 ** tries, 64))
    }
  }
}

const isRace = (error: unknown): boolean =>
  error instanceof RecordChanged || (error instanceof Conflict && error.code === "TRANSACTION.READ_CHANGED")
