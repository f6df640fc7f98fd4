/* What can be wrong with calls that are sent together. Nothing is sent, unless an error says otherwise. */

import { type KeywrightError, SchemaError } from "./error.ts"
import { OutcomeUnknown } from "./outcome.ts"

export const callsNotListed = (name: string) =>
  new SchemaError("BATCH.CALLS", `${name} takes a function that returns the calls as a list`, {
    fix: `Write ${name}((db) => [db.a().get(), db.b().get()]), without await inside.`,
  })

export const callTooLate = () =>
  new SchemaError("BATCH.TOO_LATE", "this call was made after its batch was sent", {
    why: "It waited for something first: a call inside a batch has no result before the batch was sent.",
    fix: "Make all calls at once, and wait for the batch as a whole.",
  })

export const callWaits = (method: string) =>
  new SchemaError("BATCH.WAITS", `${method} waits for something to come, and cannot be part of a batch`, {
    fix: "Call it on the client itself.",
  })

export const multiDatabases = (numbers: readonly number[]) =>
  new SchemaError("BATCH.DATABASES", `one MULTI cannot write to the databases ${numbers.join(" and ")}`, {
    why: "A transaction of the server happens in one logical database.",
    fix: "Make one $multi for each, or use $batch where they need not happen as one.",
  })

export const multiRefused = (cause: unknown) =>
  new SchemaError("BATCH.REFUSED", "another call of this MULTI was refused, so none was sent", {
    fix: "See the error of that call: the one that the MULTI rejects with.",
    cause,
  })

export const multiHalfWritten = (cause: KeywrightError) =>
  new OutcomeUnknown("PLAN.HALF_WRITTEN", `a call of this MULTI was refused, and others were made: ${cause.message}`, {
    why: "Redis carries out the other commands of a MULTI when one of them fails in its turn, and takes nothing back.",
    fix: "Look at the results of the calls, and correct what is there; a $transaction checks everything before it writes.",
    details: { reason: cause.message },
    cause,
  })

export const scriptTooLong = (words: number, most: number) =>
  new SchemaError("CALL.TOO_LONG", `a call with ${words} arguments cannot be carried out by a script; ${most} can`, {
    why: "Calls with an operation id, and calls on a family, are carried out by a script.",
    fix: "Hand over fewer at a time.",
  })
