/* Where a page mentions keys: declared (`KEY: "…"`, `redis_key = …`), as the key of a
 * command, or simply as a word that looks like a key. */

import type { RedisType } from "../../schema/define.ts"
import { commandsIn, type PageCommand } from "./page-commands.ts"
import { type MaskedLine, maskedLines } from "./page-text.ts"

export interface PageKey {
  /** Masked. */
  readonly word: string
  readonly line: MaskedLine
  readonly how: "declared" | "command" | "loose"
  readonly command?: PageCommand
}

/** The type that a page states for a key, in its words. */
export interface PageType {
  readonly key: PageKey
  readonly line: MaskedLine
  readonly says: string
  readonly types: readonly RedisType[]
}

export interface HandWrittenPage {
  readonly lines: readonly MaskedLine[]
  readonly keys: readonly PageKey[]
  readonly types: readonly PageType[]
}

const declaring = [
  /\bKEY:\s*"([^"]+)"/,
  /^\s*redis_?key\s*=\s*(\S+)/i,
  /^\|\s*KEY_?\s?(?:STRUCTURE|PATTERN|FORMAT)\s*\|\s*`?([^\s|`]+)/i,
  /\*\*Key:\*\*\s*`([^`]+)`/i,
]
/** Comes before its key, or is on the same line. */
const announcing = /\*\*(string|hash|list|set|zset|stream)\*\*/i
/** Is below its key. */
const stating = [/^\s*redis_?type\s*=\s*(\S.*)$/i, /\*\*Data Type:\*\*\s*(\w+)/i]
const NEAR = 3

export function readPageKeys(text: string): HandWrittenPage {
  const lines = maskedLines(text)
  const keys: PageKey[] = []
  const types: PageType[] = []
  let last: PageKey | undefined
  let announced: { line: MaskedLine; says: string } | undefined
  for (const line of lines) {
    const declared = line.code ? undefined : declaring.map((pattern) => pattern.exec(line.text)?.[1]).find(Boolean)
    const before = line.code ? undefined : announcing.exec(line.raw)?.[1]
    const below = line.code ? undefined : stating.map((pattern) => pattern.exec(line.raw)?.[1]).find(Boolean)
    if (before !== undefined) announced = { line, says: before }
    if (declared !== undefined) {
      last = { word: declared, line, how: "declared" }
      keys.push(last)
      if (announced && line.number - announced.line.number < NEAR)
        types.push(typeOf(last, announced.line, announced.says))
      announced = undefined
    }
    if (below !== undefined && last && line.number - last.line.number <= NEAR) types.push(typeOf(last, line, below))
    const commands = commandsIn(line)
    for (const command of commands) {
      for (const word of command.keys) keys.push({ word, line, how: "command", command })
    }
    const known = new Set([declared, ...commands.flatMap((command) => command.keys)])
    const alone = line.code ? [] : [...line.text.matchAll(/`([\w.-]{2,})`/g)].map((found) => found[1]!)
    for (const word of [...splitWords(line.text), ...alone])
      if (!known.has(word)) keys.push({ word, line, how: "loose" })
  }
  return { lines, keys, types }
}

const typeOf = (key: PageKey, line: MaskedLine, says: string): PageType => ({ key, line, says, types: typesIn(says) })

/** Without signs behind it. */
const bare = (word: string): string => word.replace(/(?<![*"'),.;\]])[*"'),.;\]]+$/, "")

/** Words without what surrounds them; those with quotes inside are values. */
function splitWords(text: string): string[] {
  return text
    .split(/[\s`|]+/)
    .map((word) => bare(bare(word.replace(/^[*"'([,]+/, "")).replace(/(?:":|:\{)$/, "")))
    .filter((word) => word.includes(":") && !/["'=()[\]]|\/\/|\*|\.\.\.|…/.test(word))
}

/** `"sorted set (zset)"` → zset; `"set (zset)"` → both. */
export function typesIn(says: string): RedisType[] {
  const text = says
    .toLowerCase()
    .replace(/sorted[ -]sets?/g, "zset")
    .replace(/hash[ -]?(table|map)s?/g, "hash")
  const found = text.match(/\b(string|hash|list|set|zset|stream)\b/g) ?? []
  return [...new Set(found as RedisType[])]
}
