/* The document that a change makes of a record: merged with the old one or in its place, with its id kept and its
 * stamps set. Pure, apart from the clock. */

import { argumentRefused } from "../../errors/client.ts"
import { notIncrementable, recordIdFixed, recordNotObject } from "../../errors/record.ts"
import { knownFields } from "../../schema/entity-fields.ts"
import { type ChosenLife, chosenLife } from "./life.ts"
import type { Document, Loaded } from "./record-store.ts"
import type { Repository } from "./repository.ts"
import type { RecordNotes } from "./record-notes.ts"

export type RecordChange = Document | ((current: object) => Document)

/** The document with the change in it: what the change does not name stays, also fields that no schema knows. */
export function patched(
  repository: Repository,
  id: string,
  before: Loaded,
  change: RecordChange,
  notes: RecordNotes | undefined,
): Loaded {
  const { name, entity, store } = repository
  const patch = asDocument(name, typeof change === "function" ? change(before.record) : change)
  const { document } = before
  checkId(repository, id, document, patch)
  const merged: Record<string, unknown> = { ...document, ...patch }
  if (entity.stamps.length > 0) Object.assign(merged, stamped(repository, document, notes?.by))
  merged[entity.idField] = document[entity.idField]
  for (const field in patch) if (patch[field] === undefined) delete merged[field]
  return withLife(repository, store.accept(id, merged, before), notes)
}

/** The life that the caller chose is passed along to where the record is written. */
function withLife(repository: Repository, now: Loaded, notes: RecordNotes | undefined): Loaded {
  const life = chosenLife(repository.record.declared, notes as ChosenLife | undefined)
  if (life !== undefined) now.chosenLife = life
  return now
}

/** A document that replaces the old one: the id, the creation stamps and fields unknown to the schema are kept. */
export function replaced(
  repository: Repository,
  id: string,
  before: Loaded,
  value: unknown,
  notes: RecordNotes | undefined,
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
function checkId(repository: Repository, id: string, document: Document, change: Document): void {
  const { name, entity } = repository
  const other = change[entity.idField]
  if (other !== undefined && other !== document[entity.idField] && String(other) !== id)
    throw recordIdFixed(name, repository.shownId(id), repository.shownId(String(other)))
}

/** createdAt and the other stamps, where the entity has them. Values that a caller passes for them are ignored. */
export function stamped({ entity, context, store }: Repository, before: Document | undefined, by: string | undefined) {
  const stamps: Record<string, unknown> = {}
  if (entity.stamps.length === 0) return stamps
  const now = context.clock()
  for (const stamp of entity.stamps) {
    const first = stamp === "createdAt" || stamp === "createdBy"
    if (first && before !== undefined) stamps[stamp] = before[stamp]
    else if (stamp.endsWith("At")) stamps[stamp] = store.stamp(stamp, now)
    else stamps[stamp] = by ?? before?.[stamp]
    if (stamps[stamp] === undefined) delete stamps[stamp]
  }
  return stamps
}

/** The name of a field that is incremented. */
export function requireField(field: unknown): void {
  if (typeof field !== "string") throw argumentRefused("a field", "a string", field)
}

/** The change that adds to a number; a field that is absent counts as 0. */
export function incremented(own: Repository, id: string, current: object, field: string, by: number): Document {
  if (typeof by !== "number") throw argumentRefused("a step", "a number", by)
  const value = (current as Record<string, unknown>)[field] ?? 0
  if (typeof value !== "number") throw notIncrementable(own.name, own.shownId(id), own.shown(own.keyOf(id)), field)
  return { [field]: value + by }
}

export function asDocument(name: string, value: unknown): Document {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw recordNotObject(name)
  // Without fields of its own, a promise would be a change of nothing.
  if (value instanceof Promise) throw argumentRefused(`a ${name}`, "an object", value)
  return value as Document
}
