/* The keyspace: everything declared, in one value. The typed client, the docs,
 * audit and repair all start from it and from nothing else.
 *
 * Making it checks the whole: which pattern owns a key is decided here, once. The
 * more literal pattern wins, then a codec that refuses breaks the tie, and what is
 * still ambiguous is an error with a key that shows it. */

import { definitionRefused } from "../errors/define.ts"
import { keyspaceAmbiguous } from "../errors/keyspace.ts"
import type { Notes } from "./define.ts"
import type { Draft } from "./draft.ts"
import type { AnyParams, Entries } from "./group.ts"
import type { Invariant } from "./invariant.ts"
import type { Key } from "./key.ts"
import { keysOf } from "./keys-of.ts"
import { parseKey, slotsOf } from "./locate.ts"
import { automaton, overlap } from "./overlap.ts"
import type { Paths } from "./path.ts"
import type { Relating, Relations } from "./relation.ts"

export interface Keyspace<E = unknown, R = unknown, Q = unknown> {
  readonly name: string | undefined
  readonly doc: string | undefined
  readonly entries: E
  readonly relations: R
  readonly params: Q
  readonly invariants: readonly Invariant[]
  /** Every key pattern, groups and entities resolved. */
  readonly keys: readonly Key[]
}

export interface KeyspaceOptions<E, R, Q> extends Pick<Notes, "ttl" | "evictable"> {
  /** For titles: `"shop"`. */
  readonly name?: string
  readonly doc?: string
  /** Codecs for these parameters, wherever they stand. */
  readonly params?: Q
  readonly relations?: R
  readonly invariants?: readonly Invariant<Paths<E>>[]
}

/** Puts definitions together and checks that they fit: `keyspace({ page: string("cache:{hash}", text) })`. */
export function keyspace<const E extends Entries, const R extends Relations<E> = {}, const Q extends AnyParams = {}>(
  entries: E,
  options: KeyspaceOptions<E, R, Q> = {},
): Keyspace<E, R, Q> {
  const { relations = {} as R, params = {} as Q, invariants = [], name, doc, ...notes } = options
  const keys = settle(keysOf(entries, "", { prefix: "", db: 0, params, notes }))
  for (const rule of invariants) rule["~check"](rule as never, keys)
  for (const name in relations) (entries[name] as unknown as Relating)["~relate"](name, relations[name]!, entries, keys)
  return Object.freeze({
    name,
    doc,
    entries: Object.freeze(entries),
    relations: Object.freeze(relations),
    params: Object.freeze(params),
    invariants: Object.freeze(invariants),
    keys: Object.freeze(keys),
  })
}

/** Finds every two patterns that can spell one key, and settles who owns it. */
function settle(drafts: readonly Draft[]): Key[] {
  const ready = drafts.map((draft) => {
    const { name, pattern, params } = draft
    if (pattern === "") throw definitionRefused(name, "an empty pattern")
    const slots = slotsOf(pattern, params)
    return { draft, slots, automaton: automaton(...slots), rivals: [] as string[] }
  })
  ready.forEach((one, i) => {
    for (const other of ready.slice(i + 1)) {
      if (one.draft.db !== other.draft.db || !mayMeet(one.slots[0], other.slots[0])) continue
      const found = overlap(one.automaton, other.automaton)
      if (!found) continue
      const { key, literal } = found
      if (literal % 3 === 0 && parseKey(key, ...one.slots) && parseKey(key, ...other.slots)) {
        throw keyspaceAmbiguous(one.draft.pattern, other.draft.pattern, key)
      }
      if (literal !== 2) other.rivals.push(one.draft.name)
      if (literal !== 1) one.rivals.push(other.draft.name)
    }
  })
  return ready.map(({ draft, rivals }) => Object.freeze({ ...draft, rivals }))
}

/** Patterns whose texts before the first parameter differ never meet. */
const mayMeet = (a: string, b: string) => a.startsWith(b) || b.startsWith(a)
