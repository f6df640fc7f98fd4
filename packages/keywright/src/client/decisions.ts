/* The client's tools that decide before they write: transactions, explanations, and
 * the sweep of expired records. */

import type { Entity } from "../schema/entity.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import type { Declared } from "./declared.ts"
import { Repository } from "./entity/repository.ts"
import { sweep } from "./entity/sweep.ts"
import { ExplainingLane, explained, type Explanation } from "./explain.ts"
import type { Lane } from "./lane.ts"
import type { Context } from "./make-client.ts"
import { scanKeys } from "./scan.ts"
import { transaction, type TransactionOptions } from "./transaction.ts"

interface Parts {
  readonly keyspace: Keyspace
  readonly declared: ReadonlyMap<string, Declared>
  readonly laneOf: (db: number) => Lane
  /** Makes a client on other lanes. */
  readonly clientOn: (how: Pick<Context, "lane" | "mode"> & Partial<Context>) => object
}

export const decisions = ({ keyspace, declared, laneOf, clientOn }: Parts) => ({
  $transaction: <T>(work: (db: never) => Promise<T>, options?: TransactionOptions): Promise<T> =>
    transaction(laneOf, (lane, attempt) => clientOn({ lane, mode: "transaction", attempt }), work, options),

  $explain: (call: (db: never) => Promise<unknown>): Promise<Explanation> => {
    let one: ExplainingLane | undefined
    const lane = (db: number) => (one ??= new ExplainingLane(laneOf(db)))
    const client = clientOn({ lane, mode: "direct" })
    return explained(
      () => one,
      () => call(client as never),
    )
  },

  $sweep: async (signal?: AbortSignal): Promise<number> => {
    let swept = 0
    for (const [name, entry] of declared) {
      const { entity, ttl, db } = entry.row
      if (entity?.role !== "record" || !ttl || !("ms" in ttl)) continue
      const lane = laneOf(db)
      for await (const bound of boundsOf(entry, lane)) {
        swept += await sweep(new Repository(entityAt(keyspace, name), name, declared, lane, bound), signal)
      }
    }
    return swept
  },
})

/** For an entity in a scope: every set of its parameters that has deadlines noted. */
async function* boundsOf({ row, format }: Declared, lane: Lane): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const params = Object.keys(row.params)
  if (params.length === 1) {
    yield {}
    return
  }
  const id = params.at(-1)!
  for await (const key of scanKeys(lane.driver, `keywright:expiry:${format.glob().replaceAll("\\", "")}`)) {
    const found = format.locate(key.slice("keywright:expiry:".length).replace("*", "x"))
    if (!found) continue
    const { [id]: _id, ...bound } = found
    yield bound
  }
}

function entityAt(keyspace: Keyspace, path: string): Entity {
  let at: unknown = { entries: keyspace.entries }
  for (const name of path.split(".")) at = (at as { entries: Record<string, unknown> }).entries[name]
  return at as Entity
}
