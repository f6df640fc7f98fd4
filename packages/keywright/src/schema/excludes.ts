/* Two collections that exclude each other: a user who is banned is not subscribed. */

import {
  checking,
  checkCrossed,
  checkNames,
  type Invariant,
  type InvariantRule,
  memberId,
  type RuleNotes,
} from "./invariant.ts"
import type { Key } from "./key.ts"

/**
 * No id is in both: with the same parameters (`banned:{channel}` and `subscribers:{channel}`), or from both sides
 * (`banned:{channel}` and `channels:{user}`). The first is the truth unless `truth` says otherwise.
 * @example
 * const user = id("user")
 * const chat = keyspace(
 *   { banned: set("banned:{channel}", user), members: set("members:{channel}", user) },
 *   { ttl: "never", invariants: [excludes("banned", "members")] },
 * )
 */
export const excludes = <const P extends string>(
  one: P,
  other: P,
  options: RuleNotes & { readonly truth?: P } = {},
): Invariant<P> =>
  Object.freeze({
    kind: "exclusive",
    keys: Object.freeze([one, other] as const),
    truth: one,
    ...options,
    "~check": check,
  })

function check(rule: Extract<InvariantRule, { kind: "exclusive" | "inverse" }>, keys: readonly Key[]): void {
  const { refuse, find } = checking(rule, keys)
  checkNames(rule.keys, rule.truth, refuse)
  const [one, other] = [find(rule.keys[0]), find(rule.keys[1])]
  if (!hasSameMembers(one, other)) return checkCrossed(one, other, refuse)
  const [here, there] = [Object.keys(one.params), Object.keys(other.params)]
  if (here.length !== there.length || !here.every((param) => there.includes(param)))
    throw refuse("their parameters differ, so it cannot be known which belong together")
}

/** Whether the members of both are ids of one name; otherwise they are the same from both sides. */
export const hasSameMembers = (one: Key, other: Key): boolean =>
  memberId(one) !== undefined && memberId(one) === memberId(other)
