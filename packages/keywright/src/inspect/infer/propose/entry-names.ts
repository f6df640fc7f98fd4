/* Names of entries, from the literals of their patterns. */

import type { Pattern } from "../mine/pattern.ts"
import { camel, singular, unique, nameWords } from "../mine/words.ts"

/** Names for the patterns of one group; `prefix` is what all of them begin with. */
export function entryNames(patterns: readonly Pattern[], prefix = "", taken = new Set<string>()): Map<Pattern, string> {
  const named = new Map<Pattern, string>()
  const common = commonWord(patterns, prefix)
  // Those with parameters choose first: `viewed:{token}` is viewed, and `viewed:` all of it.
  const ordered = [...patterns].sort((a, b) => b.row.params.length - a.row.params.length)
  const byName = new Map<string, number>()
  for (const pattern of patterns) {
    const name = baseName(pattern, prefix, common)
    byName.set(name, (byName.get(name) ?? 0) + 1)
  }
  for (const pattern of ordered) {
    const base = baseName(pattern, prefix, common)
    const last = pattern.names.at(-1)
    const by = last === undefined ? `${base}All` : camel([base, "by", last])
    const isShared = byName.get(base)! > 1 && pattern.row.params.length > 1
    named.set(pattern, unique(isShared && last !== undefined ? by : base, taken, [by, camel([base, pattern.type])]))
  }
  return named
}

/** The namespace that nearly all patterns begin with says nothing. */
function commonWord(patterns: readonly Pattern[], prefix: string): string | undefined {
  const first = patterns.map((pattern) => wordsIn(pattern, prefix)[0]).filter((word) => word !== undefined)
  const [word] = first
  return first.length >= 4 && first.every((one) => one === word) ? word : undefined
}

/** The words after the first parameter, and the one before it: `cartItems` of `cart:{id}:items`. */
function wordsIn({ row, names }: Pattern, prefix: string): string[] {
  const [before = [], ...tails] = row
    .pattern(names)
    .slice(prefix.length)
    .split(/\{+\w+\}+/)
    .map((literal) => nameWords(literal))
    .filter((words, i) => i === 0 || words.length > 0)
  if (tails.length === 0) return before
  const last = before.at(-1)
  return [...(last === undefined ? [] : [singular(last)]), ...tails.flat()]
}

function baseName(pattern: Pattern, prefix: string, common: string | undefined): string {
  const { row, names, described } = pattern
  let words = wordsIn(pattern, prefix)
  if (words[0] === common && words.length > 1) words = words.slice(1)
  if (words.length === 0 && prefix === "") words = [names.at(-1) ?? "key"]
  if (words.length === 0)
    words = [row.pattern(names) === prefix ? "info" : described.kind === "hash" ? "record" : "value"]
  const said = words.filter((word) => !/^(?:index|idx)$/i.test(word))
  words = (said.length === 0 ? words : said).slice(-4)
  const isOne = (described.kind === "hash" || described.kind === "string") && typeof row.parts.at(-1) !== "string"
  const last = words.at(-1)!
  return camel(isOne ? [...words.slice(0, -1), singular(last)] : words)
}
