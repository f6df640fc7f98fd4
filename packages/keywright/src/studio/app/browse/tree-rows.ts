/* The tree of everything as a flat list of rows: systems, databases, groups, patterns.
 * The structure is known from the schemas before anything is counted; what the scan finds
 * in addition comes last, as "Not in the schema". */

import type { Overview, SystemInfo, SystemSchema, TreeNode } from "../../api.ts"

export interface TreeRow {
  /** Unique; what is remembered as open. */
  readonly id: string
  readonly level: number
  /** For a pattern: without what all of its group begin with. */
  readonly title: string
  /** All of it, where the title is shorter. */
  readonly whole: string
  /** A pattern, not a title. */
  readonly isPattern: boolean
  /** What a click shows, if anything: the pattern's name. */
  readonly pattern: string | undefined
  readonly system: string
  readonly kind: "system" | "pattern" | "database" | "group" | "entity" | "family" | "toolkit" | "unknown"
  readonly type: string | undefined
  readonly deprecated: boolean
  /** Undefined while nothing has been counted. */
  readonly keys: number | undefined
  readonly open: boolean | undefined
}

export interface TreeInput {
  readonly systems: readonly SystemInfo[]
  readonly schemas: Readonly<Record<string, SystemSchema>>
  readonly overviews: Readonly<Record<string, Overview>>
  readonly keysOf: (system: string, pattern: string) => number | undefined
  readonly isOpen: (id: string) => boolean
  /** Lower case; only patterns and groups that have it, all open. */
  readonly filter: string
}

interface Node {
  readonly id: string
  readonly row: Omit<TreeRow, "level" | "open" | "keys" | "id">
  readonly children: readonly Node[]
}

export function treeRows(input: TreeInput): TreeRow[] {
  const roots = input.systems.map((system) => systemNode(system, input))
  return roots.flatMap((root) => visible(root, 1, input))
}

function visible(node: Node, level: number, input: TreeInput): TreeRow[] {
  const { filter } = input
  if (node.row.kind === "toolkit" && keysIn(node, input) === 0) return []
  const below = node.children.flatMap((child) => visible(child, level + 1, input))
  const isHit = matches(node, filter)
  if (filter !== "" && !isHit && below.length === 0) return []
  const open = node.children.length === 0 ? undefined : filter !== "" || input.isOpen(node.id)
  const row = { ...node.row, id: node.id, level, open, keys: keysIn(node, input) }
  return [row, ...(open ? below : [])]
}

const matches = ({ row }: Node, filter: string): boolean =>
  filter === "" || row.whole.toLowerCase().includes(filter) || (row.pattern ?? "").toLowerCase().includes(filter)

function keysIn(node: Node, input: TreeInput): number | undefined {
  if (node.row.kind === "pattern") return input.keysOf(node.row.system, node.row.pattern ?? "")
  const known = node.children.flatMap((child) => keysIn(child, input) ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, keys) => sum + keys, 0)
}

function systemNode({ name, title }: SystemInfo, { schemas, overviews }: TreeInput): Node {
  const tree = schemas[name]?.tree ?? []
  const unknown = (overviews[name]?.databases ?? []).flatMap((one) => one.unknown)
  const strangers = unknown.map((one) => patternNode(name, one, Object.keys(one.types)[0], false))
  const lost: Node = { id: `${name}/?`, row: titleRow(name, "unknown", "Not in the schema"), children: strangers }
  return {
    id: name,
    row: titleRow(name, "system", title),
    children: [...tree.map((node) => nodeOf(name, node)), ...(strangers.length > 0 ? [lost] : [])],
  }
}

/** A row that is not a pattern; `pattern` is what a click on it shows. */
const titleRow = (
  system: string,
  kind: TreeRow["kind"],
  title: string,
  pattern?: string,
  deprecated = false,
): Node["row"] => ({ title, whole: title, isPattern: false, pattern, system, kind, type: undefined, deprecated })

const patternNode = (
  system: string,
  { name, pattern }: { readonly name: string; readonly pattern: string },
  type: string | undefined,
  deprecated: boolean,
): Node => ({
  id: `${system}/${name}`,
  row: { title: pattern, whole: pattern, isPattern: true, pattern: name, system, kind: "pattern", type, deprecated },
  children: [],
})

function nodeOf(system: string, node: TreeNode): Node {
  if (node.node === "pattern") return patternNode(system, node, node.type, node.deprecated !== undefined)
  const title = node.node === "database" ? node.title : node.title.split(".").join(" › ")
  const children = shortened(node.children.map((child) => nodeOf(system, child)))
  const record = node.children.find((child) => child.node === "pattern" && child.role === "the record")
  const shown = record?.node === "pattern" ? record.name : undefined
  const row = titleRow(system, node.node, title, shown, node.deprecated !== undefined)
  return { id: `${system}/${node.path}/`, row, children }
}

/** Patterns of a group without what all of them begin with: `P:{project}:S:{service}:St:{user}` → `…St:{user}`. */
function shortened(nodes: readonly Node[]): Node[] {
  const patterns = nodes.filter(({ row }) => row.isPattern).map(({ row }) => row.title)
  const common = commonStart(patterns)
  return nodes.map((node) => {
    const { title, isPattern } = node.row
    if (!isPattern || common.length < WORTH_IT || title.length === common.length) return node
    return { ...node, row: { ...node.row, title: `…${title.slice(common.length)}` } }
  })
}

const WORTH_IT = 10

/** What all of them begin with, up to a separator; nothing for a single one. */
function commonStart([first = "", ...others]: readonly string[]): string {
  if (others.length === 0) return ""
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--
  return first.slice(0, first.lastIndexOf(":", length - 1) + 1)
}
