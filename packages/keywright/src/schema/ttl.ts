/* When a key expires: a decision that the schema states and everything else follows.
 *
 *   "10m"                  each write starts it again
 *   sliding("10m")         reads start it again too
 *   fixed("1m")            from the key's creation; later writes keep it (rate-limit windows)
 *   "never"                no expiry, ever
 *   either("30s", "never") the writer says which one
 *   upTo("30d")            the writer says how long, at most this; else a new key lives
 *                          that long, and later writes keep what is left
 *
 * If left out, the group's or keyspace's default applies; without one it is undecided,
 * and `check` says so. */

import { definitionRefused } from "../errors/define.ts"
import { toMs, type Duration } from "./duration.ts"

export type Ttl = Duration | "never" | TtlRule

/** Ready to use: milliseconds, and which events move the deadline. */
export type TtlRule =
  | { readonly on: "never" }
  | { readonly on: "write" | "access" | "creation"; readonly ms: number }
  | TtlChoice
  | TtlBound

export interface TtlChoice {
  readonly on: "choice"
  readonly choices: readonly (number | "never")[]
}

export interface TtlBound {
  readonly on: "bound"
  readonly ms: number
}

export const sliding = (duration: Duration): TtlRule => Object.freeze({ on: "access", ms: toMs(duration) })
export const fixed = (duration: Duration): TtlRule => Object.freeze({ on: "creation", ms: toMs(duration) })
export const either = (
  ...choices: readonly [Duration | "never", Duration | "never", ...(Duration | "never")[]]
): TtlChoice => {
  if (choices.length < 2) throw definitionRefused("either", "fewer than two choices")
  return Object.freeze({
    on: "choice",
    choices: Object.freeze(choices.map((choice) => (choice === "never" ? choice : toMs(choice)))),
  })
}

export const upTo = (longest: Duration): TtlBound => Object.freeze({ on: "bound", ms: toMs(longest) })

/** The longest that a key of this rule lives, in milliseconds; undefined when it never expires. */
export function longestLife(rule: TtlRule | undefined): number | undefined {
  if (rule === undefined || rule.on === "never") return undefined
  if (rule.on !== "choice") return rule.ms
  const ends = rule.choices.filter((choice) => choice !== "never")
  return ends.length === 0 ? undefined : Math.max(...ends)
}

/** `"10m"` → `{ on: "write", ms: 600000 }`. Throws for anything else. */
export const ttlRule = (ttl: Ttl): TtlRule =>
  ttl === "never" ? { on: ttl } : typeof ttl === "string" ? { on: "write", ms: toMs(ttl) } : ttl
