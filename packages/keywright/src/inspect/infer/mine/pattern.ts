/* A pattern as the proposal sees it: a row with its main type, described and named. */

import { soundsSecret } from "../../check/check-secrets.ts"
import { type Atom, isLocale } from "../values/atoms.ts"
import { withOpenValues } from "../known/open-values.ts"
import { describe, type Described } from "../values/kinds.ts"
import type { PatternPart } from "./mine.ts"
import type { OfType, MinedRow } from "./row.ts"
import type { TextStatistics } from "../values/text-statistics.ts"
import { camel, singular, unique, nameWords } from "./words.ts"

export interface Pattern {
  readonly row: MinedRow
  readonly db: number
  readonly type: string
  readonly of: OfType
  described: Described
  /** Names of its parameters, in order. */
  names: string[]
}

export function patternOf(row: MinedRow, db: number): Pattern | undefined {
  const [type, of] = row.main
  const found = describe(type, of.values, row.pattern())
  const described = row.known === undefined ? found : found && withOpenValues(found)
  return (
    described && {
      row,
      db,
      type,
      of,
      described,
      names: row.known === undefined ? paramNames(row) : [...row.known.names],
    }
  )
}

/** `"cart:{p0}:items"` → the words before a parameter: `["cart"]`. */
export function wordsBefore(row: MinedRow, param: number): string[] {
  const before = row.parts[partOf(row, param) - 1]
  if (typeof before !== "string") return []
  const segments = before.split(/[:/|#]/)
  const own = segments.findLast((segment) => /\p{L}/u.test(segment)) ?? ""
  return nameWords(own)
}

/** All literal words of the pattern, the last literal's last. */
export const literalWords = (row: MinedRow): string[] =>
  row.parts.flatMap((part) => (typeof part === "string" ? nameWords(part) : []))

/** The position of a parameter among the parts. */
export function partOf(row: MinedRow, param: number): number {
  let left = param
  return row.parts.findIndex((part: PatternPart) => typeof part !== "string" && left-- === 0)
}

/** What they are says what they are called. */
const TELLING: ReadonlySet<Atom> = new Set(["day", "month", "week", "date", "email", "ip", "mac", "phone", "url"])
/** Where no word says what it is. */
const ANONYMOUS: Partial<Record<Atom, string>> = { hex: "hash", token: "token", slug: "slug", word: "name" }

function paramNames(row: MinedRow): string[] {
  const taken = new Set<string>()
  return row.params.map(({ kind, atom }, i) => {
    const before = wordsBefore(row, i)
    const last = before.at(-1)
    const known = knownName(row, i)
    const isSaid = last !== undefined && !isGeneric(last)
    // `cache:{hash}`: nothing says what it caches.
    const base = isSaid ? last : ((ANONYMOUS_FIRST.has(atom) ? undefined : before.at(-2)) ?? ANONYMOUS[atom] ?? "id")
    // `paymentRef` and `stat_tag` count as one word.
    const isShort = isSaid && before.length === 2 && !before.some(isGeneric)
    const said = camel(isShort ? [before[0]!, singular(base)] : [singular(base)])
    // A number before a token is the id of its owner.
    const name = known ?? (kind === "int" && soundsSecret(said) ? "id" : said)
    return unique(name, taken, name === "id" ? [] : [`${name}Id`, camel([...before.map(singular), "id"])])
  })
}

const ANONYMOUS_FIRST: ReadonlySet<Atom> = new Set(["hex", "token"])

/** By what it is, whatever precedes it: a part of a date, a moment, a language. */
function knownName(row: MinedRow, param: number): string | undefined {
  const { kind, atom } = row.params[param]!
  const { values } = row.texts[param]!
  if (kind === "compactDay") return "day"
  const isYear = (at: number) => isWithin(row, at, 1970, 2100) && /\d{4}/.test(row.texts[at]!.samples[0] ?? "")
  if (isYear(param) && isWithin(row, param + 1, 1, 12)) return "year"
  if (isYear(param - 1) && isWithin(row, param, 1, 12)) return "month"
  if (isYear(param - 2) && isWithin(row, param - 1, 1, 12) && isWithin(row, param, 1, 31)) return "day"
  if (kind === "int" && isMoment(row.texts[param]!)) return "at"
  if (atom === "word" && values !== undefined && [...values.keys()].every(isLocale)) return "locale"
  if (atom === "instant") return "at"
  return TELLING.has(atom) ? atom : undefined
}

/** Seconds or milliseconds of this time: 2014 to 2036. */
export const isMoment = ({ min, max }: TextStatistics): boolean =>
  (min >= 1.4e9 && max <= 2.1e9) || (min >= 1.4e12 && max <= 2.1e12)

/** Nothing but numbers in this range, also with zeros before them. */
function isWithin(row: MinedRow, param: number, least: number, most: number): boolean {
  const known = param < 0 ? undefined : row.texts[param]
  const samples = known === undefined ? [] : [...(known.values?.keys() ?? known.samples)]
  return samples.length > 0 && samples.every((text) => /^\d{1,4}$/.test(text) && +text >= least && +text <= most)
}

const GENERIC = new Set("by of for in to on at index idx list set map key keys id ids cache data".split(" "))
export const isGeneric = (word: string): boolean => GENERIC.has(word.toLowerCase())
