/* Memory as a tree: system → pattern, or group → pattern. What is tiny is put together,
 * so that a thousand kinds of unknown keys are not a thousand boxes. */

import type { Overview, PatternOverview } from "../../api.ts"
import { patternsOf } from "../state/studio.ts"
import { sumCounted } from "./sum-counted.ts"

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

export function memoryOf(overview: Overview): MemoryNode[] {
  const { system } = overview
  const all = patternsOf(overview)
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes)
  const shown = all.slice(0, MOST_LEAVES).map((one) => leafOf(one, system))
  const rest = all.slice(MOST_LEAVES)
  if (rest.length === 0) return shown
  const { bytes, keys } = sumCounted(rest)
  const leaf: Leaf = { system, pattern: undefined, known: "unknown" }
  return [...shown, { name: `${rest.length} more patterns`, bytes, keys, leaf }]
}

const leafOf = ({ name, pattern, bytes, keys, known }: PatternOverview, system: string): MemoryNode => ({
  name: pattern,
  bytes,
  keys,
  leaf: { system, pattern: name, known },
})
