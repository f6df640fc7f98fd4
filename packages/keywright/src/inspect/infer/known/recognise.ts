/* Keys of programs that are known, taken out before anything is learned from the others. A program is recognised when
 * keys are there that give it away; then all keys that have the form and the type of one of its patterns are its own. */

import { atomOf } from "../values/atoms.ts"
import type { Learned, Mined, PatternPart } from "../mine/mine.ts"
import { groupBy } from "../../../schema/group-by.ts"
import { frameworks } from "./frameworks.ts"
import type { KnownSoftware } from "./known-software.ts"
import { locksAndCaches } from "./locks-and-caches.ts"
import { programs } from "../thresholds.ts"
import { queues } from "./queues.ts"

/** The programs that are known, those first whose layout says most. */
export const allSoftware: readonly KnownSoftware[] = [...queues, ...frameworks, ...locksAndCaches]

/** What a pattern has from the program that it belongs to. */
export interface KnownPattern {
  /** What heads the program's keys. */
  readonly about: string
  /** Names of its parameters, in order. */
  readonly names: readonly string[]
  /** Which of them open doors. */
  readonly secret: readonly boolean[]
}

/** For a parameter whose values are patterns of their own: more of them are one pattern after all. */
const MOST_SPLIT = 32

const PREFIX = "([^{}\\s*]{1,64}?)"

interface KeyForm {
  readonly spelled: string
  readonly type: string
  /** Its first group is the prefix, where it has one. */
  readonly whole: RegExp
  readonly hasPrefix: boolean
  readonly literal: number
  /** The longest of its literals. */
  readonly longest: string
  readonly parts: readonly PatternPart[]
  readonly known: KnownPattern
  /** Which parameter has a pattern for each of its values. */
  readonly split: number
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")

function formOf(spelled: string, about: string): KeyForm {
  const [pattern = "", type = ""] = spelled.split(" ")
  const hasPrefix = pattern.startsWith("*")
  const pieces = pattern.slice(hasPrefix ? 1 : 0).split(/\{(\w+)([!…=]?)\}/)
  const names: string[] = []
  const secret: boolean[] = []
  const parts: PatternPart[] = []
  let source = hasPrefix ? PREFIX : ""
  let literal = 0
  let split = -1
  for (let i = 0; i < pieces.length; i += 3) {
    const text = pieces[i]!
    source += escaped(text)
    literal += text.length
    if (text !== "") parts.push(text)
    const name = pieces[i + 1]
    if (name === undefined) continue
    const next = pieces[i + 3]?.[0]
    const isAny = pieces[i + 2] === "…" || (next === undefined && pieces[i + 2] === "!")
    source += isAny ? "([^]+)" : `([^:{}\\s${next === undefined ? "" : escaped(next)}]+)`
    if (pieces[i + 2] === "=") split = names.length
    names.push(name)
    secret.push(pieces[i + 2] === "!")
    parts.push({ kind: "text", atom: "other" })
  }
  return {
    spelled,
    type,
    whole: new RegExp(`^${source}$`),
    hasPrefix,
    literal,
    longest: parts.reduce<string>(
      (best, part) => (typeof part === "string" && part.length > best.length ? part : best),
      "",
    ),
    parts,
    known: { about, names, secret },
    split,
  }
}

interface PreparedSoftware {
  readonly software: KnownSoftware
  /** The most literal first. */
  readonly forms: readonly KeyForm[]
}

let ready: readonly PreparedSoftware[] | undefined
const readySoftware = (): readonly PreparedSoftware[] =>
  (ready ??= allSoftware.map((software) => ({
    software,
    forms: software.keys
      .map((spelled) => formOf(spelled, software.about))
      .sort((a, b) => b.literal - a.literal || a.parts.length - b.parts.length),
  })))

interface Owned {
  readonly one: Learned
  readonly form: KeyForm
  readonly prefix: string
}

/** The patterns of known programs among these keys, and the keys of nobody known. */
export function recognise(keys: readonly Learned[]): {
  readonly known: Required<Mined>[]
  readonly rest: readonly Learned[]
} {
  const known: Required<Mined>[] = []
  let rest = keys
  for (const one of readySoftware()) {
    const { software } = one
    if (!mayBeThere(rest, one)) continue
    const byPrefix = groupBy(owned(rest, one), ({ prefix }) => prefix)
    const taken = new Set<Learned>()
    for (const [prefix, own] of byPrefix) {
      if (!isRecognised(software, own)) continue
      for (const [, some] of groupBy(own, ({ form }) => form.spelled)) {
        known.push(...splitOf(some).map((part) => recognised(prefix, part)))
        for (const { one: key } of some) taken.add(key)
      }
    }
    if (taken.size > 0) rest = rest.filter((key) => !taken.has(key))
  }
  return { known, rest }
}

/** Whether as many signs are there as it takes, under whatever prefix: most programs are ruled out by that. */
function mayBeThere(keys: readonly Learned[], { software, forms }: PreparedSoftware): boolean {
  const { signs = software.keys, least = programs.leastPatterns } = software
  const left = new Set(forms.filter(({ spelled }) => signs.includes(spelled)))
  const enough = left.size - least
  for (const { key, shape } of keys)
    for (const form of left) if (isOf(form, key, shape) && left.delete(form) && left.size <= enough) return true
  return false
}

/** Comparing whole forms takes long: most keys have not even the longest of its literals. */
const isOf = ({ type, longest, whole }: KeyForm, key: string, shape: string): boolean =>
  shape.startsWith(type) && key.includes(longest) && whole.test(key)

/** Whether a key of a pattern that any key could have holds what the program's own hold. */
function looksLike({ fields = {}, looks = {} }: KnownSoftware, { spelled }: KeyForm, one: Learned): boolean {
  const [own, forms] = [fields[spelled], looks[spelled]]
  if (own === undefined && forms === undefined) return true
  if (own !== undefined && own.every((field) => one.fields?.includes(field) === true)) return true
  return forms !== undefined && (forms.includes(one.shape) || (one.atom !== undefined && forms.includes(one.atom)))
}

function owned(keys: readonly Learned[], { software, forms }: PreparedSoftware): Owned[] {
  const found: Owned[] = []
  for (const one of keys) {
    const type = one.shape.split(":", 1)[0]
    for (const form of forms) {
      if (form.type !== type || !one.key.includes(form.longest)) continue
      if (!looksLike(software, form, one)) continue
      const match = form.whole.exec(one.key)
      if (match === null) continue
      found.push({ one, form, prefix: form.hasPrefix ? match[1]! : "" })
      break
    }
  }
  return found
}

function isRecognised(
  { keys, signs = keys, least = programs.leastPatterns }: KnownSoftware,
  own: readonly Owned[],
): boolean {
  const found = own.filter(({ form }) => signs.includes(form.spelled))
  return new Set(found.map(({ form }) => form.spelled)).size >= least
}

/** The keys of each pattern: those of one value, where each value is one, else all. */
function splitOf(own: readonly Owned[]): (readonly Owned[])[] {
  const { split, whole, hasPrefix } = own[0]!.form
  if (split < 0) return [own]
  const byValue = groupBy(own, ({ one }) => whole.exec(one.key)![split + (hasPrefix ? 2 : 1)]!)
  return byValue.size > MOST_SPLIT ? [own] : [...byValue.values()]
}

function recognised(prefix: string, own: readonly Owned[]): Required<Mined> {
  const { parts, known, whole, hasPrefix, split } = own[0]!.form
  const texts = own.map(({ one }) => whole.exec(one.key)!.slice(hasPrefix ? 2 : 1))
  let at = 0
  const typed = joined([prefix, ...parts]).map((part): PatternPart => {
    if (typeof part === "string") return part
    const own = texts.map((all) => all[at]!)
    at++
    const atoms = new Set(own.map(atomOf))
    const atom = atoms.size === 1 ? [...atoms][0]! : "other"
    return { kind: atom === "day" && known.names[at - 1] === "day" ? "day" : "text", atom }
  })
  const keys = own.map(({ one }) => one)
  const values = new Set(texts.map((all) => all[split]))
  return split >= 0 && values.size === 1
    ? { parts: withLiteral(typed, split, texts[0]![split]!), keys, known: withoutParam(known, split) }
    : { parts: typed, keys, known }
}

/** The parts with a text for a parameter. */
function withLiteral(parts: readonly PatternPart[], param: number, text: string): PatternPart[] {
  let at = 0
  return joined(parts.map((part) => (typeof part === "string" || at++ !== param ? part : text)))
}

/** Literals that touch are one. */
export function joined(parts: readonly PatternPart[]): PatternPart[] {
  const all: PatternPart[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (part === "") continue
    if (typeof part === "string" && typeof last === "string") all[all.length - 1] = last + part
    else all.push(part)
  }
  return all
}

const withoutParam = ({ about, names, secret }: KnownPattern, param: number): KnownPattern => ({
  about,
  names: names.filter((_, i) => i !== param),
  secret: secret.filter((_, i) => i !== param),
})
