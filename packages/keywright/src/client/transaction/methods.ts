/* Which methods of a handle there are inside a transaction, and which of them take blind
 * writes. A method missing here is refused if it is called anyway, before anything is
 * written: see attempt.ts and answers.ts. */

import type { Kind } from "../../schema/define.ts"

/** By kind: what reads no single state, waits, is a separate script, or is answered only when it is carried out. */
interface NotThere {
  string: "cached" | "invalidate" | "invalidateWhile"
  counter: never
  hash: never
  map: "entries"
  list: "takeLeft" | "takeRight" | "move"
  set: "scan" | "move"
  zset: "scan"
  stream: "append" | "createGroup" | "deleteGroup" | "readGroup" | "ack" | "pending" | "claim" | "autoClaim"
  bitmap: "setMany"
  hyperloglog: "add" | "addMany" | "merge"
  geo: never
}

/** By kind: what writes, besides `delete`, `expire` and `persist`. */
interface Writes {
  string: "set" | "setIfAbsent" | "setIfPresent" | "take"
  counter: "increment" | "decrement" | "set" | "reset"
  hash: "set" | "replace" | "setIfAbsent" | "deleteField" | "increment"
  map: "set" | "setMany" | "replace" | "setIfAbsent" | "remove" | "removeMany" | "increment"
  list:
    | "pushLeft"
    | "pushRight"
    | "pushLeftMany"
    | "pushRightMany"
    | "popLeft"
    | "popRight"
    | "popLeftMany"
    | "popRightMany"
    | "setAt"
    | "remove"
    | "trim"
    | "replace"
  set: "add" | "addMany" | "remove" | "removeMany" | "replace" | "pop" | "popMany"
  zset:
    | "add"
    | "addMany"
    | "replace"
    | "increment"
    | "remove"
    | "removeMany"
    | "removeBetween"
    | "removeRange"
    | "popMin"
    | "popMax"
    | "popMinMany"
    | "popMaxMany"
  stream: "append" | "trim" | "remove"
  bitmap: "set"
  hyperloglog: never
  geo: "add" | "addMany" | "remove" | "removeMany"
}

/** A handle inside a transaction: every method it has returns the right answer. */
export type InTransaction<K extends Kind, H> = Omit<H, NotThere[K] | "persist" | "memory">

/** A handle whose writes answer nothing. */
export type Blind<K extends Kind, H> = {
  [N in keyof H & (Writes[K] | "delete" | "expire" | "persist")]: H[N] extends (...args: infer A) => unknown
    ? (...args: A) => Promise<void>
    : never
}
