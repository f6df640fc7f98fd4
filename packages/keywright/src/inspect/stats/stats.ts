/* What is in there: keys, memory, TTLs and the biggest keys by pattern, of a server
 * or of an RDB file. One walk, in bounded memory, that never writes. */

import type { Command, Driver, Reply, ServerFacts, Wire } from "../../driver/driver.ts"
import { fileInterrupted, Interrupted } from "../../errors/inspect.ts"
import { patternsOfKeys } from "../model/owning-patterns.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import { type Database, databasesOf, declaredDatabases, declaredKeys } from "../walk/databases.ts"
import { getOrMake } from "../walk/get-or-make.ts"
import { keyShower } from "../model/show-key.ts"
import { Tally, type Tallied, total } from "./tally.ts"
import { countFile, type KeyCounter } from "../snapshot/count-file.ts"
import type { RdbSource } from "../snapshot/rdb-source.ts"
import { Unreadable, type UnreadableKeys } from "../model/unreadable.ts"
import { showUnknown, UnknownPatterns } from "../model/unknown-patterns.ts"
import { SAFE } from "../../driver/safe.ts"
import { type Page, walk, type WalkOptions } from "../walk/walk.ts"
import { isText } from "../walk/wire.ts"

/**
 * Options of `stats`.
 * @example
 * const options: StatsOptions = { top: 10, sample: 0.1 }
 * const found = await stats(shop, db.$driver(), options)
 */
export interface StatsOptions extends WalkOptions {
  /** How many of the biggest keys to name, for each pattern. Default: 5. */
  readonly top?: number
  /** Logical databases, instead of those that the schema names. */
  readonly databases?: readonly number[]
}

/**
 * Where to look: a server, or an RDB file (bytes are then those in the file, and all its databases are counted).
 * @example
 * const backup: StatsSource = { rdb: "dump.rdb" }
 * const found = await stats(undefined, backup) // without a schema, keys are grouped by their likely pattern
 */
export type StatsSource = Driver | RdbSource

/**
 * What `stats` says about one pattern.
 * @example
 * const line = ({ pattern, keys, bytes }: PatternStats) => `${pattern}: ${keys} keys, ${bytes} bytes`
 */
export interface PatternStats extends Tallied {
  /** The name in the schema; absent for keys that no pattern owns. */
  readonly name?: string
  readonly pattern: string
}

/**
 * What `stats` says about one logical database.
 * @example
 * const unknown = (of: DatabaseStats) => of.unknown.reduce((sum, { keys }) => sum + keys, 0)
 */
export interface DatabaseStats extends Tallied {
  readonly db: number
  /** Declared patterns, in the schema's order, those without keys too. */
  readonly patterns: readonly PatternStats[]
  /** The toolkit's own keys, where there are some. */
  readonly toolkit: readonly PatternStats[]
  /** Keys that no pattern owns, by what their pattern may be; most keys first. */
  readonly unknown: readonly PatternStats[]
}

/**
 * What `stats` returns: plain JSON.
 * @example
 * const perKey = ({ bytes, keys }: StatsResult) => bytes / keys
 */
export interface StatsResult extends Tallied {
  readonly schemaVersion: 1
  readonly server: (ServerFacts & { readonly label: string }) | { readonly rdb: string }
  readonly schema: { readonly name?: string; readonly fingerprint: string } | undefined
  readonly databases: readonly DatabaseStats[]
  /** What the server refused to read: these keys are counted, and what could not be read of them is not. */
  readonly unreadable: readonly UnreadableKeys[]
}

/**
 * Keys, memory and TTLs by pattern: SCAN, and TYPE, PTTL and MEMORY USAGE of every key, pipelined. Throws `Interrupted`
 * with what it has so far.
 * @example
 * const { databases } = await stats(shop, db.$driver())
 * for (const { pattern, keys, bytes } of databases[0]!.patterns) console.log(pattern, keys, bytes)
 */
export async function stats(
  keyspace: Keyspace | undefined,
  source: StatsSource,
  options: StatsOptions = {},
): Promise<StatsResult> {
  const { top = 5 } = options
  const schema = keyspace && schemaOf(keyspace)
  const counters = new Map<number, DatabaseCounter>()
  const result = (server: StatsResult["server"], unreadable: readonly UnreadableKeys[] = []): StatsResult => {
    const databases = [...counters.values()].map((counter) => counter.result()).sort((a, b) => a.db - b.db)
    return { schemaVersion: 1, server, schema, ...total(databases, top), databases, unreadable }
  }

  if ("rdb" in source) {
    const { rdb, db: own = 0 } = source
    const inFile = (db: number) =>
      getOrMake(counters, db, () => new DatabaseCounter(db, declaredKeys(keyspace, db, own), top))
    for (const db of declaredDatabases(keyspace, own)) if (options.databases?.includes(db) !== false) inFile(db)
    try {
      await countFile(rdb, options, inFile)
    } catch (error) {
      if (error instanceof Interrupted) error.partial = result({ rdb })
      throw fileInterrupted(error)
    }
    return result({ rdb })
  }

  const unreadable = new Unreadable(keyspace, source.db)
  const databases = await databasesOf(keyspace, source, options, (...refused) => unreadable.note(...refused))
  const server = { label: source.label, ...(await source.facts()) }
  for (const { db, keys } of databases) counters.set(db, new DatabaseCounter(db, keys, top))
  try {
    await walk(databases, options, (page) => countPage(page, counters.get(page.database.db)!))
  } catch (error) {
    if (error instanceof Interrupted) error.partial = result(server, unreadable.result())
    throw error
  }
  return result(server, unreadable.result())
}

export const schemaOf = (keyspace: Keyspace): { readonly name?: string; readonly fingerprint: string } => ({
  ...(keyspace.name !== undefined && { name: keyspace.name }),
  fingerprint: fingerprint(keyspace),
})

/** TYPE, PTTL and MEMORY USAGE of every key of a page, in one write. */
export async function countPage({ database, keys }: Page, counter: KeyCounter): Promise<void> {
  const commands: Command[] = []
  for (const key of keys) commands.push(["TYPE", key], ["PTTL", key], ["MEMORY", "USAGE", key])
  const replies = await database.driver.batch(commands, SAFE)
  for (let i = 0; i < keys.length; i++) {
    const bytes = replies[3 * i + 2] as Reply
    const type = replies[3 * i] as Reply
    // What has gone meanwhile has no type and no size.
    if (type === "none" || bytes === null) continue
    const ttl = replies[3 * i + 1]
    // A user without permission for MEMORY, or for this key, still sees that it is there.
    const known = typeof type === "string" ? type : "unreadable"
    const ttlMs = typeof ttl === "number" ? ttl : undefined
    counter.add(keys[i]!, known, ttlMs, typeof bytes === "number" ? bytes : undefined)
  }
}

class DatabaseCounter implements KeyCounter {
  readonly #db: number
  readonly #known: readonly TallyOwners[]
  readonly #unknown: UnknownPatterns<Tally>
  readonly #top: number

  constructor(db: Database["db"], keys: readonly Key[], top: number) {
    this.#db = db
    this.#top = top
    this.#known = patternsOfKeys(keys).map(({ rows, classifier }) => ({
      rows,
      classify: classifier.classify,
      tallies: rows.map(() => new Tally(top)),
    }))
    this.#unknown = new UnknownPatterns(() => new Tally(top))
  }

  add(key: Wire, type: string, ttl: number | undefined, bytes: number | undefined): void {
    for (const { classify, tallies } of this.#known) {
      const row = isText(key) ? classify(key) : -1
      if (row >= 0) return tallies[row]!.add(key, type, ttl, bytes)
    }
    this.#unknown.of(key).add(key, type, ttl, bytes)
  }

  result(): DatabaseStats {
    const [patterns, toolkit] = this.#known.map(({ rows, tallies }) =>
      rows.map((row, i) => ({
        name: row.name,
        pattern: row.pattern,
        ...tallies[i]!.result(keyShower(row, rows)),
      })),
    ) as [PatternStats[], PatternStats[]]
    const unknown = [...this.#unknown.groups]
      .map(([pattern, tally]) => ({ pattern, ...tally.result(showUnknown) }))
      .sort((a, b) => b.keys - a.keys)
    const used = toolkit.filter(({ keys }) => keys > 0)
    return { db: this.#db, ...total([...patterns, ...used, ...unknown], this.#top), patterns, toolkit: used, unknown }
  }
}

interface TallyOwners {
  readonly rows: readonly Key[]
  readonly classify: (key: string) => number
  readonly tallies: readonly Tally[]
}
