/* Memory as a tree: system → pattern, or group → pattern. What is tiny is put together,
 * so that a thousand kinds of unknown keys are not a thousand boxes. */

import type { Overview, PatternOverview } from "../../api.ts"

export interface MemoryNode {
  readonly name: string
  readonly bytes: number
  readonly keys: number
  readonly leaf?: Leaf
  readonly children?: readonly MemoryNode[]
}

export interface Leaf {
  readonly system: string
  /** Undefined for what was put together. */
  readonly pattern: string | undefined
  readonly known: PatternOverview["known"]
}

const MOST_LEAVES = 48

export function memoryOf(overview: Overview, system: string): MemoryNode[] {
  const all = overview.databases
    .flatMap(({ patterns, toolkit, unknown }) => [...patterns, ...toolkit, ...unknown])
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes)
  const shown = all.slice(0, MOST_LEAVES).map((one) => leafOf(one, system))
  const rest = all.slice(MOST_LEAVES)
  if (rest.length === 0) return shown
  const [bytes, keys] = [sum(rest.map((one) => one.bytes)), sum(rest.map((one) => one.keys))]
  const leaf: Leaf = { system, pattern: undefined, known: "unknown" }
  return [...shown, { name: `${rest.length} more patterns`, bytes, keys, leaf }]
}

const leafOf = ({ name, pattern, bytes, keys, known }: PatternOverview, system: string): MemoryNode => ({
  name: pattern,
  bytes,
  keys,
  leaf: { system, pattern: name, known },
})

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
