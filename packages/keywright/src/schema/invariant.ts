/* Invariants between plain keys: declared in one line each, then audited and
 * repaired like an entity's indexes. Named ids say where to look:
 *
 *   sameIds(token, ["login", "recent"])        the tokens in both places are the same
 *   refersTo(user, "online", "status")         each user in `online` has a key `status`
 *   inverse("subscribers", "subscriptions")    c has s  ⇔  s has c
 *
 * The first name is the truth unless `truth` says otherwise: repair changes the others. */

import type { AnyCodec } from "./codec/codec.ts"

export type Invariant<Path extends string = string> =
  | {
      readonly kind: "same"
      readonly id: string
      readonly keys: readonly Path[]
      readonly truth: Path
      readonly doc?: string
    }
  | { readonly kind: "reference"; readonly id: string; readonly from: Path; readonly to: Path; readonly doc?: string }
  | { readonly kind: "inverse"; readonly keys: readonly [Path, Path]; readonly truth: Path; readonly doc?: string }

interface NamedId {
  readonly id: string
}

/** The same ids stand in all of these keys, as fields, members or segments. */
export const sameIds = <const P extends string>(
  id: AnyCodec & NamedId,
  keys: readonly [P, P, ...P[]],
  options: { readonly truth?: P; readonly doc?: string } = {},
): Invariant<P> => Object.freeze({ kind: "same", id: id.id, keys: Object.freeze(keys), truth: keys[0], ...options })

/** Every such id in `from` is a segment of a key, or a member or field, that exists in `to`. */
export const refersTo = <const P extends string>(
  id: AnyCodec & NamedId,
  from: P,
  to: P,
  options: { readonly doc?: string } = {},
): Invariant<P> => Object.freeze({ kind: "reference", id: id.id, from, to, ...options })

/** Two keys that say the same from both sides. */
export const inverse = <const P extends string>(
  one: P,
  other: P,
  options: { readonly truth?: P; readonly doc?: string } = {},
): Invariant<P> =>
  Object.freeze({ kind: "inverse", keys: Object.freeze([one, other] as const), truth: one, ...options })
