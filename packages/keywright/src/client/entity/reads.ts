/* Reading records: by id, through an index, all of them. Never one round trip per record,
 * and never a record that is not there any more or that only an outdated index entry
 * points to. */

import { argumentRefused } from "../../errors/client.ts"
import { spread } from "../call/spread.ts"
import type { Reply } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { WrongType } from "../../errors/outcome.ts"
import { indexUnknown, noList } from "../../errors/record.ts"
import type { Bound, ReadyKey } from "../call/ready-key.ts"
import { withBound } from "../call/with-bound.ts"
import { asking, type CallNotes } from "../call/notes.ts"
import type { Lane } from "../call/lane.ts"
import { listOf as listOfReply, textOf } from "../call/reply.ts"
import { findScript } from "../lua/index.ts"
import { followSet } from "./follow-set.ts"
import { type IndexKeys, hasEntry } from "./index-entries.ts"
import { handOut, handOutRead } from "./handed-out.ts"
import { withKeyNamed, naming } from "./naming.ts"
import type { Document, Loaded } from "./record-store.ts"
import type { Repository } from "./repository.ts"
import { slides, touch } from "./touch.ts"

const PAGE = 1000

type IndexValues = Readonly<Record<string, unknown>>

/**
 * Which part of a list of records to read, and from which end.
 * @example
 * const newest = await db.order.list("user", { userId: "1" }, { limit: 20, reverse: true })
 */
export interface ListOptions extends CallNotes {
  readonly offset?: number
  readonly limit?: number
  /** Highest id, or for an ordered index highest score, first. */
  readonly reverse?: boolean
}

/**
 * An ordered index takes bounds of its score as well: numbers, or dates.
 * @example
 * const options: RangeOptions = { min: new Date("2026-01-01"), limit: 50, reverse: true }
 */
export interface RangeOptions extends ListOptions {
  readonly min?: number | Date
  readonly max?: number | Date
}

export async function loadOne(repository: Repository, id: string, notes?: CallNotes): Promise<Loaded | undefined> {
  const key = repository.keyOf(id)
  try {
    return repository.store.load(id, await repository.lane.send(repository.store.readCommand(key), asking(notes)))
  } catch (error) {
    throw withKeyNamed(repository.record, key, error)
  }
}

const PRIMARY: CallNotes = Object.freeze({ read: "primary" })

/** For a read that a write is based on. */
export const atPrimary = (notes?: CallNotes): CallNotes => spread(notes, PRIMARY)

/** The record for a reader: where deadlines slide, reading moves them. */
export function readOne(repository: Repository, id: unknown, notes?: CallNotes): Promise<Loaded | undefined> {
  const reading = loadOne(repository, repository.textOf(id), notes)
  if (!slides(repository)) return reading
  return reading.then(async (loaded) => {
    if (loaded) await touch(repository, [loaded], notes)
    return loaded
  })
}

/** All at once: MGET, or for hashes and in a cluster one batch. In the order of the ids; undefined where there is none. */
export async function loadMany(
  repository: Repository,
  ids: readonly string[],
  notes?: CallNotes,
  lane: Lane = repository.lane,
  keeps = false,
): Promise<(Loaded | undefined)[]> {
  if (ids.length === 0) return []
  if (ids.length > PAGE) {
    const pages = Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, i) => ids.slice(i * PAGE, (i + 1) * PAGE))
    const loaded: (Loaded | undefined)[][] = []
    for (const page of pages) loaded.push(await loadMany(repository, page, notes, lane, keeps))
    return loaded.flat()
  }
  const { driver } = lane
  const { store } = repository
  let replies: Reply[]
  if (store.type === "string" && !driver.cluster) {
    const command = ["MGET"]
    for (const id of ids) command.push(repository.keyOf(id))
    replies = (await lane.send(command, asking(notes))) as Reply[]
  } else
    replies = await driver.batch(
      ids.map((id) => repository.store.readCommand(repository.keyOf(id))),
      asking(notes),
    )
  return replies.map((raw, i) => {
    // A key of another type is not a document: MGET says so too.
    if (raw instanceof WrongType && store.type === "string") return undefined
    if (raw instanceof KeywrightError) throw raw
    return store.load(ids[i]!, raw, keeps)
  })
}

export async function readMany(
  repository: Repository,
  ids: readonly string[],
  notes?: CallNotes,
): Promise<(Loaded | undefined)[]> {
  const loaded = await loadMany(repository, ids, notes)
  if (slides(repository)) await touch(repository, loaded, notes)
  return loaded
}

/** The one record that a unique index leads to. */
export async function findOne(
  repository: Repository,
  name: string,
  fields: IndexValues,
  notes?: CallNotes,
): Promise<Loaded | undefined> {
  const index = indexOf(repository, name, true)
  const key = keyIn(repository, index, fields)
  const loaded = await followUnique(repository, index, key, notes)
  if (!loaded || !hasEntry(repository, index, loaded.document, fields)) return undefined
  if (slides(repository)) await touch(repository, [loaded], notes)
  return loaded
}

async function followUnique(
  repository: Repository,
  index: IndexKeys,
  key: string,
  notes?: CallNotes,
): Promise<Loaded | undefined> {
  const { lane, form, head, tail } = repository
  const [command] = repository.store.readCommand("")
  try {
    if (!lane.driver.cluster) {
      const found = await lane.script(
        findScript,
        [key],
        [head, tail, command!, ...(form.isQuoted ? ["1"] : [])],
        asking(notes),
      )
      if (found === null) return undefined
      const [id, raw] = listOfReply(found)
      return repository.store.load(textOf(id), raw ?? null)
    }
  } catch (error) {
    // Two separate steps show which of the two keys it is.
    if (!(error instanceof WrongType)) throw error
  }
  const id = (await naming(index.ready[0]!, key, lane.send(["GET", key], asking(notes)))) as string | null
  return id === null ? undefined : loadOne(repository, form.id(id), notes)
}

/** Ids of an index, in order: by number where ids are numbers, by score where the index has one. */
export async function listIds(
  repository: Repository,
  name: string,
  fields: IndexValues,
  options: RangeOptions = {},
): Promise<string[]> {
  const index = indexOf(repository, name, false)
  const key = keyIn(repository, index, fields)
  const read = (command: string[]) => naming(index.ready[0]!, key, repository.lane.send(command, asking(options)))
  const { form } = repository
  if (index.kind === "set") return page(form.ids((await read(["SMEMBERS", key])) as string[]), options)
  const { offset = 0, limit = -1 } = options
  requirePage(offset, options.limit)
  return [...form.ids((await read([...rangeOf(key, options), "LIMIT", String(offset), String(limit)])) as string[])]
}

/** ZRANGE by score, with these options. */
export function rangeOf(key: string, { min, max, reverse = false }: RangeOptions): string[] {
  const [low, high] = [bound(min, "-inf"), bound(max, "+inf")]
  return ["ZRANGE", key, ...(reverse ? [high, low] : [low, high]), "BYSCORE", ...(reverse ? ["REV"] : [])]
}

/** Ids without those of records that have expired and are not swept yet. */
export async function liveIds(repository: Repository, ids: readonly string[], notes?: CallNotes): Promise<string[]> {
  if (repository.longestMs === undefined || ids.length === 0) return [...ids]
  const exist = await repository.lane.driver.batch(
    ids.map((id) => ["EXISTS", repository.keyOf(id)]),
    asking(notes),
  )
  return ids.filter((_, i) => {
    const reply = exist[i]
    if (reply instanceof KeywrightError) throw reply
    return reply === 1
  })
}

export async function listRecords(
  repository: Repository,
  name: string,
  fields: IndexValues,
  options?: RangeOptions,
): Promise<Loaded[]> {
  const index = indexOf(repository, name, false)
  const loaded = await loadMany(repository, await listIds(repository, name, fields, options), options)
  if (slides(repository)) await touch(repository, loaded, options)
  const found: Loaded[] = []
  for (const one of loaded) if (one !== undefined && hasEntry(repository, index, one.document, fields)) found.push(one)
  return found
}

/** The same as records for a reader: in one round trip where all of a set is asked for. */
export async function showRecords(
  repository: Repository,
  name: string,
  fields: IndexValues,
  options?: RangeOptions,
): Promise<object[]> {
  const index = indexOf(repository, name, false)
  const isWhole = index.kind === "set" && options?.limit === undefined && !options?.offset && !slides(repository)
  const read = (replies: readonly Reply[]) => shownIn(repository, index, fields, replies)
  const all = isWhole ? followSet(repository, keyIn(repository, index, fields), asking(options), read) : undefined
  const shown = all && (await all.catch(unlessWrongType))
  if (!shown) return (await listRecords(repository, name, fields, options)).map(handOut)
  return options?.reverse === true ? shown.toReversed() : shown
}

/** Falls back to reading in two steps, whose error names the key. */
const unlessWrongType = (error: unknown): undefined => {
  if (!(error instanceof WrongType)) throw error
}

/** The records in a reply of ids and documents in turn, by id. */
function shownIn(repository: Repository, index: IndexKeys, fields: IndexValues, replies: readonly Reply[]): object[] {
  const { store } = repository
  const [ids, records]: [string[], object[]] = [[], []]
  const only = index.index.fields[0]!
  const value = index.depends.length === 1 ? fields[only] : undefined
  const isIt = (document: Document) =>
    (value !== undefined && document[only] === value) || hasEntry(repository, index, document, fields)
  let isOrdered = true
  for (let i = 0; i < replies.length; i += 2) {
    const id = replies[i] as string
    const raw = replies[i + 1]!
    const record = store.show(id, raw, isIt)
    if (record === undefined) continue
    if (isOrdered && ids.length > 0) isOrdered = inIdOrder(ids[ids.length - 1]!, id)
    ids.push(id)
    records.push(handOutRead(record, store, id, raw))
  }
  return isOrdered ? records : placesInOrder(ids).map((place) => records[place]!)
}

/** Numbers by value and before all others; the others as text. */
const inIdOrder = (one: string, next: string): boolean =>
  isNumeric(one) ? !isNumeric(next) || Number(one) < Number(next) : !isNumeric(next) && one < next

/** The positions of the ids in sorted order. */
function placesInOrder(ids: readonly string[]): number[] {
  const [numbers, texts]: [number[], number[]] = [[], []]
  for (let i = 0; i < ids.length; i++) (isNumeric(ids[i]!) ? numbers : texts).push(i)
  numbers.sort((a, b) => Number(ids[a]) - Number(ids[b]))
  texts.sort((a, b) => (ids[a]! < ids[b]! ? -1 : 1))
  return numbers.length === 0 ? texts : texts.length === 0 ? numbers : [...numbers, ...texts]
}

export async function allIds(repository: Repository, options?: ListOptions): Promise<string[]> {
  const list = listOf(repository)
  const reading = repository.lane.send(["SMEMBERS", list], asking(options))
  return page(repository.form.ids((await naming(listDeclared(repository), list, reading)) as string[]), options)
}

export async function allRecords(repository: Repository, options?: ListOptions): Promise<Loaded[]> {
  const loaded = await readMany(repository, await allIds(repository, options), options)
  return loaded.filter((one): one is Loaded => one !== undefined)
}

/** SCARD or ZCARD; where records expire, only those that are still there. */
export async function count(
  repository: Repository,
  name: string | undefined,
  fields: IndexValues = {},
  notes?: CallNotes,
): Promise<number> {
  if (repository.longestMs !== undefined) {
    const ids = name === undefined ? await allIds(repository, notes) : await listIds(repository, name, fields, notes)
    return (await liveIds(repository, ids, notes)).length
  }
  const { lane } = repository
  if (name === undefined) {
    const list = listOf(repository)
    return (await naming(listDeclared(repository), list, lane.send(["SCARD", list], asking(notes)))) as number
  }
  const index = indexOf(repository, name, false)
  const key = keyIn(repository, index, fields)
  const command = index.kind === "set" ? "SCARD" : "ZCARD"
  return (await naming(index.ready[0]!, key, lane.send([command, key], asking(notes)))) as number
}

/** The set of all ids, as it was declared. */
export const listDeclared = ({ context, name }: Repository): ReadyKey => context.ready.get(`${name}#all`)!

export function listOf({ list, name }: Repository): string {
  if (list === undefined) throw noList(name)
  return list
}

export function indexOf(repository: Repository, name: string, unique: boolean): IndexKeys {
  const ofKind = (index: IndexKeys) => (index.kind === "unique") === unique
  for (const index of repository.indexes) if (index.name === name && ofKind(index)) return index
  throw indexUnknown(
    repository.name,
    name,
    repository.indexes.filter(ofKind).map((index) => index.name),
  )
}

/** The key that is read: the first of its mirrors. */
export const keyIn = ({ named }: Repository, index: IndexKeys, fields: IndexValues): string =>
  keyWith(index.ready[0]!, named, fields)

/** With all mirrors. */
export const keysIn = ({ named }: Repository, index: IndexKeys, fields: IndexValues): string[] =>
  index.ready.map((ready) => keyWith(ready, named, fields))

function keyWith(ready: ReadyKey, bound: Bound, fields: IndexValues): string {
  if (typeof fields !== "object" || fields === null)
    throw argumentRefused("the fields of an index", "an object", fields)
  return ready.build(withBound(bound, fields, ready.declared.pattern))
}

const bound = (value: number | Date | undefined, otherwise: string): string =>
  value === undefined ? otherwise : String(Number(value))

/** Redis takes a limit below 0 for none, which is not what a program means that keeps it below another one. */
export function requirePage(offset: unknown, limit: unknown): void {
  if (typeof offset !== "number" || offset < 0) throw argumentRefused("offset", "a number, 0 or more", offset)
  if (limit !== undefined && (typeof limit !== "number" || limit < 0))
    throw argumentRefused("limit", "a number, 0 or more", limit)
}

export function page(ids: readonly string[], options?: ListOptions): string[] {
  const { offset = 0, limit, reverse = false } = options ?? {}
  requirePage(offset, limit)
  const sorted = inOrder(ids)
  if (reverse) sorted.reverse()
  return offset === 0 && limit === undefined
    ? sorted
    : sorted.slice(offset, limit === undefined ? undefined : offset + limit)
}

/** Numbers by value and before all others; the others as text. */
export const inOrder = (ids: readonly string[]): string[] => placesInOrder(ids).map((place) => ids[place]!)

const NINE = 57
const number = /^-?\d{1,15}$/
/** Letters sort after digits: the first character is enough for most texts. */
const isNumeric = (id: string): boolean => id.charCodeAt(0) <= NINE && number.test(id)
