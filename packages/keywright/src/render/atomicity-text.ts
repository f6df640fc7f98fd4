/* What of a schema is in one slot of a cluster, for people. */

import type { Atomicity } from "../schema/cluster-atomicity.ts"
import type { Paint } from "./paint.ts"

/** Empty when there is nothing that would have to stay together. */
export function atomicityText(all: readonly Atomicity[], { bold, dim, green, yellow }: Paint): string {
  if (all.length === 0) return ""
  const atomic = all.filter((one) => one.atomic)
  const head = `${bold("In a Redis Cluster")} ${atomic.length} of ${all.length} entities, families, steps and invariants are in one slot.`
  const width = Math.max(...all.map(({ name }) => name.length))
  const lines = all.map(({ name, tag, apart, refused, ...one }) =>
    one.atomic
      ? `  ${green("✓")} ${name.padEnd(width)}  ${tag === undefined ? "one key" : `hash tag {${tag}}`}`
      : `  ${yellow("✗")} ${name.padEnd(width)}  ${refused.length === 0 ? "a failover can break it" : `refused: ${refused.join(", ")}`}${dim(`  ${apart!.join(" | ")}`)}`,
  )
  return [head, ...lines].join("\n")
}
