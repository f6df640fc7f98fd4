/* Random pairs of schemas for one entry: several changes at once, the same for the same number. */

import * as z from "zod"
import { chance } from "../../../../../../test/random.ts"
import {
  compactDay,
  day,
  entity,
  float,
  hash,
  int,
  json,
  keyspace,
  list,
  oneOf,
  optional,
  set,
  sliding,
  string,
  text,
  unixMillis,
  unixSeconds,
  zset,
  type Keyspace,
} from "../../../index.ts"
import type { AnyCodec } from "../../../schema/codec/codec.ts"
import { status, type Scene } from "./scene.cases.ts"

type Entry = Parameters<typeof keyspace>[0][string]
/** One of several, by chance. */
type Pick = <T>(all: readonly T[]) => T

const codecs: readonly AnyCodec[] = [
  text,
  int,
  float,
  day,
  compactDay,
  unixSeconds,
  unixMillis,
  oneOf("a", "b"),
  oneOf("a"),
  int({ min: 0 }),
  json(status("x", "y")),
  json(status("x")),
]
const members: readonly AnyCodec[] = [text, int, day, oneOf("a", "b"), oneOf("a")]
const ttls = ["never", "1d", "30d", sliding("1d")] as const
const patterns = ["x:{id}", "x:{id}", "x:{id}", "y:{id}"] as const
const params = [text, text, int] as const

const notes = (pick: Pick) => ({ ttl: pick(ttls), params: { id: pick(params) } })

/** A key of each kind, with what may vary in it. */
const kinds: Readonly<Record<string, (pick: Pick) => Entry>> = {
  string: (pick) => string(pick(patterns), pick(codecs), notes(pick)),
  hash: (pick) =>
    hash(
      pick(patterns),
      {
        a: text,
        ...pick([{}, { b: pick(members) }, { b: optional(pick(members)) }]),
        ...pick([{}, { c: oneOf("x", "y") }, { c: oneOf("x") }]),
      } as never,
      notes(pick),
    ),
  list: (pick) => list(pick(patterns), pick(members), { ...notes(pick), ...pick([{}, { keep: 3 }, { keep: 30 }]) }),
  set: (pick) => set(pick(patterns), pick(members), notes(pick)),
  zset: (pick) =>
    zset(pick(patterns), pick([text, int, int({ min: 0 })] as const), {
      ...notes(pick),
      score: pick([float, float, unixSeconds, unixMillis] as never[]),
      ...pick([{}, { keep: 3 }]),
    }),
  document: (pick) =>
    string(
      pick(patterns),
      json(
        z.object({
          status: z.enum(pick([["new"], ["new", "paid"], ["new", "paid", "sent"]] as [string, ...string[]][])),
          ...pick([{}, { note: z.string() }, { note: z.string().optional() }, { note: z.int() }]),
          ...pick([{}, { total: z.number().min(0) }, { total: z.number() }]),
        }),
      ),
      notes(pick),
    ),
}

const records = [
  { id: "1", name: "Ada", email: "ada@example.com", age: 36 },
  { id: "2", name: "Bob", email: "bob@example.com", age: 7 },
  { id: "3", name: "Ada", email: "ada@example.com", age: 36 },
]
const person = z.object({ id: z.string(), name: z.string(), email: z.string(), age: z.int() })

const people = (pick: Pick): Entry =>
  entity(pick(["x:{id}", "x:{id}", "x:{id}", "z:{id}"] as const), json(person), {
    ...pick([{}, { index: { name: "x:name:{name}" } }, { index: { name: ["x:name:{name}", "name:{name}:x"] } }]),
    ...pick([{}, { unique: { email: "x:email:{email}" } }]),
    ...pick([{}, { all: "x:all" }, { all: "x:list" }]),
    ...pick([{}, { counter: "x:next" }]),
    ...pick([{}, {}, { stamps: ["createdAt"] }]),
  } as never) as Entry

export function compounds(count: number): Scene[] {
  const below = chance(42)
  const pick: Pick = (all) => all[below(all.length)]!
  const makers = Object.entries(kinds)
  return Array.from({ length: count }, (_, i) => {
    const isEntity = i % 4 === 3
    const [kind, make] = makers[Math.floor(i * 0.75) % makers.length]!
    const [one, other] = isEntity ? [people(pick), people(pick)] : [make(pick), make(pick)]
    return {
      title: `compound ${i}, ${isEntity ? "entity" : kind}`,
      codes: ["CODEC.REPLACED"],
      before: keyspace({ x: one }, { ttl: "never" }) as Keyspace,
      after: keyspace({ x: other }, { ttl: "never" }) as Keyspace,
      ...(isEntity && { records: { before: records, after: records } }),
    }
  })
}
