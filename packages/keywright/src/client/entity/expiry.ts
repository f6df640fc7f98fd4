/* Where the ends of records are noted: one sorted set for each entity (in a cluster,
 * one for each hash tag), whose scores are deadlines and whose members say what is to
 * be cleared away when the record is gone. */

import { slotTag } from "../slot-tag.ts"

/** What ends with a record. */
export interface Ending {
  readonly id: string
  readonly record: string
  /** Sets and sorted sets that hold the id. */
  readonly entries: readonly string[]
  /** Keys that are the record's alone. */
  readonly owned: readonly string[]
}

export const EXPIRY = "keywright:expiry:"

export const expiryKey = (pattern: string, head: string, cluster: boolean): string =>
  EXPIRY + slotTag(head, cluster) + pattern

/** As a member of the sorted set: `["7","session:7",["session:list"]]`. */
export const notedEnding = ({ id, record, entries, owned }: Ending): string =>
  JSON.stringify(owned.length === 0 ? [id, record, entries] : [id, record, entries, owned])

/** Undefined for a member that we did not write. */
export function readEnding(member: string): Ending | undefined {
  let parts: unknown
  try {
    parts = JSON.parse(member)
  } catch {
    return undefined // Whatever it is, it is not ours.
  }
  if (!Array.isArray(parts)) return undefined
  const [id, record, entries, owned = []] = parts as [unknown, unknown, unknown, unknown?]
  if (typeof id !== "string" || typeof record !== "string" || !isTexts(entries) || !isTexts(owned)) return undefined
  return { id, record, entries, owned }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string")
