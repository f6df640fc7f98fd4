/* Which logical databases of a server a keyspace lives in. */

import type { Driver } from "../driver/driver.ts"
import type { Key } from "../schema/key.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { patient } from "./patient.ts"

/** A logical database, and the keys that are declared for it. */
export interface Database {
  readonly db: number
  readonly driver: Driver
  readonly keys: readonly Key[]
}

/** All databases that the keyspace names, reserved and empty ones too; without names, the one that the driver speaks to. */
export async function databasesOf(
  keyspace: Keyspace | undefined,
  given: Driver,
  { databases: only, timeoutMs = 20_000 }: { readonly databases?: readonly number[]; readonly timeoutMs?: number },
): Promise<Database[]> {
  const driver = patient(given, timeoutMs)
  const named = namedDatabases(keyspace)
  const keys = keyspace?.keys ?? []
  if (named.length === 0 && only === undefined) return [{ db: driver.db, driver, keys }]
  const numbers = only ?? declaredDatabases(keyspace)
  return Promise.all(
    numbers.map(async (db) => ({
      db,
      driver: await driver.database(db),
      keys: named.length === 0 ? (db === driver.db ? keys : []) : keys.filter((key) => key.db === db),
    })),
  )
}

const namedDatabases = (keyspace: Keyspace | undefined): number[] =>
  Object.values((keyspace?.entries ?? {}) as Record<string, { db?: number }>)
    .map(({ db }) => db)
    .filter((db) => db !== undefined)

/** The numbers of all databases that the keyspace names, or has keys in. */
export const declaredDatabases = (keyspace: Keyspace | undefined): readonly number[] =>
  [...new Set([...namedDatabases(keyspace), ...(keyspace?.keys ?? []).map(({ db }) => db)])].sort((a, b) => a - b)
