/* Invariants between plain keys: declared in one line each, then audited and
 * repaired like an entity's indexes. Named ids say where to look:
 *
 *   sameIds(token, ["login", "recent"])        the tokens in both places are the same
 *   refersTo(user, "online", "status")         each user in `online` has a key `status`
 *   inverse("subscribers", "subscriptions")    c has s  ⇔  s has c
 *   excludes("banned", "subscribers")          what the one has, the other does not
 *   compare(at("ring", "score"), "<", at("settings", "days"))
 *
 * The first name is the truth unless `truth` says otherwise: repair changes the others.
 * `grace` is for places that agree again only a while later, because a job updates them. */

import { keyspaceInvariant } from "../errors/keyspace.ts"
import type { AnyCodec } from "./codec/codec.ts"
import { type Duration, toMs } from "./duration.ts"
import type { Key } from "./key.ts"
import { keyNamed } from "./keys-of.ts"
import { type At, placesOf, spotOf } from "./place.ts"

/**
 * What `sameIds`, `refersTo`, `inverse`, `excludes` and `compare` make: a rule between plain keys, for `keyspace(…, { invariants })`.
 * @example
 * const rules: readonly Invariant<"login" | "recent">[] = [inverse("login", "recent")]
 */
export type Invariant<Path extends string = string> = InvariantRule<Path> & {
  readonly "~check": (rule: never, keys: readonly Key[], name: string) => void
}

export interface RuleNotes {
  readonly doc?: string
  /** How long it may be broken until a job has fixed it: audit looks again after this time. */
  readonly grace?: Duration
}

/** An entry, or a place in its keys. */
export type Where<Path extends string = string> = Path | At<Path>

/** How two values compare. */
export type Comparison = "<" | "<=" | "=" | "!=" | ">=" | ">"

export type InvariantRule<Path extends string = string> = RuleNotes &
  (
    | { readonly kind: "same"; readonly id: string; readonly keys: readonly Path[]; readonly truth: Path }
    | {
        readonly kind: "reference"
        readonly id: string
        readonly from: Where<Path>
        /** If there are several, one of them is enough. */
        readonly to: Where<Path> | readonly Where<Path>[]
      }
    | { readonly kind: "inverse" | "exclusive"; readonly keys: readonly [Path, Path]; readonly truth: Path }
    | {
        readonly kind: "compare"
        readonly left: At<Path>
        readonly is: Comparison
        readonly right: At<Path> | number
      }
  )

export interface NamedId {
  readonly id: string
}

interface PairNotes<P extends string> extends RuleNotes {
  readonly truth?: P
}

/**
 * The same ids are in all of these keys, as fields, members or segments. The first key is the truth, unless `truth` names
 * another.
 * @example
 * const token = id("token")
 * const logins = keyspace(
 *   { login: map("login:", token, text), recent: zset("recent:", token, { score: unixSeconds }) },
 *   { ttl: "never", invariants: [sameIds(token, ["login", "recent"])] },
 * )
 */
export const sameIds = <const P extends string>(
  id: AnyCodec & NamedId,
  keys: readonly [P, P, ...P[]],
  options: PairNotes<P> = {},
): Invariant<P> =>
  Object.freeze({ kind: "same", id: id.id, keys: Object.freeze(keys), truth: keys[0], ...options, "~check": checkSame })

/**
 * Every such id in `from` exists in `to`: as a segment of a key, a member or a field there. Of several, one is enough:
 * `refersTo(order, "paid", ["order", "archivedOrder"])`. Where an entry holds such ids in several places, `at` says which.
 * What a field of a hash holds is a target too: `refersTo(user, at("token", "user_id"), at("account", "id"))`. Where the
 * target has parameters that `from` does not know, any of its keys will do: `refersTo(post, "challenges", "pool")` with
 * `pool:{category}`.
 * @example
 * const item = id("item")
 * const store = keyspace(
 *   { items: map("items", item, text), wanted: set("wanted:{user}", item) },
 *   { ttl: "never", invariants: [refersTo(item, "wanted", "items")] },
 * )
 */
export const refersTo = <const P extends string>(
  id: AnyCodec & NamedId,
  from: Where<P>,
  to: Where<P> | readonly Where<P>[],
  options: RuleNotes = {},
): Invariant<P> => Object.freeze({ kind: "reference", id: id.id, from, to, ...options, "~check": checkReference })

/**
 * Two keys that say the same from both sides: who is in a channel, and which channels somebody is in.
 * @example
 * const [user, channel] = [id("user"), id("channel")]
 * const chat = keyspace(
 *   {
 *     members: set("members:{channel}", user, { params: { channel } }),
 *     channels: set("channels:{user}", channel, { params: { user } }),
 *   },
 *   { ttl: "never", invariants: [inverse("members", "channels")] },
 * )
 */
export const inverse = <const P extends string>(one: P, other: P, options: PairNotes<P> = {}): Invariant<P> =>
  Object.freeze({
    kind: "inverse",
    keys: Object.freeze([one, other] as const),
    truth: one,
    ...options,
    "~check": checkInverse,
  })

/** The entries that a rule is about. */
export const invariantKeys = (rule: InvariantRule): readonly string[] =>
  rule.kind === "reference"
    ? [rule.from, ...targetsOf(rule)].map((where) => whereOf(where).key)
    : rule.kind === "compare"
      ? [rule.left.key, ...(typeof rule.right === "number" ? [] : [rule.right.key])]
      : rule.keys

const CALLED = { same: "sameIds", reference: "refersTo", inverse: "inverse", exclusive: "excludes", compare: "compare" }

/** As it is declared: `"sameIds(login, recent)"`. */
export const invariantName = (rule: InvariantRule): string => `${CALLED[rule.kind]}(${invariantKeys(rule).join(", ")})`

/** The targets of a reference. */
export const targetsOf = <P extends string>({
  to,
}: {
  readonly to: Where<P> | readonly Where<P>[]
}): readonly Where<P>[] => (Array.isArray(to) ? (to as readonly Where<P>[]) : [to as Where<P>])

/** The entry, and the place in it where one is named. */
export const whereOf = (where: Where): { readonly key: string; readonly place?: string } =>
  typeof where === "string" ? { key: where } : where

/** What a check starts from: the wording of its errors, and a way to find keys. */
export function checking(rule: InvariantRule, keys: readonly Key[]) {
  const what = `the invariant ${rule.kind}(${invariantKeys(rule).join(", ")})`
  if (rule.grace !== undefined) toMs(rule.grace)
  const refuse = (why: string) => keyspaceInvariant(what, why)
  return { refuse, find: (path: string): Key => keyNamed(keys, path, what) }
}

type Refuse = ReturnType<typeof checking>["refuse"]

/** No name is repeated, and the truth is one of them. */
export function checkNames(keys: readonly string[], truth: string, refuse: Refuse): void {
  if (new Set(keys).size < keys.length) throw refuse("it names one key twice")
  if (!keys.includes(truth)) throw refuse(`its truth, ${truth}, is not one of them`)
}

function checkSame(rule: Extract<InvariantRule, { kind: "same" }>, keys: readonly Key[]): void {
  const { refuse, find } = checking(rule, keys)
  checkNames(rule.keys, rule.truth, refuse)
  for (const path of rule.keys)
    if (placesOf(find(path), rule.id).length === 0) throw refuse(`${path} holds no ${rule.id} ids`)
}

function checkReference(rule: Extract<InvariantRule, { kind: "reference" }>, keys: readonly Key[]): void {
  const { refuse, find } = checking(rule, keys)
  const all = [rule.from, ...targetsOf(rule)]
  if (all.length < 2) throw refuse("it refers to nothing")
  const spelled = all.map((where) => `${whereOf(where).key} ${whereOf(where).place ?? ""}`)
  if (new Set(spelled).size < all.length) throw refuse("it names one key twice")
  for (const where of all) {
    const { key, place } = whereOf(where)
    const found = find(key)
    const places = placesOf(found, rule.id)
    if (places.length === 0) throw refuse(`${key} holds no ${rule.id} ids`)
    if (place !== undefined && !places.includes(place))
      throw refuse(`${key} holds ${rule.id} ids in ${places.join(", ")}, not in ${place}`)
  }
}

function checkInverse(rule: Extract<InvariantRule, { kind: "inverse" | "exclusive" }>, keys: readonly Key[]): void {
  const { refuse, find } = checking(rule, keys)
  checkNames(rule.keys, rule.truth, refuse)
  checkCrossed(find(rule.keys[0]), find(rule.keys[1]), refuse)
}

/** The members of each are a parameter of the other. */
export function checkCrossed(one: Key, other: Key, refuse: Refuse): void {
  for (const [here, there] of [
    [one, other],
    [other, one],
  ] as const) {
    const member = memberId(here)
    if (member === undefined) throw refuse(`${here.name} has no members with a named id`)
    if (!placesOf(there, member).some((place) => place.startsWith("{")))
      throw refuse(`${there.name} has no parameter that is a ${member} id`)
  }
}

/** The name of the ids that are its members. */
export const memberId = ({ shape }: Key): string | undefined => (shape as { member?: AnyCodec }).member?.id

/** Refuses places that a key does not have. */
export function checkSpot(key: Key, place: string, refuse: Refuse) {
  const spot = spotOf(key, place)
  if (spot === undefined) throw refuse(`${key.name} has no ${place}`)
  return spot
}
