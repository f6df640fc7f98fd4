/* One round of a copy: every key of the source is read, compared with what the target has
 * in its place, and written where they differ; then keys of the target whose source is
 * gone are deleted. Rounds may be repeated: what is equal costs two reads. */

import type { Driver, Wire } from "../../driver/driver.ts"
import { copyFieldDeadlines, copyUnknownType } from "../../errors/change.ts"
import type { Database } from "../../inspect/walk/databases.ts"
import { walk, type WalkOptions } from "../../inspect/walk/walk.ts"
import { groupBy } from "../../schema/group-by.ts"
import { askEach } from "../ask-each.ts"
import { KeyDigest } from "../copy/digest.ts"
import { lifeFault } from "../copy/import-note.ts"
import {
  digestOf,
  digestOfParts,
  digestOnServer,
  digestsOnServer,
  type ReadKey,
  readPage,
  typeAndDeadline,
} from "../copy/export-page.ts"
import { expiringHashes, expiringParts, FIELDS_EXPIRE } from "../copy/field-deadlines.ts"
import { digestPart, readValueParts } from "../copy/key-value.ts"
import { LargeKey } from "../copy/large-key.ts"
import type { OwnedKey } from "../copy/key-lines.ts"
import type { KeyType } from "../copy/lines.ts"
import { type CopiedAs, type OwnerOf, ownersOf, showKey } from "../copy/owners.ts"
import { isOver, type WholeKey, writeKeys } from "../copy/write-keys.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { ExpiryNotes } from "./expiry-notes.ts"
import { type Relocate, type Relocated, rowFinder } from "./relocate.ts"
import { copySplit, splitDigests, type SplitSource } from "./split-key.ts"

/** A server with a schema: what is copied from or to. */
interface CopyEnd {
  readonly keyspace: Keyspace
  readonly databases: readonly Database[]
}

export interface CopyRoute {
  readonly from: CopyEnd
  readonly to: CopyEnd
  readonly there: Relocate
  readonly back: (row: Key, key: string) => Relocated | undefined
  /** What operation ids answered is copied too: both sides have the same names. */
  readonly operations: boolean
  /** Keys that no pattern owns are copied too, under the same names. */
  readonly foreign: boolean
  /** Whether those include values of modules. */
  readonly modules: boolean
  /** The source can have deadlines of single fields. */
  readonly fieldDeadlines: boolean
  /** The target can. */
  readonly fieldDeadlinesThere: boolean
}

export interface CopyCounts {
  /** How many keys of the source were visited. */
  keys: number
  written: number
  deleted: number
  /** Keys that no pattern owns. */
  foreign: number
  /** Of these, those whose names a pattern of the target owns. */
  inTheWay: number
}

type RoundOptions = Pick<WalkOptions, "rate" | "signal" | "onProgress" | "resume"> & {
  /** Called when everything up to a place is there. */
  readonly onPage?: (resume: string) => Promise<void>
}

const PAGE = 500

/** Makes the target what the source is. */
export async function copyRound(route: CopyRoute, counts: CopyCounts, options: RoundOptions): Promise<void> {
  const { from, to, there, foreign } = route
  const [owners, ownersThere] = [ownersIn(from), ownersIn(to)]
  const placeOf = databaseIn(to)
  const driverOf = driversOf(to)
  const notes = new ExpiryNotes(from.keyspace, there)
  const { onPage, ...walking } = options
  await walk(from.databases, { page: PAGE, ...walking }, async ({ database, keys, resume }) => {
    const owned = keys.map((key) => ({ key, owner: owners.get(database.db)!(key) }))
    for (const { key, owner } of owned)
      if (owner.toolkit && typeof key === "string" && ExpiryNotes.isOne(key))
        await notes.copy(database.driver, key, driverOf, walking)
    const known = owned.filter(({ owner }) => owner.row !== undefined && !owner.toolkit)
    const wanted = known.filter(({ key, owner }) => there.splitOf(owner.row!, String(key)) === undefined)
    const strange = owned.filter(({ owner }) => owner.row === undefined)
    // Under such a name, the target has what is copied from another key.
    const ownerThere = ownersThere.get(placeOf(database.db)?.db ?? -1)
    const free = strange.filter(({ key }) => ownerThere?.(key).row === undefined)
    counts.keys += known.length + (foreign ? free.length : 0)
    counts.foreign += strange.length
    counts.inTheWay += strange.length - free.length
    if (route.operations) await copyOperations(route, database, owned, driverOf(database.db))
    const read = await readPage(database.driver, foreign ? [...wanted, ...free] : wanted)
    const moved = read.flatMap((one) => movedTo(one, there, database.db))
    for (const [db, here] of groupBy(moved, (one) => one.db))
      counts.written += await copyKeys(route, database.driver, driverOf(db), here)
    for (const { key, owner } of known) {
      const split = there.splitOf(owner.row!, String(key))
      const source = split && (await sourceOf(database.driver, key))
      if (split === undefined || source === undefined) continue
      if (source.type === "hash") await requireNoneEnding(route, database.driver, { key, owner })
      const { written, deleted } = await copySplit(database.driver, driverOf(split.row.db), source, split, (to, key) =>
        hasEndingFields(route, to, key, source.type),
      )
      counts.written += written
      counts.deleted += deleted
    }
    await onPage?.(resume)
  })
}

/**
 * They come and go all the time: how many there are says nothing of how much the data changes. One that would be done
 * forever was not written by the toolkit, and stays behind.
 */
async function copyOperations(
  route: CopyRoute,
  { driver, db }: Database,
  owned: readonly OwnedKey[],
  to: Driver,
): Promise<void> {
  const notes = owned.filter(({ owner: { row, toolkit } }) => toolkit && row!.name.startsWith("keywright.operation"))
  const all = notes.length === 0 ? [] : await readPage(driver, notes)
  const read = all.filter(({ owner, pexpireat }) => lifeFault(owner.row!, pexpireat) === undefined)
  const moved = read.map((one) => ({ read: one, db, key: one.key }))
  await copyKeys(route, driver, to, moved)
}

async function sourceOf(driver: Driver, key: Wire): Promise<SplitSource | undefined> {
  const [type, pexpireat] = await typeAndDeadline(driver, key)
  return type === undefined ? undefined : { key, type, pexpireat }
}

interface MovedKey {
  readonly read: ReadKey
  readonly db: number
  readonly key: Wire
}

function movedTo(read: ReadKey, there: Relocate, db: number): MovedKey[] {
  const { row } = read.owner
  if (row === undefined) return [{ read, db, key: read.key }]
  const place = there(row, String(read.key))
  return place === undefined ? [] : [{ read, db: place.row.db, key: place.key }]
}

/** Writes those that differ: how many. */
async function copyKeys(route: CopyRoute, from: Driver, to: Driver, moved: readonly MovedKey[]): Promise<number> {
  if (route.fieldDeadlines) {
    const sources = moved.map(({ read }) => read)
    const expiring = await expiringHashes(from, sources)
    for (const { read } of moved) refuseEnding(route, read, expiring.get(read.key))
  }
  const whole = moved.filter(({ read }) => read.whole !== undefined)
  const targets = whole.map(({ key, read }) => ({ ...read, key, type: read.whole!.type }))
  const found = await digestsOnServer(to, targets)
  const ending = route.fieldDeadlinesThere ? await expiringHashes(to, targets) : undefined
  const differing = whole.flatMap(({ key, read: { whole: part, pexpireat } }): WholeKey[] =>
    isOver(pexpireat) || (found.get(key) === digestOf(key, part!, pexpireat) && ending?.get(key) !== FIELDS_EXPIRE)
      ? []
      : [{ key, part: part!, pexpireat, mode: "overwrite" }],
  )
  await writeKeys(to, differing)
  let written = differing.length
  for (const { key, read } of moved)
    if (read.whole === undefined && (await copyLarge(route, from, to, read, key))) written++
  return written
}

/** A key that has to be read part by part; true when it was written. */
async function copyLarge(route: CopyRoute, from: Driver, to: Driver, read: ReadKey, key: Wire): Promise<boolean> {
  const source = read.key
  const [type, deadline] = await typeAndDeadline(from, source)
  if (type === undefined) return false
  if (type === "other") requireModules(route, read)
  if (type === "hash") await requireNoneEnding(route, from, read)
  const digest = await digestOfParts(from, source, type, deadline, key)
  const isSame = digest.toString() === (await digestOnServer(to, key))
  if (isSame && !(await hasEndingFields(route, to, key, type))) return false
  const large = new LargeKey(to, key, type)
  await large.drop()
  let isEmpty = true
  for await (const part of readValueParts(from, source, type)) {
    isEmpty = false
    await large.add(part)
  }
  if (isEmpty || isOver(deadline)) {
    await large.drop()
    return false
  }
  return large.move("overwrite", deadline)
}

/** It may be equal otherwise: fields of the target that expire would be gone later. */
const hasEndingFields = async (route: CopyRoute, to: Driver, key: Wire, type: KeyType): Promise<boolean> =>
  route.fieldDeadlinesThere && type === "hash" && (await expiringParts(to, key)) === FIELDS_EXPIRE

/** A pattern is never of a module's type, whatever the source says; keys that no pattern owns are, where that is allowed. */
function requireModules({ from, modules }: CopyRoute, { key, owner: { row } }: ReadKey): void {
  if (row === undefined && modules) return
  const fix =
    row === undefined
      ? "Copy with --modules if you trust the source (`modules: true`), or without --foreign."
      : `${row.pattern} is a ${row.kind}: delete the key on the source, or see what the source is.`
  throw copyUnknownType(showKey(key, row, from.keyspace.keys), fix)
}

async function requireNoneEnding(route: CopyRoute, from: Driver, one: OwnedKey): Promise<void> {
  if (route.fieldDeadlines) refuseEnding(route, one, await expiringParts(from, one.key))
}

function refuseEnding({ from }: CopyRoute, { key, owner: { row } }: OwnedKey, reason: string | undefined): void {
  if (reason !== undefined) throw copyFieldDeadlines(showKey(key, row, from.keyspace.keys))
}

/** Deletes keys of the target that the source does not have any more: how many. */
export async function dropGone(
  route: CopyRoute,
  counts: CopyCounts,
  options: Pick<WalkOptions, "rate" | "signal">,
): Promise<void> {
  const { from, to, back } = route
  const finders = new Map(to.databases.map(({ db, keys }) => [db, rowFinder(keys)]))
  const originOf = driversOf(from)
  await walk(to.databases, { page: PAGE, ...options }, async ({ database, keys }) => {
    const known = keys.flatMap((key) => {
      const row = finders.get(database.db)!(key)
      const place = row && back(row, String(key))
      return place === undefined ? [] : [{ key, place }]
    })
    for (const [db, here] of groupBy(known, ({ place }) => place.row.db)) {
      const replies = await askEach(originOf(db), here, ({ place }) => ["EXISTS", place.key])
      const gone = here.filter((_, i) => replies[i] === 0)
      if (gone.length > 0) await askEach(database.driver, gone, ({ key }) => ["UNLINK", key])
      counts.deleted += gone.length
    }
  })
}

const ownersIn = ({ keyspace, databases }: CopyEnd): ReadonlyMap<number, OwnerOf> =>
  new Map(databases.map(({ db, keys }) => [db, ownersOf(keyspace, keys, true)]))

/** By number; of a schema without databases, all keys are where the address says. */
function databaseIn({ databases }: CopyEnd): (db: number) => Database | undefined {
  const byNumber = new Map(databases.map((one) => [one.db, one]))
  return (db) => (databases.length === 1 ? databases[0] : byNumber.get(db))
}

function driversOf(end: CopyEnd): (db: number) => Driver {
  const databaseOf = databaseIn(end)
  return (db) => databaseOf(db)!.driver
}

/** Its name in the target, and the pattern there. */
function targetKeyOf(
  owner: CopiedAs,
  key: string,
  relocate: Relocate | undefined,
): { key: string; name: string } | undefined {
  if (relocate === undefined) return { key, name: owner.name }
  const place = relocate(owner.row!, key)
  return place && { key: place.key, name: place.row.pattern }
}

/** Digests of all keys under their names in the target, summed up by its patterns. Keys that expire before `until` do not count. */
export async function sumsOf(
  { keyspace, databases }: CopyEnd,
  relocate: Relocate | undefined,
  until: number,
  add: (pattern: string, digest: KeyDigest) => void,
  options: Pick<WalkOptions, "rate" | "signal">,
): Promise<void> {
  const owners = ownersIn({ keyspace, databases })
  await walk(databases, { page: PAGE, ...options }, async ({ database: { db, driver }, keys }) => {
    const owned = keys
      .map((key) => ({ key, owner: owners.get(db)!(key) }))
      .filter(({ owner }) => owner.row !== undefined && !owner.toolkit)
    const splitOf = (owner: CopiedAs, key: Wire) => relocate?.splitOf(owner.row!, String(key))
    for (const { key, owner } of owned) {
      const split = splitOf(owner, key)
      const source = split && (await sourceOf(driver, key))
      if (split === undefined || source === undefined) continue
      if (source.pexpireat !== undefined && source.pexpireat < until) continue
      for (const digest of (await splitDigests(driver, source, split)).values()) add(split.row.pattern, digest)
    }
    const others = owned.filter(({ key, owner }) => splitOf(owner, key) === undefined)
    for (const { key, owner, whole, pexpireat } of await readPage(driver, others)) {
      const place = targetKeyOf(owner, String(key), relocate)
      if (place === undefined) continue
      const [type, deadline] = whole === undefined ? await typeAndDeadline(driver, key) : [whole.type, pexpireat]
      if (type === undefined || (deadline !== undefined && deadline < until)) continue
      const digest = KeyDigest.of(type, place.key)
      if (whole !== undefined) digestPart(digest, whole)
      else for await (const part of readValueParts(driver, key, type)) digestPart(digest, part)
      add(place.name, digest.end(deadline))
    }
  })
}
