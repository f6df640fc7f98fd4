/* Which pattern owns a key: used for every key of a server, a dump or a log, so it is
 * built for millions of keys. Parameters are located, not decoded. */

import { compiled } from "./classify-compile.ts"
import { settling } from "./classify-settle.ts"
import { classifyTree } from "./classify-tree.ts"
import { walker } from "./classify-walk.ts"
import type { Key } from "../key.ts"

/**
 * What `classifier` makes.
 * @example
 * const cartsIn = (keys: string[], of: Classifier) => keys.filter((key) => of.owner(key)?.key.name === "cart")
 */
export interface Classifier {
  /** The patterns of the logical database, in their order. */
  readonly keys: readonly Key[]
  /**
   * Key → the place of its owner in `keys`, -1 when there is none. Leaves `spans`, and allocates nothing unless codecs
   * are needed.
   */
  classify(key: string): number
  /** For the key that was classified last: where each of its parameters starts and ends, in the pattern's order. */
  readonly spans: Int32Array
  /** Key → its owner and the texts of its parameters. */
  owner(key: string): Owner | undefined
  /** Whether it runs as generated code. */
  readonly codegen: boolean
}

export interface Owner {
  readonly key: Key
  readonly params: Record<string, string>
}

export interface ClassifierOptions {
  /** The logical database; left out, that of the first key. */
  readonly db?: number
  /** `false` never generates code. Where it may not be generated the answers are the same, more slowly. */
  readonly codegen?: boolean
}

/**
 * Finds the pattern that owns a key: prepared once for a keyspace, then fast enough for millions of keys.
 * @example
 * const found = classifier(shop.keys).owner("cart:EB93")
 * console.log(found?.key.name, found?.params) // → cart { token: 'EB93' }
 */
export function classifier(
  keys: readonly Key[],
  { db = keys[0]?.db, codegen = true }: ClassifierOptions = {},
): Classifier {
  const own = keys.filter((key) => key.db === db)
  const tree = classifyTree(own)
  const { rows } = tree
  const spans = new Int32Array(2 * Math.max(0, ...rows.map(({ slots }) => slots.length)))
  const { settled, settle } = settling(rows, spans)
  const generated = codegen ? compiled(tree, spans) : undefined
  const find = generated ?? walker(tree, spans)
  const allSettled = settled.every(Boolean)
  const classify = allSettled
    ? find
    : (key: string): number => {
        const row = find(key)
        return row < 0 || settled[row]! ? row : settle(key, row)
      }
  return Object.freeze<Classifier>({
    keys: Object.freeze(own),
    classify,
    spans,
    owner(key) {
      const row = classify(key)
      if (row < 0) return undefined
      const texts = rows[row]!.slots.map(({ name }, i) => [name, key.slice(spans[2 * i], spans[2 * i + 1])])
      return { key: own[row]!, params: Object.fromEntries(texts) }
    },
    codegen: generated !== undefined,
  })
}
