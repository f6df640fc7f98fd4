/* Patterns that begin alike: scopes, by the same parameters or by one word, and families. */

import type { Pattern } from "../mine/pattern.ts"
import { structure } from "../thresholds.ts"

export interface FoundGroup {
  /** Their common prefix, beyond that of the enclosing group; empty for ungrouped entries. */
  readonly prefix?: string
  readonly family?: true
  readonly patterns: readonly Pattern[]
  readonly groups: readonly FoundGroup[]
}

/** A tree of groups; the last one holds the ungrouped entries. */
export function groupsOf(
  patterns: readonly Pattern[],
  families: readonly (readonly Pattern[])[],
  around = "",
): FoundGroup[] {
  const own = families.filter((family) => family.every((pattern) => patterns.includes(pattern)))
  const inFamily = new Set(own.flat())
  const prefix = around === "" ? scopeOf(patterns) : undefined
  if (prefix !== undefined) {
    const inside = patterns.filter((pattern) => spelled(pattern).startsWith(prefix))
    const outside = patterns.filter((pattern) => !inside.includes(pattern))
    const [alone, groups] = split(groupsOf(inside, families, prefix))
    return [{ prefix, patterns: alone, groups }, ...groupsOf(outside, families, "")]
  }
  const word = around === "" ? wordOf(patterns.filter((pattern) => !inFamily.has(pattern))) : undefined
  if (word !== undefined) {
    const inside = patterns.filter((pattern) => !inFamily.has(pattern) && isUnder(pattern, word))
    const outside = patterns.filter((pattern) => !inside.includes(pattern))
    return [{ prefix: word, patterns: inside, groups: [] }, ...groupsOf(outside, families, "")]
  }
  const made = own.map((family): FoundGroup => {
    const whole = familyPrefix(family)
    return { prefix: whole.slice(around.length), family: true, patterns: family, groups: [] }
  })
  return [...made, { patterns: patterns.filter((pattern) => !inFamily.has(pattern)), groups: [] }]
}

function split(groups: readonly FoundGroup[]): [readonly Pattern[], readonly FoundGroup[]] {
  const alone = groups.filter(({ prefix }) => prefix === undefined).flatMap(({ patterns }) => patterns)
  return [alone, groups.filter(({ prefix }) => prefix !== undefined)]
}

const spelled = ({ row, names }: Pattern): string => row.pattern(names)

/** The beginning up to a parameter and the sign after it that most patterns share; of equals, the longest. */
function scopeOf(patterns: readonly Pattern[]): string | undefined {
  const counts = new Map<string, number>()
  for (const pattern of patterns)
    for (const prefix of prefixesOf(spelled(pattern))) counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
  const all = [...counts].filter(([, count]) => count >= structure.least)
  const most = Math.max(0, ...all.map(([, count]) => count))
  return all
    .filter(([, count]) => count >= structure.shareOfScope * most)
    .sort(([a], [b]) => b.length - a.length)[0]?.[0]
}

/** The word that many patterns begin with, and others do not: what all begin with says nothing. */
function wordOf(patterns: readonly Pattern[]): string | undefined {
  const counts = new Map<string, number>()
  for (const pattern of patterns) {
    const [prefix] = /^[\w-]+:/.exec(spelled(pattern)) ?? []
    if (prefix !== undefined && isUnder(pattern, prefix)) counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
  }
  const found = [...counts].filter(([, count]) => count >= structure.leastOfWord && count < patterns.length)
  return found.sort(([, a], [, b]) => b - a)[0]?.[0]
}

const isUnder = (pattern: Pattern, prefix: string): boolean =>
  spelled(pattern).startsWith(prefix) && spelled(pattern).length > prefix.length

function prefixesOf(pattern: string): string[] {
  const found: string[] = []
  for (const { 0: text, index } of pattern.matchAll(/\{+\w+\}+[^\w{]/g)) {
    const end = index + text.length
    if (end < pattern.length) found.push(pattern.slice(0, end))
  }
  return found
}

/** What the patterns of a family share, up to where a word or a parameter of all of them ends. */
export function familyPrefix(family: readonly Pattern[]): string {
  const [first = "", ...others] = family.map(spelled)
  let end = 0
  while (end < first.length && others.every((other) => other[end] === first[end])) end++
  const isEnd = (at: number) => [first, ...others].every((one) => at === one.length || /[^\w{}]/.test(one[at]!))
  const isStart = (at: number) => /[^\w{}]/.test(first[at - 1] ?? ":")
  while (end > 0 && !(isEnd(end) || isStart(end))) end--
  return first.slice(0, end)
}
