/* What can stop a transaction. */

import { SchemaError } from "./error.ts"
import { Conflict } from "./outcome.ts"

export const crossSlot = (one: string, other: string) =>
  new SchemaError("CLUSTER.CROSS_SLOT", "this operation writes keys of several slots, which a cluster cannot do as one", {
    why: `For example ${one} and ${other}.`,
    fix: "Give the patterns one hash tag, {{tenant}}:…, or use a server without cluster mode.",
  })

export const transactionContended = (tries: number, last: unknown) =>
  new Conflict("TRANSACTION.CONTENDED", `what the transaction had read was changed by others, ${tries} times in a row`, {
    why: "It is tried again a few times, then given up, so that nothing waits forever.",
    fix: "Try again, or make it smaller.",
    cause: last,
  })

export const readChanged = (pattern: string, key: string) =>
  new Conflict("TRANSACTION.READ_CHANGED", `${key} was changed by another since it was read`, { pattern, key })

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
