/* Drains, ready to be run: see schema/drain.ts for what they are. */

import { randomUUID } from "node:crypto"
import type { Reply, Script, Wire } from "../../driver/driver.ts"
import { fewAtOnce } from "../../driver/few-at-once.ts"
import { SAFE_BYTES } from "../../driver/safe.ts"
import { drainAmount, drainNumber } from "../../errors/drain.ts"
import { Refused } from "../../errors/outcome.ts"
import type { Drain } from "../../schema/drain.ts"
import type { Lane } from "../call/lane.ts"
import type { ReadyKey } from "../call/ready-key.ts"
import { asNumber, isOneNotZero, listOf, textOf } from "../call/reply.ts"
import type { CallNotes } from "../call/notes.ts"
import { replicasOf, writeAndWait } from "../call/write-and-wait.ts"
import { drainDoneScript, drainLookScript, drainPutScript, drainTakeScript } from "../lua/index.ts"
import { type DrainKeys, drainKeys, type ShardKeys } from "./drain-keys.ts"
import { NextFlight } from "./next-flight.ts"
import { type ShardState, shardStateOf, numbersOf } from "./pending.ts"

/**
 * What a pass of a drain did.
 * @example
 * const isDone = ({ batches, busy }: Drained) => batches === 0 && busy === 0
 */
export interface Drained {
  /** Batches that are now in the target and were not before. */
  readonly batches: number
  /** Shards whose batch another process has. */
  readonly busy: number
}

/** How long a batch belongs to the process that took it: another process takes it up after this time. */
const LEASE_MS = 10_000
/** Shards that are asked at the same time; where replicas are waited for, each of them on its own connection. */
const AT_ONCE = 256
const AT_ONCE_WAITING = 8

export class Drainer {
  protected readonly keys: DrainKeys
  readonly #drain: Drain
  readonly #name: string
  readonly #laneOf: (db: number) => Lane
  readonly #who = randomUUID()
  /** What may not be in the target yet: read after the call began, and shared by all calls that began before. */
  protected readonly looks = new NextFlight(() => this.#look())

  constructor(name: string, drain: Drain, ready: ReadonlyMap<string, ReadyKey>, laneOf: (db: number) => Lane) {
    this.#name = name
    this.#drain = drain
    this.#laneOf = laneOf
    this.keys = drainKeys(name, drain, ready)
  }

  /**
   * One pass: what was added up in each shard until now is in the target afterwards, except in shards that are `busy`.
   * Safe to run in several processes, and to repeat after a crash; `signal` ends it between two shards. A shard that
   * fails does not keep the others from being drained; then it rejects.
   */
  async run({ signal }: Pick<CallNotes, "signal"> = {}): Promise<Drained> {
    const numbers = await this.#numbers()
    const replicas = this.#replicas
    const done = { batches: 0, busy: 0 }
    let failure: { readonly error: unknown } | undefined
    await fewAtOnce(this.keys.shards, replicas === 0 ? AT_ONCE : AT_ONCE_WAITING, async (shard) => {
      if (signal?.aborted === true) return
      try {
        if (await this.#isEmpty(shard.keys)) return
        const drainBatch = () => this.#drainBatch(shard, numbers.get(shard.shard) ?? 0, done)
        // A batch that was out already lacks what was added since; the next one has it.
        if ((await drainBatch()) === "was out") await drainBatch()
      } catch (error) {
        failure ??= { error }
      }
    })
    if (failure !== undefined) throw failure.error
    return done
  }

  async #drainBatch({ shard, keys }: ShardKeys, last: number, done: { batches: number; busy: number }) {
    const kind = this.keys.source.declared.kind
    const { into, drained } = this.keys
    const took = [kind, String(last), this.#who, String(LEASE_MS)]
    const taken = this.#explained(this.#write(drainTakeScript, keys, took))
    const [number, wasOut, content] = listOf(await taken)
    const which = textOf(number)
    if (which === "-1") done.busy++
    if (which === "-1" || which === "0") return "none"
    const put = this.#write(drainPutScript, [into, drained], [kind, shard, which, ...(listOf(content) as Wire[])])
    if (isOneNotZero(await this.#explained(put))) done.batches++
    await this.lane.script(drainDoneScript, keys.slice(1), [which], { safe: true })
    return wasOut === 1 ? "was out" : "new"
  }

  /** Carries out a script and, where that was asked for, waits until replicas have what it wrote. */
  #write(script: Script, keys: readonly string[], args: readonly Wire[]): Promise<Reply> {
    return writeAndWait(`the drain ${this.#name}`, this.#replicas, this.lane, script, keys, args, SAFE_BYTES)
  }

  /** The errors of our scripts, with the names of the drain and its keys. */
  #explained(reply: Promise<Reply>): Promise<Reply> {
    return reply.catch((error: unknown) => {
      const code = error instanceof Refused ? error.code : undefined
      if (code === "DRAIN.AMOUNT") throw this.#notANumber(error)
      throw code === "DRAIN.NUMBER" ? drainNumber(this.#name, error) : error
    })
  }

  get #replicas(): number {
    return replicasOf(this.#drain.durability)
  }

  protected get lane(): Lane {
    return this.#laneOf(this.keys.source.declared.db)
  }

  /** The last number of each shard that is in the target. */
  async #numbers(): Promise<Map<string, number>> {
    return this.numbersIn(await this.lane.send(["HGETALL", this.keys.drained], { safe: true }))
  }

  #notANumber(cause?: unknown): Refused {
    return drainAmount(this.#name, this.#drain.from, this.#drain.into, cause)
  }

  /** A sum of amounts; not one of something that is not a number. */
  protected summed(sum: number): number {
    if (Number.isNaN(sum)) throw this.#notANumber()
    return sum
  }

  /** `HGETALL` of the numbers. */
  protected numbersIn(reply: Reply): Map<string, number> {
    return numbersOf(reply, () => drainNumber(this.#name))
  }

  /** Most shards are empty most of the time, and to see that is cheaper than to take nothing. */
  async #isEmpty([added, out]: ShardKeys["keys"]): Promise<boolean> {
    return asNumber(await this.lane.send(["EXISTS", added, out], { safe: true })) === 0
  }

  async #look(): Promise<readonly ShardState[]> {
    const kind = this.keys.source.declared.kind
    const { lane } = this
    return Promise.all(
      this.keys.shards.map(async ({ shard, keys }) =>
        shardStateOf(shard, await lane.script(drainLookScript, keys, [kind], SAFE_BYTES), () =>
          drainNumber(this.#name),
        ),
      ),
    )
  }
}
