/* How long a record lives, where its writer may say: `{ ttl: "1h" }` or `{ expireAt }`.
 *
 * What the caller passes is checked before anything is written. An instant is compared by
 * the script with the server's clock, the one that also expires the record: the caller's
 * clock plays no part. */

import { ttlBeyond, ttlChoice, ttlDecided, ttlTwice } from "../../errors/client.ts"
import { fromMs, type Duration } from "../../schema/duration.ts"
import type { Key } from "../../schema/key.ts"
import type { TtlBound, TtlChoice } from "../../schema/ttl.ts"
import { chooseTtl, withinBound } from "../call/ready-key.ts"

/**
 * When a record ends: after a number of milliseconds, at an instant (Unix milliseconds), unchanged, or never.
 * Undefined: the record has no TTL.
 */
export type Ending = number | { readonly at: number } | "kept" | "never" | undefined

export interface ChosenLife {
  readonly ttl?: Duration | "never"
  readonly expireAt?: Date
}

/** What a caller may say about the life of a record with this TTL, when it changes. */
export type LifeNotes<T> = [T] extends [TtlBound]
  ? {
      /**
       * How long it lives from now on, at most as long as the schema says. If left out, a change keeps the remaining
       * time.
       */
      readonly ttl?: Duration
      /** When it ends, instead of `ttl`. */
      readonly expireAt?: Date
    }
  : [T] extends [TtlChoice]
    ? {
        /** One of the lives that the schema names. If left out, a change keeps the remaining time. */
        readonly ttl?: Duration | "never"
      }
    : unknown

/** The same for a record that may be new: where the schema only names lives, one has to be chosen. */
export type NewLifeNotes<T> = [T] extends [TtlChoice] ? { readonly ttl: Duration | "never" } : LifeNotes<T>

/** What the caller chose; undefined if nothing. */
export function chosenLife(row: Key, notes: ChosenLife | undefined): Ending {
  if (!notes || (notes.ttl === undefined && notes.expireAt === undefined)) return undefined
  const { ttl, expireAt } = notes
  const rule = row.ttl
  if (rule?.on !== "choice" && rule?.on !== "bound") throw ttlDecided(row.pattern, ttl ?? "expireAt")
  if (ttl !== undefined && expireAt !== undefined) throw ttlTwice(row.pattern)
  if (rule.on === "choice") {
    if (ttl !== undefined) return chooseTtl(row, ttl)
    throw ttlChoice(row.pattern, namesOf(rule), "an expireAt")
  }
  if (ttl !== undefined) return withinBound(row, rule.ms, ttl)
  const at = expireAt instanceof Date ? expireAt.getTime() : Number.NaN
  if (Number.isNaN(at)) throw ttlBeyond(row.pattern, fromMs(rule.ms), "an invalid date")
  return { at }
}

/** How long a new record lives. */
export function newLife(row: Key, chosen: Ending): Ending {
  const rule = row.ttl
  if (chosen !== undefined || rule === undefined || rule.on === "never") return chosen
  if (rule.on === "choice") throw ttlChoice(row.pattern, namesOf(rule), undefined)
  return rule.ms
}

/** How long a changed record lives. */
export function changedLife(row: Key, chosen: Ending): Ending {
  const rule = row.ttl
  if (chosen !== undefined || rule === undefined || rule.on === "never") return chosen
  return rule.on === "write" || rule.on === "access" ? rule.ms : "kept"
}

const namesOf = ({ choices }: TtlChoice): string[] =>
  choices.map((choice) => (choice === "never" ? choice : fromMs(choice)))
