/* The lines of an export: NDJSON. The first is the manifest, the last the closing line
 * with counts and digests; in between each line is a key, or a part of a large one. Text
 * is text; bytes that are not text are { base64 }. */

import type { Wire } from "../../driver/driver.ts"
import type { Word } from "../plan/word.ts"

/**
 * The first line of an export: where it comes from, and what it holds.
 * @example
 * const line = ({ source, time }: Manifest) => `${source}, ${time}`
 */
export interface Manifest {
  readonly format: "keywright-export"
  readonly version: 1
  readonly schema?: { readonly name?: string; readonly fingerprint: string }
  /** The server, or the file. */
  readonly source: string
  readonly time: string
  /** Empty for an RDB file: those that its lines name. */
  readonly databases: readonly number[]
  readonly match?: string
  /** Names of patterns, where not all were asked for. */
  readonly only?: readonly string[]
  readonly secrets: boolean
}

export type KeyType = "string" | "list" | "set" | "zset" | "hash" | "stream" | "other"

/**
 * A line of an export: one key, or a part of a large one.
 * @example
 * const show = ({ key, type }: KeyLine) => `${type} ${String(key)}`
 */
export interface KeyLine {
  readonly db: number
  /** Redacted where `leftOut` says so. */
  readonly key: Word
  readonly type: KeyType
  /** When it expires, in milliseconds since 1970. */
  readonly pexpireat?: number
  /** As the type has it; zset and hash as pairs, scores as the server spells them. */
  readonly value?: LineValue
  /** The next line continues with this key. */
  readonly more?: true
  /** What is missing because it is secret: all of it, or these fields. Such a line is not imported. */
  readonly leftOut?: "secret" | readonly string[]
  /** Why there is no value: it could not be read from there. */
  readonly unreadable?: string
  /** The digest of the whole key, in its last line. */
  readonly digest?: string
}

export type LineValue =
  | Word
  | readonly Word[]
  | readonly (readonly [Word, Word])[]
  | StreamValue
  | { readonly dump: string }

export interface StreamValue {
  readonly entries: readonly (readonly [id: string, fields: readonly Word[]])[]
  /** In the last line of the key. */
  readonly end?: StreamEnd
}

export interface StreamEnd {
  readonly lastId: string
  readonly added?: number
  readonly maxDeletedId?: string
  readonly groups: readonly StreamGroup[]
}

export interface StreamGroup {
  readonly name: Word
  readonly lastId: string
  readonly read?: number
  readonly consumers: readonly Word[]
  /** Id, consumer, when it was delivered, how often. */
  readonly pending: readonly (readonly [string, Word, number, number])[]
}

/**
 * The last line of an export: what it must contain, so that one that was cut off is noticed.
 * @example
 * const isLast = (line: object): line is Closing => "end" in line
 */
export interface Closing {
  readonly end: true
  readonly keys: number
  /** Keys of which something was left out, because it is secret. */
  readonly leftOut: number
  /** Keys without a value, because they could not be read. */
  readonly unreadable: number
  /** Why the first of them could not be read. */
  readonly unreadableReason?: string
  /** By pattern: how many keys, and a digest of them all in any order. */
  readonly patterns: Readonly<Record<string, { readonly keys: number; readonly digest: string }>>
}

/** Text as it is, bytes as base64: for one line. */
export const lineWord = (wire: Wire): Word =>
  typeof wire === "string" ? wire : { base64: Buffer.from(wire).toString("base64") }
