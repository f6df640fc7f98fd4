/* Invariants between plain keys: declared in one line each, then audited and
 * repaired like an entity's indexes. Named ids say where to look:
 *
 *   sameIds(token, ["login", "recent"])        the tokens in both places are the same
 *   refersTo(user, "online", "status")         each user in `online` has a key `status`
 *   inverse("subscribers", "subscriptions")    c has s  ⇔  s has c
 *
 * The first name is the truth unless `truth` says otherwise: repair changes the others. */

import { keyspaceInvariant, keyspaceReference } from "../errors/keyspace.ts"
import type { AnyCodec } from "./codec/codec.ts"
import type { Key } from "./key.ts"

export type Invariant<Path extends string = string> = InvariantRule<Path> & {
  readonly "~check": (rule: never, keys: readonly Key[]) => void
}

export type InvariantRule<Path extends string = string> =
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
): Invariant<P> =>
  Object.freeze({ kind: "same", id: id.id, keys: Object.freeze(keys), truth: keys[0], ...options, "~check": check })

/** Every such id in `from` is a segment of a key, or a member or field, that exists in `to`. */
export const refersTo = <const P extends string>(
  id: AnyCodec & NamedId,
  from: P,
  to: P,
  options: { readonly doc?: string } = {},
): Invariant<P> => Object.freeze({ kind: "reference", id: id.id, from, to, ...options, "~check": check })

/** Two keys that say the same from both sides. */
export const inverse = <const P extends string>(
  one: P,
  other: P,
  options: { readonly truth?: P; readonly doc?: string } = {},
): Invariant<P> =>
  Object.freeze({
    kind: "inverse",
    keys: Object.freeze([one, other] as const),
    truth: one,
    ...options,
    "~check": check,
  })

/** Where a key keeps ids of this name: `"member"`, `"field"`, `"value"`, or a parameter as `"{token}"`. */
export function placesOf(key: Key, id: string): string[] {
  const shape = Object.entries(key.shape as Record<string, Partial<AnyCodec> | undefined>)
  const params = Object.entries(key.params)
  return [
    ...shape.filter(([, codec]) => codec?.id === id).map(([part]) => part),
    ...params.filter(([, codec]) => codec.id === id).map(([param]) => `{${param}}`),
  ]
}

/** The names exist, and the ids stand in the keys. */
function check(rule: InvariantRule, keys: readonly Key[]): void {
  const names: readonly string[] = rule.kind === "reference" ? [rule.from, rule.to] : rule.keys
  const what = `the invariant ${rule.kind}(${names.join(", ")})`
  if (new Set(names).size < names.length) throw keyspaceInvariant(what, "it names one key twice")
  if (rule.kind !== "reference" && !names.includes(rule.truth))
    throw keyspaceInvariant(what, `its truth, ${rule.truth}, is none of them`)
  const find = (path: string): Key => {
    const key = keys.find(({ name }) => name === path)
    if (!key)
      throw keyspaceReference(
        what,
        path,
        keys.map(({ name }) => name),
      )
    return key
  }
  if (rule.kind === "inverse") {
    const [one, other] = [find(rule.keys[0]), find(rule.keys[1])]
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const member = (here.shape as { member?: AnyCodec }).member?.id
      if (member === undefined) throw keyspaceInvariant(what, `${here.name} has no members with a named id`)
      if (!placesOf(there, member).some((place) => place.startsWith("{"))) {
        throw keyspaceInvariant(what, `${there.name} has no parameter that is a ${member} id`)
      }
    }
    return
  }
  for (const path of names) {
    if (placesOf(find(path), rule.id).length === 0) throw keyspaceInvariant(what, `${path} holds no ${rule.id} ids`)
  }
}
