/* All patterns of one logical database in one tree: characters, and between them
 * parameters. At a node the literal is tried first, then the parameter, up to the nearest
 * character that may follow it. So of two patterns that can match the same key the more
 * literal one is found first, and the first match is usually the answer. */

import type { Key } from "../key.ts"
import { forbidden, locate, slotsOf, type Slot } from "../locate.ts"

export interface TreeRow {
  readonly key: Key
  readonly head: string
  readonly slots: readonly Slot[]
  /**
   * Shares its position with parameters that allow other characters: a match in the tree is not necessarily a
   * match of the pattern.
   */
  recheck: boolean
}

export interface TreeNode {
  /** Rows that are complete here. */
  readonly ends: number[]
  /** By the code of their first character: literals, and where they lead. */
  readonly literals: Map<number, { text: string; node: TreeNode }>
  /** By the code of the character that ends it: a parameter. The node starts with that character. */
  readonly stops: Map<number, TreeNode>
  /** Rows whose last parameter runs from here to the key's end. */
  readonly rest: number[]
  /** Characters that a parameter which starts here may contain though segments usually may not. */
  allow: string
  /** For codes below 128: 1 where a parameter may end or must not continue. */
  special: Uint8Array
}

export interface Tree {
  readonly rows: readonly TreeRow[]
  readonly root: TreeNode
}

export function classifyTree(keys: readonly Key[]): Tree {
  const rows = keys.map((key): TreeRow => {
    const [head, slots] = slotsOf(key.pattern, key.params)
    return { key, head, slots, recheck: false }
  })
  const root = emptyNode()
  const params = new Map<TreeNode, { row: TreeRow; allow: string }[]>()
  rows.forEach((row, index) => {
    let node = spell(root, row.head)
    for (const { codec, tail } of row.slots) {
      const allow = merged(codec?.allow)
      node.allow = merged(node.allow, allow)
      params.set(node, [...(params.get(node) ?? []), { row, allow }])
      if (tail === "") return node.rest.push(index)
      const code = tail.charCodeAt(0)
      const after = node.stops.get(code) ?? emptyNode()
      node.stops.set(code, after)
      node = spell(after, tail)
    }
    return node.ends.push(index)
  })
  for (const [node, starting] of params) {
    node.special = specialCodes(node)
    for (const { row, allow } of starting) row.recheck ||= allow !== node.allow
  }
  squeeze(root)
  return { rows, root }
}

/** Whether the key is of the row's pattern, as the schema has it. */
export const isOf = (row: TreeRow, key: string): boolean => locate(key, row.head, row.slots) !== undefined

/** How many code units the character at this place takes, or 0 when it is not allowed in a segment. */
export function widthAt(key: string, at: number, allow: string): number {
  const char = String.fromCodePoint(key.codePointAt(at)!)
  return forbidden(char, allow) === undefined ? char.length : 0
}

/** Whether a parameter that starts here may continue past this character, which ends it for some patterns. */
export const goesOn = ({ stops, rest, allow }: TreeNode, code: number): boolean =>
  stops.size + rest.length > 1 && (code > 127 || forbidden(String.fromCharCode(code), allow) === undefined)

const emptyNode = (): TreeNode => ({
  ends: [],
  literals: new Map(),
  stops: new Map(),
  rest: [],
  allow: "",
  special: new Uint8Array(0),
})

function spell(from: TreeNode, literal: string): TreeNode {
  let node = from
  for (let i = 0; i < literal.length; i++) {
    const code = literal.charCodeAt(i)
    const next = node.literals.get(code) ?? { text: literal[i]!, node: emptyNode() }
    node.literals.set(code, next)
    node = next.node
  }
  return node
}

/** Joins characters between which there is nothing to decide. */
function squeeze(node: TreeNode): void {
  for (const edge of node.literals.values()) {
    for (;;) {
      const { ends, literals, stops, rest } = edge.node
      const [next] = literals.values()
      if (next === undefined || ends.length + stops.size + rest.length > 0 || literals.size > 1) break
      edge.text += next.text
      edge.node = next.node
    }
    squeeze(edge.node)
  }
  for (const after of node.stops.values()) squeeze(after)
}

const merged = (allow = "", more = ""): string => [...new Set(allow + more)].sort().join("")

const specialCodes = ({ stops, allow }: TreeNode): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) =>
    stops.has(code) || forbidden(String.fromCharCode(code), allow) !== undefined ? 1 : 0,
  )
