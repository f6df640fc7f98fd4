/* What a page says about when keys go away: in prose beside a key ("expires in 30 minutes"), in
 * a table with a column or a row for it, below a key (`TTL: 10m`), or by a command (`SETEX`,
 * `EXPIRE`, `SET … EX`). What is vague, or beside several keys, does not count as a claim. */

import { fromMs } from "../../schema/duration.ts"
import { groupBy } from "../../schema/group-by.ts"
import type { Key } from "../../schema/key.ts"
import type { TtlRule } from "../../schema/ttl.ts"
import type { Slip } from "./check-page.ts"
import { onlyKey, type SeenKey } from "./page-ids.ts"
import { bareWord } from "./page-commands.ts"
import { cellsOf, inTable, isRow, isRule } from "./page-tables.ts"
import type { MaskedLine } from "./page-text.ts"
import { type WrappedSentence, wrappedSentences } from "./page-wraps.ts"

/** How long, in milliseconds; or forever. */
export type TtlClaim = number | "never"

export interface PageTtl {
  readonly line: number
  readonly key: Key
  readonly claim: TtlClaim
}

const UNITS: readonly (readonly [form: string, ms: number])[] = [
  ["milliseconds?|msecs?|ms", 1],
  ["seconds?|secs?|s", 1000],
  ["minutes?|mins?|m", 60_000],
  ["hours?|hrs?|h", 3_600_000],
  ["days?|d", 86_400_000],
  ["weeks?|w", 604_800_000],
  ["years?", 31_536_000_000],
]
const UNIT = UNITS.map(([form]) => form).join("|")
const UP_TO_TEN = "one two three four five six seven eight nine ten".split(" ")
const WORDS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(UP_TO_TEN.map((word, i) => [word, i + 1])),
  ...{ twelve: 12, fifteen: 15, twenty: 20, thirty: 30, sixty: 60, ninety: 90 },
}
const COUNT = `\\d+(?:\\.\\d+)?|(?:${Object.keys(WORDS).join("|")})(?=[\\s-])`
const ONE = `(?:${COUNT})[\\s-]*(?:${UNIT})(?![\\w-])`
const DURATION = `(?:${ONE}(?:(?:,|\\s+and)?\\s+${ONE})*|an?\\s+(?:${UNIT})(?![\\w-])|half\\s+an\\s+hour)`
const NEVER =
  /\b(?:never (?:times out|expires?|ends?)|(?:do|does|will|is set to) ?(?:not|n[’']t) (?:ever )?expire|n[’']t expire|(?:no|without(?: an?| any)?) (?:expiry|expiration|expire|ttl|time to live)|kept for ?ever|lives? for ?ever)\b/i
const SAYING = new RegExp(
  `\\b(?:ttl|time to live|expir(?:es?|y|ation|ing)|lifetime|lives?|valid|kept|cached|times out|goes away|deleted|removed)(?:\\s+time)?\\s*(?:of|is|:|=|\\(|→)?\\s*(?:in|after|for|within|of)?\\s*(?:up to|at most)?\\s*\\(?(${DURATION})`,
  "i",
)
/** Nothing to hold a page to. */
const VAGUE =
  /\b(?:about|around|roughly|approximately|usually|typically|e\.g\.|for example|some|configurable|default)\b|~|≈/i
const LABEL = /^(?:\*\*|`)?(?:ttl|expir(?:es?|y|ation)(?:[ _-]time)?|lifetime|time[ -]to[ -]live)(?:\*\*|`)?$/i
const BELOW =
  /^\s*(?:[-*>]\s*)*(?:\*\*)?(?:ttl|expir(?:es?|y|ation)(?:[ _-]time)?|lifetime)(?::\*\*|\*\*:|\*\*|\s*[:=])\s*(?:[:=]\s*)?(\S.*)$/i
const NEAR = 3

/** What a text says that is about nothing else: a cell, or what follows a label. */
export function ttlIn(text: string): TtlClaim | undefined {
  const says = text.replaceAll(/[*`"']/g, "").trim()
  if (VAGUE.test(says)) return undefined
  if (/^(?:never|none|no|-1|for ?ever|∞|persistent)\b(?! longer)/i.test(says) || NEVER.test(says)) return "never"
  const seconds = /^(\d+)$/.exec(says)?.[1]
  if (seconds !== undefined) return Number(seconds) * 1000
  const whole = new RegExp(`^(?:up to |at most |after |in )?(${DURATION})`, "i").exec(says)?.[1]
  return whole === undefined ? undefined : msOf(whole)
}

/** What a sentence says beside a key. */
export function ttlSaid(text: string): TtlClaim | undefined {
  const says = text.replaceAll(/[*`]/g, "")
  if (NEVER.test(says)) return VAGUE.test(says) ? undefined : "never"
  const found = SAYING.exec(says)
  if (!found || VAGUE.test(says.slice(0, found.index + found[0].length))) return undefined
  return msOf(found[1]!)
}

function msOf(words: string): number {
  if (/^half/i.test(words)) return 1_800_000
  if (/^an?\s/i.test(words)) return unitMs(words.replace(/^an?\s+/i, ""))
  let sum = 0
  for (const [, count, unit] of words.matchAll(new RegExp(`(${COUNT})[\\s-]*(${UNIT})(?![\\w-])`, "gi")))
    sum += (WORDS[count!.toLowerCase()] ?? Number(count)) * unitMs(unit!)
  return Math.round(sum)
}

const unitMs = (unit: string): number =>
  UNITS.find(([form]) => new RegExp(`^(?:${form})$`, "i").test(unit.trim()))?.[1] ?? Number.NaN

/** `EXPIRE key 600`, `SETEX key 600 …`, `SET key … EX 600`: what comes after the key. */
function ttlOfCommand(name: string, rest: string): TtlClaim | undefined {
  const words = rest
    .split(/\s+#|\/\/|→/)[0]!
    .trim()
    .split(/\s+/)
    .map(bareWord)
  const count = (word: string | undefined, unit: number) =>
    word !== undefined && /^[1-9]\d{0,12}$/.test(word) ? Number(word) * unit : undefined
  if (name === "EXPIRE" || name === "SETEX") return count(words[0], 1000)
  if (name === "PEXPIRE" || name === "PSETEX") return count(words[0], 1)
  if (name === "PERSIST") return "never"
  if (name !== "SET" && name !== "GETEX") return undefined
  const at = words.findIndex((word) => /^(?:EX|PX)$/i.test(word))
  return at < 0 ? undefined : count(words[at + 1], /^EX$/i.test(words[at]!) ? 1000 : 1)
}

/** Every claim of a page about keys that the schema has. */
export function pageTtls(seen: readonly SeenKey[], lines: readonly MaskedLine[]): PageTtl[] {
  const onLine = groupBy(seen, ({ line }) => line.number)
  const found: PageTtl[] = []
  let column: number | undefined
  let last: { readonly key: Key; readonly line: number } | undefined
  for (const [i, line] of lines.entries()) {
    const here = onLine.get(line.number) ?? []
    const key = only(here)
    const say = (of: Key | undefined, claim: TtlClaim | undefined) => {
      if (of !== undefined && claim !== undefined) found.push({ line: line.number, key: of, claim })
    }
    if (isRow(line) && !line.code) {
      const cells = cellsOf(line.raw)
      if (isRule(lines[i + 1]) || column === undefined) {
        const at = isRule(lines[i + 1]) ? cells.findIndex((cell) => LABEL.test(cell)) : -1
        column = at < 0 ? undefined : at
      }
      if (LABEL.test(cells[0] ?? "")) {
        const table = inTable(lines, i)
        const keys = table.flatMap((one) => onLine.get(one.number) ?? [])
        const claim = ttlIn(cells[1] ?? "")
        if (keys.length > 0) say(only(keys), claim)
        else for (const of of exampleKeys(lines, table.at(-1)!.number, onLine)) say(of, claim)
      } else if (column !== undefined && !isRule(lines[i + 1])) say(key, ttlIn(cells[column] ?? ""))
      else sentences(line, here, say)
      continue
    }
    column = undefined
    const commanded = here.flatMap(({ command, owner }) => {
      const claim = command && ttlOfCommand(command.name, command.rest)
      return claim === undefined ? [] : [{ key: owner.key, claim }]
    })
    for (const one of commanded) say(one.key, one.claim)
    const below = line.code || here.length > 0 ? undefined : BELOW.exec(line.raw)?.[1]
    if (below !== undefined && last && line.number - last.line <= NEAR) say(last.key, ttlIn(below))
    if (commanded.length === 0) sentences(line, here, say)
    if (here.length > 0) last = key && { key, line: line.number }
  }
  return [...found, ...wrappedSentences(lines).flatMap((sentence) => wrapped(sentence, onLine, found))]
}

/** A line that was broken because it was full. */
const FULL = 40

/** What a sentence on several lines says about its only key, where none of the lines says something by itself. */
function wrapped(
  { text, parts }: WrappedSentence,
  onLine: ReadonlyMap<number, readonly SeenKey[]>,
  found: readonly PageTtl[],
): PageTtl[] {
  const claim = ttlSaid(text)
  if (claim === undefined || found.some((one) => parts.some(({ line }) => line.number === one.line))) return []
  const key = only(
    parts.flatMap(({ line, text }) =>
      (onLine.get(line.number) ?? []).filter(({ word }) => text.includes(line.restore(word))),
    ),
  )
  const upTo = (i: number) => parts.slice(0, i + 1).map((part) => part.text)
  const at = parts.findIndex((_, i) => ttlSaid(upTo(i).join(" ")) === claim)
  // Short lines below one another are often a list, where each speaks for itself.
  const isOne =
    ttlSaid(parts[at]!.text) === undefined || parts.slice(0, -1).every(({ line }) => line.raw.length >= FULL)
  return key === undefined || !isOne ? [] : [{ line: parts[at]!.line.number, key, claim }]
}

/** Sentence by sentence: what one says about its only key. */
function sentences(
  { raw, restore }: MaskedLine,
  here: readonly SeenKey[],
  say: (key: Key | undefined, claim: TtlClaim | undefined) => void,
): void {
  if (here.length === 0) return
  for (const sentence of raw.split(/(?<=[.;])\s+/))
    say(only(here.filter(({ word }) => sentence.includes(restore(word)))), ttlSaid(sentence))
}

const only = (seen: readonly SeenKey[]): Key | undefined => onlyKey(seen)?.owner.key

/**
 * The keys of the example below a table that names none of them: by a name of its own, or by none. What comes under
 * another heading, or in commands, may be about other keys.
 */
function exampleKeys(
  lines: readonly MaskedLine[],
  below: number,
  onLine: ReadonlyMap<number, readonly SeenKey[]>,
): readonly Key[] {
  const rest = lines.slice(below)
  const start = rest.findIndex(
    (line) => line.code || isRow(line) || (/^#+\s/.test(line.raw) && !EXAMPLE.test(line.raw)),
  )
  if (start < 0 || !rest[start]!.code) return []
  const length = rest.slice(start).findIndex((line) => !line.code)
  const block = rest.slice(start, length < 0 ? undefined : start + length)
  const keys = block.flatMap(({ number }) => onLine.get(number) ?? [])
  return keys.some(({ how }) => how === "command") ? [] : [...new Set(keys.map(({ owner }) => owner.key))]
}

const EXAMPLE = /^#+\s+(?:\*\*)?examples?\b/i

/** Whether keys with this TTL rule may live as long as claimed. An undecided TTL allows anything. */
export function mayLive(rule: TtlRule | undefined, claim: TtlClaim): boolean {
  if (rule === undefined) return true
  if (rule.on === "never") return claim === "never"
  if (rule.on === "choice") return rule.choices.includes(claim)
  return claim !== "never" && (rule.on === "bound" ? claim <= rule.ms : claim === rule.ms)
}

export const claimWords = (claim: TtlClaim): string =>
  claim === "never" ? "never expires" : `expires after ${fromMs(claim)}`

export function ruleWords(rule: TtlRule): string {
  if (rule.on === "never") return "never expires"
  if (rule.on === "choice")
    return `expires ${rule.choices.map((one) => (one === "never" ? one : `after ${fromMs(one)}`)).join(" or ")}`
  return `expires after ${rule.on === "bound" ? "at most " : ""}${fromMs(rule.ms)}`
}

/** What page and schema say differently. */
export const wrongTtls = (claims: readonly PageTtl[]): Slip[] =>
  claims.flatMap(({ line, key, claim }) =>
    mayLive(key.ttl, claim)
      ? []
      : [
          {
            code: "PAGE.WRONG_TTL" as const,
            severity: "error" as const,
            line,
            claim: { ttl: claim },
            message: `the page says that ${key.pattern} ${claimWords(claim)}; the schema says that it ${ruleWords(key.ttl!)}`,
            why: "Programs that rely on the page find keys missing, or kept forever.",
            name: key.name,
            pattern: key.pattern,
            fix: "State the declared time, or correct the schema.",
          },
        ],
  )
