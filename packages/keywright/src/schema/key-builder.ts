/* Parameters → key, with the refusals that only the whole keyspace can decide: an id that
 * would spell a key of a more literal pattern (cart:{id} with the id "list"), and for
 * records also a literal that another pattern has in the position of the id ("index" of
 * cart:index:user:{userId}). */

import { keyReserved } from "../errors/key.ts"
import { keyFormat } from "./key-format.ts"
import type { Key } from "./key.ts"

/**
 * Parameters → key. Throws a SchemaError that names the parameter, or the pattern that owns the key. `loose`: other
 * names are allowed.
 */
export type KeyBuilder = (params: Readonly<Record<string, unknown>>, loose?: boolean) => string

/** Makes the function that builds the keys of one pattern; `keys` are those of its keyspace. */
export function keyBuilder(key: Key, keys: readonly Key[]): KeyBuilder {
  const { pattern } = key
  const { build, locate } = keyFormat(pattern, key.params, key.sharded?.by)
  const others = keys.filter((other) => other.db === key.db && other.name !== key.name)
  const rivals = others.filter((other) => key.rivals.includes(other.name))
  const names = Object.keys(key.params)
  const words = key.entity?.role === "record" ? wordsForIds(key, others) : new Map<string, string>()

  // Whole keys that others own, by their owner; no need to look up a key that is longer than all of them.
  const owned = new Map(rivals.filter(isLiteral).map((rival) => [rival.pattern, rival.pattern]))
  if (names.length === 1)
    for (const [word, owner] of words)
      owned.set(
        pattern.replace(/\{\w+\}/, () => word),
        owner,
      )
  const longest = Math.max(0, ...[...owned.keys()].map((text) => text.length))

  const formats = rivals.filter((rival) => !isLiteral(rival)).map((rival) => keyFormat(rival.pattern, rival.params))
  const idParam = names.length > 1 && words.size > 0 ? names.at(-1) : undefined

  if (longest === 0 && formats.length === 0 && idParam === undefined) return build
  return (params, loose) => {
    const built = build(params, loose)
    const owner =
      (built.length <= longest ? owned.get(built) : undefined) ??
      (idParam === undefined ? undefined : words.get(locate(built)![idParam]!)) ??
      formats.find((format) => format.parse(built))?.pattern
    if (owner !== undefined) throw keyReserved(pattern, owner)
    return built
  }
}

const isLiteral = ({ params }: Key): boolean => Object.keys(params).length === 0

/** Literals that other patterns have where this one has its last parameter, each with its pattern. */
function wordsForIds({ pattern }: Key, others: readonly Key[]): Map<string, string> {
  const before = unnamed(pattern).replace(/\0[^\0]*$/, "")
  const words = new Map<string, string>()
  for (const other of others) {
    const text = unnamed(other.pattern)
    const [word = ""] = text.startsWith(before) ? text.slice(before.length).split(":", 1) : []
    if (word !== "" && !word.includes("\0") && !words.has(word)) words.set(word, other.pattern)
  }
  return words
}

/** Patterns without the names of their parameters, so that they can be compared. */
const unnamed = (pattern: string): string => pattern.replace(/\{\w+\}/g, "\0")
