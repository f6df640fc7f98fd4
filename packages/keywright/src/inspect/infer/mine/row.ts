/* A pattern that was found, and all that is known of its keys: counts, spreads and
 * samples, whose size does not depend on the number of keys. */

import { compactDay, day, month } from "../../../schema/codec/date.ts"
import { int } from "../../../schema/codec/number.ts"
import { readsSegment } from "../../model/segments.ts"
import type { KnownPattern } from "../known/recognise.ts"
import type { Param, ParamKind, PatternPart } from "./mine.ts"
import { TextStatistics } from "../values/text-statistics.ts"
import { Ttls } from "../values/ttls.ts"
import { type ReadValue, Values } from "../values/values.ts"

const EXAMPLES = 16

/** The keys of one Redis type. */
export class OfType {
  count = 0
  readonly ttls = new Ttls()
  readonly values = new Values()
  readonly examples: string[] = []
  /** Those that came last: what holds for the first ones may do so by chance. */
  readonly latest: string[] = []
  /** Some keys with their values, where these are short. */
  readonly samples: KeySample[] = []
  /** Keys with a segment that its codec does not read, and some of them. */
  misfits = 0
  readonly misfitting: string[] = []
  /** Some keys whose value has a field that is not text. */
  readonly misnamed: string[] = []

  take(key: string, reading: ReadValue): void {
    const { misnamed } = this.values
    this.values.add(reading)
    if (this.values.misnamed > misnamed && this.misnamed.length < 2) this.misnamed.push(key)
    if (this.samples.length < EXAMPLES && isShort(reading)) this.samples.push({ key, reading })
  }
}

export interface KeySample {
  readonly key: string
  readonly reading: ReadValue
}

const isShort = ({ elements }: ReadValue): boolean =>
  elements.length <= 200 && elements.reduce((sum, element) => sum + element.length, 0) <= 8192

/** This many values are read for every pattern; beyond that, ever fewer. */
const READ = 100

export class MinedRow {
  parts: readonly PatternPart[]
  params: Param[]
  /** Literals and `{}` in turn, and what kind of codec each parameter has. */
  id: string
  /** Characters that its parameters may have though segments usually may not. */
  allow: string[]
  /** A parameter takes only such texts, because another pattern takes the others. */
  matching: { readonly param: number; readonly form: string; readonly whole: RegExp } | undefined
  /** Some texts of each parameter, from the keys that taught the pattern. */
  readonly learned: string[][]
  readonly texts: TextStatistics[]
  readonly types = new Map<string, OfType>()
  count = 0
  /** How many keys taught it. */
  weight = 0
  /** What is known of it, where it is a known program's. */
  known: KnownPattern | undefined

  constructor(parts: readonly PatternPart[]) {
    this.parts = parts
    this.params = parts.filter((part) => typeof part !== "string")
    this.id = skeletonOf(parts)
    this.allow = this.params.map(() => "")
    this.learned = this.params.map(() => [])
    this.texts = this.params.map(() => new TextStatistics())
  }

  /** As a pattern of a schema, with these names for its parameters. */
  pattern(names: readonly string[] = this.params.map((_, i) => `p${i}`)): string {
    let at = 0
    return this.parts
      .map((part) => (typeof part === "string" ? part : part.tag ? `{{${names[at++]}}}` : `{${names[at++]}}`))
      .join("")
  }

  /** Lets a parameter take any text. */
  widen(param: number): void {
    const narrow = this.params[param]!
    const wide: Param = { ...narrow, kind: "text", atom: "other" }
    this.parts = this.parts.map((part) => (part === narrow ? wide : part))
    this.params = this.params.map((one) => (one === narrow ? wide : one))
    this.id = skeletonOf(this.parts)
  }

  add(key: string, type: string, ttlMs: number): OfType {
    this.count++
    let of = this.types.get(type)
    if (of === undefined) this.types.set(type, (of = new OfType()))
    of.count++
    of.ttls.add(ttlMs)
    if (of.examples.length < EXAMPLES) of.examples.push(key)
    else of.latest[of.count % EXAMPLES] = key
    return of
  }

  /** The type that most of its keys have. */
  get main(): readonly [type: string, of: OfType] {
    return [...this.types].reduce((best, one) => (one[1].count > best[1].count ? one : best))
  }
}

/** Sorts by number of keys, or by number of examples while none are counted. */
export const rarer = (a: MinedRow, b: MinedRow): number => a.count - b.count || a.weight - b.weight

/** Whether one more value is worth reading: all at first, then a share that gets smaller. */
export const wantsValue = ({ count, values }: OfType, random: number): boolean =>
  values.read < READ ? true : 2 * random * count < READ

export const skeletonOf = (parts: readonly PatternPart[]): string =>
  parts.map((part) => (typeof part === "string" ? part : `{${part.tag ? "{}" : ""}${part.kind}}`)).join("")

/** The codecs of parameters that refuse some texts. */
export const paramCodecs = { int, day, month, compactDay }

/** Whether a parameter of this kind takes this part of a key. */
export const takes = (kind: ParamKind, key: string, start: number, end: number): boolean =>
  kind === "text" ||
  (kind === "int" && isDigits(key, start, end)) ||
  readsSegment(paramCodecs[kind], key.slice(start, end))

/** A number without a sign, as it is printed: looked at in place, since there are millions. */
function isDigits(key: string, start: number, end: number): boolean {
  if (end - start > 15 || (key.charCodeAt(start) === 48 && end - start > 1)) return false
  for (let i = start; i < end; i++) {
    const code = key.charCodeAt(i)
    if (code < 48 || code > 57) return false
  }
  return true
}
