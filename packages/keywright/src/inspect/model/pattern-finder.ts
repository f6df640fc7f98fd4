/* From a key to the pattern that owns it, by logical database: for logs and for
 * commands as they pass by. What is shown is the pattern, never the key. */

import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { type OwningPatterns, patternsOfKeys } from "./owning-patterns.ts"

/** Undefined for keys that nothing owns; the toolkit owns some. Without a database, all of them are tried. */
export type PatternFinder = (key: string, db?: number) => Key | undefined

/** `home` is the database that the server's address names, for a keyspace without database() groups. */
export function patternFinder(keyspace: Keyspace, home = 0): PatternFinder {
  const numbered = Object.values(keyspace.entries as Record<string, { db?: number }>).some(({ db }) => db !== undefined)
  const byDb = new Map<number, readonly OwningPatterns<Key>[]>()
  for (const db of new Set(keyspace.keys.map((key) => key.db))) {
    const rows = keyspace.keys.filter((key) => key.db === db)
    byDb.set(numbered ? db : home, patternsOfKeys(rows))
  }
  return (key, db) => {
    const places = db === undefined ? [...byDb.values()].flat() : (byDb.get(db) ?? [])
    for (const { rows, classifier } of places) {
      const found = rows[classifier.classify(key)]
      if (found) return found
    }
    return undefined
  }
}
