/* What a scan has counted: for each pattern numbers, TTL health and the biggest keys,
 * some of the values of its parameters, and the pages that hold its keys. Its size
 * depends on the number of patterns, not on that of keys. */

import type { Wire } from "../../driver/driver.ts"
import { notFound } from "../../errors/studio.ts"
import { ttlFault } from "../../inspect/audit/checks/ttl.ts"
import type { KeyModel } from "../../inspect/model/model.ts"
import type { Page } from "../../inspect/walk/walk.ts"
import { countPage } from "../../inspect/stats/stats.ts"
import { Tally, total } from "../../inspect/stats/tally.ts"
import { UnknownPatterns } from "../../inspect/model/unknown-patterns.ts"
import { isText } from "../../inspect/walk/wire.ts"
import { ttlText } from "../../render/ttl-text.ts"
import type { Classifier } from "../../schema/classify/classify.ts"
import type { Counted, KeyCounts, DatabaseOverview, KeyLink, PatternOverview, TtlHealth } from "../api.ts"
import type { OpenSystem } from "./open-system.ts"
import { PageMap } from "./page-map.ts"

const BIGGEST = 5
const MOST_UNKNOWN = 200
const MOST_VALUES = 300

const NO_HEALTH = { right: 0, missing: 0, unexpected: 0, tooLong: 0, undecided: 0 }
const FAULTS: Readonly<Record<string, keyof TtlHealth>> = {
  "TTL.MISSING": "missing",
  "TTL.UNEXPECTED": "unexpected",
  "TTL.TOO_LONG": "tooLong",
}

/** Where the pages of keys that no pattern owns are marked. */
export const UNKNOWN = "?"

export class Count {
  readonly databases: readonly DatabaseCount[]

  constructor(system: OpenSystem) {
    this.databases = system.databases.map(({ db }) => new DatabaseCount(system, db))
  }

  /** Pages come in SCAN's order; their keys are looked up here. */
  page(page: Page): Promise<void> {
    return this.databaseOf(page.database.db).page(page)
  }

  databaseOf(db: number): DatabaseCount {
    const found = this.databases.find((one) => one.db === db)
    if (found === undefined) throw notFound(`database ${db} here`)
    return found
  }

  /** Keys of a pattern, by the name that the page has for it. */
  totalOf(system: OpenSystem, name: string): number {
    const unknown = readUnknownName(name)
    if (unknown !== undefined) return this.databaseOf(unknown.db).unknownOf(unknown.pattern)
    const row = system.rowNamed(name)
    return this.databaseOf(row.db).countOf(row)
  }

  overview(system: OpenSystem): DatabaseOverview[] {
    return this.databases.map((database) => database.overview(system.databaseNotes(database.db)))
  }

  keys(): number {
    return this.databases.reduce((sum, { keys }) => sum + keys, 0)
  }

  /** For the tree: how many keys each pattern has. */
  patterns(): KeyCounts["patterns"] {
    return this.databases.flatMap((database) => database.patterns())
  }
}

class PatternCount {
  readonly tally = new Tally(BIGGEST)
  readonly #rule: KeyModel["declared"]["ttl"]
  #health = { ...NO_HEALTH }

  constructor(rule: KeyModel["declared"]["ttl"]) {
    this.#rule = rule
  }

  add(key: Wire, type: string, ttlMs: number | undefined, bytes: number | undefined): void {
    this.tally.add(key, type, ttlMs, bytes)
    // What could not be read is not counted as right or wrong.
    if (ttlMs === undefined) return
    const fault = this.#rule && ttlFault(this.#rule, ttlMs)
    this.#health[this.#rule === undefined ? "undecided" : (FAULTS[fault ?? ""] ?? "right")]++
  }

  result(link: (key: Wire) => KeyLink): Counted {
    const links: KeyLink[] = []
    const { biggest, ...counted } = this.tally.result((key) => {
      links.push(link(key))
      return ""
    })
    return {
      ...counted,
      ttlHealth: { ...this.#health },
      biggest: biggest.map(({ type, bytes }, i) => ({ ...links[i]!, type, bytes })),
    }
  }
}

/** What is known of a pattern so far. */
class Known {
  readonly row: KeyModel
  readonly name: string
  readonly count: PatternCount
  /** Some values of each parameter that is not secret. */
  readonly seen: ReadonlyMap<string, Set<string>>
  /** By the place of the parameter: those of which more values are wanted. */
  readonly values: Map<number, Set<string>>

  constructor(system: OpenSystem, row: KeyModel) {
    this.row = row
    this.name = system.nameOf(row)
    this.count = new PatternCount(row.declared.ttl)
    const secret = system.secretParams(row)
    const open = row.params.flatMap((name, i) => (secret.has(name) ? [] : [[name, i, new Set<string>()] as const]))
    this.seen = new Map(open.map(([name, , values]) => [name, values]))
    this.values = new Map(open.map(([, i, values]) => [i, values]))
  }

  note(key: string, spans: Int32Array): void {
    for (const [i, values] of this.values) {
      values.add(key.slice(spans[2 * i], spans[2 * i + 1]))
      if (values.size >= MOST_VALUES) this.values.delete(i)
    }
  }
}

class DatabaseCount {
  readonly db: number
  readonly pages = new PageMap()
  readonly #system: OpenSystem
  readonly #owners: readonly { readonly classifier: Classifier; readonly known: readonly Known[] }[]
  readonly #known: ReadonlyMap<KeyModel, Known>
  readonly #unknown = new UnknownPatterns(() => new PatternCount(undefined))

  constructor(system: OpenSystem, db: number) {
    this.#system = system
    this.db = db
    this.#owners = system.patternsOf(db).map(({ rows, classifier }) => ({
      classifier,
      known: rows.map((row) => new Known(system, row)),
    }))
    this.#known = new Map(this.#owners.flatMap(({ known }) => known.map((one) => [one.row, one] as const)))
  }

  get keys(): number {
    const known = [...this.#known.values()].map(({ count }) => count)
    return [...known, ...this.#unknown.groups.values()].reduce((sum, { tally }) => sum + tally.keys, 0)
  }

  async page(page: Page): Promise<void> {
    const number = this.pages.add(page.cursor)
    await countPage(page, { add: (key, type, ttlMs, bytes) => this.#add(number, key, type, ttlMs, bytes) })
  }

  countOf(row: KeyModel): number {
    return this.#known.get(row)?.count.tally.keys ?? 0
  }

  unknownOf(pattern: string): number {
    return this.#unknown.groups.get(pattern)?.tally.keys ?? 0
  }

  /** Some values that a parameter has. */
  valuesOf(row: KeyModel, param: string): ReadonlySet<string> {
    return this.#known.get(row)?.seen.get(param) ?? new Set()
  }

  patterns(): KeyCounts["patterns"] {
    const row = (name: string, pattern: string, { tally }: PatternCount) =>
      ({ db: this.db, name, pattern, keys: tally.keys, bytes: tally.bytes }) as const
    const known = [...this.#known.values()].map((one) => row(one.name, one.row.declared.pattern, one.count))
    const unknown = this.#mostUnknown().map(([pattern, count]) => row(unknownName(this.db, pattern), pattern, count))
    return [...known, ...unknown]
  }

  overview(notes: Pick<DatabaseOverview, "name" | "doc">): DatabaseOverview {
    const rows = [...this.#known].map(([row, { count }]) => ({ row, overview: this.#overviewOf(row, count) }))
    const patterns = rows.filter(({ row }) => !row.toolkit).map(({ overview }) => overview)
    const toolkit = rows.filter(({ row, overview }) => row.toolkit && overview.keys > 0).map(({ overview }) => overview)
    const unknown = this.#mostUnknown().map(([pattern, count]): PatternOverview => ({
      name: unknownName(this.db, pattern),
      pattern,
      known: "unknown",
      ttlRule: ttlText(undefined),
      ...count.result((key) => this.#system.link(this.db, key, undefined)),
    }))
    const parts = [...patterns, ...toolkit, ...unknown]
    return {
      db: this.db,
      ...notes,
      ...(total(parts, BIGGEST) as Omit<Counted, "ttlHealth">),
      biggest: parts
        .flatMap(({ biggest }) => biggest)
        .sort((a, b) => b.bytes - a.bytes)
        .slice(0, BIGGEST),
      ttlHealth: sumOf(parts.map(({ ttlHealth }) => ttlHealth)),
      patterns,
      toolkit,
      unknown,
      unknownKinds: this.#unknown.groups.size,
    }
  }

  #overviewOf(row: KeyModel, count: PatternCount): PatternOverview {
    return {
      name: this.#system.nameOf(row),
      pattern: row.declared.pattern,
      known: row.toolkit ? "toolkit" : "schema",
      ttlRule: ttlText(row.declared.ttl, row.declared.family !== undefined),
      ...count.result((key) => this.#system.link(this.db, key, row)),
    }
  }

  #mostUnknown(): [string, PatternCount][] {
    return [...this.#unknown.groups].sort(([, a], [, b]) => b.tally.keys - a.tally.keys).slice(0, MOST_UNKNOWN)
  }

  #add(page: number, key: Wire, type: string, ttlMs: number | undefined, bytes: number | undefined): void {
    if (isText(key))
      for (const { classifier, known } of this.#owners) {
        const own = known[classifier.classify(key)]
        if (own === undefined) continue
        this.pages.mark(own.name, page)
        own.count.add(key, type, ttlMs, bytes)
        if (own.values.size > 0) own.note(key, classifier.spans)
        return
      }
    this.pages.mark(UNKNOWN, page)
    this.#unknown.of(key).add(key, type, ttlMs, bytes)
  }
}

export const unknownName = (db: number, pattern: string): string => `?${db}/${pattern}`

/** `"?0/lock:{hex}"` → its database and pattern; undefined for names of the schema. */
export function readUnknownName(name: string): { readonly db: number; readonly pattern: string } | undefined {
  const [, db, pattern] = /^\?(\d{1,5})\/(.*)$/s.exec(name) ?? []
  return pattern === undefined ? undefined : { db: Number(db), pattern }
}

function sumOf(parts: readonly TtlHealth[]): TtlHealth {
  const sum = { ...NO_HEALTH }
  for (const part of parts) for (const name in sum) sum[name as keyof TtlHealth] += part[name as keyof TtlHealth]
  return sum
}
