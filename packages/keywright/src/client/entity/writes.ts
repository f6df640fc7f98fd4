/* Changing records. Each change is read, decided in TypeScript and committed by one
 * script that compares first; when somebody else was faster, it is decided again on what
 * they wrote, until it succeeds or its time is up.
 *
 * Repeated with the same operation id, a call changes nothing more, decides nothing, and
 * is answered as the first one was, whatever has happened to the record since. A call
 * that failed has done nothing: repeating it counts as a first call. */

import type { Reply } from "../../driver/driver.ts"
import { isKeywrightError, KeywrightError } from "../../errors/error.ts"
import { OutcomeUnknown } from "../../errors/outcome.ts"
import {
  RecordChanged,
  recordContended,
  recordId,
  recordMissing,
  recordNotText,
  recordUnread,
  recordWithoutId,
} from "../../errors/record.ts"
import { now as clock } from "../call/alarms.ts"
import { Deadline, isLate } from "../call/deadline.ts"
import { keepAnswer, keptAnswer } from "../plan/operation-answer.ts"
import { planMemoryKey } from "../plan/operation-key.ts"
import { rememberedIn } from "../plan/operation-memory.ts"
import { withIds } from "../plan/placeholder.ts"
import { Plan } from "../plan/plan.ts"
import type { Applied } from "../plan/send-plan.ts"
import { turnsOf } from "../call/turns.ts"
import { commitPlan, confirmDone } from "./durability.ts"
import { holdersOf, leaveAfterwards } from "./holders.ts"
import { handedOut, handOut, version } from "./handed-out.ts"
import { type ChosenLife, chosenLife, newLife } from "./life.ts"
import { withKeyNamed } from "./naming.ts"
import {
  asDocument,
  incremented,
  patched,
  type RecordChange,
  replaced,
  stamped,
  requireField,
} from "./next-document.ts"
import { atPrimary, loadOne } from "./reads.ts"
import type { RecordNotes } from "./record-notes.ts"
import type { Loaded } from "./record-store.ts"
import type { Repository } from "./repository.ts"
import { uuid, uuidFrom } from "./uuid.ts"

/** The longest pause before a change is decided again. */
const LONGEST_PAUSE_MS = 20

/** One call that writes a record, from beginning to end. */
interface Writing {
  readonly repository: Repository
  readonly notes: RecordNotes | undefined
  readonly deadline: Deadline
  /** What is done: together with the operation id and the key, this is the name under which it is remembered. */
  readonly what: string
}

const writing = (repository: Repository, what: string, notes: RecordNotes | undefined): Writing => ({
  repository,
  notes,
  deadline: new Deadline(repository.lane.driver, notes),
  what,
})

export async function create(repository: Repository, value: unknown, notes?: RecordNotes): Promise<object> {
  return handOut(await creating(writing(repository, "create", notes), value))
}

async function creating(call: Writing, value: unknown): Promise<Loaded> {
  const { repository, notes } = call
  const plan = new Plan()
  try {
    const { id, allocated, loaded } = newRecord(repository, plan, value, notes)
    repository.planCreate(plan, id, allocated, loaded)
    plan.purpose = `${call.what} ${allocated ? `${repository.name} ${repository.head}` : repository.keyOf(id)}`
    const { ids, replayed } = await commit(call, plan, loaded)
    if (replayed !== undefined) return answered(call, withIds(id, ids), replayed.answer)!
    return withAllocatedIds(repository, loaded, ids)
  } finally {
    plan.forgetIds()
  }
}

/** A record to be created: with its id, or with a placeholder that the plan allocates. */
export function newRecord(
  repository: Repository,
  plan: Plan,
  value: unknown,
  notes: RecordNotes | undefined,
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
  // Where the life has to be chosen, a missing choice is refused here, before anything is planned.
  loaded.chosenLife = newLife(
    repository.record.declared,
    chosenLife(repository.record.declared, notes as ChosenLife | undefined),
  )
  return { id, allocated, loaded }
}

const newUuid = (name: string, notes?: RecordNotes): string =>
  notes?.operationId === undefined ? uuid() : uuidFrom(`${name} ${notes.operationId}`)

export const update = (
  repository: Repository,
  which: string | object,
  change: RecordChange,
  notes?: RecordNotes,
): Promise<object> => updating(writing(repository, "update", notes), which, change)

function updating(call: Writing, which: string | object, change: RecordChange): Promise<object> {
  const { repository, notes } = call
  const { id, known } = identify(repository, which)
  return saving(call, id, known, (before) => patched(repository, id, before, change, notes))
}

/** A change that saves a record: `nextOf` makes it of the old one. */
function saving(
  call: Writing,
  id: string,
  known: Loaded | undefined,
  nextOf: (before: Loaded) => Loaded,
): Promise<object> {
  const saved = readDecideCommit(call, id, known, (plan, before) => {
    const next = nextOf(before)
    call.repository.planUpdate(plan, id, before, next)
    return next
  })
  return saved.then(handOutResult)
}

const handOutResult = (now: Loaded | undefined): object => handOut(now!)

/**
 * In turn with other changes of the record: reads it, decides, and commits; again on what others wrote, until it
 * succeeds or its time is up. `decide` puts the change into the plan; it returns nothing for a deletion.
 */
async function readDecideCommit(
  call: Writing,
  id: string,
  known: Loaded | undefined,
  decide: (plan: Plan, before: Loaded) => Loaded | undefined,
): Promise<Loaded | undefined> {
  const { repository, deadline, notes } = call
  const key = repository.keyOf(id)
  const turns = turnsOf(repository.lane)
  const turn = turns.enter(key, deadline, () => `${call.what} of ${repository.shown(key)}`)
  const isHeld = turn === undefined || (await turn)
  try {
    let before = known
    if (before === undefined || notes?.operationId !== undefined) {
      const first = await readFirst(call, id)
      if (first.done !== undefined) return answered(call, id, first.done)
      before = first.before
    }
    for (let tries = 1; ; tries++) {
      const begun = clock()
      if (!before) throw recordMissing(repository.name, repository.shownId(id), repository.shown(key))
      if (notes?.version !== undefined) checkVersion(repository, before, notes.version)
      const plan = new Plan()
      const now = decide(plan, before)
      plan.purpose = `${call.what} ${key}`
      try {
        deadline.check(call.what)
        const { replayed } = await commit(call, plan, now)
        return replayed === undefined ? now : answered(call, id, replayed.answer)
      } catch (error) {
        if (tries > 1 && isLate(error)) throw contended(repository, id, tries)
        if (!(error instanceof RecordChanged)) throw error
        // A commit that is cut short has an unknown outcome: so one that is unlikely to be answered in time is not
        // sent.
        if (deadline.leftMs < (clock() - begun) * 2) throw contended(repository, id, tries)
        if (tries > 2) await deadline.pause(Math.random() * Math.min(tries, LONGEST_PAUSE_MS), call.what)
        before = await afterConflict(call, before, error)
      }
    }
  } finally {
    if (isHeld) turns.leave(key)
  }
}

/**
 * Reads the record, then what is remembered of an earlier call: in this order, so that the record read is the older of
 * the two.
 */
async function readFirst(
  call: Writing,
  id: string,
): Promise<{ readonly before: Loaded | undefined; readonly done?: string }> {
  const { repository, notes, deadline, what } = call
  if (notes?.operationId === undefined)
    return { before: await unlessUnread(call, loadOne(repository, id, atPrimary(deadline.notes()))) }
  const { lane } = repository
  const key = repository.keyOf(id)
  const memory = planMemoryKey(notes.operationId, `${what} ${key}`, key, lane.driver.cluster)
  const reading = lane.driver.batch([repository.store.readCommand(key), ["GET", memory]], {
    ...deadline.notes(),
    safe: true,
  })
  const [raw, remembered] = await unlessUnread(call, reading)
  for (const reply of [raw, remembered])
    if (reply instanceof KeywrightError) throw withKeyNamed(repository.record, key, reply)
  const done = rememberedIn(remembered as string | null)
  const before = repository.store.load(id, raw as Reply)
  if (!done) return { before }
  const plan = { purpose: `${what} ${key}`, identity: "", firstKey: key }
  const operation = { operationId: notes.operationId, rememberFor: notes.rememberFor }
  const isDone = await confirmDone(repository.name, lane, plan, done, { ...deadline.notes(), ...operation })
  return isDone ? { before, done: done.answer } : readFirst(call, id)
}

function commit(call: Writing, plan: Plan, now: Loaded | undefined): Promise<Applied> {
  const { repository, notes, deadline } = call
  if (notes?.operationId === undefined) return commitPlan(repository.name, repository.lane, plan, deadline.notes())
  const { operationId, rememberFor } = notes
  plan.answer = keepAnswer(now?.raw ?? null)
  return commitPlan(repository.name, repository.lane, plan, { ...deadline.notes(), operationId, rememberFor })
}

/** Replaces the record: fields that are not given are removed, except those that the schema does not know. */
export async function replace(
  repository: Repository,
  which: string,
  value: unknown,
  notes?: RecordNotes,
): Promise<object> {
  const id = repository.textOf(which)
  const call = writing(repository, "replace", notes)
  return saving(call, id, undefined, (before) => replaced(repository, id, before, value, notes))
}

/** Updates the record with this id, or creates it. */
export async function upsert(repository: Repository, value: unknown, notes?: RecordNotes): Promise<object> {
  const document = asDocument(repository.name, value)
  const given = document[repository.entity.idField]
  const call = writing(repository, "upsert", notes)
  if (given === undefined) return handOut(await creating(call, document))
  const id = repository.textOf(given)
  for (let tries = 1; ; tries++) {
    const { before, done } = await readFirst(call, id)
    if (done !== undefined) return handOut(answered(call, id, done)!)
    try {
      if (!before) return handOut(await creating(call, document))
      return await saving(call, id, before, (current) => patched(repository, id, current, document, notes))
    } catch (error) {
      // Created or deleted by somebody else in between: decided again.
      if (!(hasCode(error, "ENTITY.EXISTS") || hasCode(error, "ENTITY.NOT_FOUND"))) throw error
      if (call.deadline.isOver) throw contended(repository, id, tries)
    }
  }
}

export async function remove(repository: Repository, which: string | object, notes?: RecordNotes): Promise<boolean> {
  const { id, known } = identify(repository, which)
  const call = writing(repository, "delete", notes)
  const { together, after } = await unlessUnread(call, holdersOf(repository, id, call.deadline.notes()))
  const deletion = readDecideCommit(call, id, known, (plan, before) => {
    repository.planDelete(plan, id, before, together)
    for (const owned of repository.ownedSets(id)) plan.write("UNLINK", owned)
    return undefined
  })
  const isDeleted = await deletion.then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, "ENTITY.NOT_FOUND")) return false
      throw error
    },
  )
  // Also when it had been deleted before: then an earlier call may have been cut short here.
  const left = isDeleted ? after : [...together, ...after]
  await leaveAfterwards(repository, id, left, call.deadline.notes())
  return isDeleted
}

export async function increment(
  repository: Repository,
  id: string,
  field: string,
  by = 1,
  notes?: RecordNotes,
): Promise<number> {
  requireField(field)
  const add: RecordChange = (current) => incremented(repository, id, current, field, by)
  const record = await updating(writing(repository, `increment ${field}`, notes), id, add)
  return (record as Record<string, number>)[field]!
}

/** The record as it is now: it came with the conflict, or is read again. */
async function afterConflict(call: Writing, before: Loaded, error: RecordChanged): Promise<Loaded | undefined> {
  const { repository, deadline } = call
  const { id } = before
  const found = error["~loaded"] as Loaded | undefined
  const current = found ?? (await unlessUnread(call, loadOne(repository, id, atPrimary(deadline.notes()))))
  // Different to the server but equal as text: the stored bytes are not valid text.
  if (current && current.raw === before.raw && String(current.raw).includes("\uFFFD"))
    throw recordNotText(repository.name, repository.shownId(id), repository.shown(repository.keyOf(id)))
  return current
}

/** A read that got no answer: whatever the driver reports, nothing was written. */
async function unlessUnread<T>({ repository, what }: Writing, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw error instanceof OutcomeUnknown ? recordUnread(repository.name, what, error) : error
  }
}

/** The record that the first call was answered with. */
function answered({ repository, what }: Writing, id: string, kept: string): Loaded | undefined {
  const raw = keptAnswer(kept, `${what} of ${repository.name} ${repository.shownId(id)}`) as Reply
  return raw === null ? undefined : repository.store.load(id, raw)
}

const contended = (repository: Repository, id: string, tries: number) =>
  recordContended(repository.name, repository.shownId(id), repository.shown(repository.keyOf(id)), tries)

/** Throws when the record has another version; the error carries its current value. */
export function checkVersion(repository: Repository, loaded: Loaded, expected: string): void {
  const found = version(loaded.raw)
  const shown = repository.shown(repository.keyOf(loaded.id))
  if (found !== expected)
    throw new RecordChanged(repository.name, repository.shownId(loaded.id), shown, () => handOut(loaded), found, loaded)
}

function identify(repository: Repository, which: string | object): { id: string; known: Loaded | undefined } {
  if (typeof which !== "object" || which === null) return { id: repository.textOf(which), known: undefined }
  const known = handedOut(which)
  if (known) return { id: known.id, known }
  const id = (which as Record<string, unknown>)[repository.entity.idField]
  if (typeof id !== "string" && typeof id !== "number")
    throw recordWithoutId(repository.name, repository.entity.idField, id)
  return { id: repository.textOf(id), known: undefined }
}

/** The id of a record, or of an object that has one. */
export const idOf = (repository: Repository, which: string | object): string => identify(repository, which).id

/** The record as it was stored, with the id that the script allocated. */
function withAllocatedIds(repository: Repository, loaded: Loaded, ids: ReadonlyMap<string, string>): Loaded {
  if (ids.size === 0) return loaded
  return repository.store.load(withIds(loaded.id, ids), withIds(loaded.raw, ids))!
}

const hasCode = (error: unknown, code: string): boolean => isKeywrightError(error) && error.code === code
