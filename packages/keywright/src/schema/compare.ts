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
import type { At, Spot } from "./place.ts"

const comparisons: readonly string[] = ["<", "<=", "=", "!=", ">=", ">"]

/**
 * Each value at the one place compares so with the other: in the same key, in another key whose parameters it knows,
 * or with a number. A day knows its month: a `{month}` of the other key may be that of a `{day}`. Scores of sorted sets
 * and values of maps compare with those of the same member or field in the other key. What is not there is not compared,
 * unless `otherwise` says what counts then.
 * @example
 * const rule = compare(at("settings", "dayIndex"), "<", at("settings", "maxAge", { otherwise: 7 }))
 * const sums = compare(at("viewsOfMap", "score"), "<=", at("views", "score"))
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
  const mine = checkSpot(one, left.place, refuse)
  if (typeof right === "number") {
    if (!Number.isFinite(right)) throw refuse(`${right} is not a number to compare with`)
    return
  }
  const other = find(right.key)
  const spot = checkSpot(other, right.place, refuse)
  if (one === other) return
  const unknown = Object.keys(other.params).find((param) => knownFrom(one, other, param) === undefined)
  if (unknown !== undefined) throw refuse(`${left.key} does not say which {${unknown}} of ${right.key} is meant`)
  const isKnown = isOfElement(other, spot)
    ? /^(score|value)$/.test(spot.name) && isOfElement(one, mine)
    : spot.in !== "param"
  if (!isKnown) throw refuse(`${right.key} has many ${right.place}, and it cannot be known which is meant`)
}

/** The parameter of one key that says which other key is meant: of the same name, or for a month the only day. */
export function knownFrom(one: Key, other: Key, param: string): string | undefined {
  if (Object.hasOwn(one.params, param)) return param
  const days = Object.entries(one.params).filter(([, codec]) => codec.spec.codec === "day")
  return other.params[param]!.spec.codec === "month" && days.length === 1 ? days[0]![0] : undefined
}

/** Whether each element of a key has such a value. */
export const isOfElement = ({ kind }: Pick<Key, "kind">, spot: Spot): boolean =>
  spot.in === "part" && kind !== "string" && kind !== "counter"
