/* What a server says to what a page claims: how many keys of each type there are of each
 * declared pattern, and of each spelling that only the page has. One walk that never
 * writes, in memory that depends on the page and the schema alone. */

import type { Driver, Reply, Wire } from "../../driver/driver.ts"
import { patternsOfKeys } from "../model/owning-patterns.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { databasesOf } from "../walk/databases.ts"
import { isAnything } from "./page-text.ts"
import { SAFE } from "../../driver/safe.ts"
import { keyShower } from "../model/show-key.ts"
import { Unreadable, type UnreadableKeys } from "../model/unreadable.ts"
import { showUnknown, UnknownPatterns } from "../model/unknown-patterns.ts"
import { segmentMatcher } from "../walk/gaps.ts"
import { getOrMake } from "../walk/get-or-make.ts"
import { walk, type WalkOptions } from "../walk/walk.ts"
import { isText } from "../walk/wire.ts"

/** Keys that were found, by type where it could be read, with an example of each; secrets redacted. */
export interface Met {
  readonly keys: number
  /** One of them. */
  readonly example: string
  readonly types: Readonly<Record<string, { readonly keys: number; readonly example: string }>>
  /** For keys of declared patterns, where it was requested. */
  readonly ttls: MetTtls
}

/** When keys go away, as PTTL has it. */
export interface MetTtls {
  /** Keys without a deadline, and with one. */
  readonly without: number
  readonly with: number
  /** The longest that is left of any, in milliseconds. */
  readonly longestMs: number
  /** A key without a deadline, and that with the longest; secrets redacted. */
  readonly exampleWithout?: string
  readonly exampleLongest?: string
}

export interface ServerFound {
  readonly keys: number
  /** By the name of the key in the schema. */
  readonly declared: ReadonlyMap<string, Met>
  /** By the masked word of the page. */
  readonly spelled: ReadonlyMap<string, Met>
  /** Keys that neither the schema nor the page knows, by what their pattern may be. */
  readonly unknown: ReadonlyMap<string, Met>
  /** What the server refused to read: these keys are counted, and what could not be read of them is not. */
  readonly unreadable: readonly UnreadableKeys[]
}

class Meeting implements Met {
  keys = 0
  example = ""
  readonly types: Record<string, { keys: number; readonly example: string }> = {}

  readonly ttls: { -readonly [K in keyof MetTtls]: MetTtls[K] } = { without: 0, with: 0, longestMs: 0 }

  add(type: string | undefined, shown: () => string, ttlMs?: number): void {
    if (this.keys++ === 0) this.example = shown()
    if (ttlMs !== undefined && ttlMs > -2) this.#addTtl(ttlMs, shown)
    if (type === undefined) return
    const known = this.types[type]
    if (known === undefined) this.types[type] = { keys: 1, example: shown() }
    else known.keys++
  }

  #addTtl(ttlMs: number, shown: () => string): void {
    if (ttlMs === -1) {
      this.ttls.without++
      this.ttls.exampleWithout ??= shown()
      return
    }
    this.ttls.with++
    if (ttlMs <= this.ttls.longestMs) return
    this.ttls.longestMs = ttlMs
    this.ttls.exampleLongest = shown()
  }
}

interface MeetOptions extends WalkOptions {
  readonly databases?: readonly number[]
  readonly ttls?: boolean
}

/** SCAN, and TYPE of every key (with `ttls`, PTTL too), pipelined. `words` are masked words of a page that no pattern owns. */
export async function meetKeys(
  keyspace: Keyspace,
  driver: Driver,
  words: readonly string[],
  { ttls: asksTtls = false, ...options }: MeetOptions = {},
): Promise<ServerFound> {
  const declared = new Map<string, Meeting>()
  const spelled = new Map(words.map((word) => [word, new Meeting()]))
  const spellings = words.map((word) => [matcherOf(word), spelled.get(word)!] as const)
  const unknown = new UnknownPatterns(() => new Meeting())
  let keys = 0

  const meet = ([own, toolkit]: Owners, key: Wire, type: string | undefined, ttlMs: number | undefined): void => {
    keys++
    const row = isText(key) ? own.rows[own.classifier.classify(key)] : undefined
    if (row !== undefined) {
      const met = getOrMake(declared, row.name, () => new Meeting())
      return met.add(type, () => keyShower(row, own.rows)(key), ttlMs)
    }
    if (isText(key) && toolkit.classifier.classify(key) >= 0) return
    const [, found] = spellings.find(([isIt]) => isText(key) && isIt.test(key)) ?? []
    ;(found ?? unknown.of(key)).add(type, () => showUnknown(key))
  }

  const unreadable = new Unreadable(keyspace, driver.db)
  const databases = await databasesOf(keyspace, driver, options, (...refused) => unreadable.note(...refused))
  const owners = new Map(databases.map((database) => [database.db, patternsOfKeys(database.keys)]))
  await walk(databases, options, async (page) => {
    const ask = (command: string) =>
      page.database.driver.batch(
        page.keys.map((key) => [command, key]),
        SAFE,
      )
    const types = await ask("TYPE")
    const lives = asksTtls ? await ask("PTTL") : []
    for (const [i, type] of types.entries() as IterableIterator<[number, Reply]>) {
      const ttlMs = typeof lives[i] === "number" ? lives[i] : undefined
      const known = typeof type === "string" ? type : undefined
      // -2: it has gone in between.
      if (type !== "none" && lives[i] !== -2) meet(owners.get(page.database.db)!, page.keys[i]!, known, ttlMs)
    }
  })
  return { keys, declared, spelled, unknown: unknown.groups, unreadable: unreadable.result() }
}

type Owners = ReturnType<typeof patternsOfKeys>

/**
 * Keys that are spelled like a word of a page: its placeholders, numbers and long ids match any others of their kind.
 */
export function matcherOf(word: string): { test(key: string): boolean } {
  const parts = word.split(/([\ue000-\uefff]|[\da-f]{8}-[\da-f-]{20,}|(?<![A-Za-z])\d+(?![A-Za-z]))/i)
  return segmentMatcher(parts.map((part, i) => (i % 2 === 1 || isAnything(part) ? undefined : part)))
}
