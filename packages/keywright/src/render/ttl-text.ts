import { fromMs } from "../schema/duration.ts"
import type { TtlRule } from "../schema/ttl.ts"

/** A TTL in words: `"10m from each write"`; of a family, `"10m, with its family"`. */
export function ttlText(rule: TtlRule | undefined, family = false): string {
  if (rule === undefined) return "undecided"
  if (rule.on === "never") return "never expires"
  if (rule.on === "choice")
    return rule.choices.map((choice) => (choice === "never" ? "never" : fromMs(choice))).join(" or ")
  if (rule.on === "bound") return `up to ${fromMs(rule.ms)}, as the writer says`
  if (family) return `${fromMs(rule.ms)}, with its family`
  const after = { write: "each write", access: "each write or read", creation: "creation" }[rule.on]
  return `${fromMs(rule.ms)} from ${after}`
}
