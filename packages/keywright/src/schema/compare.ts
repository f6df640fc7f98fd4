/* A value that is bounded by another one, or equal to it: today's slot is below the number
 * of days, a field repeats a segment of its key, a list has a certain number of elements. */

import {
  checking,
  checkSpot,
  type Comparison,
  type Invariant,
  type InvariantRule,
  type RuleNotes,
} from "./invariant.ts"
import type { Key } from "./key.ts"
import type { At } from "./place.ts"

const comparisons: readonly string[] = ["<", "<=", "=", ">=", ">"]

/**
 * Each value at the first place must compare like this with the second: in the same key, in another key whose
 * parameters it knows, or with a number. What is not there is not compared, unless `otherwise` says what counts
 * then.
 *
 *     compare(at("settings", "day_index"), "<", at("settings", "max_post_age", { otherwise: 7 }))
 *     compare(at("token", "project"), "=", at("token", "{project}"))
 */
export const compare = <const P extends string>(
  left: At<P>,
  is: Comparison,
  right: At<P> | number,
  options: RuleNotes = {},
): Invariant<P> => Object.freeze({ kind: "compare", left, is, right, ...options, "~check": check })

function check(rule: Extract<InvariantRule, { kind: "compare" }>, keys: readonly Key[]): void {
  const { refuse, find } = checking(rule, keys)
  const { left, is, right } = rule
  if (!comparisons.includes(is)) throw refuse(`${is} is not one of ${comparisons.join(" ")}`)
  const one = find(left.key)
  checkSpot(one, left.place, refuse)
  if (typeof right === "number") {
    if (!Number.isFinite(right)) throw refuse(`${right} is not a number to compare with`)
    return
  }
  const other = find(right.key)
  const spot = checkSpot(other, right.place, refuse)
  if (one === other) return
  const unknown = Object.keys(other.params).find((param) => !Object.hasOwn(one.params, param))
  if (unknown !== undefined) throw refuse(`${left.key} does not say which {${unknown}} of ${right.key} is meant`)
  const isOne = spot.in === "field" || spot.in === "size" || (spot.name === "value" && !("field" in other.shape))
  if (!isOne) throw refuse(`${right.key} has many ${right.place}, and it cannot be known which is meant`)
}
