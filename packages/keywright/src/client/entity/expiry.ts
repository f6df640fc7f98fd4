/* Where the ends of records are noted: one sorted set for each entity (in a cluster,
 * one for each hash tag), whose scores are deadlines.
 *
 * A note holds what the schema cannot know when the record is gone: its id and the texts
 * that appear in the keys of its sets, by name: "7\tuser=ann". The keys themselves are
 * spelled from the patterns. For 500 sessions with UUIDs, two set indexes and a list that
 * takes 48 kB, beside 86 kB of records; notes with all keys in them took 99 kB (MEMORY
 * USAGE on the embedded engine; see expiry-size.test.ts). */

import { entityAt } from "../../schema/entity-at.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { locate, slotsOf } from "../../schema/locate.ts"
import { slotTag } from "../call/slot-tag.ts"
import { bareIds, type IdForm, quotedIds } from "./id-form.ts"
import { relationsIn } from "./through-sets.ts"

/** Parameters of a key, as texts. */
export type ParamTexts = Readonly<Record<string, string>>

export interface EndedRecord {
  readonly id: string
  /** What the note says beside the id, by name. */
  readonly texts: ParamTexts
  readonly record: string
  /** The sets and sorted sets that hold the id. */
  readonly entries: readonly string[]
  /** Keys that belong to this record only. */
  readonly owned: readonly string[]
}

export const EXPIRY = "keywright:expiry:"

export const expiryKey = (pattern: string, head: string, cluster: boolean): string =>
  EXPIRY + slotTag(head, cluster) + pattern

/** As a member of the sorted set. Where a tab would be ambiguous, the same as a JSON array. */
export function noteOf(id: string, texts: ParamTexts): string {
  const parts = [id, ...Object.entries(texts).map(([name, text]) => `${name}=${text}`)]
  if (id.startsWith("[") || parts.some((part) => part.includes("\t"))) return JSON.stringify(parts)
  return parts.length === 1 ? `${id}\t` : parts.join("\t")
}

/** A pattern, taken apart. */
type Spelling = ReturnType<typeof slotsOf>

/** The patterns that the keys of an ended record are spelled from. */
export interface EndingPatterns {
  readonly record: Spelling
  readonly idField: string
  readonly entries: readonly Spelling[]
  /** How the id is written in the keys of the entries. */
  readonly form: IdForm
  readonly owned: readonly { readonly spelling: Spelling; readonly param: string }[]
}

const spellingOf = ({ pattern, params }: Key): Spelling => slotsOf(pattern, params)

export function endingPatterns(keyspace: Keyspace, name: string): EndingPatterns {
  const rows = keyspace.keys.filter(({ entity }) => entity?.name === name)
  const record = rows.find(({ entity }) => entity!.role === "record")!
  const names = Object.keys(record.params)
  const idField = names.at(-1)!
  const owned = relationsIn(keyspace).flatMap(({ entity, via }) => {
    const set = entity === name && "set" in via ? keyspace.keys.find((key) => key.name === via.set) : undefined
    const param = set && Object.keys(set.params).find((one) => one === idField || !names.includes(one))
    return set && param !== undefined ? [{ spelling: spellingOf(set), param }] : []
  })
  // Unique keys are not sets: they expire by themselves.
  const entries = rows.filter(({ kind }) => kind === "set" || kind === "zset").map(spellingOf)
  const form = entityAt(keyspace.entries, name)?.quoted ? quotedIds : bareIds
  return { record: spellingOf(record), idField, entries, form, owned }
}

/** What a note says; undefined for a member that we did not write. */
export function readEnding(member: string, patterns: EndingPatterns): EndedRecord | undefined {
  const [id, ...named] = splitMember(member) ?? []
  if (id === undefined || id === "") return undefined
  const texts: Record<string, string> = {}
  for (const one of named) {
    const at = one.indexOf("=")
    if (at < 1) return undefined
    texts[one.slice(0, at)] = one.slice(at + 1)
  }
  // After the others: the record that must be gone is the one whose entries and sets go.
  texts[patterns.idField] = id
  const record = spell(patterns.record, texts)
  if (record === undefined) return undefined
  const spelled = (key: string | undefined) => (key === undefined ? [] : [key])
  const { [patterns.idField]: _, ...others } = texts
  return {
    id,
    texts: others,
    record,
    entries: patterns.entries.flatMap((spelling) => spelled(spell(spelling, texts))),
    owned: patterns.owned.flatMap(({ spelling, param }) => spelled(spell(spelling, { ...texts, [param]: id }))),
  }
}

function splitMember(member: string): string[] | undefined {
  if (!member.startsWith("[")) {
    const parts = member.split("\t")
    return parts.length === 1 ? undefined : parts.filter((part, i) => i === 0 || part !== "")
  }
  try {
    const parts: unknown = JSON.parse(member)
    return Array.isArray(parts) && parts.every((part) => typeof part === "string") ? parts : undefined
  } catch {
    return undefined // Not a note of ours.
  }
}

/**
 * The key of a pattern; undefined where a text is not known, since the record had no entry there, or where it cannot be in
 * such a key: it would spell one of another pattern.
 */
function spell([head, slots]: Spelling, texts: ParamTexts): string | undefined {
  const key = head + slots.map(({ name, tail }) => `${texts[name]}${tail}`).join("")
  const found = locate(key, head, slots)
  return found !== undefined && slots.every(({ name }) => found[name] === texts[name]) ? key : undefined
}
