/* What can stop a transaction. */

import { type KeywrightError, SchemaError } from "./error.ts"
import { Conflict, NotApplied, OutcomeUnknown, Refused } from "./outcome.ts"

export const transactionContended = (tries: number, ms: number, last: unknown) =>
  new Conflict(
    "TRANSACTION.CONTENDED",
    `what the transaction had read was changed by others within ${Math.round(ms)} ms (attempts: ${tries})`,
    {
      why: "Each attempt was based on outdated data, until its time was up. Nothing was written.",
      fix: "Try again, give it more time with `timeoutMs`, or let it read less.",
      details: { tries },
      cause: last,
    },
  )

/** A transaction whose reads got no answer: whatever the driver says about the read, nothing was written. */
export const transactionNotCommitted = (cause: KeywrightError) =>
  new NotApplied(cause.code, `the transaction was not committed: ${cause.message}`, {
    why: "It could not read what it was to decide on. Nothing was written.",
    fix: "Check that the server is up and reachable; the transaction may be repeated.",
    cause,
  })

export const transactionOver = () =>
  new SchemaError("TRANSACTION.OVER", "a call was made on a transaction that is over", {
    why: "Its work has returned, has failed, or took too long. The call was not carried out.",
    fix: "Await every call inside the transaction.",
  })

export const transactionAnswer = (name: string) =>
  new SchemaError("TRANSACTION.ANSWER", `${name} has no result before the transaction commits`, {
    why: "Its result is known only once it is carried out, so the transaction could not decide by it.",
    fix: "If you do not need the result, call it on `t.$blind`; otherwise call it before or after the transaction.",
  })

export const blindRead = (name: string) =>
  new SchemaError("TRANSACTION.BLIND", `${name} cannot be called on \`$blind\``, {
    why: "Blind calls only write: they are carried out at the commit, whatever the key holds, and return nothing.",
    fix: "Call it on the transaction itself.",
  })

export const readChanged = (pattern: string, key: string = pattern) =>
  new Conflict("TRANSACTION.READ_CHANGED", `${key} was changed by another writer since it was read`, {
    pattern,
    key,
    why: "Nothing was written; the transaction tries again until its deadline.",
    fix: "Try again, or give it more time with `timeoutMs`.",
  })

export const operationReused = () =>
  new Conflict("TRANSACTION.OPERATION_REUSED", "another transaction had this operation id", {
    why: "An operation id stands for one transaction, which is carried out only once. Nothing was written this time.",
    fix: "Give each transaction its own id.",
  })

/** `what` is the operation: `"update dish:1"`. */
export const operationDone = (what: string, why: string) =>
  new Conflict("OPERATION.ALREADY_DONE", `${what} with this operation id was carried out before`, {
    why: `${why} Nothing was written this time.`,
    fix: "Read what it wrote, or let it return less.",
  })

/** `reason` is what the server said. */
export const halfWritten = (reason: string) =>
  new OutcomeUnknown(
    "PLAN.HALF_WRITTEN",
    `a write was refused after others of the same step were carried out: ${reason}`,
    {
      why: "Everything is checked before the first write, but this refusal was not foreseen: earlier writes remain. With an operation id, a repeated call writes nothing and fails in the same way.",
      fix: "Read the data and correct it. Check the user's rights and the types of the keys, and report this as a bug in Keywright.",
      details: { reason },
    },
  )

export const transactionScript = (name: string) =>
  new SchemaError("TRANSACTION.SCRIPT", `${name} cannot be part of a transaction`, {
    why: "It is a separate script, whose effects cannot be checked together with the rest.",
    fix: "Call it before or after the transaction.",
  })

export const transactionDatabases = (one: number, other: number) =>
  new SchemaError("TRANSACTION.DATABASES", `a transaction cannot span the databases ${one} and ${other}`, {
    why: "A script works in one logical database.",
    fix: "Make it two transactions, ordered so that the second can be repeated.",
  })

export const planTooLarge = (words: number) =>
  new SchemaError("TRANSACTION.TOO_LARGE", `${words} arguments are too many for one atomic step`, {
    why: "A script cannot take more, and would keep everybody else waiting.",
    fix: "Write less at a time: split the transaction, or what one call writes.",
  })

export const transactionCommand = (name: string, why: string) =>
  new SchemaError("TRANSACTION.COMMAND", `${name} cannot be part of a transaction`, {
    why,
    fix: "Call it before or after the transaction.",
  })

export const readAfterWrite = (key: string) =>
  new SchemaError(
    "TRANSACTION.READ_AFTER_WRITE",
    `${key} was written in this transaction, and cannot be read before it commits`,
    {
      key,
      why: "Writes are carried out at the commit, and what the key will hold then is not known.",
      fix: "Read it before you write it; a write whose result you do not need can go to `t.$blind`.",
    },
  )

export const transactionType = (key: string, found: string, expected: string) =>
  new Refused("TRANSACTION.WRONG_TYPE", `${key} is a ${found}, not a ${expected}`, {
    key,
    why: "Another program uses this key. Nothing was written.",
    fix: "Find the program that writes it: `keywright audit` lists such keys.",
  })

export const transactionNumber = (key: string) =>
  new Refused("TRANSACTION.NOT_A_NUMBER", `${key} does not hold a number that can be added to`, {
    key,
    why: "Another program wrote it. Nothing was written.",
    fix: "Look at it with `keywright inspect`, and correct the program that writes it.",
  })

export const sumTooLarge = (key: string) =>
  new SchemaError("TRANSACTION.SUM_TOO_LARGE", `more is added to ${key} than a number can hold`, {
    key,
    why: "The sum might not fit into 64 bits, and Redis would refuse it after other writes were carried out.",
    fix: "Add less at a time.",
  })

export const transactionElement = (key: string) =>
  new Refused("TRANSACTION.NO_ELEMENT", `${key} has no element at this position`, {
    key,
    fix: "Ask for its length first, inside the same transaction.",
  })
