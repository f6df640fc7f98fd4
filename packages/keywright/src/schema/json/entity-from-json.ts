/* Entities of the JSON form. */

import { jsonFormType } from "../../errors/json-form.ts"
import type { Codec } from "../codec/codec.ts"
import { entity, replicated, type Durability, type IndexOptions, type Stamp } from "../entity.ts"
import { readCodec, readTextCodec } from "./codec-from-spec.ts"
import { noteNames, readNotes } from "./notes-from-json.ts"
import * as read from "./read.ts"
import type { AtPath } from "./read.ts"

const stampNames = ["createdAt", "updatedAt", "createdBy", "updatedBy"] as const satisfies Stamp[]

const readers = {
  params: (params: AtPath) => read.record(params, readTextCodec),
  ids: (ids: AtPath) => read.word(ids, ["counter", "uuid", "given"]),
  counter: read.pattern,
  all: read.pattern,
  unique: (unique: AtPath) => read.record(unique, readIndex),
  index: (index: AtPath) => read.record(index, readIndex),
  stamps: (stamps: AtPath) => read.items(stamps).map((stamp) => read.word(stamp, stampNames)),
  quoted: read.flag,
  durability: readDurability,
}

export function readEntity(at: AtPath) {
  const from = read.fields(at, ["kind", "pattern", "store", ...Object.keys(readers), ...noteNames])
  const pattern = read.pattern(read.need(from, "pattern", at))
  const store = readStore(read.need(from, "store", at))
  const options = read.present(from, readers)
  // The types of a record that is known only as data: any index may name any field.
  const declare = entity as (pattern: string, store: Codec<object>, options: object) => ReturnType<typeof entity>
  return read.declared(at, () => declare(pattern, store as Codec<object>, { ...readNotes(from), ...options }))
}

function readStore(at: AtPath) {
  const as = read.word(read.need(read.fields(at), "as", at), ["json", "hash"])
  const place = as === "json" ? "value" : "fields"
  const of = read.need(read.fields(at, ["as", place]), place, at)
  return as === "json" ? readTextCodec(of) : read.record(of, readCodec)
}

function readIndex(at: AtPath): IndexOptions {
  const from = read.fields(at, ["patterns", "where", "score"])
  const patterns = read.items(read.need(from, "patterns", at)).map(read.pattern)
  if (patterns.length === 0) throw jsonFormType(`${at.path}.patterns`, "at least one pattern", patterns)
  const where = (of: AtPath) => read.record(of, readScalar)
  return { patterns: patterns as [string], ...read.present(from, { where, score: read.text }) } as IndexOptions
}

function readScalar({ value, path }: AtPath): string | number | boolean {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  throw jsonFormType(path, "text, a number or a flag", value)
}

export function readDurability(at: AtPath): Durability {
  if (at.value === "fast") return "fast"
  const replicas = read.whole(read.need(read.fields(at, ["replicas"]), "replicas", at))
  return read.declared(at, () => replicated(replicas))
}
