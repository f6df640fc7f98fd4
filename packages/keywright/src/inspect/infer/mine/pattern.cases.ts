/* Patterns as they are found, made from a spelling and a few values; and the keys of
 * patterns in memory, to be asked for. */

import type { Wire } from "../../../driver/driver.ts"
import type { Probe, KeySource } from "../source.ts"
import type { Atom } from "../values/atoms.ts"
import type { Learned, MinedKey, Param, PatternPart } from "./mine.ts"
import { type Pattern, patternOf } from "./pattern.ts"
import { paramsIn } from "./records.ts"
import { MinedRow } from "./row.ts"
import { segmentsOf } from "./segments.ts"

const KINDS = new Set(["int", "day", "month", "compactDay"])

/** `"user:{int}:{token}"`: each parameter by what its texts look like; `"{{int}}"` for a hash tag. */
export function partsOf(spelling: string): PatternPart[] {
  return spelling
    .split(/(\{+\w+\}+)/)
    .filter((part) => part !== "")
    .map((part): PatternPart => {
      if (!part.startsWith("{")) return part
      const atom = part.replace(/[{}]/g, "") as Atom
      if (part.startsWith("{{")) return { kind: "text", atom, tag: true }
      return { kind: KINDS.has(atom) ? (atom as Param["kind"]) : "text", atom }
    })
}

/** Some keys, and what each of them holds. */
export type Held = readonly (readonly [key: string, elements: readonly Wire[]])[]

interface PatternOptions {
  /** Default: those that it gets. */
  readonly names?: string[]
  readonly db?: number
  /** As PTTL has it. */
  readonly ttlMs?: (key: string) => number
}

/** The pattern of these keys. */
export function patternOfKeys(spelling: string, type: string, held: Held, options: PatternOptions = {}): Pattern {
  const { names, db = 0, ttlMs = () => -1 } = options
  const row = new MinedRow(partsOf(spelling))
  for (const [key, elements] of held) {
    row.add(key, type, ttlMs(key)).take(key, { type, elements, cut: false })
    for (const [i, text] of paramsIn({ row }, key).entries()) row.texts[i]!.add(text)
  }
  const pattern = patternOf(row, db)!
  return names === undefined ? pattern : { ...pattern, names }
}

/** With a key for each value, and names for its parameters where those that it gets are not wanted. */
export function patternFrom(
  spelling: string,
  type = "string",
  values: readonly (readonly Wire[])[] = [["some text"]],
  names?: string[],
): Pattern {
  const held = values.map((elements, i) => [spelling.replace(/\{\w+\}/g, String(i)), elements] as const)
  return patternOfKeys(spelling, type, held, names && { names })
}

/** Answers from the keys of these patterns; `deadlineOf`: when a key goes away. */
export function askOf(patterns: readonly Pattern[], deadlineOf?: (key: string) => number | undefined) {
  const held = new Map(
    patterns.flatMap(({ db, type, of }) =>
      of.samples.map(({ key, reading }) => [`${db} ${type} ${key}`, reading.elements] as const),
    ),
  )
  const answer = ({ db, key, type, member }: Probe) => {
    const elements = held.get(`${db} ${type} ${key}`)
    if (elements === undefined) return undefined
    const own = elements.filter((_, i) => (type === "zset" || type === "hash" ? i % 2 === 0 : true))
    return {
      elements: member === undefined ? elements : own.filter((one) => one === member),
      deadline: deadlineOf?.(key),
    }
  }
  return (async (probes) => probes.map(answer)) satisfies KeySource["ask"]
}

/** Keys as mining has them, of one shape. */
export const itemsOf = (keys: readonly string[], shape = "string:text", more: Partial<Learned> = {}): MinedKey[] =>
  keys.map((key) => ({ learned: { key, shape, ...more }, segments: segmentsOf(key) }))

/** A row that some keys taught, with the texts of its parameters. */
export function taughtRow(spelling: string, learned: readonly (readonly string[])[], weight = 1): MinedRow {
  const row = new MinedRow(partsOf(spelling))
  for (const [i, texts] of learned.entries()) row.learned[i]!.push(...texts)
  row.weight = weight
  return row
}

/** `["user:", {kind: "int"}]` → `"user:{int}"` */
export const spelled = (parts: readonly PatternPart[]): string =>
  parts.map((part) => (typeof part === "string" ? part : part.tag ? `{{${part.kind}}}` : `{${part.kind}}`)).join("")
