/* What can stop an operation on a record. */

import { shown } from "./codec.ts"
import { failedWith } from "./failed-at.ts"
import { type KeywrightError, SchemaError } from "./error.ts"
import { Conflict, NotApplied, OutcomeUnknown, Refused, Undecodable, WrongType } from "./outcome.ts"

export const recordExists = (entity: string, id: string, key: string) =>
  new Conflict("ENTITY.EXISTS", `${entity} ${id} cannot be created: it exists already`, {
    key,
    fix: "Use update or upsert, or choose another id.",
  })

export const recordMissing = (entity: string, id: string, key: string) =>
  new Conflict("ENTITY.NOT_FOUND", `there is no ${entity} ${id}`, { key, fix: "Create it, or use upsert." })

export const uniqueTaken = (entity: string, id: string, index: string, key: string, holder: string) =>
  new Conflict(
    "INDEX.UNIQUE_TAKEN",
    `${entity}${id === "" ? "" : ` ${id}`} cannot take this ${index}: ${entity} ${holder} has it`,
    {
      key,
      fix: `Update ${entity} ${holder}, or delete it first.`,
      details: { entity, index, holder },
    },
  )

/**
 * A record was changed by somebody else since it was read. `current` is the record as it is now, for callers that want to
 * merge.
 * @example
 * await db.user.update("1", { name: "Ada" }, { version: "an-old-one" }).catch((error: unknown) => {
 *   if (!(error instanceof RecordChanged)) throw error
 *   console.log(error.version, error.current)
 * })
 */
export class RecordChanged extends Conflict {
  readonly version: string | undefined
  readonly #current: (() => unknown) | undefined
  readonly #loaded: unknown
  constructor(
    entity: string,
    id: string,
    key: string,
    current: (() => unknown) | undefined,
    version: string | undefined,
    loaded?: unknown,
  ) {
    super("ENTITY.CHANGED", `${entity} ${id} was changed by another writer since it was read`, {
      key,
      fix: "Read it again, and decide by its current state.",
      details: { entity, id, version },
    })
    this.#current = current
    this.#loaded = loaded
    this.version = version
  }

  get current(): unknown {
    return this.#current?.()
  }

  /** For the client: what was found, before it is decoded. */
  get "~loaded"(): unknown {
    return this.#loaded
  }
}

export const recordContended = (entity: string, id: string, key: string, tries: number) =>
  new Conflict("ENTITY.CONTENDED", `others changed ${entity} ${id} until the time was up (attempts: ${tries})`, {
    key,
    why: "Each attempt was based on outdated data. Nothing was written.",
    fix: "Try again, or give it more time with `timeoutMs`.",
    details: { entity, id, tries },
  })

/** A change whose read got no answer: whatever the driver says about the read, nothing was written. */
export const recordUnread = (entity: string, what: string, cause: KeywrightError) =>
  new NotApplied(cause.code, `${what} of ${entity} was not carried out: ${cause.message}`, {
    why: "What it was to change could not be read. Nothing was written.",
    fix: "Check that the server is up and reachable; the call may be repeated.",
    cause,
  })

export const recordWrongType = (entity: string, key: string, expected: string, found: string) =>
  new WrongType(
    "ENTITY.WRONG_TYPE",
    `${key}, which belongs to ${entity}, is ${found === "other type" ? "of another type" : `a ${found}`} and not a ${expected}`,
    {
      key,
      why: "Another program uses this key. This call changed nothing.",
      fix: "Find the program that uses it: `keywright audit` lists such keys.",
    },
  )

export const counterUnusable = (counter: string, cause: unknown) =>
  new Undecodable("ENTITY.COUNTER", `${counter} is not an integer, so it cannot be incremented`, {
    key: counter,
    why: "Another program wrote it. This call changed nothing.",
    fix: "Run `keywright repair`: it sets the counter to the highest id.",
    cause,
  })

export const recordId = (entity: string, found: unknown) =>
  new SchemaError("ENTITY.ID", `a new ${entity} needs an id, and ${shown(found)} is not one`, {
    fix: 'Pass an id, or declare a counter or ids: "uuid".',
  })

/** For a change, which is given an object instead of an id. */
export const recordWithoutId = (entity: string, field: string, found: unknown) =>
  new SchemaError("ENTITY.ID", `no ${entity} can be found by this object: its ${field} is ${shown(found)}`, {
    fix: `Pass the ${field}, or a record that was read.`,
  })

export const recordIdFixed = (entity: string, id: string, other: string) =>
  new SchemaError("ENTITY.ID_FIXED", `the id of ${entity} ${id} cannot become ${other}`, {
    why: "The id is part of the key.",
    fix: "Create a new record and delete this one.",
  })

export const recordNotObject = (entity: string) =>
  new SchemaError("ENTITY.NOT_AN_OBJECT", `a ${entity} must be an object`, {
    fix: "Pass an object with the record's fields.",
  })

export const scoreRefused = (entity: string, index: string, field: string) =>
  new SchemaError(
    "INDEX.SCORE",
    `index ${index} of ${entity} is ordered by ${field}, which is neither a number nor a date here`,
    {
      fix: "Use a number, or a date as an ISO text.",
    },
  )

export const indexUnknown = (entity: string, index: string, known: readonly string[]) =>
  new SchemaError("INDEX.UNKNOWN", `${entity} has no index ${typeof index === "string" ? index : shown(index)}`, {
    fix: oneOf("index", known),
  })

const oneOf = (what: string, known: readonly string[]): string =>
  known.length === 0 ? `No ${what} is declared; declare one first.` : `Use one of: ${known.join(", ")}.`

export const noList = (entity: string) =>
  new SchemaError("ENTITY.NO_LIST", `${entity} keeps no set of all ids`, {
    fix: `Declare all: "${entity.slice(entity.lastIndexOf(".") + 1)}:list", or use scan().`,
  })

export const relationUnknown = (entity: string, name: string, known: readonly string[]) =>
  new SchemaError("RELATION.UNKNOWN", `${entity} has no relation ${name}`, {
    fix: oneOf("relation", known),
  })

export const notIncrementable = (entity: string, id: string, key: string, field: string) =>
  new SchemaError("ENTITY.NOT_A_NUMBER", `${field} of ${entity} ${id} is not a number`, {
    key,
    fix: "Set it to a number first.",
  })

/** `what` was written: "user", "the step visit". `refusal`: WAIT was refused, so nobody knows how many have it. */
export const notReplicated = (what: string, wanted: number, got: number, refusal?: KeywrightError) =>
  new OutcomeUnknown("DURABILITY.REPLICAS", `${what} was written, but ${got} of ${wanted} replicas have confirmed it`, {
    why: refusal
      ? `The server refused to wait for replicas: ${refusal.message}.`
      : "If the primary fails now, the write may be lost.",
    fix: "Check the replicas. Saving a record again, or running another pass of a drain, does no harm.",
    details: { wanted, got },
    ...(refusal && { cause: refusal }),
  })

export const entityInMulti = (entity: string) =>
  new SchemaError("ENTITY.IN_MULTI", `${entity} cannot be used inside $multi`, {
    why: "An entity reads before it writes, and inside MULTI nothing can be read.",
    fix: "Use $transaction, which reads, decides and commits in one step.",
  })

export const groupUnbound = (entity: string, params: readonly string[]) =>
  new SchemaError(
    "ENTITY.UNBOUND",
    `${entity} is in a scope whose ${params.map((name) => `{${name}}`).join(", ")} are not bound`,
    {
      fix: `Bind them once: db.${entity.split(".", 1)[0]}({ ${params.join(", ")} }).`,
    },
  )

export const recordNotText = (entity: string, id: string, key: string) =>
  new Refused("ENTITY.NOT_UTF8", `${entity} ${id} holds bytes that are not UTF-8`, {
    key,
    why: "It cannot be compared with what was read, so a save might overwrite a change.",
    fix: "Let the program that wrote it rewrite it as UTF-8, or delete the key.",
  })

export const entityScanned = (entity: string) =>
  new SchemaError("TRANSACTION.SCAN", `${entity} cannot be scanned inside a transaction`, {
    why: "The result of a walk over the server cannot be compared at the commit.",
    fix: "Use all() or list(), or scan before the transaction.",
  })

/** The record is deleted; what follows in other shards was refused, or its answer was lost. */
export const recordLeftInSets = (entity: string, id: string, cause: unknown) =>
  new OutcomeUnknown("ENTITY.LEFT_IN_SETS", `${entity} ${id} is deleted, but may still be in sets of other records`, {
    why: `They are in other shards, or too many, so they come after the step that deletes it. ${failedWith(cause)}`,
    fix: "Delete it again: that removes its id from these sets, although the record is gone. Audit finds such ids.",
    cause,
  })
