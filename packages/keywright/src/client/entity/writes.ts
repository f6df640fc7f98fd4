/* Changing records. Each change is read, decided in TypeScript and committed by one
 * script that compares first; when somebody else was faster, it is decided anew on
 * what they wrote, a bounded number of times. */

import { setTimeout as sleep } from "node:timers/promises"
import { KeywrightError } from "../../errors/error.ts"
import {
  notIncrementable,
  RecordChanged,
  recordContended,
  recordId,
  recordIdFixed,
  recordMissing,
  recordNotObject,
  recordNotText,
} from "../../errors/record.ts"
import { knownFields } from "../../schema/entity-fields.ts"
import type { CallNotes } from "../handle.ts"
import { withIds } from "../placeholder.ts"
import { type Applied, Plan, planKey } from "../plan.ts"
import { commitPlan } from "./durability.ts"
import { holdersOf, leaveAfterwards } from "./holders.ts"
import { recall, remember, version } from "./known.ts"
import { type ChosenLife, chosenLife, newLife } from "./life.ts"
import { OneAtATime } from "./one-at-a-time.ts"
import { loadOne } from "./reads.ts"
import type { Document, Loaded } from "./record-store.ts"
import type { Repository } from "./repository.ts"
import { uuid, uuidFrom } from "./uuid.ts"

/** Each try takes at most some 10 ms: after all of them, seconds have passed. */
const TRIES = 500

export interface WriteNotes extends CallNotes {
  readonly operationId?: string
  /** Who does it: for createdBy and updatedBy. */
  readonly by?: string
  /** Only if the record is still of this version (versionOf). */
  readonly version?: string
}

export type Change = Document | ((current: object) => Document)

const queues = new WeakMap<object, OneAtATime>()

export async function create(repository: Repository, value: unknown, notes?: WriteNotes): Promise<object> {
  const plan = new Plan()
  const { id, allocated, loaded } = newRecord(repository, plan, value, notes)
  repository.planCreate(plan, id, allocated, loaded)
  if (notes?.operationId !== undefined) plan.purpose = `create ${allocated ? repository.name : repository.keyOf(id)}`
  const { ids, replayed } = await commit(repository, plan, notes)
  if (!replayed) return remember(settled(repository, loaded, ids))
  return remember((await loadOne(repository, withIds(id, ids), notes)) ?? settled(repository, loaded, ids))
}

/** A record that is to be: with its id, or with a placeholder that the plan allocates. */
export function newRecord(
  repository: Repository,
  plan: Plan,
  value: unknown,
  notes: WriteNotes | undefined,
): { id: string; allocated: boolean; loaded: Loaded } {
  const { entity, name, store } = repository
  const { idField, ids } = entity
  const document = asDocument(name, value)
  const given = document[idField]
  if (given === undefined && ids === "given") throw recordId(name, given)
  if (given !== undefined && typeof given !== "string" && typeof given !== "number") throw recordId(name, given)
  const allocated = given === undefined && ids === "counter"
  const id =
    given !== undefined ? repository.textOf(given) : allocated ? repository.allocate(plan) : newUuid(name, notes)
  const loaded = store.accept(id, {
    [idField]: id,
    ...document,
    [idField]: given ?? id,
    ...stamped(repository, undefined, notes?.by),
  })
  // Refused here already where it has to be chosen: before anything is planned.
  loaded.life = newLife(repository.record.row, chosenLife(repository.record.row, notes as ChosenLife | undefined))
  return { id, allocated, loaded }
}

const newUuid = (name: string, notes?: WriteNotes): string =>
  notes?.operationId === undefined ? uuid() : uuidFrom(`${name} ${notes.operationId}`)

export function update(
  repository: Repository,
  which: string | object,
  change: Change,
  notes?: WriteNotes,
): Promise<object> {
  const { id, known } = identify(repository, which)
  return changing(repository, id, known, notes, (plan, before) => {
    const now = changed(repository, id, before, change, notes)
    repository.planUpdate(plan, id, before, now)
    return now
  })
}

/** The whole record anew: fields that are not given are gone, except those that no schema knows. */
export function replace(repository: Repository, which: string, value: unknown, notes?: WriteNotes): Promise<object> {
  const id = repository.textOf(which)
  return changing(repository, id, undefined, notes, (plan, before) => {
    const now = replaced(repository, id, before, value, notes)
    repository.planUpdate(plan, id, before, now)
    return now
  })
}

/** Updates the record with this id, or creates it. */
export async function upsert(repository: Repository, value: unknown, notes?: WriteNotes): Promise<object> {
  const document = asDocument(repository.name, value)
  const id = document[repository.entity.idField]
  if (id === undefined) return create(repository, document, notes)
  const text = repository.textOf(id)
  for (let tries = 1; ; tries++) {
    const before = await loadOne(repository, text, notes)
    try {
      return before ? await update(repository, text, document, notes) : await create(repository, document, notes)
    } catch (error) {
      // Created or deleted by another in between: decided anew.
      if (tries >= TRIES || !(hasCode(error, "ENTITY.EXISTS") || hasCode(error, "ENTITY.NOT_FOUND"))) throw error
    }
  }
}

export async function remove(repository: Repository, which: string | object, notes?: WriteNotes): Promise<boolean> {
  const { id, known } = identify(repository, which)
  const { together, after } = await holdersOf(repository, id)
  try {
    await changing(repository, id, known, notes, (plan, before) => {
      repository.planDelete(plan, id, before, together)
      return undefined
    })
  } catch (error) {
    if (hasCode(error, "ENTITY.NOT_FOUND")) return wasDone(repository, id, notes?.operationId)
    throw error
  }
  await leaveAfterwards(repository, id, after)
  return true
}

export async function increment(
  repository: Repository,
  id: string,
  field: string,
  by: number,
  notes?: WriteNotes,
): Promise<number> {
  const record = await update(repository, id, (current) => incremented(repository.name, current, field, by), notes)
  return (record as Record<string, number>)[field]!
}

/** The change that adds to a number; a field that is absent counts as 0. */
export function incremented(name: string, current: object, field: string, by: number): Document {
  const value = (current as Record<string, unknown>)[field] ?? 0
  if (typeof value !== "number") throw notIncrementable(name, field)
  return { [field]: value + by }
}

/** Reads, decides and commits; again on what others wrote, but not for ever. `decide` gives nothing for a deletion. */
async function changing(
  repository: Repository,
  id: string,
  known: Loaded | undefined,
  notes: WriteNotes | undefined,
  decide: (plan: Plan, before: Loaded) => Loaded | undefined,
): Promise<object> {
  const key = repository.keyOf(id)
  let turns = queues.get(repository.lane)
  if (!turns) queues.set(repository.lane, (turns = new OneAtATime()))
  const turn = turns.enter(key)
  if (turn) await turn
  try {
    let before = known ?? (await loadOne(repository, id, notes))
    for (let tries = 1; ; tries++) {
      if (!before) throw recordMissing(repository.name, id, repository.shown(key))
      if (notes?.version !== undefined) checkVersion(repository, before, notes.version)
      const plan = new Plan()
      const now = decide(plan, before)
      if (notes?.operationId !== undefined) plan.purpose = `${now ? "change" : "delete"} ${key}`
      try {
        const { replayed } = await commit(repository, plan, notes)
        // Done at an earlier time: what this time decided was not written.
        return remember((replayed ? await loadOne(repository, id, notes) : now) ?? before)
      } catch (error) {
        if (!(error instanceof RecordChanged)) throw error
        if (tries >= TRIES) throw recordContended(repository.name, id, tries)
        if (tries > 2) await sleep(Math.random() * Math.min(tries, 20))
        before = await afterConflict(repository, before, error, notes)
      }
    }
  } finally {
    turns.leave(key)
  }
}

/** What stands there now: it came along with the conflict, or is read again. */
async function afterConflict(repository: Repository, before: Loaded, error: RecordChanged, notes?: WriteNotes) {
  const { id } = before
  const current = (error["~loaded"] as Loaded | undefined) ?? (await loadOne(repository, id, notes))
  // Unequal to the server, equal as text: its bytes are no text.
  if (current && current.raw === before.raw && String(current.raw).includes("\uFFFD"))
    throw recordNotText(repository.name, id, repository.shown(repository.keyOf(id)))
  return current
}

/** Throws when the record is of another version; what it is now comes along. */
export function checkVersion(repository: Repository, loaded: Loaded, expected: string): void {
  const found = version(loaded.raw)
  const shown = repository.shown(repository.keyOf(loaded.id))
  if (found !== expected)
    throw new RecordChanged(repository.name, loaded.id, shown, () => remember(loaded), found, loaded)
}

function commit(repository: Repository, plan: Plan, notes: WriteNotes | undefined): Promise<Applied> {
  if (notes === undefined) return commitPlan(repository.name, repository.lane, plan)
  const { by: _by, version: _version, ...options } = notes
  return commitPlan(repository.name, repository.lane, plan, options)
}

/** Whether a deletion with this operation id was carried out before. */
async function wasDone(repository: Repository, id: string, operationId: string | undefined): Promise<boolean> {
  if (operationId === undefined) return false
  const { lane } = repository
  const record = repository.keyOf(id)
  const key = planKey(operationId, `delete ${record}`, record, lane.driver.cluster)
  return (await lane.send(["EXISTS", key], { safe: true })) === 1
}

function identify(repository: Repository, which: string | object): { id: string; known: Loaded | undefined } {
  if (typeof which !== "object") return { id: repository.textOf(which), known: undefined }
  const known = recall(which)
  if (known) return { id: known.id, known }
  const id = (which as Record<string, unknown>)[repository.entity.idField]
  if (typeof id !== "string" && typeof id !== "number") throw recordId(repository.name, id)
  return { id: repository.textOf(id), known: undefined }
}

/** The id of a record, or of an object that has one. */
export const idOf = (repository: Repository, which: string | object): string => identify(repository, which).id

/** The document with the change in it: what the change does not name stays, also fields that no schema knows. */
export function changed(
  repository: Repository,
  id: string,
  before: Loaded,
  change: Change,
  notes: WriteNotes | undefined,
): Loaded {
  const { name, entity, store } = repository
  const patch = asDocument(name, typeof change === "function" ? change(before.record) : change)
  const { document } = before
  checkId(repository, id, document, patch)
  const merged: Record<string, unknown> = { ...document, ...patch, ...stamped(repository, document, notes?.by) }
  merged[entity.idField] = document[entity.idField]
  for (const field in patch) if (patch[field] === undefined) delete merged[field]
  return withLife(repository, store.accept(id, merged, before), notes)
}

/** What the caller says of the record's life goes with it to where it is written. */
function withLife(repository: Repository, now: Loaded, notes: WriteNotes | undefined): Loaded {
  const life = chosenLife(repository.record.row, notes as ChosenLife | undefined)
  if (life !== undefined) now.life = life
  return now
}

/** A new document in the place of the old one: its id, its first stamps and what no schema knows stay. */
export function replaced(
  repository: Repository,
  id: string,
  before: Loaded,
  value: unknown,
  notes: WriteNotes | undefined,
): Loaded {
  const { name, entity, store } = repository
  const document = asDocument(name, value)
  const old = before.document
  checkId(repository, id, old, document)
  const known = knownFields(entity)
  const unknown = Object.fromEntries(Object.entries(old).filter(([field]) => known && !known.includes(field)))
  const merged = {
    ...unknown,
    ...document,
    ...stamped(repository, old, notes?.by),
    [entity.idField]: old[entity.idField],
  }
  return withLife(repository, store.accept(id, merged, before), notes)
}

/** The id is part of the key: a change may repeat it, not change it. */
function checkId({ name, entity }: Repository, id: string, document: Document, change: Document): void {
  const other = change[entity.idField]
  if (other !== undefined && other !== document[entity.idField] && String(other) !== id)
    throw recordIdFixed(name, id, String(other))
}

/** createdAt and its like, as far as the entity keeps them. What a caller passes for them does not count. */
function stamped({ entity, ground, store }: Repository, before: Document | undefined, by: string | undefined) {
  const stamps: Record<string, unknown> = {}
  if (entity.stamps.length === 0) return stamps
  const now = ground.clock()
  for (const stamp of entity.stamps) {
    const first = stamp === "createdAt" || stamp === "createdBy"
    if (first && before !== undefined) stamps[stamp] = before[stamp]
    else if (stamp.endsWith("At")) stamps[stamp] = store.stamp(stamp, now)
    else stamps[stamp] = by ?? before?.[stamp]
    if (stamps[stamp] === undefined) delete stamps[stamp]
  }
  return stamps
}

/** The record as it was stored, with the id that the script allocated. */
export function settled(repository: Repository, loaded: Loaded, ids: ReadonlyMap<string, string>): Loaded {
  if (ids.size === 0) return loaded
  return repository.store.load(withIds(loaded.id, ids), withIds(loaded.raw, ids))!
}

export function asDocument(name: string, value: unknown): Document {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw recordNotObject(name)
  return value as Document
}

const hasCode = (error: unknown, code: string): boolean => error instanceof KeywrightError && error.code === code
