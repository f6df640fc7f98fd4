/* What can stop a transaction. */

import { SchemaError } from "./error.ts"
import { Conflict, Refused } from "./outcome.ts"

export const crossSlot = (one: string, other: string) =>
  new SchemaError(
    "CLUSTER.CROSS_SLOT",
    "this operation writes keys of several slots, which a cluster cannot do as one",
    {
      why: `For example ${one} and ${other}.`,
      fix: "Give the patterns one hash tag, {{tenant}}:…, or use a server without cluster mode.",
    },
  )

export const transactionContended = (tries: number, last: unknown) =>
  new Conflict(
    "TRANSACTION.CONTENDED",
    `what the transaction had read was changed by others, ${tries} times in a row`,
    {
      why: "It is tried again a few times, then given up, so that nothing waits forever.",
      fix: "Try again, or make it smaller.",
      cause: last,
    },
  )

export const readChanged = (pattern: string, key: string) =>
  new Conflict("TRANSACTION.READ_CHANGED", `${key} was changed by another since it was read`, { pattern, key })

export const operationReused = (purpose: string) =>
  new Conflict(
    "TRANSACTION.OPERATION_REUSED",
    `this ${purpose} has the operation id of an earlier one that wrote other keys`,
    {
      why: "An operation id stands for one operation: repeated, it is not carried out again. Nothing was written this time.",
      fix: "Give each operation an id of its own. Where it is a repetition that decides otherwise now: it was done before.",
    },
  )

export const transactionScript = (name: string) =>
  new SchemaError("TRANSACTION.SCRIPT", `${name} cannot be part of a transaction`, {
    why: "It is a script of its own, whose effects cannot be checked together with the rest.",
    fix: "Call it before or after the transaction.",
  })

export const transactionDatabases = (one: number, other: number) =>
  new SchemaError("TRANSACTION.DATABASES", `a transaction cannot span the databases ${one} and ${other}`, {
    why: "A script works in one logical database.",
    fix: "Make it two transactions, ordered so that the second can be repeated.",
  })

export const planTooLarge = (words: number) =>
  new SchemaError("TRANSACTION.TOO_LARGE", `${words} arguments are more than one atomic step can take`, {
    why: "A script cannot be given more, and would hold up everybody else.",
    fix: "Make it several smaller ones.",
  })

export const transactionCommand = (name: string, why: string) =>
  new SchemaError("TRANSACTION.COMMAND", `${name} cannot be part of a transaction`, {
    why,
    fix: "Call it before or after the transaction.",
  })

export const readAfterWrite = (pattern: string, key: string) =>
  new SchemaError(
    "TRANSACTION.READ_AFTER_WRITE",
    `${key} was written in this transaction, and cannot be read before it commits`,
    {
      pattern,
      key,
      why: "Writes are collected and carried out at the commit.",
      fix: "Read it first, and remember what was read.",
    },
  )

export const transactionType = (key: string, found: string, expected: string) =>
  new Refused("TRANSACTION.WRONG_TYPE", `${key} is a ${found}, not a ${expected}`, {
    key,
    why: "Another program uses this key. Nothing was written.",
  })

export const transactionNumber = (key: string) =>
  new Refused("TRANSACTION.NOT_A_NUMBER", `${key} does not hold a number that can be added to`, { key })

export const transactionElement = (key: string) =>
  new Refused("TRANSACTION.NO_ELEMENT", `${key} has no element at this position`, { key })
