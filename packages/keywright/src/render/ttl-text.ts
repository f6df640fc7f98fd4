import { fromMs } from "../schema/duration.ts"
import type { TtlRule } from "../schema/ttl.ts"

/** A TTL in words: `"10m from each write"`. */
export function ttlText(rule: TtlRule | undefined): string {
  if (rule === undefined) return "undecided"
  if (rule.on === "never") return "never expires"
  if (rule.on === "choice")
    return rule.choices.map((choice) => (choice === "never" ? "never" : fromMs(choice))).join(" or ")
  const after = { write: "each write", access: "each write or read", creation: "creation" }[rule.on]
  return `${fromMs(rule.ms)} from ${after}`
}
