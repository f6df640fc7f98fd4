/* Which entities and families a cluster changes as one, for people. */

import type { Atomicity } from "../schema/cluster-atomicity.ts"
import type { Paint } from "./paint.ts"

/** Empty when there is nothing that would have to stay together. */
export function atomicityText(all: readonly Atomicity[], { bold, dim, green, yellow }: Paint): string {
  if (all.length === 0) return ""
  const atomic = all.filter((one) => one.atomic)
  const head = `${bold("In a Redis Cluster")} ${atomic.length} of ${all.length} entities and families can be changed as one.`
  const width = Math.max(...all.map(({ name }) => name.length))
  const lines = all.map(({ name, tag, apart, refused, ...one }) =>
    one.atomic
      ? `  ${green("✓")} ${name.padEnd(width)}  ${tag === undefined ? "one key" : `hash tag {${tag}}`}`
      : `  ${yellow("✗")} ${name.padEnd(width)}  refused: ${refused.join(", ")}${dim(`  ${apart!.join(" | ")}`)}`,
  )
  const fix =
    atomic.length === all.length
      ? []
      : [`    ${dim("fix")} give all patterns of one the same hash tag: {{tenant}}:user:{id}`]
  return [head, ...lines, ...fix].join("\n")
}
