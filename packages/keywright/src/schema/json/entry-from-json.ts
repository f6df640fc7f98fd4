/* Entries of the JSON form: keys, groups and entities. */

import { jsonFormCodec } from "../../errors/json-form.ts"
import type { AnyCodec, AnyNumericCodec, CodecFields, TextCodec } from "../codec/codec.ts"
import {
  bitmap,
  counter,
  geo,
  hash,
  hyperloglog,
  list,
  map,
  set,
  stream,
  string,
  zset,
  type Capped,
  type Kind,
} from "../define.ts"
import { database, family, scope, type Entries } from "../group.ts"
import { sharded } from "../sharded.ts"
import { readCodec, readTextCodec } from "./codec-from-spec.ts"
import { readEntity } from "./entity-from-json.ts"
import { noteNames, readNotes } from "./notes-from-json.ts"
import * as read from "./read.ts"
import type { AtPath } from "./read.ts"

type Entry = Entries[string]
type Options = Capped<Record<string, never>>
/** The places of a shape, each read when the kind asks for it. */
interface ShapeReader {
  codec(place: string): AnyCodec
  text(place: string): TextCodec
  numeric(place: string): AnyNumericCodec | undefined
  fields(): CodecFields
}

/** For each kind: the places of its shape, and its declaration. */
const kinds: Record<
  Kind,
  { readonly places: readonly string[]; readonly make: (p: string, s: ShapeReader, o: Options) => Entry }
> = {
  string: { places: ["value"], make: (p, s, o) => string(p, s.codec("value"), o) },
  counter: { places: ["value"], make: (p, s, o) => counter(p, { ...o, ...maybe("value", s.numeric("value")) }) },
  hash: { places: ["fields"], make: (p, s, o) => hash(p, s.fields(), o) },
  map: { places: ["field", "value"], make: (p, s, o) => map(p, s.text("field"), s.codec("value"), o) },
  list: { places: ["item"], make: (p, s, o) => list(p, s.codec("item"), o) },
  set: { places: ["member"], make: (p, s, o) => set(p, s.codec("member"), o) },
  zset: {
    places: ["member", "score"],
    make: (p, s, o) => zset(p, s.codec("member"), { ...o, ...maybe("score", s.numeric("score")) }),
  },
  stream: { places: ["fields"], make: (p, s, o) => stream(p, s.fields(), o) },
  bitmap: { places: [], make: (p, _, o) => bitmap(p, o) },
  hyperloglog: { places: ["member"], make: (p, s, o) => hyperloglog(p, s.codec("member"), o) },
  geo: { places: ["member"], make: (p, s, o) => geo(p, s.codec("member"), o) },
}

const groupNoteNames = noteNames.filter((name) => name !== "secret" && name !== "reserved")
const capped: readonly string[] = ["list", "zset", "stream"] satisfies Kind[]
const kindNames = [...(Object.keys(kinds) as Kind[]), "entity" as const]

export const readEntries = (at: AtPath): Entries => read.record(at, readEntry)

function readEntry(at: AtPath): Entry {
  const found = read.fields(at)
  if (found.has("group")) return readGroup(at)
  const kind = read.word(read.need(found, "kind", at), kindNames)
  return kind === "entity" ? readEntity(at) : readDef(at, kind)
}

function readDef(at: AtPath, kind: Kind): Entry {
  const { places, make } = kinds[kind]
  const from = read.fields(at, [
    "kind",
    "pattern",
    "params",
    "shape",
    ...(capped.includes(kind) ? ["keep"] : []),
    ...noteNames,
  ])
  const options = { ...readNotes(from), ...read.present(from, { params: readParams, keep: read.whole }) } as Options
  const pattern = read.pattern(read.need(from, "pattern", at))
  const shape = from.get("shape") ?? { value: {}, path: `${at.path}.shape`, depth: at.depth + 1 }
  return read.declared(at, () => make(pattern, shapeOf(shape, places), options))
}

function shapeOf(at: AtPath, places: readonly string[]): ShapeReader {
  const from = read.fields(at, places)
  const place = (name: string) => read.need(from, name, at)
  return {
    codec: (name) => readCodec(place(name)),
    text: (name) => readTextCodec(place(name)),
    numeric: (name) => {
      const found = from.get(name) && readCodec(place(name))
      if (found && !found.numeric) throw jsonFormCodec(`${at.path}.${name}`, `${found.name} is not a number`)
      return found as AnyNumericCodec | undefined
    },
    fields: () => read.record(place("fields"), readCodec),
  }
}

function readGroup(at: AtPath): Entry {
  const group = read.word(read.need(read.fields(at), "group", at), ["scope", "database", "family", "sharded"])
  const own = {
    database: ["db", "name"],
    scope: ["prefix"],
    family: ["prefix", "marker"],
    sharded: ["shards", "by", "checksumOf", "startOf"],
  }[group]
  const from = read.fields(at, ["group", ...own, "params", "entries", ...groupNoteNames])
  const need = (name: string) => read.need(from, name, at)
  const entries = readEntries(need("entries"))
  const notes = { ...readNotes(from), ...read.present(from, { params: readParams }) }
  return read.declared(at, () => {
    if (group === "database") return database(read.whole(need("db")), read.text(need("name")), entries, notes)
    if (group === "sharded") {
      const sums = read.present(from, { checksumOf: names, startOf: names })
      return sharded(read.whole(need("shards")), read.text(need("by")), entries, { ...notes, ...sums })
    }
    const prefix = read.pattern(need("prefix"))
    if (group === "scope") return scope(prefix, entries, notes)
    const marker = read.present(from, { marker: read.text }) as { marker?: never }
    return family(prefix, { ...notes, ...marker, ttl: read.text(need("ttl")) as `${number}s` }, entries)
  })
}

const names = (at: AtPath) => read.items(at).map(read.text)

const readParams = (at: AtPath) => read.record(at, readTextCodec)

const maybe = <N extends string, T>(name: N, value: T | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [P in N]?: T }
