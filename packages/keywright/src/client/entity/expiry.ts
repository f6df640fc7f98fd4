/* Where the ends of records are noted: one sorted set for each entity (in a cluster,
 * one for each hash tag), whose scores are deadlines.
 *
 * A note holds what the schema cannot know when the record is gone: its id and the texts
 * that appear in the keys of its sets, by name: "7\tuser=ann". The keys themselves are
 * spelled from the patterns. For 500 sessions with UUIDs, two set indexes and a list that
 * takes 48 kB, beside 86 kB of records; notes with all keys in them took 99 kB (MEMORY
 * USAGE on the embedded engine; see expiry-size.test.ts). */

import { entityAt } from "../../schema/entity-at.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { parsePattern } from "../../schema/pattern.ts"
import { slotTag } from "../call/slot-tag.ts"
import { bareIds, type IdForm, quotedIds } from "./id-form.ts"
import { relationsIn } from "./through-sets.ts"

type ParamTexts = Readonly<Record<string, string>>

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

/** The patterns that the keys of an ended record are spelled from. */
export interface EndingPatterns {
  readonly record: string
  readonly idField: string
  readonly entries: readonly string[]
  /** How the id is written in the keys of the entries. */
  readonly form: IdForm
  readonly owned: readonly { readonly pattern: string; readonly param: string }[]
}

export function endingPatterns(keyspace: Keyspace, name: string): EndingPatterns {
  const rows = keyspace.keys.filter(({ entity }) => entity?.name === name)
  const record = rows.find(({ entity }) => entity!.role === "record")!
  const names = Object.keys(record.params)
  const idField = names.at(-1)!
  const owned = relationsIn(keyspace).flatMap(({ entity, via }) => {
    const set = entity === name && "set" in via ? keyspace.keys.find((key) => key.name === via.set) : undefined
    const param = set && Object.keys(set.params).find((one) => one === idField || !names.includes(one))
    return set && param !== undefined ? [{ pattern: set.pattern, param }] : []
  })
  // Unique keys are not sets: they expire by themselves.
  const entries = rows.flatMap(({ kind, pattern }) => (kind === "set" || kind === "zset" ? [pattern] : []))
  const form = entityAt(keyspace.entries, name)?.quoted ? quotedIds : bareIds
  return { record: record.pattern, idField, entries, form, owned }
}

/** What a note says; undefined for a member that we did not write. */
export function readEnding(member: string, patterns: EndingPatterns): EndedRecord | undefined {
  const [id, ...named] = splitMember(member) ?? []
  if (id === undefined || id === "") return undefined
  const texts: Record<string, string> = { [patterns.idField]: id }
  for (const one of named) {
    const at = one.indexOf("=")
    if (at < 1) return undefined
    texts[one.slice(0, at)] = one.slice(at + 1)
  }
  const record = spell(patterns.record, texts)
  if (record === undefined) return undefined
  const spelled = (key: string | undefined) => (key === undefined ? [] : [key])
  const { [patterns.idField]: _, ...others } = texts
  return {
    id,
    texts: others,
    record,
    entries: patterns.entries.flatMap((pattern) => spelled(spell(pattern, texts))),
    owned: patterns.owned.flatMap(({ pattern, param }) => spelled(spell(pattern, { ...texts, [param]: id }))),
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

/** The key of a pattern; undefined where a text is not known: the record had no entry there. */
function spell(pattern: string, texts: ParamTexts): string | undefined {
  let key = ""
  for (const part of parsePattern(pattern)) {
    const text = typeof part === "string" ? part : texts[part.param]
    if (text === undefined) return undefined
    key += text
  }
  return key
}
