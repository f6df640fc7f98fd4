/* Changing records. Each change is read, decided in TypeScript and committed by one
 * script that compares first; when somebody else was faster, it is decided anew on
 * what they wrote, a bounded number of times. */

import { setTimeout as sleep } from "node:timers/promises"
import type { Reply } from "../../driver/driver.ts"
import {
  notIncrementable,
  notReplicated,
  RecordChanged,
  recordContended,
  recordId,
  recordIdFixed,
  recordMissing,
  recordNotObject,
} from "../../errors/record.ts"
import type { CallNotes } from "../handle.ts"
import { Plan, withIds } from "../plan.ts"
import { recall, remember, version } from "./known.ts"
import { OneAtATime } from "./one-at-a-time.ts"
import { loadOne } from "./reads.ts"
import type { Document, Loaded } from "./record-store.ts"
import type { Repository } from "./repository.ts"
import { uuid } from "./uuid.ts"

const TRIES = 32

export interface WriteNotes extends CallNotes {
  readonly operationId?: string
  /** Who does it: for createdBy and updatedBy. */
  readonly by?: string
  /** Only if the record is still of this version (versionOf). */
  readonly version?: string
}

export type Change = Document | ((current: object) => Document)

const queue = new WeakMap<object, OneAtATime>()

export async function create(repository: Repository, value: unknown, notes: WriteNotes = {}): Promise<object> {
  const plan = new Plan()
  const { id, allocated, loaded } = newRecord(repository, plan, value, notes)
  repository.planCreate(plan, id, allocated, loaded)
  const ids = await commit(repository, plan, notes)
  return remember(settled(repository, loaded, ids))
}

/** A record that is to be: with its id, or with a placeholder that the plan allocates. */
export function newRecord(
  repository: Repository,
  plan: Plan,
  value: unknown,
  { by }: WriteNotes,
): { id: string; allocated: boolean; loaded: Loaded } {
  const { entity, name, store } = repository
  const { idField, ids } = entity
  const document = asDocument(name, value)
  const given = document[idField]
  if (given === undefined && ids === "given") throw recordId(name, given)
  if (given !== undefined && typeof given !== "string" && typeof given !== "number") throw recordId(name, given)
  const allocated = given === undefined && ids === "counter"
  const id = given !== undefined ? String(given) : allocated ? repository.allocate(plan) : uuid()
  const loaded = store.accept({
    [idField]: id,
    ...document,
    [idField]: given ?? id,
    ...stamped(repository, undefined, by),
  })
  return { id, allocated, loaded }
}

export function update(
  repository: Repository,
  which: string | object,
  change: Change,
  notes: WriteNotes = {},
): Promise<object> {
  const { id, known } = identify(repository, which)
  return change_(repository, id, known, notes, (plan, before) => {
    const now = changed(repository, id, before, change, notes)
    repository.planUpdate(plan, id, before, now)
    return now
  })
}

/** The whole record anew: fields that are not given are gone. */
export function replace(repository: Repository, id: string, value: unknown, notes: WriteNotes = {}): Promise<object> {
  const document = asDocument(repository.name, value)
  return change_(repository, id, undefined, notes, (plan, before) => {
    const now = repository.store.accept({
      ...document,
      [repository.entity.idField]: before.document[repository.entity.idField],
      ...stamped(repository, before.document, notes.by),
    })
    repository.planUpdate(plan, id, before, now)
    return now
  })
}

/** Updates the record with this id, or creates it. */
export async function upsert(repository: Repository, value: unknown, notes: WriteNotes = {}): Promise<object> {
  const document = asDocument(repository.name, value)
  const id = document[repository.entity.idField]
  if (id === undefined) return create(repository, document, notes)
  for (let tries = 1; ; tries++) {
    const before = await loadOne(repository, String(id))
    try {
      return before ? await update(repository, String(id), document, notes) : await create(repository, document, notes)
    } catch (error) {
      // Created or deleted by another in between: decided anew.
      if (tries >= 3 || !isRace(error)) throw error
    }
  }
}

export async function remove(repository: Repository, which: string | object, notes: WriteNotes = {}): Promise<boolean> {
  const { id, known } = identify(repository, which)
  try {
    await change_(repository, id, known, notes, (plan, before) => {
      repository.planDelete(plan, id, before)
      return before
    })
    return true
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENTITY.NOT_FOUND") return false
    throw error
  }
}

export async function increment(
  repository: Repository,
  id: string,
  field: string,
  by: number,
  notes: WriteNotes = {},
): Promise<number> {
  const record = await update(
    repository,
    id,
    (current) => {
      const value = (current as Record<string, unknown>)[field]
      if (typeof value !== "number") throw notIncrementable(repository.name, field)
      return { [field]: value + by }
    },
    notes,
  )
  return (record as Record<string, number>)[field]!
}

/** Reads, decides and commits; again on what others wrote, but not for ever. */
function change_(
  repository: Repository,
  id: string,
  known: Loaded | undefined,
  notes: WriteNotes,
  decide: (plan: Plan, before: Loaded) => Loaded,
): Promise<object> {
  const key = repository.keyOf(id)
  let turns = queue.get(repository.lane)
  if (!turns) queue.set(repository.lane, (turns = new OneAtATime()))
  return turns.run(key, async () => {
    let before = known ?? (await loadOne(repository, id))
    for (let tries = 1; ; tries++) {
      if (!before) throw recordMissing(repository.name, id, repository.shown(key))
      if (notes.version !== undefined && version(before.raw) !== notes.version) {
        throw new RecordChanged(repository.name, id, repository.shown(key), before.record, version(before.raw))
      }
      const plan = new Plan()
      const now = decide(plan, before)
      try {
        await commit(repository, plan, notes)
        return remember(now)
      } catch (error) {
        if (!(error instanceof RecordChanged)) throw error
        if (tries >= TRIES) throw recordContended(repository.name, id, tries)
        if (tries > 2) await sleep(Math.random() * Math.min(2 ** tries, 50))
        before = (error.current as Loaded | undefined) ?? (await loadOne(repository, id))
      }
    }
  })
}

async function commit(repository: Repository, plan: Plan, notes: WriteNotes): Promise<Map<string, string>> {
  const { durability } = repository.entity
  if (durability === "fast") return plan.carryOut(repository.lane, notes)
  const { driver } = repository.lane
  const own = await driver.dedicated()
  try {
    const ids = await plan.carryOut(
      { driver: own, send: own.send.bind(own), atomic: own.multi.bind(own), script: own.run.bind(own) },
      notes,
    )
    const confirmed: Reply = await own.send([
      "WAIT",
      String(durability.replicas),
      String(Math.max(1, (notes.timeoutMs ?? 2000) / 2)),
    ])
    if (Number(confirmed) < durability.replicas)
      throw notReplicated(repository.name, durability.replicas, Number(confirmed))
    return ids
  } finally {
    await own.close()
  }
}

function identify(repository: Repository, which: string | object): { id: string; known: Loaded | undefined } {
  if (typeof which !== "object") return { id: which, known: undefined }
  const id = (which as Record<string, unknown>)[repository.entity.idField]
  if (typeof id !== "string" && typeof id !== "number") throw recordId(repository.name, id)
  return { id: String(id), known: recall(which) }
}

/** The document with the change in it: what the change does not name stays, also fields that no schema knows. */
export function changed(
  repository: Repository,
  id: string,
  before: Loaded,
  change: Change,
  { by }: WriteNotes,
): Loaded {
  const { name, entity, store } = repository
  const patch = asDocument(name, typeof change === "function" ? change(before.record) : change)
  const other = patch[entity.idField]
  if (other !== undefined && String(other) !== id) throw recordIdFixed(name, id, String(other))
  const merged: Record<string, unknown> = { ...before.document, ...patch, ...stamped(repository, before.document, by) }
  merged[entity.idField] = before.document[entity.idField]
  for (const field in patch) if (patch[field] === undefined) delete merged[field]
  return store.accept(merged)
}

/** createdAt and its like, as far as the entity keeps them. What a caller passes for them does not count. */
function stamped({ entity, clock }: Repository, before: Document | undefined, by: string | undefined): Document {
  const now = clock().toISOString()
  const stamps: Record<string, unknown> = {}
  for (const stamp of entity.stamps) {
    const first = stamp === "createdAt" || stamp === "createdBy"
    if (first && before !== undefined) stamps[stamp] = before[stamp]
    else if (stamp.endsWith("At")) stamps[stamp] = now
    else stamps[stamp] = by ?? before?.[stamp]
    if (stamps[stamp] === undefined) delete stamps[stamp]
  }
  return stamps
}

/** The record as it was stored, with the id that the script allocated. */
export function settled(repository: Repository, loaded: Loaded, ids: ReadonlyMap<string, string>): Loaded {
  if (ids.size === 0) return loaded
  return repository.load("", withIds(loaded.raw, ids))!
}

export function asDocument(name: string, value: unknown): Document {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw recordNotObject(name)
  return value as Document
}

const isRace = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENTITY.EXISTS" || error.code === "ENTITY.NOT_FOUND")
