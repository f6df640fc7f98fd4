/* Every place where ids may be: parameters, members, fields, values. Each with the words
 * that hint at whose ids they are. */

import { isGeneric, isMoment, literalWords, type Pattern, wordsBefore } from "../mine/pattern.ts"
import type { Documents } from "../values/documents.ts"
import { comesAgain } from "../values/enumeration.ts"
import type { TextStatistics } from "../values/text-statistics.ts"
import { singular, nameWords } from "../mine/words.ts"

export interface IdPlace {
  readonly pattern: Pattern
  /** A parameter's number, a part of the shape, or the name of a field. */
  readonly at:
    | { readonly param: number }
    | { readonly part: "member" | "item" | "field" | "value" }
    | { readonly field: string }
  readonly texts: TextStatistics
  readonly isInt: boolean
  /** The word that names it, where one does. */
  readonly hint: string | undefined
  /** All words that may name it. */
  readonly hints: ReadonlySet<string>
}

export const placeName = ({ pattern, at }: IdPlace): string =>
  `${pattern.db} ${pattern.row.id} ${"param" in at ? `{${at.param}}` : "part" in at ? at.part : `.${at.field}`}`

const word = (text: string): string => singular(text).toLowerCase()

export function placesOf(pattern: Pattern): IdPlace[] {
  const { row, type, described, of } = pattern
  const { values } = of
  const ofParams = new Set(row.params.map((_, i) => wordsBefore(row, i).map(word).at(-1)))
  const literals = literalWords(row)
    .map(word)
    .filter((one) => !isGeneric(one) && (!ofParams.has(one) || row.params.length === 0))
  const found: IdPlace[] = row.params.map((_, i) => paramPlace(pattern, i))
  const part = (at: "member" | "item" | "field" | "value", texts: TextStatistics, hint: string | undefined) =>
    found.push(place(pattern, { part: at }, texts, hint, literals))
  const last = lastWord(pattern)
  if (described.kind === "map") part("field", values.names, undefined)
  // Where some values are packed or too long, the others are not ids.
  const { texts: plain, isPlain } = values.cells
  const isValue =
    described.kind === "map" || described.kind === "string" || (described.kind === "counter" && mayLead(pattern))
  if (isPlain && isValue) part("value", plain, undefined)
  if (isPlain && (type === "set" || type === "zset")) part("member", plain, last)
  if (isPlain && type === "list") part("item", plain, last)
  for (const [name, texts] of fieldTexts(pattern))
    if (described.kind !== "hash" || values.fields!.get(name)!.isPlain) found.push(fieldPlace(pattern, name, texts))
  return found.filter(mayBeIds)
}

/** Whether numbers are more likely ids than counts: by text, and called an index. */
const mayLead = ({ row }: Pattern): boolean =>
  row.params.at(-1)?.kind === "text" &&
  literalWords(row).some((one) => /^(?:index|idx|lookup|by|ref|to|map)$/i.test(one))

/** Fields of records and of documents, at the top. */
export function fieldTexts({ described, of: { values } }: Pattern): [string, TextStatistics][] {
  if (described.kind === "hash") return [...(values.fields ?? [])].map(([name, cells]) => [name, cells.texts])
  // Entries are a log: what they name may be long gone.
  if (described.kind === "stream") return []
  return documentTexts(values.cells.documents)
}

const documentTexts = (documents: Documents | undefined): [string, TextStatistics][] =>
  [...(documents?.objects?.fields ?? [])].flatMap(([name, { strings, wholes }]) => {
    const texts = strings ?? wholes
    return texts === undefined ? [] : [[name, texts] as [string, TextStatistics]]
  })

function paramPlace(pattern: Pattern, param: number): IdPlace {
  const before = wordsBefore(pattern.row, param)
    .map(word)
    .filter((one) => !isGeneric(one))
  return place(pattern, { param }, pattern.row.texts[param]!, before.at(-1), before.slice(-1))
}

function fieldPlace(pattern: Pattern, field: string, texts: TextStatistics): IdPlace {
  const words = nameWords(field).map((one) => one.toLowerCase())
  if (words.length > 1 && /^(?:by|at|on|of)$/.test(words.at(-1)!))
    return place(pattern, { field }, texts, undefined, [])
  // `user_id` and `database_name` are about a user and a database.
  const isId = words.at(-1) === "id" || words.at(-1) === "ids" || words.at(-1) === "uuid"
  const isAbout = isId || (words.length > 1 && /^(?:name|key|code|slug|number|no)$/.test(words.at(-1)!))
  const stem = isAbout ? words.slice(0, -1) : words
  // A field that is just called id is that of the record itself.
  const own =
    stem.length === 0
      ? wordsBefore(pattern.row, pattern.row.params.length - 1)
          .map(word)
          .at(-1)
      : singular(stem.at(-1)!)
  const all = stem.length === 0 ? [] : [stem.map(word).join(""), ...stem.map(word)]
  return place(pattern, { field }, texts, own, [...(own === undefined ? [] : [own]), ...all])
}

function place(
  pattern: Pattern,
  at: IdPlace["at"],
  texts: TextStatistics,
  hint: string | undefined,
  hints: readonly string[],
): IdPlace {
  const isInt =
    "param" in at ? pattern.row.params[at.param]!.kind === "int" : texts.atoms.size === 0 || texts.only("int")
  return { pattern, at, texts, isInt, hint, hints: new Set(hints) }
}

/** The last word of the pattern's last literal: `posts` of `{p0}_liked_posts`. */
function lastWord({ row }: Pattern): string | undefined {
  const literal = row.parts.findLast((part) => typeof part === "string") as string | undefined
  const own = nameWords(literal ?? "").map(word)
  const last = own.at(-1)
  return last === undefined || isGeneric(last) ? own.at(-2) : last
}

/** Neither dates nor fractions nor prose, and not the same few words again and again. */
function mayBeIds({ texts, at, pattern }: IdPlace): boolean {
  if (texts.count === 0 || texts.longest > 128) return false
  if ("param" in at) {
    const { kind, atom } = pattern.row.params[at.param]!
    if (kind === "int") return !isMoment(texts)
    return kind === "text" && atom !== "ip" && atom !== "instant" && atom !== "week" && atom !== "url"
  }
  // A single number in a single record is a setting, unless it is called an id.
  if ("field" in at && texts.count < 2 && !/id$/i.test(at.field)) return false
  const isOdd = [...texts.atoms.keys()].some((atom) =>
    ["float", "day", "month", "week", "instant", "url", "empty", "other"].includes(atom),
  )
  return !isOdd && !(texts.count > 20 && texts.values !== undefined && texts.values.size <= 6 && comesAgain(texts))
}
