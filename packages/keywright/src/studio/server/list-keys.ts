/* The keys of a pattern, a page at a time: only those pages of SCAN are read again that
 * the background scan saw keys of it on. So a page of any pattern takes a few round
 * trips, however many keys there are. A filter that fits few keys is given up after a
 * while, with what was found and a cursor to continue from. */

import type { Driver, Reply, Wire } from "../../driver/driver.ts"
import { queryRefused } from "../../errors/studio.ts"
import type { KeyModel } from "../../inspect/model/model.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import { likelyPattern } from "../../inspect/model/unknown-patterns.ts"
import { asWire, isText, maybeMangled, showWire } from "../../inspect/walk/wire.ts"
import { escapeGlob } from "../../schema/key-format.ts"
import { slotsOf } from "../../schema/locate.ts"
import { type Count, readUnknownName, UNKNOWN } from "./counted.ts"
import type { OwnedKey } from "../../inspect/model/owning-patterns.ts"
import type { OpenSystem } from "./open-system.ts"
import { PAGE_KEYS, type PageMap, cursorRank } from "./page-map.ts"

/** Texts of parameters; with `*` at the end, how they begin. */
export type Filter = Readonly<Record<string, string>>

export interface ListedKey {
  readonly key: Wire
  readonly owner: OwnedKey | undefined
}

export interface Listing {
  readonly db: number
  readonly keys: readonly ListedKey[]
  readonly next: string | undefined
}

export interface KeyListOptions {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly filter: Filter
}

/** Gives up after this long. */
const BUDGET_MS = 90
const PAGES_AT_ONCE = 8
const SORTED_PAGES = 8
/** Keys that only share a prefix are searched for among many: larger pages, as long as the server is quick. */
const FILTERED_AT_ONCE = 64
const QUICK_MS = 15

export async function listKeys(
  system: OpenSystem,
  count: Count | undefined,
  name: string,
  { limit, cursor, filter }: KeyListOptions,
): Promise<Listing> {
  const wanted = wantedOf(system, name, filter)
  const { db } = wanted
  if (wanted.exact !== undefined) return exactly(system, db, wanted.exact)
  const driver = system.driverOf(db)
  const pages = count?.databaseOf(db).pages
  if (pages === undefined || pages.length === 0) return { db, keys: [], next: undefined }
  const isSorted = cursor === undefined ? pages.count(wanted.mark) <= SORTED_PAGES : cursor.startsWith("o.")
  if (isSorted) return inOrder(system, pages, wanted, limit, cursor)
  const start = cursor === undefined ? { cursor: "0", skip: 0 } : readCursor(cursor)
  const found: ListedKey[] = []
  const seen = new Set<string>()
  const until = performance.now() + BUDGET_MS
  const isFiltered = Object.keys(filter).length > 0
  let atOnce = isFiltered ? PAGES_AT_ONCE : wantedPages(count!, wanted, limit)
  let page = pages.next(wanted.mark, pages.pageAt(start.cursor))
  let skip = page !== undefined && pages.cursorOf(page) === start.cursor ? start.skip : 0
  while (page !== undefined) {
    const asked = performance.now()
    const some = pagesFrom(pages, wanted.mark, page, atOnce)
    const read = await Promise.all(some.map((one) => readPage(driver, pages, one, wanted.match)))
    if (isFiltered && performance.now() - asked < QUICK_MS) atOnce = Math.min(FILTERED_AT_ONCE, 2 * atOnce)
    for (const [i, keys] of read.entries()) {
      const own = keys.flatMap((key) => wanted.own(key) ?? []).slice(skip)
      for (const [at, one] of own.entries()) {
        if (found.length >= limit) return { db, keys: found, next: writeCursor(pages.cursorOf(some[i]!), skip + at) }
        const text = showWire(one.key)
        if (seen.has(text)) continue
        seen.add(text)
        found.push(one)
      }
      skip = 0
    }
    page = pages.next(wanted.mark, some.at(-1)! + 1)
    if (page !== undefined && (found.length >= limit || performance.now() > until))
      return { db, keys: found, next: writeCursor(pages.cursorOf(page), 0) }
  }
  return { db, keys: found, next: undefined }
}

/** Keys that are on few pages are all read, and shown in their order; a cursor is then how many there are before it. */
async function inOrder(
  system: OpenSystem,
  pages: PageMap,
  wanted: Wanted,
  limit: number,
  cursor = "o.0",
): Promise<Listing> {
  const [, skip] = /^o\.(\d{1,6})$/.exec(cursor) ?? []
  if (skip === undefined) throw queryRefused("cursor", "it was not made by this studio")
  const first = pages.next(wanted.mark, 0)
  const some = first === undefined ? [] : pagesFrom(pages, wanted.mark, first, 4 * SORTED_PAGES)
  const driver = system.driverOf(wanted.db)
  const read = await Promise.all(some.map((page) => readPage(driver, pages, page, wanted.match)))
  const own = new Map<string, ListedKey>()
  for (const key of read.flat()) {
    const one = wanted.own(key)
    if (one !== undefined) own.set(placeOf(system, wanted, key), one)
  }
  const sorted = [...own].sort(([a], [b]) => byNumberOrText(a, b)).map(([, one]) => one)
  const end = Number(skip) + limit
  return {
    db: wanted.db,
    keys: sorted.slice(Number(skip), end),
    next: end < sorted.length ? `o.${end}` : undefined,
  }
}

/** The text by which it is sorted: not its hidden part, which its position in the list would reveal. */
function placeOf(system: OpenSystem, { db, row }: Wanted, key: Wire): string {
  const { key: shown, ref } = system.link(db, key, row)
  return shown === showWire(key) ? shown : `${shown} ${ref}`
}

interface Wanted {
  readonly db: number
  /** As it is marked in the pages. */
  readonly mark: string
  readonly row?: KeyModel
  /** For SCAN; undefined: every key. */
  readonly match?: string
  /** The one key that it can be. */
  readonly exact?: string | undefined
  /** The key, when it is meant. */
  own(key: Wire): ListedKey | undefined
}

function wantedOf(system: OpenSystem, name: string, filter: Filter): Wanted {
  const unknown = readUnknownName(name)
  if (unknown !== undefined) {
    const { db, pattern } = unknown
    return {
      db,
      mark: UNKNOWN,
      own: (key) =>
        system.ownerOf(db, key) === undefined && likelyPattern(key) === pattern ? { key, owner: undefined } : undefined,
    }
  }
  const row = system.rowNamed(name)
  checkFilter(system, row, filter)
  const fits = Object.entries(filter).map(([param, text]) =>
    text.endsWith("*")
      ? (params: Readonly<Record<string, string>>) => params[param]!.startsWith(text.slice(0, -1))
      : (params: Readonly<Record<string, string>>) => params[param] === text,
  )
  return {
    db: row.db,
    mark: name,
    row,
    match: globOf(row, filter),
    exact: exactKey(row, filter),
    own: (key) => {
      const owner = system.ownerOf(row.db, key)
      return owner?.row === row && fits.every((fit) => fit(owner.params)) ? { key, owner } : undefined
    },
  }
}

function checkFilter(system: OpenSystem, row: KeyModel, filter: Filter): void {
  for (const param of Object.keys(filter)) {
    if (!row.params.includes(param))
      throw queryRefused(`p.${param.slice(0, 40)}`, `${row.declared.pattern} has no such parameter`)
    if (!system.isSoughtBy(row, param)) throw queryRefused(`p.${param}`, "it is secret, and secrets are not revealed")
    // By trying, a secret could be found out a character at a time.
    if (system.secretParams(row).has(param) && filter[param]!.includes("*"))
      throw queryRefused(`p.${param}`, "a secret parameter can only be searched by its whole value")
  }
}

function globOf({ declared }: KeyModel, filter: Filter): string {
  const [head, slots] = slotsOf(declared.pattern, declared.params)
  return slots.reduce((glob, { name, tail }) => {
    const text = filter[name]
    const part = text === undefined ? "*" : text.endsWith("*") ? `${escapeGlob(text.slice(0, -1))}*` : escapeGlob(text)
    return glob + part + escapeGlob(tail)
  }, escapeGlob(head))
}

/** When every parameter is known, so is the key. */
function exactKey({ declared }: KeyModel, filter: Filter): string | undefined {
  const [head, slots] = slotsOf(declared.pattern, declared.params)
  if (slots.some(({ name }) => filter[name] === undefined || filter[name].endsWith("*"))) return undefined
  return slots.reduce((key, { name, tail }) => key + filter[name]! + tail, head)
}

async function exactly(system: OpenSystem, db: number, key: string): Promise<Listing> {
  const there = (await system.driverOf(db).send(["EXISTS", key], SAFE)) === 1
  return { db, keys: there ? [{ key, owner: system.ownerOf(db, key) }] : [], next: undefined }
}

/** How many pages hold about as many keys as are wanted. */
function wantedPages(count: Count, { db, mark, row }: Wanted, limit: number): number {
  const database = count.databaseOf(db)
  const perPage = row === undefined ? 1 : database.countOf(row) / Math.max(1, database.pages.count(mark))
  return Math.max(1, Math.min(PAGES_AT_ONCE, Math.ceil(limit / Math.max(1, perPage))))
}

function pagesFrom(pages: PageMap, mark: string, first: number, most: number): number[] {
  const some: number[] = []
  for (
    let page: number | undefined = first;
    page !== undefined && some.length < most;
    page = pages.next(mark, page + 1)
  )
    some.push(page)
  return some
}

/** The keys of one page, also when the server's table has grown and it takes several steps. */
async function readPage(driver: Driver, pages: PageMap, page: number, match: string | undefined): Promise<Wire[]> {
  const end = page + 1 < pages.length ? cursorRank(BigInt(pages.cursorOf(page + 1))) : undefined
  const keys: Wire[] = []
  let cursor = pages.cursorOf(page)
  for (let step = 0; step < 16; step++) {
    const command = ["SCAN", cursor, ...(match === undefined ? [] : ["MATCH", match]), "COUNT", String(PAGE_KEYS)]
    const texts = (await driver.send(command, SAFE)) as [Reply, readonly string[]]
    // What is read again may be a smaller part of a table that has grown: it says itself how far it went.
    const [next, found] = texts[1].some(maybeMangled) ? await asBytes(driver, command) : texts
    keys.push(...found)
    cursor = String(next)
    if (cursor === "0" || (end !== undefined && cursorRank(BigInt(cursor)) >= end)) break
  }
  return keys
}

async function asBytes(driver: Driver, command: readonly string[]): Promise<[Reply, Wire[]]> {
  const [next, raw] = (await driver.send(command, SAFE_BYTES)) as [Reply, readonly Reply[]]
  return [next, raw.map(asWire)]
}

const writeCursor = (cursor: string, skip: number): string => `${cursor}.${skip}`

function readCursor(text: string): { cursor: string; skip: number } {
  const [, cursor, skip] = /^(\d{1,20})\.(\d{1,6})$/.exec(text) ?? []
  if (skip === undefined || BigInt(cursor!) >= 1n << 64n) throw queryRefused("cursor", "it was not made by this studio")
  return { cursor: cursor!, skip: Number(skip) }
}

/** Values of a parameter that begin so, for completion. */
export async function completions(
  system: OpenSystem,
  count: Count | undefined,
  name: string,
  param: string,
  { prefix, limit, filter }: { readonly prefix: string; readonly limit: number; readonly filter: Filter },
): Promise<{ values: string[]; more: boolean }> {
  const row = system.rowNamed(name)
  if (!row.params.includes(param)) throw queryRefused("param", `${row.declared.pattern} has no such parameter`)
  if (system.secretParams(row).has(param)) return { values: [], more: false }
  const values = new Set<string>()
  const known = count?.databaseOf(row.db).valuesOf(row, param) ?? []
  if (Object.keys(filter).length === 0) for (const value of known) if (value.startsWith(prefix)) values.add(value)
  let more = false
  if (values.size < limit) {
    const narrowed = { ...filter, [param]: `${prefix}*` }
    const { keys, next } = await listKeys(system, count, name, { limit: 5 * limit, filter: narrowed })
    for (const { key, owner } of keys) if (isText(key) && owner) values.add(owner.params[param]!)
    more = next !== undefined
  }
  const sorted = [...values].sort(byNumberOrText)
  return { values: sorted.slice(0, limit), more: more || sorted.length > limit }
}

const { compare } = new Intl.Collator("en", { numeric: true })
const byNumberOrText = (one: string, other: string): number => compare(one, other)
