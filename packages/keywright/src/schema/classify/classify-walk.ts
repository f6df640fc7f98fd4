/* The tree walked as data: where code may not be generated. */

import { goesOn, isOf, widthAt, type TreeNode, type Tree } from "./classify-tree.ts"

/** Key → the first row that it is of, in the tree's order; -1 when there is none. Leaves its spans. */
export type FindRow = (key: string) => number

export function walker({ rows, root }: Tree, spans: Int32Array): FindRow {
  const first = (candidates: readonly number[], key: string): number => {
    for (const row of candidates) if (!rows[row]!.recheck || isOf(rows[row]!, key)) return row
    return -1
  }

  function walk(node: TreeNode, key: string, at: number, depth: number): number {
    if (at === key.length) return node.ends.length === 0 ? -1 : first(node.ends, key)
    if (node.literals.size > 0) {
      const edge = node.literals.get(key.charCodeAt(at))
      if (edge !== undefined && (edge.text.length === 1 || key.startsWith(edge.text, at))) {
        const row = walk(edge.node, key, at + edge.text.length, depth)
        if (row >= 0) return row
      }
    }
    return node.special.length === 0 ? -1 : segment(node, key, at, depth)
  }

  /** A parameter: up to the nearest character that may follow it, else to the next such character, else to the end. */
  function segment(node: TreeNode, key: string, at: number, depth: number): number {
    const { special, stops } = node
    let end = at
    for (; end < key.length; end++) {
      const code = key.charCodeAt(end)
      if (code < 128 && special[code] === 0) continue
      const after = stops.get(code)
      if (after !== undefined && end > at && key.indexOf(key[end]!, at) === end) {
        const row = walk(after, key, end, depth + 1)
        if (row >= 0) {
          spans[2 * depth] = at
          spans[2 * depth + 1] = end
          return row
        }
      }
      if (after !== undefined && !goesOn(node, code)) return -1
      const width = widthAt(key, end, node.allow)
      if (width === 0) return -1
      end += width - 1
    }
    if (node.rest.length === 0) return -1
    spans[2 * depth] = at
    spans[2 * depth + 1] = end
    return first(node.rest, key)
  }

  return (key) => walk(root, key, 0, 0)
}
