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

/**
 * When a key expires: a duration (reset by each write), `"never"`, or what `sliding`, `fixed`, `either` and `upTo` make.
 * @example
 * const month: Ttl = "30d"
 * const session: Ttl = sliding("30m")
 */
export type Ttl = Duration | "never" | TtlRule

/** Ready to use: milliseconds, and which events move the deadline. */
export type TtlRule =
  | { readonly on: "never" }
  | { readonly on: "write" | "access" | "creation"; readonly ms: number }
  | TtlChoice
  | TtlBound

/**
 * What `either` makes.
 * @example
 * const status: TtlChoice = either("30s", "never")
 */
export interface TtlChoice {
  readonly on: "choice"
  readonly choices: readonly (number | "never")[]
}

/**
 * What `upTo` makes.
 * @example
 * const link: TtlBound = upTo("7d")
 */
export interface TtlBound {
  readonly on: "bound"
  readonly ms: number
}

/**
 * A TTL that reads reset too. For sessions.
 * @example
 * const session = string("session:{token}", text, { ttl: sliding("30m") })
 */
export const sliding = (duration: Duration): TtlRule => Object.freeze({ on: "access", ms: toMs(duration) })

/**
 * A TTL from the creation of the key; later writes keep it. For windows, such as those of rate limits.
 * @example
 * const hits = counter("hits:{ip}", { ttl: fixed("1m") })
 */
export const fixed = (duration: Duration): TtlRule => Object.freeze({ on: "creation", ms: toMs(duration) })

/**
 * A TTL that each write chooses, from these.
 * @example
 * const status = string("status:{user}", text, { ttl: either("30s", "never") })
 * const db = await connect(keyspace({ status }))
 * await db.status({ user: "u1" }).set("away", { ttl: "30s" })
 */
export const either = (
  ...choices: readonly [Duration | "never", Duration | "never", ...(Duration | "never")[]]
): TtlChoice => {
  if (choices.length < 2) throw definitionRefused("either", "fewer than two choices")
  return Object.freeze({
    on: "choice",
    choices: Object.freeze(choices.map((choice) => (choice === "never" ? choice : toMs(choice)))),
  })
}

/**
 * A TTL that each write chooses, up to a longest one.
 * @example
 * const link = string("link:{slug}", text, { ttl: upTo("365d") })
 * const db = await connect(keyspace({ link }))
 * await db.link({ slug: "a" }).set("https://example.com", { ttl: "7d" })
 */
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
