/* Values that are made of something known: the key of another pattern (`AccTok:…` in a
 * map of tokens), or an id behind a tag (`u_ada`, `c_news`). */

import type { CodecSpec } from "../../../schema/codec/codec-spec.ts"
import type { Domain } from "./domains.ts"
import type { Pattern } from "../mine/pattern.ts"
import { placeName } from "./places.ts"
import type { Ids } from "../propose/proposal-params.ts"
import { paramsIn } from "../mine/records.ts"
import type { TextStatistics } from "../values/text-statistics.ts"
import { camel, unique, nameWords } from "../mine/words.ts"

const PARTS = ["value", "member", "item"] as const
const MOST_PATTERNS = 4

/** The same ids, and codecs for what is composed of them. */
export function withCompositeValues(ids: Ids, patterns: readonly Pattern[], domains: readonly Domain[]): Ids {
  const found = new Map<string, CodecSpec>()
  for (const pattern of patterns)
    for (const part of PARTS) {
      if (pattern.described.shape[part]?.codec !== "text" || ids.spec(pattern, part) !== undefined) continue
      const { texts } = pattern.of.values.cells
      const spec =
        keysSpec(
          texts,
          patterns.filter(({ db }) => db === pattern.db),
        ) ?? tagsSpec(texts, domains, ids)
      if (spec !== undefined) found.set(`${pattern.db} ${pattern.row.id} ${part}`, spec)
    }
  return { ...ids, spec: (pattern, at) => found.get(`${pattern.db} ${pattern.row.id} ${at}`) ?? ids.spec(pattern, at) }
}

/** Every text is a key of one of a few patterns. */
function keysSpec(texts: TextStatistics, patterns: readonly Pattern[]): CodecSpec | undefined {
  if (!texts.signs.has(":") || texts.samples.length < 3) return undefined
  const used = new Set<Pattern>()
  for (const text of texts.values?.keys() ?? texts.samples) {
    const owner = ownerOf(text, patterns)
    // A pattern that begins with a parameter takes nearly anything.
    if (owner === undefined || typeof owner.row.parts[0] !== "string" || owner.row.params.length === 0) return undefined
    used.add(owner)
  }
  if (used.size > MOST_PATTERNS) return undefined
  const taken = new Set<string>()
  const keys = [...used].map((pattern) => [
    unique(camel(lastWords(pattern)), taken),
    pattern.row.pattern(pattern.names),
  ])
  return { codec: "keyOf", keys: Object.fromEntries(keys) as Record<string, string> }
}

/** The most specific pattern that has this key, as a keyspace would have it: the most literal, then the one of numbers. */
function ownerOf(key: string, patterns: readonly Pattern[]): Pattern | undefined {
  const owners = patterns.filter((pattern) =>
    pattern.row.params.length === 0 ? pattern.row.pattern() === key : paramsIn(pattern, key).length > 0,
  )
  const literal = ({ row }: Pattern) =>
    row.parts.reduce((sum, part) => sum + (typeof part === "string" ? part.length : 0), 0)
  const narrow = ({ row }: Pattern) => row.params.filter(({ kind }) => kind !== "text").length
  return owners.sort((a, b) => literal(b) - literal(a) || narrow(b) - narrow(a))[0]
}

/** `AccTok` of `P:{p}:AccTok:{token}`. */
function lastWords({ row }: Pattern): string[] {
  const literal = row.parts.findLast((part) => typeof part === "string" && /\p{L}/u.test(part)) ?? "key"
  return nameWords((literal as string).split(/[:/|#]/).findLast((segment) => /\p{L}/u.test(segment)) ?? "key")
}

/** Every text is a tag and an id of something known. */
function tagsSpec(
  { tags, count, samples }: TextStatistics,
  domains: readonly Domain[],
  ids: Ids,
): CodecSpec | undefined {
  if (tags === undefined || count < 3 || [...tags.values()].reduce((sum, one) => sum + one, 0) < count) return undefined
  const specs = [...tags.keys()].map((tag) => {
    const tails = samples.filter((text) => text.startsWith(tag)).map((text) => text.slice(tag.length))
    const place = domains
      .flatMap(({ places }) => places)
      .find(({ texts }) => tails.length > 0 && tails.every((tail) => texts.sketch.has(tail) !== false))
    const spec = place && ids.spec(place.pattern, placeName(place).split(" ").at(-1)!)
    return [tag, spec?.codec === "id" && spec.of.codec === "text" ? spec : undefined] as const
  })
  return specs.every(([, spec]) => spec !== undefined)
    ? { codec: "tagged", tags: Object.fromEntries(specs) as Record<string, CodecSpec> }
    : undefined
}
