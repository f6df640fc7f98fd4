/* Two codecs of one place: what the one makes of what the other stores. Decided by trying
 * it, with texts that distinguish codecs, so that no table of codec pairs is needed. */

import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { codecFrom } from "../../schema/json/codec-from-spec.ts"
import { bare, ownTexts, reads, samplesOf, type StoredSample } from "./codec-samples.ts"
import { worse, type TableVerdict, type Verdicts } from "./verdict.ts"

export type ReadOutcome = "works" | "fails" | "silent"

/** How each side reads what the other stores. */
export interface CodecPair {
  readonly oldReader: ReadOutcome
  readonly newReader: ReadOutcome
}

/** What the old side makes of what the new one stores, and the other way round. */
function bothWays<T>(
  before: CodecSpec,
  after: CodecSpec,
  judge: (stored: readonly StoredSample[], writer: AnyCodec, reader: AnyCodec) => T,
): { readonly oldReader: T; readonly newReader: T } {
  const [one, other] = [codecFrom(before), codecFrom(after)]
  return {
    oldReader: judge(samplesOf(after, ownTexts(before)), other, one),
    newReader: judge(samplesOf(before, ownTexts(after)), one, other),
  }
}

export const comparePair = (before: CodecSpec, after: CodecSpec): CodecPair => bothWays(before, after, reading)

/** Whether there is a text that the one stores and the other takes, whatever it takes it for. */
export function takesAny(stored: CodecSpec, read: CodecSpec): boolean {
  const reader = codecFrom(read)
  return samplesOf(stored, ownTexts(read)).some((raw) => reads(() => decode(reader, raw)))
}

/** As a segment of a key: the same id leads to the same key, to another one, or is refused. */
export const compareSegments = (before: CodecSpec, after: CodecSpec): CodecPair =>
  bothWays(before, after, (stored, writer, reader) =>
    worst(stored.filter(isSegment).map((text) => naming(text as string, writer, reader))),
  )

/**
 * As a member of a set or a field of a map, which programs also look up: whether both sides spell a value the same way. A
 * value that a side cannot spell is one that it never looks up.
 */
export function isSpelledAlike(before: CodecSpec, after: CodecSpec): boolean {
  const { oldReader, newReader } = bothWays(before, after, (stored, writer, reader) => {
    if (writer.decodeBytes || reader.decodeBytes) return true
    return stored.every((text) => {
      const value = writer.decode(text as string)
      const found = spelled(reader, value)
      return found === undefined || found === writer.encode(value)
    })
  })
  return oldReader && newReader
}

const isSegment = (text: StoredSample): boolean => text !== "" && !/\s/.test(text as string)

/** The verdicts that follow for old and new readers and writers: a writer that reads first fails as a reader does. */
export const pairVerdicts = ({ oldReader, newReader }: CodecPair): Verdicts => ({
  oldReader,
  newReader,
  oldWriter: worse<TableVerdict>(newReader, updating(oldReader)),
  newWriter: updating(newReader),
})

const updating = (read: ReadOutcome): TableVerdict => (read === "fails" ? "fails to read" : read)

const reading = (stored: readonly StoredSample[], writer: AnyCodec, reader: AnyCodec): ReadOutcome =>
  worst(
    stored.map((raw) => {
      let got: unknown
      try {
        got = decode(reader, raw)
      } catch {
        return "fails"
      }
      return means(raw, writer, reader, got) ? "works" : "silent"
    }),
  )

const worst = (found: readonly ReadOutcome[]): ReadOutcome => found.reduce(worse, "works")

function naming(text: string, writer: AnyCodec, reader: AnyCodec): ReadOutcome {
  const id = writer.decode(text)
  let same: unknown
  try {
    same = reader.decode(text)
  } catch {
    return spelled(reader, id) === undefined ? "fails" : "silent"
  }
  return means(text, writer, reader, same) ? "works" : "silent"
}

/** How the other codec spells an id, if it can. */
function spelled(codec: AnyCodec, id: unknown): unknown {
  const number = Number(id)
  for (const form of [id, String(id), ...(String(number) === id ? [number] : [])]) {
    try {
      return codec.encode(form)
    } catch {
      // Another form of the same id may do.
    }
  }
  return undefined
}

const decode = (codec: AnyCodec, raw: StoredSample): unknown =>
  codec.decodeBytes
    ? codec.decodeBytes(typeof raw === "string" ? Buffer.from(raw) : raw)
    : codec.decode(typeof raw === "string" ? raw : Buffer.from(raw).toString())

/** Text and bytes are what is stored: a program that reads or writes them like that does not change their meaning. */
function means(raw: StoredSample, writer: AnyCodec, reader: AnyCodec, got: unknown): boolean {
  const sent = decode(writer, raw)
  if (isRaw(reader) && !packs(writer)) return Buffer.from(got as string | Uint8Array).equals(Buffer.from(raw))
  if (isRaw(writer) && !packs(reader)) return true
  return meaning(sent) === meaning(got)
}

const isRaw = (codec: AnyCodec): boolean => isRawSpec(codec.spec)

/** Whether it takes what is stored as it is. */
export function isRawSpec(given: CodecSpec): boolean {
  const spec = bare(given)
  if (spec.codec === "id" || spec.codec === "trimmed") return isRawSpec(spec.of)
  return spec.codec === "text" || spec.codec === "bytes" || spec.codec === "value"
}

const packs = (codec: AnyCodec): boolean =>
  ["compressed", "messagePack", "packedInts", "php", "quoted"].includes(bare(codec.spec).codec)

/** A value without the type that it has in code: 5, 5n and "5" are one number; columns by their place. */
function meaning(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString("latin1")
  if (Array.isArray(value)) return `[${value.map(meaning).join("\u0000")}]`
  if (typeof value === "object" && value !== null) return `[${Object.values(value).map(meaning).join("\u0000")}]`
  return String(value)
}
