/* How a page may spell the keys of a schema: whole, or without the prefix of the
 * group that the page has introduced before. A word of a page is one of them, or
 * the beginning of one, or near to one. */

import type { Group } from "../../schema/group.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { slotsOf } from "../../schema/locate.ts"
import { toolkitKeys } from "../../schema/toolkit-keys.ts"
import { segmentMatcher } from "../walk/gaps.ts"
import { isAnything, anything } from "./page-text.ts"

export interface Spelling {
  readonly key: Key
  /** As it may be spelled. */
  readonly pattern: string
}

export interface OwnedSpelling extends Spelling {
  readonly params: Readonly<Record<string, string>>
}

export interface Spellings {
  /** The key that a masked word spells. */
  owner(word: string): OwnedSpelling | undefined
  /** Whether it is a beginning of keys, or a rule for their names: `{entity}:{id}`. */
  isPart(word: string): boolean
  /** Begins as keys do. */
  knownHead(word: string): boolean
  /** What was probably meant. */
  near(word: string): Spelling | undefined
}

export function spellingsOf(keyspace: Keyspace): Spellings {
  const prefixes = prefixesOf(keyspace.entries)
  const all: Spelling[] = [...keyspace.keys, ...toolkitKeys()].flatMap((key) => [
    { key, pattern: key.pattern },
    ...withoutTag(key.pattern).map((pattern) => ({ key, pattern })),
    ...prefixes
      .filter((prefix) => key.pattern.startsWith(prefix) && key.pattern.length > prefix.length)
      .map((prefix) => ({ key, pattern: key.pattern.slice(prefix.length) })),
  ])
  const matchers = all
    .map((spelling) => ({ spelling, match: matcher(spelling), literal: bare(spelling.pattern).length }))
    .sort((a, b) => b.literal - a.literal)
  const heads = new Set(all.map(({ pattern }) => headOf(pattern)).filter((head) => /^[\w-]+$/.test(head)))
  const beginnings = [...new Set(all.flatMap(({ pattern }) => beginningsOf(pattern)))].map(wildcard)
  const scopes = prefixes.map((prefix) => wildcard(prefix.replace(/:$/, "")))
  return {
    owner(word) {
      for (const { spelling, match } of matchers) {
        const params = match(word)
        if (params) return { ...spelling, params }
      }
      return undefined
    },
    isPart: (word) =>
      [...beginnings, ...scopes].some((part) => part.test(word)) ||
      (isAnything(word) && all.some(({ pattern }) => wildcard(word).test(pattern.replace(/\{\w+\}/g, "x")))),
    knownHead: (word) => heads.has(headOf(word)),
    near: (word) => nearest(word, all),
  }
}

/** On a page, a hash tag in its braces looks like a placeholder: together with a parameter that touches it, like one. */
function withoutTag(pattern: string): string[] {
  const spelled = pattern.replace(/\{\{(\w+)\}\}/g, "{$1}")
  return spelled === pattern ? [] : [spelled.replace(/(\{\w+\})(?:\{\w+\})+/g, "$1")]
}

/** What a page may leave out: prefixes of scopes that have parameters, and what keys of a sharded group have in common. */
function prefixesOf(entries: unknown): string[] {
  const all = Object.values(entries as Record<string, Partial<Group<string, unknown>>>)
  const scopes = all.filter(({ group, prefix = "" }) => group === "scope" && /\{/.test(prefix))
  const common = all.flatMap(({ group, entries: inner }) => (group === "sharded" ? commonPrefixes(inner) : []))
  return [...new Set([...scopes.map(({ prefix }) => prefix as string), ...common])]
}

/** Beginnings with parameters that several entries share, each followed by a word of its own. */
function commonPrefixes(entries: unknown): string[] {
  const counts = new Map<string, number>()
  for (const { pattern, prefix = "" } of Object.values(
    entries as Record<string, { pattern?: string; prefix?: string }>,
  ))
    for (const { index } of (pattern ?? prefix).matchAll(/(?<=\}:)\w/g)) {
      const beginning = (pattern ?? prefix).slice(0, index)
      counts.set(beginning, (counts.get(beginning) ?? 0) + 1)
    }
  return [...counts].filter(([, count]) => count > 1).map(([beginning]) => beginning)
}

/** Word → the texts of the parameters. Placeholders fit every codec. */
function matcher({ key, pattern }: Spelling): (word: string) => Record<string, string> | undefined {
  const [head, slots] = slotsOf(pattern, key.params)
  return (word) => {
    if (!word.startsWith(head)) return undefined
    const params: Record<string, string> = {}
    let at = head.length
    for (const { name, codec, tail } of slots) {
      const end = tail === "" ? word.length : word.indexOf(tail[0] as string, at)
      const segment = word.slice(at, end)
      if (end <= at || !word.startsWith(tail, end) || !fits(segment, codec)) return undefined
      params[name] = segment
      at = end + tail.length
    }
    return at === word.length ? params : undefined
  }
}

function fits(segment: string, codec: Key["params"][string] | undefined): boolean {
  if (segment.includes(":") && !(codec?.allow ?? "").includes(":")) return false
  if (/\s/.test(segment)) return false
  if ([...segment].some(isAnything)) return true
  try {
    codec?.decode(segment)
    return true
  } catch {
    return false // The codec refuses it: no key of this pattern.
  }
}

/** A pattern's parameters and a word's placeholders match anything. */
const wildcard = (text: string) =>
  segmentMatcher(text.split(/\{\w+\}|[\ue000-\uefff]/).flatMap((part, i) => (i === 0 ? [part] : [undefined, part])))
/** `"a:{x}:b"` → `"a:"`, `"a:{x}:"` */
const beginningsOf = (pattern: string): string[] =>
  [...pattern.matchAll(/:/g)].map(({ index }) => pattern.slice(0, index + 1))
const headOf = (text: string): string => text.split(/[:\ue000-\uefff{]/)[0] as string
const bare = (pattern: string): string => pattern.replace(/\{\w+\}/g, "")
/** Ids and placeholders as one mark, so that only the names are compared. */
const shape = (text: string): string =>
  text
    .replace(/\{\w+\}/g, "\ue000")
    .replace(/[\da-f]{8}-[\da-f-]{20,}|(?<![A-Za-z])\d+(?![A-Za-z])/gi, "\ue000")
    .replace(anything, "\ue000")

/** The spelling that the word is a slip, a long form or an end of. */
function nearest(word: string, all: readonly Spelling[]): Spelling | undefined {
  const own = shape(word.replace(/\s+/g, ""))
  const ranked = all
    .map((spelling) => ({ spelling, distance: distanceOf(own, shape(spelling.pattern)) }))
    .filter(({ distance }) => distance < Infinity)
    .sort((a, b) => a.distance - b.distance || bare(b.spelling.pattern).length - bare(a.spelling.pattern).length)
  return ranked[0]?.spelling
}

/** How far two shapes are apart; Infinity when they have nothing to do with each other. */
function distanceOf(word: string, pattern: string): number {
  if (word.length > 200) return Infinity
  const edits = editDistance(word, pattern)
  const names = pattern.replace(/[^A-Za-z]/g, "").length
  if (edits <= Math.min(2, names / 4)) return edits
  if (isShortFor(pattern, word)) return 3
  return word.length > 5 && pattern.endsWith(`:${word}`) ? 4 : Infinity
}

/** `"Ch:…:Sub"` is short for `"Channel:…:Subscribers"`. */
function isShortFor(pattern: string, word: string): boolean {
  const [short, long] = [pattern.split(":"), word.split(":")]
  return (
    short.length === long.length &&
    short.length > 1 &&
    short.every((part, i) => {
      const other = long[i] as string
      if (part === other) return true
      if (part.length >= other.length || part === "" || part[0] !== other[0]) return false
      let at = -1
      return [...part.toLowerCase()].every((char) => (at = other.toLowerCase().indexOf(char, at + 1)) >= 0)
    })
  )
}

function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length] as number
}
