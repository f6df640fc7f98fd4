/* A rule between keys, as a sentence of the docs. */

import { type Comparison, type InvariantRule, targetsOf, type Where, whereOf } from "../schema/invariant.ts"
import type { At } from "../schema/place.ts"

export function ruleText(rule: InvariantRule): string {
  const grace = rule.grace === undefined ? "" : ` within ${rule.grace}`
  return `${saying(rule)}${grace}${rule.doc === undefined ? "" : `: ${rule.doc}`}`
}

function saying(rule: InvariantRule): string {
  switch (rule.kind) {
    case "reference":
      return `every ${rule.id} in ${named(rule.from)} exists in ${targetsOf(rule).map(named).join(" or ")}`
    case "same":
      return `the same ${rule.id} ids are in ${rule.keys.map(code).join(" and ")}`
    case "inverse":
      return `${code(rule.keys[0])} and ${code(rule.keys[1])} say the same from both sides`
    case "exclusive":
      return `nothing is both in ${code(rule.keys[0])} and in ${code(rule.keys[1])}`
    case "compare":
      return `${placed(rule.left)} ${words[rule.is]} ${typeof rule.right === "number" ? rule.right : placed(rule.right)}`
  }
}

const words: Readonly<Record<Comparison, string>> = {
  "<": "is below",
  "<=": "is at most",
  "=": "equals",
  "!=": "differs from",
  ">=": "is at least",
  ">": "is above",
}

const code = (name: string): string => `\`${name}\``

const named = (where: Where): string => {
  const { key, place } = whereOf(where)
  return place === undefined ? code(key) : `${code(place)} of ${code(key)}`
}

const placed = (at: At): string =>
  `${named(at)}${at.otherwise === undefined ? "" : ` (${at.otherwise} when there is none)`}`
