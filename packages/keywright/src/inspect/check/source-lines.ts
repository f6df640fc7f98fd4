/* Where in its source a key is declared: what a finding points at. The source is text
 * here; it is searched for the key's own pattern, near the name of its entry. */

import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"

export interface SourceFile {
  readonly file: string
  readonly text: string
}

export interface SourceLine {
  readonly file: string
  /** From 1. */
  readonly line: number
}

/** Finds keys by name. */
export function sourceLines(keyspace: Keyspace, sources: readonly SourceFile[]): (key: Key) => SourceLine | undefined {
  const found = new Map<string, SourceLine | undefined>()
  return (key) => {
    if (!found.has(key.name)) found.set(key.name, lineOf(keyspace, sources, key))
    return found.get(key.name)
  }
}

function lineOf(keyspace: Keyspace, sources: readonly SourceFile[], key: Key): SourceLine | undefined {
  const path = (key.entity?.name ?? key.name).split(".")
  const own = ownPattern(keyspace, path)
  const named = new RegExp(`(?<![\\w.])${escape(path.at(-1) as string)}\\s*[:=]`)
  const texts = key.entity ? [key.pattern, own] : [own, key.pattern]
  for (const text of texts) {
    if (text === undefined || text === "") continue
    const places = sources.flatMap((source) => quotedIn(source, text))
    // Several are spelled the same: the one beside the entry's name is meant.
    const place = places.find(({ file, line }) => named.test(lineText(sources, file, line))) ?? places[0]
    if (place) return place
  }
  return sources.flatMap((source) => matchesIn(source, named)).at(0)
}

/** The pattern as it is spelled, without what groups put before it. */
function ownPattern({ entries }: Keyspace, path: readonly string[]): string | undefined {
  let at: unknown = { entries }
  for (const name of path) at = (at as { entries?: Record<string, unknown> } | undefined)?.entries?.[name]
  return (at as { pattern?: string } | undefined)?.pattern
}

/** Where a text appears in quotes. */
export const quotedIn = (source: SourceFile, text: string): SourceLine[] =>
  matchesIn(source, new RegExp(`["'\`]${escape(text)}["'\`]`))

const matchesIn = ({ file, text }: SourceFile, pattern: RegExp): SourceLine[] =>
  text
    .split("\n")
    .flatMap((line, i) => (pattern.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line) ? [{ file, line: i + 1 }] : []))

const lineText = (sources: readonly SourceFile[], file: string, line: number): string =>
  sources.find((source) => source.file === file)?.text.split("\n")[line - 1] ?? ""

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
