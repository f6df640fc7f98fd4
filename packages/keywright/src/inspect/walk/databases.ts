/* Which logical databases of a server a keyspace lives in. */

import type { Command, Driver } from "../../driver/driver.ts"
import type { KeywrightError } from "../../errors/error.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { patient } from "./patient.ts"
import { noting } from "./refusal.ts"

/** A logical database, and the keys that are declared for it. */
export interface Database {
  readonly db: number
  readonly driver: Driver
  readonly keys: readonly Key[]
}

interface DatabasesOptions {
  readonly databases?: readonly number[]
  readonly timeoutMs?: number
  /** Once it is aborted, their drivers send nothing more. */
  readonly signal?: AbortSignal
}

/** All databases that the keyspace names, reserved and empty ones too; without names, the driver's own database. */
export async function databasesOf(
  keyspace: Keyspace | undefined,
  given: Driver,
  { databases: only, timeoutMs = 20_000, signal }: DatabasesOptions,
  /** Takes what the server refuses to read; without it, those who read have to look at each reply. */
  onRefusal?: (db: number, command: Command, refusal: KeywrightError) => void,
): Promise<Database[]> {
  const driver = patient(given, timeoutMs, signal)
  const numbers = only ?? declaredDatabases(keyspace, driver.db)
  return Promise.all(
    numbers.map(async (db) => {
      const own = db === driver.db ? driver : await driver.database(db)
      const note = onRefusal && ((command: Command, refusal: KeywrightError) => onRefusal(db, command, refusal))
      return { db, driver: note === undefined ? own : noting(own, note), keys: declaredKeys(keyspace, db, driver.db) }
    }),
  )
}

const namedDatabases = (keyspace: Keyspace | undefined): number[] =>
  Object.values((keyspace?.entries ?? {}) as Record<string, { db?: number }>)
    .map(({ db }) => db)
    .filter((db) => db !== undefined)

/** The numbers of all databases that the keyspace names, or has keys in; without names, `own`. */
export function declaredDatabases(keyspace: Keyspace | undefined, own: number): readonly number[] {
  const named = namedDatabases(keyspace)
  if (keyspace === undefined || named.length === 0) return [own]
  return [...new Set([...named, ...keyspace.keys.map(({ db }) => db)])].sort((a, b) => a - b)
}

/** The keys that are declared for a database; of a keyspace without names, all of them for `own`. */
export function declaredKeys(keyspace: Keyspace | undefined, db: number, own: number): readonly Key[] {
  const keys = keyspace?.keys ?? []
  if (namedDatabases(keyspace).length === 0) return db === own ? keys : []
  return keys.filter((key) => key.db === db)
}
