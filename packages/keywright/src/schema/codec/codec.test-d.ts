import { type } from "arktype"
import * as v from "valibot"
import { expectTypeOf, test } from "vitest"
import * as z from "zod"
import {
  bigint,
  bytes,
  compressed,
  counter,
  csv,
  day,
  delimited,
  float,
  hash,
  id,
  int,
  isoInstant,
  json,
  keyOf,
  many,
  oneOf,
  optional,
  secret,
  string,
  tagged,
  text,
  zset,
  type Codec,
  type Day,
  type Id,
  type ReadOf,
  type WriteOf,
} from "../../index.ts"
import type { ReadFields, WriteFields } from "./codec.ts"

test("simple codecs read and write one type", () => {
  expectTypeOf<ReadOf<typeof text>>().toEqualTypeOf<string>()
  expectTypeOf<ReadOf<typeof int>>().toEqualTypeOf<number>()
  expectTypeOf<ReadOf<typeof bigint>>().toEqualTypeOf<bigint>()
  expectTypeOf<ReadOf<typeof day>>().toEqualTypeOf<Day>()
  expectTypeOf<WriteOf<typeof isoInstant>>().toEqualTypeOf<Date>()
  expectTypeOf<ReadOf<typeof bytes>>().toEqualTypeOf<Uint8Array>()
  const size = oneOf("s", "m", 3)
  expectTypeOf<ReadOf<typeof size>>().toEqualTypeOf<"s" | "m" | 3>()
})

test("JSON documents have the types of their library, in both directions", () => {
  const zod = json(z.object({ n: z.number().default(0), at: z.coerce.date<string>() }))
  expectTypeOf<ReadOf<typeof zod>>().toEqualTypeOf<{ n: number; at: Date }>()
  expectTypeOf<WriteOf<typeof zod>>().toEqualTypeOf<{ n?: number | undefined; at: string }>()
  const valibot = json(v.object({ a: v.optional(v.string()) }))
  expectTypeOf<ReadOf<typeof valibot>>().toEqualTypeOf<{ a?: string | undefined }>()
  const arktype = json(type({ n: "number", "tag?": "string" }))
  expectTypeOf<ReadOf<typeof arktype>>().toEqualTypeOf<{ n: number; tag?: string }>()
  const packed = compressed(zod)
  expectTypeOf<ReadOf<typeof packed>>().toEqualTypeOf<{ n: number; at: Date }>()
})

test("an id takes plain text, and refuses another's", () => {
  const user = id("user")
  const token = id("token")
  const post = id("post", int)
  expectTypeOf<string>().toExtend<WriteOf<typeof user>>()
  expectTypeOf<ReadOf<typeof user>>().toExtend<string>()
  expectTypeOf<ReadOf<typeof user>>().not.toExtend<WriteOf<typeof token>>()
  expectTypeOf<ReadOf<typeof post>>().toExtend<number>()
  expectTypeOf<ReadOf<typeof post>>().toEqualTypeOf<Id<"post", number>>()
  expectTypeOf<string>().not.toExtend<WriteOf<typeof post>>()
  user.encode("u1")
  user.encode(user.decode("u1"))
  // @ts-expect-error a token is not a user
  user.encode(token.decode("t1"))
  // @ts-expect-error the id of a post is a number
  post.encode("1")
})

test("secret changes no type, and keeps an id's name", () => {
  const token = secret(id("token"))
  expectTypeOf<ReadOf<typeof token>>().toEqualTypeOf<Id<"token">>()
  expectTypeOf(token.id).toEqualTypeOf<"token">()
})

test("fields may be absent when they are optional", () => {
  const fields = { id: int, note: optional(text), key: optional(secret(id("token"))), raw: optional(bytes) }
  expectTypeOf<ReadFields<typeof fields>>().toEqualTypeOf<{
    id: number
    note?: string
    key?: Id<"token">
    raw?: Uint8Array
  }>()
  expectTypeOf<WriteFields<typeof fields>>().toEqualTypeOf<{
    id: number
    note?: string
    key?: Id<"token">
    raw?: Uint8Array
  }>()
  expectTypeOf(hash("a", fields)).not.toBeNever()
})

test("composites are made of their parts", () => {
  const row = delimited("#", { ip: text, n: int })
  expectTypeOf<ReadOf<typeof row>>().toEqualTypeOf<{ ip: string; n: number }>()
  const challenge = csv({ category: oneOf(1, 2), day })
  expectTypeOf<WriteOf<typeof challenge>>().toEqualTypeOf<{ category: 1 | 2; day: Day }>()
  const days = many(int)
  expectTypeOf<ReadOf<typeof days>>().toEqualTypeOf<number[]>()
  expectTypeOf<WriteOf<typeof days>>().toEqualTypeOf<readonly number[]>()
  const contact = tagged({ u_: id("user"), c_: id("channel") })
  expectTypeOf<ReadOf<typeof contact>>().toEqualTypeOf<
    { tag: "u_"; id: Id<"user"> } | { tag: "c_"; id: Id<"channel"> }
  >()
  const key = keyOf({ refresh: "RefTok:{token}", all: "Toks" })
  expectTypeOf<ReadOf<typeof key>>().toEqualTypeOf<
    | { readonly to: "refresh"; readonly params: { readonly token: string } }
    | { readonly to: "all"; readonly params: {} }
  >()
})

test("bytes stand neither in keys nor in composites", () => {
  // @ts-expect-error a segment is text
  string("a:{x}", text, { params: { x: bytes } })
  // @ts-expect-error a part is text
  many(bytes)
  // @ts-expect-error only text is compressed
  compressed(bytes)
  // @ts-expect-error a column is text
  delimited("#", { a: compressed(text) })
})

test("scores and counters are numbers", () => {
  zset("a", text, { score: float })
  zset("a", text, { score: int })
  counter("a", { value: bigint })
  // @ts-expect-error text is not a score
  zset("a", text, { score: text })
  // @ts-expect-error a day cannot be counted up
  counter("a", { value: day })
  // @ts-expect-error a flag is not a number
  zset("a", text, { score: oneOf(0, 1) })
})

test("a codec of the application's own is an object of the same shape", () => {
  const upper: Codec<string> = { ...text, name: "upper", encode: (value) => value.toUpperCase() }
  expectTypeOf<ReadOf<typeof upper>>().toEqualTypeOf<string>()
  expectTypeOf(string("a", upper)).not.toBeNever()
})
