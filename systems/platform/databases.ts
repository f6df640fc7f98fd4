/* For a system with several logical databases: how many keys each has, and that the
 * server has more than one at all. */

import { isUnavailable, KeywrightError, type Keyspace } from "keywright"
import { walk } from "keywright/operate"
import type { Driver } from "./driver.ts"
import { UsageError } from "./usage-error.ts"

export interface DatabaseSize {
  readonly db: number
  readonly name: string
  readonly keys: number
}

interface Databases {
  readonly $keyspace: Pick<Keyspace, "entries">
  $driver(db: number): Driver
}

/** DBSIZE of each database that the schema declares, those reserved too. */
export function databaseSizes({ $keyspace, $driver }: Databases): Promise<DatabaseSize[]> {
  const groups = Object.values($keyspace.entries as Record<string, { readonly db?: number; readonly name?: string }>)
  return Promise.all(
    groups.flatMap(({ db, name = "" }) =>
      db === undefined
        ? []
        : [
            $driver(db)
              .send(["DBSIZE"], { safe: true })
              .then((keys) => ({ db, name, keys: Number(keys) })),
          ],
    ),
  )
}

/** The same where databases are prefixes: every key is looked at, by SCAN. */
export async function prefixSizes(driver: Driver, names: readonly (readonly [db: number, name: string])[]) {
  const sizes = new Map(names.map(([db, name]) => [`db${db}:`, { db, name, keys: 0 }]))
  await walk([{ db: driver.db, driver, keys: [] }], {}, async ({ keys }) => {
    for (const key of keys) {
      const text = String(key)
      const size = sizes.get(text.slice(0, text.indexOf(":") + 1))
      if (size !== undefined) size.keys += 1
    }
  })
  return [...sizes.values()]
}

/** A cluster has database 0 and no other: it is refused at the start, not at the first key. */
export async function refuseCluster(driver: Driver, system: string, instead: string): Promise<void> {
  if (await isCluster(driver))
    throw new UsageError(
      `${system} keeps its keys in several databases, and a Redis Cluster has only database 0: ${instead}`,
    )
}

async function isCluster(driver: Driver): Promise<boolean> {
  try {
    return (await driver.facts()).mode === "cluster"
  } catch (error) {
    if (isUnavailable(error) || !(error instanceof KeywrightError)) throw error
    return /cluster mode/.test(error.message) // SELECT itself is refused there.
  }
}
