/* What can be wrong with calls that are sent together. Nothing is sent, unless an error says otherwise. */

import { type KeywrightError, SchemaError } from "./error.ts"
import { OutcomeUnknown } from "./outcome.ts"

export const callsNotListed = (name: string) =>
  new SchemaError("BATCH.CALLS", `${name} takes a function that returns the calls as a list`, {
    fix: `Write ${name}((db) => [db.a().get(), db.b().get()]), without await inside.`,
  })

export const callTooLate = () =>
  new SchemaError("BATCH.TOO_LATE", "this call was made after its batch was sent", {
    why: "The function awaited something first, and a call inside a batch has no result before the batch is sent.",
    fix: "Make all calls at once, and await the batch as a whole.",
  })

export const callWaits = (method: string) =>
  new SchemaError("BATCH.WAITS", `${method} waits for data, and cannot be part of a batch`, {
    fix: "Call it on the client itself.",
  })

export const multiDatabases = (numbers: readonly number[]) =>
  new SchemaError("BATCH.DATABASES", `one MULTI cannot write to the databases ${numbers.join(" and ")}`, {
    why: "A MULTI works in one logical database.",
    fix: "Make one $multi for each, or use $batch if the calls need not be atomic.",
  })

export const multiRefused = (cause: unknown) =>
  new SchemaError("BATCH.REFUSED", "another call of this MULTI was refused, so no call was sent", {
    fix: "See the error of that call: the one that the MULTI rejects with.",
    cause,
  })

export const multiHalfWritten = (cause: KeywrightError) =>
  new OutcomeUnknown(
    "PLAN.HALF_WRITTEN",
    `a call of this MULTI was refused, but others were carried out: ${cause.message}`,
    {
      why: "When a command of a MULTI fails, Redis still carries out the others, and undoes nothing.",
      fix: "Look at the results of the calls, and correct the data; a $transaction checks everything before it writes.",
      details: { reason: cause.message },
      cause,
    },
  )

export const scriptTooLong = (words: number, most: number) =>
  new SchemaError(
    "CALL.TOO_LONG",
    `a call with ${words} arguments cannot be carried out by a script, which takes up to ${most}`,
    {
      why: "Calls with an operation id, and calls on a family, are carried out by a script.",
      fix: "Pass fewer at a time.",
    },
  )
