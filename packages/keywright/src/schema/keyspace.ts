/* The keyspace: everything declared, in one value. The typed client, the docs,
 * audit and repair all start from it and from nothing else.
 *
 * Making it checks the whole: which pattern owns a key is decided here, once. The
 * more literal pattern wins, then a codec that refuses breaks the tie, and what is
 * still ambiguous is an error with a key that shows it. */

import { definitionRefused } from "../errors/define.ts"
import { keyspaceAmbiguous, keyspaceEntry, keyspaceTooLarge } from "../errors/keyspace.ts"
import type { AnyCodec } from "./codec/codec.ts"
import type { Notes } from "./define.ts"
import type { Draft } from "./draft.ts"
import type { Drains } from "./drain.ts"
import type { AnyParams, Entries } from "./group.ts"
import type { Invariant } from "./invariant.ts"
import type { Key } from "./key.ts"
import { keysOf } from "./keys-of.ts"
import { parseKey, slotsOf } from "./locate.ts"
import { automaton, comparison, mayMeet, shapeOf } from "./overlap.ts"
import type { Relating, Relations } from "./relation.ts"
import type { Stepping, Steps } from "./step.ts"

/**
 * What `keyspace` makes: plain, frozen data that the client, the command line and the studio work from.
 * @example
 * const patterns = (of: Keyspace) => of.keys.map((key) => key.pattern)
 */
export interface Keyspace<E = unknown, R = unknown, Q = unknown, S = unknown, D = unknown> extends Pick<
  Notes,
  "ttl" | "evictable" | "inferred"
> {
  readonly name: string | undefined
  readonly doc: string | undefined
  readonly entries: E
  readonly relations: R
  readonly params: Q
  readonly invariants: readonly Invariant[]
  readonly steps: S
  readonly drains: D
  readonly reserved: readonly string[] | undefined
  /** What every key begins with. */
  readonly prefix?: string
  /** Every key pattern, groups and entities resolved. */
  readonly keys: readonly Key[]
}

export interface KeyspaceOptions<E, R, Q, S, D> extends Pick<Notes, "ttl" | "evictable" | "inferred"> {
  /** For titles: `"shop"`. */
  readonly name?: string
  readonly doc?: string
  /** Codecs for these parameters, wherever they appear. */
  readonly params?: Q
  readonly relations?: R
  readonly invariants?: readonly Invariant<Paths<E>>[]
  /** The application's own atomic steps, called as `db.$steps.name(…)`. */
  readonly steps?: S
  /** What moves from the shards of a group into one key, as `db.$drains.name.run()`. */
  readonly drains?: D
  /** Names of entries that are gone and may not come back with another meaning. */
  readonly reserved?: readonly string[]
  /**
   * What every key begins with, a hash tag for example: `"{{tenant}}:"`. For a client its parameters have one value each, so
   * that no call names them: `params: { tenant: oneOf("acme") }`. Tools that look at all tenants leave them open.
   */
  readonly prefix?: string
}

/**
 * Puts definitions together and checks that they fit: two patterns that could own the same key are refused here.
 * @example
 * const shop = keyspace({
 *   page: string("cache:{hash}", text, { ttl: "5m" }),
 *   cart: map("cart:{token}", text, int, { ttl: "30d" }),
 * })
 */
export function keyspace<
  const E extends Entries,
  const R extends Relations<E> = {},
  const Q extends AnyParams = {},
  const S extends Steps<Paths<E>> = {},
  const D extends Drains<Paths<E>> = {},
>(entries: E, options: KeyspaceOptions<E, R, Q, S, D> = {}): Keyspace<E, R, Q, S, D> {
  const {
    relations = {} as R,
    params = {} as Q,
    invariants = [],
    steps = {} as S,
    drains = {} as D,
    doc: _,
    prefix = "",
    ...notes
  } = options
  const drafts = keysOf(entries, "", { prefix, params, notes: { ...notes, db: 0 } })
  for (const name in drains) drafts.push(...drains[name]!["~keys"](drains[name] as never, name, drafts))
  const keys = settle(drafts)
  const rules: Readonly<Record<string, Invariant | Stepping<string>>> = { ...invariants, ...steps }
  for (const name in rules) rules[name]!["~check"](rules[name] as never, keys, name)
  for (const name in relations) {
    // A path into groups begins with the outermost one, which relates the entries inside it.
    const relate = (entries[name.split(".", 1) as never] as Partial<Relating> | undefined)?.["~relate"]
    if (!relate) throw keyspaceEntry(`relations.${name}`, "is not an entity")
    relate(relations, entries, keys)
  }
  return freeze({ ...options, entries, relations, params, invariants, steps, drains, keys } as Keyspace<E, R, Q, S, D>)
}

/** Freezes data at every depth, down to the codecs: those are frozen when they are made. */
function freeze<T>(data: T): T {
  if (Object(data) === data && !(data as Partial<AnyCodec>).decode) Object.values(data as object).forEach(freeze)
  return Object.freeze(data)
}

/** Finds every two patterns that can spell one key, and settles who owns it. */
function settle(drafts: readonly Draft[]): Key[] {
  const { overlap, isExhausted } = comparison()
  const ready = drafts.map((draft) => {
    if (draft.pattern === "") throw definitionRefused(draft.name, "an empty pattern")
    const slots = slotsOf(draft.pattern, draft.params)
    return {
      key: { ...draft, rivals: [] as string[] },
      slots,
      automaton: automaton(...slots),
      shape: shapeOf(draft.pattern),
    }
  })
  ready.forEach((one, i) => {
    for (const other of ready.slice(i + 1)) {
      if (one.key.db !== other.key.db || !mayMeet(one.shape, other.shape)) continue
      const found = overlap(one.automaton, other.automaton)
      if (isExhausted()) throw keyspaceTooLarge(drafts.length)
      if (!found) continue
      const { literal } = found
      const key = literal % 3 === 0 && found.key()
      if (key && parseKey(key, ...one.slots) && parseKey(key, ...other.slots)) {
        throw keyspaceAmbiguous(one.key.pattern, other.key.pattern, key)
      }
      if (literal !== 2) other.key.rivals.push(one.key.name)
      if (literal !== 1) one.key.rivals.push(other.key.name)
    }
  })
  return ready.map(({ key }) => key)
}

/** Names of entries as relations, invariants and steps use them: `{ service: scope("…", { status: … }) }` → `"service.status"`. */
type Paths<E> = {
  [N in keyof E & string]: E[N] extends { readonly entries: infer G } ? `${N}.${Paths<G>}` : N
}[keyof E & string]
