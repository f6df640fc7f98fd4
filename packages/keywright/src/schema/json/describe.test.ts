import { expect, test } from "vitest"
import * as z from "zod"
import {
  bigint,
  bytes,
  compactDay,
  compressed,
  csv,
  day,
  flag,
  id,
  int,
  json,
  keyOf,
  many,
  month,
  oneOf,
  optional,
  packedInts,
  secret,
  tagged,
  text,
  trimmed,
  unixSeconds,
} from "../../index.ts"
import type { AnyCodec } from "../codec/codec.ts"
import { describeCodec } from "./describe.ts"

test.each<[string, AnyCodec, object]>([
  ["text", text, { type: "string" }],
  ["int", int, { type: "integer" }],
  ["bigint", bigint, { type: "integer", "x-bits": 64 }],
  ["flag", flag, { type: "boolean" }],
  ["day", day, { type: "string", format: "date" }],
  ["month", month, { type: "string", pattern: "^\\d{4}-(0[1-9]|1[0-2])$" }],
  ["compactDay", compactDay, { format: "date", "x-stored": "YYYYMMDD" }],
  ["unixSeconds", unixSeconds, { format: "date-time", "x-stored": "seconds since 1970" }],
  ["bytes", bytes, { contentEncoding: "base64" }],
  ["oneOf", oneOf("push", 1), { enum: ["push", 1] }],
  ["json", json(z.object({ a: z.string() })), { type: "object", properties: { a: { type: "string" } } }],
  ["json of unknown shape", json(z.date()), {}],
  ["id", id("token", { matching: /\d+/ }), { type: "string", pattern: "^(?:\\d+)$", "x-id": "token" }],
  ["id of numbers", id("post", int, { example: "7" }), { type: "integer", examples: ["7"], "x-id": "post" }],
  [
    "many",
    many(int, ";", { length: 3 }),
    { type: "array", items: { type: "integer" }, minItems: 3, "x-separator": ";" },
  ],
  ["trimmed", trimmed(day), { format: "date" }],
  ["packedInts", packedInts, { type: "array", items: { type: "integer" }, "x-stored": "MessagePack" }],
  ["secret", secret(day), { format: "date", "x-secret": true }],
  ["optional", optional(day), { format: "date", "x-optional": true }],
  ["compressed", compressed(text), { type: "string", "x-compressed": "deflate-raw" }],
  [
    "csv",
    csv({ n: int, open: flag }),
    { type: "object", properties: { n: { type: "integer" }, open: { type: "boolean" } }, required: ["n", "open"] },
  ],
  [
    "tagged",
    tagged({ u_: id("user") }),
    { oneOf: [{ properties: { tag: { const: "u_" }, id: { type: "string", "x-id": "user" } } }] },
  ],
  ["keyOf", keyOf({ access: "AccTok:{token}" }), { oneOf: [{ "x-pattern": "AccTok:{token}" }] }],
])("%s is described for readers of JSON Schema", (_, codec, described) => {
  expect(describeCodec(codec)).toMatchObject(described)
})
