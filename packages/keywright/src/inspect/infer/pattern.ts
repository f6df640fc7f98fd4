/* A pattern as the proposal sees it: a row with its main type, described and named. */

import type { Atom } from "./atoms.ts"
import { describe, type Described } from "./kinds.ts"
import type { Part } from "./mine.ts"
import type { OfType, Row } from "./row.ts"
import { camel, singular, unique, wordsOf } from "./words.ts"

export interface Pattern {
  readonly row: Row
  readonly db: number
  readonly type: string
  readonly of: OfType
  described: Described
  /** Names of its parameters, in order. */
  names: string[]
}

export function patternOf(row: Row, db: number): Pattern | undefined {
  const [type, of] = row.main
  const described = describe(type, of.values, row.pattern())
  return described && { row, db, type, of, described, names: paramNames(row) }
}

/** `"cart:{p0}:items"` → the words before a parameter: `["cart"]`. */
export function wordsBefore(row: Row, param: number): string[] {
  const before = row.parts[partOf(row, param) - 1]
  if (typeof before !== "string") return []
  const segments = before.split(/[:/|#]/)
  const own = segments.findLast((segment) => /\p{L}/u.test(segment)) ?? ""
  return wordsOf(own)
}

/** All literal words of the pattern, the last literal's last. */
export const literalWords = (row: Row): string[] =>
  row.parts.flatMap((part) => (typeof part === "string" ? wordsOf(part) : []))

/** Where a parameter stands among the parts. */
export function partOf(row: Row, param: number): number {
  let left = param
  return row.parts.findIndex((part: Part) => typeof part !== "string" && left-- === 0)
}

const BY_ATOM = {
  day: "day",
  month: "month",
  week: "week",
  date: "date",
  email: "email",
  ip: "ip",
  mac: "mac",
  url: "url",
  instant: "at",
} as const
/** Where no word says what it is. */
const ANONYMOUS: Partial<Record<Atom, string>> = { hex: "hash", token: "token", slug: "slug", word: "name" }

function paramNames(row: Row): string[] {
  const taken = new Set<string>()
  return row.params.map(({ kind, atom }, i) => {
    const known = kind === "compactDay" ? "day" : (BY_ATOM as Record<string, string | undefined>)[atom]
    const before = wordsBefore(row, i)
    const last = before.at(-1)
    const base = last === undefined || isGeneric(last) ? (before.at(-2) ?? ANONYMOUS[atom] ?? "id") : last
    const name = known ?? camel([singular(base)])
    return unique(name, taken, [`${name}Id`, camel([...before.map(singular), "id"])])
  })
}

const GENERIC = new Set("by of for in to on at index idx list set map key keys id ids cache data".split(" "))
export const isGeneric = (word: string): boolean => GENERIC.has(word.toLowerCase())
