/* Walking a server with SCAN, never with KEYS, while it is in use.
 *
 * A page is requested while the one before it is still being read. What a walk keeps in
 * memory is a few pages, whatever the number of keys. The place up to which everything has
 * been read is known at any time: a walk that was stopped, or whose server became
 * unreachable, can continue from there. When the server was restarted meanwhile, its keys
 * are walked again, except for those that were met. */

import { setTimeout as sleep } from "node:timers/promises"
import type { CallOptions, Driver, Reply, Wire } from "../../driver/driver.ts"
import { MOST_WALKS, processOf } from "../../driver/process-of.ts"
import { ScanCursor } from "../../driver/scan-cursor.ts"
import { isBeyond, isReplaced, type ScanTarget, scanTargets } from "../../driver/scan-nodes.ts"
import { isUnavailable } from "../../client/call/unavailable.ts"
import { interrupted, resumeRefused, serverChanging } from "../../errors/inspect.ts"
import type { Database } from "./databases.ts"
import { hashText } from "./hash-text.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import { PageSize } from "./page-size.ts"
import { SeenKeys } from "./seen-keys.ts"
import { asWire, maybeMangled, showWire, wireName } from "./wire.ts"

/**
 * Options of everything that walks over a server: which keys, how fast, where to continue.
 * @example
 * const gently: WalkOptions = { match: "cart:*", rate: 1000, signal: AbortSignal.timeout(60_000) }
 * const found = await stats(shop, db.$driver(), gently)
 */
export interface WalkOptions {
  /** Only keys that match this glob, as SCAN's MATCH has it. */
  readonly match?: string
  /** The fraction of keys to read, above 0 and up to 1: by a hash of the key, so always the same ones. */
  readonly sample?: number
  /** At most this many keys per second. */
  readonly rate?: number
  /** Continues where a walk was stopped: the value of `Interrupted.resume`. */
  readonly resume?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** Keys per page, about. Default: up to 250, and fewer where the server is slow, so that others wait less. */
  readonly page?: number
  /** When a server that does not answer is given up. Default: after 20 s. */
  readonly timeoutMs?: number
}

/**
 * How far a walk over a server is.
 * @example
 * const onProgress = ({ keys, of }: Progress) => process.stderr.write(`\r${keys} of ${of}`)
 * await audit(shop, db.$driver(), { onProgress })
 */
export interface Progress {
  readonly db: number
  readonly keys: number
  /** How many there are, as DBSIZE said at the beginning. */
  readonly of: number
  readonly perSecond: number
  /** Unknown at first. */
  readonly secondsLeft: number | undefined
}

/**
 * Some keys of one database, as `walk` hands them over.
 * @example
 * const names = ({ keys }: Page) => keys.map(String)
 */
export interface Page {
  readonly database: Database
  readonly keys: readonly Wire[]
  /** The cursor that this page was requested with. */
  readonly cursor: string
  /** Where to continue when this page and all before it are done. */
  readonly resume: string
}

// One page is read at a time, plus up to three pages that reported that the rest of their work takes long. Two would
// keep both sides busy, and all others waiting: for the server, and on a machine with few processors for one of these.
const AT_ONCE = 1
/** Pages that reported slow work. */
const SLOW_AT_ONCE = 3

interface WalkPosition {
  readonly database: number
  readonly node: number
  readonly cursor: string
  /** Whose cursor it is. */
  readonly process: string
}

/**
 * Calls `visit` with every page of keys, one at a time; returns how many keys there were. A visit that calls `slow`
 * (it met a collection of a million members, say) does not hold up the others. Throws `Interrupted` when it cannot
 * continue.
 * @example
 * const databases = [{ db: 0, driver: db.$driver(), keys: shop.keys }]
 * const count = await walk(databases, { rate: 5000 }, async ({ keys }) => console.log(keys.length))
 */
export async function walk(
  databases: readonly Database[],
  options: WalkOptions,
  visit: (page: Page, slow: () => void) => Promise<void>,
): Promise<number> {
  const of = await sizeOf(databases)
  const started = performance.now()
  const start = options.resume === undefined ? undefined : readResume(options.resume, databases.length)
  let done: WalkPosition = start ?? { database: 0, node: 0, cursor: "0", process: "" }
  let keys = 0
  let reportedAt = 0
  const running: Running[] = []
  let wake = (): void => undefined

  const retire = () => {
    while (running[0]?.ended) done = running.shift()!.place
  }
  const finished = (count: number, db: number) => {
    keys += count
    const now = performance.now()
    if (options.onProgress === undefined || now - reportedAt < 100) return
    reportedAt = now
    options.onProgress(progressOf(db, keys, of, now - started))
  }

  const size = new PageSize(options.page)
  const scanned = pages(databases, start, size, options)
  try {
    let upcoming = scanned.next()
    for (let next = await upcoming; !next.done; next = await upcoming) {
      const page = next.value
      const database = databases[page.at.database]!
      const one: Running = { place: page.next, ended: false, slow: false, work: Promise.resolve() }
      const slow = () => {
        one.slow = true
        wake()
      }
      const begun = performance.now()
      one.work = visit(
        { database, keys: page.keys, cursor: page.at.cursor, resume: writeResume(page.next) },
        slow,
      ).then(() => {
        one.ended = true
        if (!one.slow && page.keys.length > 0) size.read(performance.now() - begun)
        finished(page.keys.length, database.db)
      })
      one.work.catch(() => undefined)
      running.push(one)
      // Behind the commands of this page, so that its answer tells how long they keep others waiting.
      upcoming = scanned.next()
      upcoming.catch(() => undefined)
      while (isFull(running)) {
        const woken = new Promise<void>((resolve) => (wake = resolve))
        await Promise.race([woken, ...running.filter(({ ended }) => !ended).map(({ work }) => work)])
      }
      retire()
      if (options.rate !== undefined) await pace(options.rate, keys, started, options.signal)
    }
    for (const { work } of running) await work
    retire()
    options.onProgress?.(progressOf(databases.at(-1)?.db ?? 0, keys, of, performance.now() - started))
    return keys
  } catch (error) {
    scanned.return(undefined).catch(() => undefined)
    await Promise.allSettled(running.map(({ work }) => work))
    retire()
    throw interrupted(keys, writeResume(done), error)
  }
}

interface Running {
  /** The position of the walk when this page and all before it are done. */
  readonly place: WalkPosition
  work: Promise<void>
  ended: boolean
  slow: boolean
}

function isFull(running: readonly Running[]): boolean {
  const left = running.filter(({ ended }) => !ended)
  const slow = left.filter((one) => one.slow).length
  return left.length - slow >= AT_ONCE || slow >= SLOW_AT_ONCE
}

/** Keys, with the place that they were requested from, and the one where to continue. */
interface ScannedPage<Place, Next = Place> {
  readonly at: Place
  readonly next: Next
  readonly keys: readonly Wire[]
}

async function* pages(
  databases: readonly Database[],
  start: WalkPosition | undefined,
  size: PageSize,
  options: WalkOptions,
): AsyncGenerator<ScannedPage<WalkPosition>> {
  for (let database = start?.database ?? 0; database < databases.length; database++) {
    const { driver } = databases[database]!
    const seen = new SeenKeys()
    let before = await processOf(driver)
    // A walk that continues skips what was walked before, if the cursor still means the same.
    let first = database === start?.database && start.process === before ? start : BEGINNING
    for (let walks = 1; ; walks++) {
      for await (const { at, next, keys } of pagesIn(driver, first, size, options)) {
        const chosen = keys.filter((key) => isChosen(key, options.sample) && !seen.has(wireName(key)))
        const of = { database, process: before }
        yield { at: { ...at, ...of }, next: { ...next, ...of }, keys: chosen }
      }
      // One that is gone is not the one that it was.
      const now = await processOf(driver).catch(() => undefined)
      if (now === before) break
      if (walks === MOST_WALKS) throw serverChanging()
      before = now ?? (await processOf(driver))
      first = BEGINNING
    }
  }
}

/** A place within one database. */
type PlaceInDatabase = Pick<WalkPosition, "node" | "cursor">

const BEGINNING: PlaceInDatabase = { node: 0, cursor: "0" }

/**
 * The pages of one database, from a given place on. After the last one, `next` names a node that does not exist; whether
 * the process is still the same is checked then.
 */
async function* pagesIn(
  driver: Driver,
  first: PlaceInDatabase,
  size: PageSize,
  options: WalkOptions,
): AsyncGenerator<ScannedPage<PlaceInDatabase>> {
  // Our own cluster driver reaches all nodes; for the client of another library there is a driver for each node.
  const sources = driver.slots === undefined ? await driver.primaries() : [driver]
  let node = -1
  for (const source of sources)
    for await (const target of scanTargets(source)) {
      if (++node < first.node) continue
      const from = node === first.node && first.cursor !== "0" ? first.cursor : target.first
      for await (const { at, next, keys } of pagesOf(source, target, from, size, options)) {
        const after = next === undefined ? { node: node + 1, cursor: "0" } : { node, cursor: next }
        yield { at: { node, cursor: at }, next: after, keys }
      }
    }
}

/** Cursors; `next` is undefined after the last page of the target. */
async function* pagesOf(
  driver: Driver,
  target: ScanTarget,
  from: string,
  size: PageSize,
  options: WalkOptions,
): AsyncGenerator<ScannedPage<string, string | undefined>> {
  const place = new ScanCursor("SCAN", from)
  const scan = scanner(driver, size, options)
  let last: boolean
  do {
    const cursor = place.at
    const count = size.keys
    let page: [string, readonly Reply[]]
    try {
      page = await scan(cursor)
    } catch (error) {
      if (isUnavailable(error) && (await isReplaced(driver, cursor, driver.timeoutMs))) return
      throw error
    }
    const [next, found] = page
    last = !place.advance(next, Math.max(count, found.length)) || isBeyond(target, next)
    if (place.isLong) await place.requireRoom(driver)
    const keys = await unmangled(scan, cursor, found)
    if (size.restMs > 0) await sleep(size.restMs)
    yield { at: cursor, next: last ? undefined : next, keys: target.wants ? keys.filter(target.wants) : keys }
  } while (!last)
}

type Scan = (cursor: string, how?: CallOptions) => Promise<[next: string, keys: readonly Reply[]]>

function scanner(driver: Driver, size: PageSize, { match, signal }: WalkOptions): Scan {
  return async (cursor, how = SAFE) => {
    const words = ["SCAN", cursor, ...(match === undefined ? [] : ["MATCH", match]), "COUNT", String(size.keys)]
    const sent = performance.now()
    const reply = await driver.send(words, signal === undefined ? how : { ...how, signal })
    const [next, keys] = reply as [Reply, readonly Reply[]]
    size.answered(performance.now() - sent, keys.length)
    return [String(next), keys]
  }
}

const MOST_PAGES = 16

/**
 * Keys that may not be text are asked for once more, as bytes. The server's table may have grown meanwhile, and the
 * page become a smaller part of it: then they are on the pages after it.
 */
async function unmangled(scan: Scan, cursor: string, found: readonly Reply[]): Promise<readonly Wire[]> {
  const texts = found as readonly string[]
  const mangled = new Set(texts.filter(maybeMangled))
  if (mangled.size === 0) return texts
  const keys: Wire[] = texts.filter((key) => !mangled.has(key))
  let at = cursor
  for (let pages = 0; pages < MOST_PAGES && keys.length < texts.length; pages++) {
    const [next, raw] = await scan(at, SAFE_BYTES)
    keys.push(...raw.filter((key) => mangled.has(Buffer.from(key as Uint8Array).toString())).map(asWire))
    if (next === "0") break
    at = next
  }
  return keys
}

/** Whether a key is in the fraction to read. */
export const isChosen = (key: Wire, sample: number | undefined): boolean =>
  sample === undefined || sample >= 1 || hashText(showWire(key), 0x5bd1e995) < sample * 2 ** 32

/** For the progress only: a user who may not ask for it walks without knowing how far there is to go. */
async function sizeOf(databases: readonly Database[]): Promise<number> {
  const sizes = await Promise.all(
    databases.map(async ({ driver }) => {
      const nodes = await driver.primaries()
      const counts = await Promise.all(nodes.map((node) => node.batch([["DBSIZE"]], SAFE)))
      return counts.reduce((sum, [count]) => sum + (typeof count === "number" ? count : 0), 0)
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

export function progressOf(db: number, keys: number, of: number, ms: number): Progress {
  const perSecond = Math.round((keys / Math.max(ms, 1)) * 1000)
  const left = Math.max(0, of - keys)
  const isUnknown = perSecond === 0 || (of === 0 && keys > 0)
  return { db, keys, of, perSecond, secondsLeft: isUnknown ? undefined : Math.round(left / perSecond) }
}

/** Waits until this many keys would have been due. */
export async function pace(
  rate: number,
  keys: number,
  started: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const early = (keys / rate) * 1000 - (performance.now() - started)
  if (early > 0) await sleep(early, undefined, signal === undefined ? {} : { signal })
}

const writeResume = ({ database, node, cursor, process }: WalkPosition): string =>
  `1.${database}.${node}.${cursor}.${process}`

function readResume(token: string, databases: number): WalkPosition {
  const [, database, node, cursor, process] = /^1\.(\d+)\.(\d+)\.(\d+)\.([0-9a-f]*)$/.exec(token) ?? []
  if (cursor === undefined || Number(database) >= databases) throw resumeRefused(token)
  return { database: Number(database), node: Number(node), cursor, process: process! }
}
