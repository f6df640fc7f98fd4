/* Every codec with values that it takes, values and texts that it refuses, and an
 * arbitrary that makes values: one table for the laws (codec-laws.test.ts) and for
 * the way to a spec and back (json/codec-from-spec.test.ts). */

import { type } from "arktype"
import * as fc from "fast-check"
import * as v from "valibot"
import * as z from "zod"
import { anyOf } from "./any-of.ts"
import { bytes, compressed } from "./bytes.ts"
import type { AnyCodec } from "./codec.ts"
import { compactDay, day, isoInstant, month, unixMillis, unixSeconds } from "./date.ts"
import { csv, delimited, many } from "./delimited.ts"
import { flag, looseFlag } from "./flag.ts"
import { id, tagged } from "./id.ts"
import { jackson } from "./jackson.ts"
import { json } from "./json.ts"
import { keyOf } from "./key-of.ts"
import { messagePack } from "./message-pack.ts"
import { bigint, decimal, float, int } from "./number.ts"
import { oneOf } from "./one-of.ts"
import { packedInts } from "./packed.ts"
import { php } from "./php.ts"
import { text } from "./text.ts"
import { quoted } from "./quoted.ts"
import { optional, secret, trimmed } from "./wrap.ts"

export interface CodecCase {
  readonly name: string
  readonly codec: AnyCodec
  /** Values of every size and shape that it takes. */
  readonly any: fc.Arbitrary<unknown>
  /** Values worth naming, which it takes. */
  readonly values: readonly unknown[]
  /** Values that it refuses to write, each with its code. */
  readonly refused: readonly (readonly [value: unknown, code: string])[]
  /** Texts that it refuses to read, each with its code. */
  readonly refusedRaw: readonly (readonly [raw: string, code: string])[]
}

const wellFormed = fc.string({ unit: "grapheme" })
const word = fc.stringMatching(/^[\w.-]{1,20}$/)
const anyDate = fc.date({
  min: new Date("0000-01-01T00:00:00.000Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
})
const anyDay = anyDate.map((date) => date.toISOString().slice(0, 10))
const noDay = [
  "2011-10-3",
  "2011-02-30",
  "2011-13-01",
  "2011-10",
  "",
  "today",
  "02011-10-03",
  "2011-10-03 ",
  "２０１１-10-03",
]
const instants = [
  new Date(0),
  new Date(-1),
  new Date(1),
  new Date("0000-01-01T00:00:00.000Z"),
  new Date("9999-12-31T23:59:59.999Z"),
]
const noInstant = [
  [new Date(Number.NaN), "CODEC.INSTANT"],
  [new Date(8.64e15), "CODEC.INSTANT"],
  [new Date("-000001-12-31T23:59:59.999Z"), "CODEC.INSTANT"],
  [0, "CODEC.INSTANT"],
  ["2011-10-03", "CODEC.INSTANT"],
  [undefined, "CODEC.INSTANT"],
] as const

const refuse = (code: string, ...found: readonly unknown[]) => found.map((one) => [one, code] as const)
const refuseRaw = (code: string, ...found: readonly string[]) => found.map((one) => [one, code] as const)

const Item = { qty: 1, name: "Widget", tags: ["a", ""], nested: { deep: null } }
const anyItem = fc.record({
  qty: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0 || 0),
  name: fc.string({ unit: "binary" }),
  tags: fc.array(wellFormed),
  nested: fc.record({ deep: fc.constant(null) }),
})
const itemSchema = z.object({
  qty: z.number(),
  name: z.string(),
  tags: z.array(z.string()),
  nested: z.object({ deep: z.null() }),
})
const jsonCase = (name: string, codec: AnyCodec): CodecCase => ({
  name: `json (${name})`,
  codec,
  any: anyItem,
  values: [Item, { ...Item, name: "\u2028 \ud800 \u0000" }],
  refused: refuse("CODEC.JSON_SCHEMA", undefined, null, {}, [], { ...Item, qty: "1" }, { ...Item, nested: {} }),
  refusedRaw: [
    ...refuseRaw("CODEC.JSON", "", "{", "undefined", "{'a':1}"),
    ...refuseRaw("CODEC.JSON_SCHEMA", "{}", "null", "1"),
  ],
})

export const codecs: readonly CodecCase[] = [
  {
    name: "text",
    codec: text,
    any: wellFormed,
    values: ["", "a", "é\u{1f600}", "\u0000\r\n", " ", "__proto__"],
    refused: refuse("CODEC.TEXT", 1, undefined, null, {}, "\ud800", new String("a")),
    refusedRaw: [],
  },
  {
    name: "int",
    codec: int,
    any: fc.maxSafeInteger(),
    values: [0, -1, 2 ** 53 - 1, -(2 ** 53 - 1)],
    refused: refuse("CODEC.INT", 1.5, 2 ** 53, -(2 ** 53), NaN, Infinity, "1", 1n, undefined),
    refusedRaw: refuseRaw(
      "CODEC.INT",
      "",
      "1.0",
      "01",
      "+1",
      "-0",
      " 1",
      "1e3",
      "0x10",
      "9007199254740992",
      "9007199254740993",
      "١",
    ),
  },
  {
    name: "int with both bounds",
    codec: int({ min: 0, max: 4 }),
    any: fc.integer({ min: 0, max: 4 }),
    values: [0, 4],
    refused: [...refuse("CODEC.BOUNDS", -1, 5, 2 ** 53 - 1), ...refuse("CODEC.INT", 1.5, "1", undefined)],
    refusedRaw: [...refuseRaw("CODEC.BOUNDS", "-1", "5", "99"), ...refuseRaw("CODEC.INT", "", "01", "4.0")],
  },
  {
    name: "int with one bound",
    codec: int({ max: -1 }),
    any: fc.integer({ min: -(2 ** 31), max: -1 }),
    values: [-1, -(2 ** 53 - 1)],
    refused: refuse("CODEC.BOUNDS", 0, 1),
    refusedRaw: refuseRaw("CODEC.BOUNDS", "0", "7"),
  },
  {
    name: "float with bounds",
    codec: float({ min: -1.5, max: 0 }),
    any: fc.double({ min: -1.5, max: 0, noNaN: true }),
    values: [-1.5, -0.1, 0, -0],
    refused: [...refuse("CODEC.BOUNDS", 1e-9, -1.6, Infinity, -Infinity), ...refuse("CODEC.FLOAT", NaN, "0")],
    refusedRaw: [...refuseRaw("CODEC.BOUNDS", "0.1", "-2", "inf", "-inf"), ...refuseRaw("CODEC.FLOAT", "", "nan")],
  },
  {
    name: "float without an end",
    codec: float({ max: 0 }),
    any: fc.double({ min: -1e300, max: 0, noNaN: true }),
    values: [-23, -Number.MAX_VALUE],
    refused: refuse("CODEC.BOUNDS", 5, -Infinity),
    refusedRaw: refuseRaw("CODEC.BOUNDS", "5", "-inf"),
  },
  {
    name: "a choice of codecs",
    codec: anyOf(compactDay, oneOf("total"), int({ min: 0, max: 9 })),
    any: fc.oneof(anyDay, fc.constant("total"), fc.integer({ min: 0, max: 9 })),
    values: ["2011-10-03", "total", 0, 9],
    refused: refuse("CODEC.ANY_OF", "yesterday", 10, "2011-10-3", undefined, null),
    refusedRaw: refuseRaw("CODEC.ANY_OF", "", "Total", "2011-10-03", "20111303", "10"),
  },
  {
    name: "a choice in which a text is written by the codec that reads it",
    codec: anyOf(int, text),
    any: fc.oneof(fc.maxSafeInteger(), fc.stringMatching(/^[a-z]{1,9}$/)),
    values: [7, "seven", ""],
    refused: refuse("CODEC.ANY_OF", "7", {}),
    refusedRaw: [],
  },
  {
    name: "bigint",
    codec: bigint,
    any: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    values: [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 9007199254740993n],
    refused: refuse("CODEC.BIGINT", 1, 2n ** 63n, -(2n ** 63n) - 1n, "1", undefined),
    refusedRaw: refuseRaw(
      "CODEC.BIGINT",
      "",
      "1.0",
      "01",
      "-0",
      "9223372036854775808",
      "9".repeat(100_000),
      "0x1",
      "1n",
    ),
  },
  {
    name: "float",
    codec: float,
    any: fc.double({ noNaN: true }),
    values: [0, -0, 1.5, 1e20, 1e21, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, Infinity, -Infinity, 0.1 + 0.2],
    refused: refuse("CODEC.FLOAT", NaN, "1", 1n, undefined, null),
    refusedRaw: refuseRaw("CODEC.FLOAT", "", "nan", "NaN", "Infinity", "1e400", "1,5", "0x10", " 1", "1 ", "--1", "."),
  },
  {
    name: "decimal",
    codec: decimal,
    any: fc.stringMatching(/^-?\d{1,30}(\.\d{1,30})?$/),
    values: ["0", "19.90", "-0.00", "123456789012345678901234567890.12"],
    refused: refuse("CODEC.DECIMAL", 19.9, "19,90", "", ".5", "5.", "1e3", "+1", undefined),
    refusedRaw: refuseRaw("CODEC.DECIMAL", "", "1e3", "NaN", "1.", " 1"),
  },
  {
    name: "flag",
    codec: flag,
    any: fc.boolean(),
    values: [true, false],
    refused: refuse("CODEC.FLAG", 1, 0, "1", "true", null, undefined),
    refusedRaw: refuseRaw("CODEC.FLAG", "", "2", "true", "01"),
  },
  {
    name: "looseFlag",
    codec: looseFlag,
    any: fc.boolean(),
    values: [true, false],
    refused: refuse("CODEC.FLAG", 1, "True", null, undefined),
    refusedRaw: refuseRaw("CODEC.FLAG", "", "2", "TRUE", "yes", "toString", "__proto__"),
  },
  {
    name: "packedInts",
    codec: packedInts,
    any: fc.array(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -200, max: 200 })).map((n) => n + 0 || 0)),
    values: [[], [0, 127, 128, -1, -32, -33, 2 ** 32 - 1, 2 ** 32, -(2 ** 31), 2 ** 53 - 1, 1 - 2 ** 53]],
    refused: refuse("CODEC.PACKED", 1, "1", undefined, [1.5], ["1"], [2 ** 53], [undefined], [Number.NaN]),
    refusedRaw: refuseRaw(
      "CODEC.PACKED",
      "",
      "x",
      "\u0092\u0001",
      "\u0091\u0001\u0001",
      "\u00dd\u00ff\u00ff\u00ff\u00ff",
    ),
  },
  {
    name: "trimmed",
    codec: trimmed(int),
    any: fc.maxSafeInteger().map((n) => n + 0 || 0),
    values: [0, -7],
    refused: refuse("CODEC.INT", "1", 1.5, undefined),
    refusedRaw: refuseRaw("CODEC.INT", "", " ", "1 2"),
  },
  {
    name: "trimmed text",
    codec: trimmed(text),
    any: wellFormed.map((word) => word.trim()),
    values: ["", "a b"],
    refused: [...refuse("CODEC.TRIMMED", " a", "a\n"), ...refuse("CODEC.TEXT", 1)],
    refusedRaw: [],
  },
  {
    name: "quoted",
    codec: quoted(text),
    any: wellFormed,
    values: ["", "123", 'a "b"', "\\", "\n\u001f", "ü"],
    refused: refuse("CODEC.TEXT", 1, undefined),
    refusedRaw: refuseRaw("CODEC.QUOTED", '"', '"a', '"a"b"', '"\\x"', '"\n"'),
  },
  {
    name: "oneOf",
    codec: oneOf("push", "sms", "a#b*c+d\\e", 1, 2.5),
    any: fc.constantFrom("push", "sms", "a#b*c+d\\e", 1, 2.5),
    values: ["push", 1, 2.5],
    refused: refuse("CODEC.ONE_OF", "PUSH", "1", 2, undefined, null, ""),
    refusedRaw: refuseRaw("CODEC.ONE_OF", "", "1.0", "toString", "__proto__"),
  },
  {
    name: "day",
    codec: day,
    any: anyDay,
    values: ["2011-10-03", "2024-02-29", "0000-01-01", "9999-12-31"],
    refused: refuse("CODEC.DAY", ...noDay, new Date(), undefined, 20111003),
    refusedRaw: refuseRaw("CODEC.DAY", ...noDay),
  },
  {
    name: "month",
    codec: month,
    any: anyDay.map((one) => one.slice(0, 7)),
    values: ["2011-10", "0000-01"],
    refused: refuse("CODEC.MONTH", "2011-13", "2011-00", "2011-1", "2011-10-03", "", undefined),
    refusedRaw: refuseRaw("CODEC.MONTH", "2011-13", "2011-10-03", "", "2011-10\n"),
  },
  {
    name: "compactDay",
    codec: compactDay,
    any: anyDay,
    values: ["2011-10-03"],
    refused: refuse("CODEC.DAY", "20111003", "2011-02-30", undefined),
    refusedRaw: [...refuseRaw("CODEC.COMPACT_DAY", "2011-10-03", "2011103", ""), ...refuseRaw("CODEC.DAY", "20110230")],
  },
  {
    name: "unixSeconds",
    codec: unixSeconds,
    any: anyDate,
    values: [...instants, new Date(1_317_648_600_123)],
    refused: noInstant,
    refusedRaw: refuseRaw(
      "CODEC.INSTANT",
      "",
      " ",
      " 1",
      "0x10",
      "1e300",
      "inf",
      "nan",
      "1e400",
      "2011-10-03",
      "+1",
      "1.",
    ),
  },
  {
    name: "unixMillis",
    codec: unixMillis,
    any: anyDate,
    values: instants,
    refused: noInstant,
    refusedRaw: refuseRaw("CODEC.INSTANT", "", " ", "1.5", "0x10", "1e3", "-0", "01", "999999999999999999"),
  },
  {
    name: "isoInstant",
    codec: isoInstant,
    any: anyDate,
    values: instants,
    refused: noInstant,
    refusedRaw: refuseRaw(
      "CODEC.INSTANT",
      "",
      "2011-10-03",
      "2011-10-03T13:30:00",
      "2011-10-03T13:30:00+02:00",
      "2011-02-30T00:00:00Z",
      "2011-10-03T24:00:00Z",
      "2011-10-03T13:30:60Z",
    ),
  },
  {
    name: "id",
    codec: id("token", { matching: /[0-9a-f]+|x/, allow: ":", example: "eb93" }),
    any: fc.stringMatching(/^[0-9a-f]{1,40}$/),
    values: ["0", "x", "eb93"],
    refused: [...refuse("CODEC.ID", "", "y", "xx", "0\n", "EB"), ...refuse("CODEC.TEXT", 1, undefined)],
    refusedRaw: refuseRaw("CODEC.ID", "", "y", "0x"),
  },
  {
    name: "id of numbers",
    codec: id("post", int, { matching: /[1-9]\d*/ }),
    any: fc.integer({ min: 1 }),
    values: [1, 42],
    refused: [...refuse("CODEC.ID", 0, -1), ...refuse("CODEC.INT", 1.5, "1")],
    refusedRaw: [...refuseRaw("CODEC.ID", "0", "", "a")],
  },
  {
    name: "tagged",
    codec: tagged({ u_: id("user"), c_: id("channel"), us: text, u: text }),
    any: fc.oneof(
      fc.record({ tag: fc.constantFrom("u_", "c_", "us"), id: wellFormed.filter((one) => one !== "") }),
      fc.record({ tag: fc.constant("u"), id: wellFormed.filter((one) => one !== "" && !/^[_s]./s.test(one)) }),
    ),
    values: [
      { tag: "u_", id: "1" },
      { tag: "c_", id: "u_1" },
      { tag: "us", id: "er" },
      { tag: "u", id: "s" },
    ],
    refused: [
      ...refuse(
        "CODEC.TAGGED",
        { tag: "u", id: "ser" },
        { tag: "u", id: "_1" },
        { tag: "u_", id: "" },
        { tag: "x_", id: "1" },
      ),
      ...refuse("CODEC.TAGGED", undefined, "u_1", { tag: "toString", id: "1" }, { id: "1" }),
      ...refuse("CODEC.TEXT", { tag: "u_", id: 1 }, { tag: "u_" }),
    ],
    refusedRaw: refuseRaw("CODEC.TAGGED", "", "x_1", "c_"),
  },
  {
    name: "keyOf",
    codec: keyOf({ item: "cart:{id}", list: "cart:list", line: "cart:{id}:{line}", tag: "{{id}}:cart" }),
    any: fc.oneof(
      fc.record({ to: fc.constant("item"), params: fc.record({ id: word.filter((one) => one !== "list") }) }),
      fc.record({ to: fc.constant("line"), params: fc.record({ id: word, line: word }) }),
      fc.record({ to: fc.constant("tag"), params: fc.record({ id: word }) }),
    ),
    values: [
      { to: "item", params: { id: "1" } },
      { to: "list", params: {} },
      { to: "tag", params: { id: "1" } },
    ],
    refused: [
      ...refuse("CODEC.KEY_OF", { to: "item", params: { id: "list" } }, { to: "other", params: {} }, undefined, {
        to: "item",
      }),
      ...refuse("KEY.MISSING_PARAM", { to: "item", params: {} }),
      ...refuse("KEY.UNKNOWN_PARAM", { to: "list", params: { id: "1" } }),
      ...refuse("KEY.FORBIDDEN_CHARACTER", { to: "item", params: { id: "1:2" } }, { to: "item", params: { id: "*" } }),
      ...refuse("KEY.EMPTY_SEGMENT", { to: "item", params: { id: "" } }),
    ],
    refusedRaw: refuseRaw("CODEC.KEY_OF", "", "cart:", "cart:1:2:3", "order:1", "{1}:order"),
  },
  {
    name: "delimited",
    codec: delimited("::", { ip: text, n: int, action: text }),
    any: fc.record({ ip: word, n: fc.integer(), action: fc.constantFrom("", "run", ":run", "a:b") }),
    values: [
      { ip: "1", n: 2, action: "" },
      { ip: "", n: 0, action: ":x" },
    ],
    refused: [
      ...refuse(
        "CODEC.SEPARATOR",
        { ip: "a::b", n: 1, action: "" },
        { ip: "a:", n: 1, action: "" },
        { ip: "", n: 1, action: "::" },
      ),
      ...refuse("CODEC.DELIMITED", undefined, null, "a::1::b", { ip: "", n: 1, action: "", more: "" }),
      ...refuse("CODEC.TEXT", { n: 1, action: "" }),
      ...refuse("CODEC.INT", { ip: "", action: "" }, []),
    ].filter(([value]) => !Array.isArray(value)),
    refusedRaw: [...refuseRaw("CODEC.DELIMITED", "", "a::1", "a::1::b::c"), ...refuseRaw("CODEC.INT", "a::b::c")],
  },
  {
    name: "csv",
    codec: csv({ category: oneOf(1, 2, 3), open: flag, until: day, __proto__x: text }),
    any: fc.record({ category: fc.constantFrom(1, 2, 3), open: fc.boolean(), until: anyDay, __proto__x: word }),
    values: [{ category: 1, open: true, until: "2011-10-03", __proto__x: "" }],
    refused: refuse("CODEC.ONE_OF", { category: 4, open: true, until: "2011-10-03", __proto__x: "" }),
    refusedRaw: refuseRaw("CODEC.DELIMITED", "1,1", "1,1,2011-10-03,a,b"),
  },
  {
    name: "many",
    codec: many(text, ", "),
    any: fc.array(word),
    values: [[], ["a"], ["", ""], ["a", ""], ["", "a"], [",", " "]],
    refused: [
      ...refuse("CODEC.MANY", [""], undefined, "a", { length: 0 }),
      ...refuse("CODEC.SEPARATOR", ["a, b"]),
      // oxlint-disable-next-line no-sparse-arrays -- a hole is what is tested.
      ...refuse("CODEC.TEXT", [1], [undefined], ["a", , "b"]),
    ],
    refusedRaw: [],
  },
  {
    name: "many of a length",
    codec: many(int, ",", { length: 5 }),
    any: fc.array(fc.integer(), { minLength: 5, maxLength: 5 }),
    values: [[1, 0, 0, 0, 0]],
    refused: refuse("CODEC.MANY", [], [1], [1, 2, 3, 4, 5, 6]),
    refusedRaw: [
      ...refuseRaw("CODEC.MANY", "", "1,2,3,4", "1,2,3,4,5,6"),
      ...refuseRaw("CODEC.INT", "1,2,3,4,", "1, 2,3,4,5"),
    ],
  },
  jsonCase("zod", json(itemSchema)),
  jsonCase(
    "valibot",
    json(
      v.object({ qty: v.number(), name: v.string(), tags: v.array(v.string()), nested: v.object({ deep: v.null() }) }),
    ),
  ),
  jsonCase("jackson", jackson(itemSchema, { type: "com.shop.Item", fields: { nested: "com.shop.Nested" } })),
  jsonCase("arktype", json(type({ qty: "number", name: "string", tags: "string[]", nested: { deep: "null" } }))),
  {
    name: "bytes",
    codec: bytes,
    any: fc.uint8Array().map((one) => Buffer.from(one)),
    values: [Buffer.alloc(0), Buffer.from([0, 255, 128])],
    refused: refuse("CODEC.BYTES", "text", [1], undefined, new ArrayBuffer(1)),
    refusedRaw: [],
  },
  {
    name: "compressed",
    codec: compressed(text),
    any: wellFormed,
    values: ["", "a".repeat(10_000), "\ufeffé"],
    refused: refuse("CODEC.TEXT", 1, undefined, "\ud800"),
    refusedRaw: refuseRaw("CODEC.COMPRESSED", "", "plain text", "\u00ff"),
  },
  {
    name: "compressed (gzip)",
    codec: compressed(text, { format: "gzip" }),
    any: wellFormed,
    values: ["", "a".repeat(10_000), "\ufeffé"],
    refused: refuse("CODEC.TEXT", 1, undefined, "\ud800"),
    refusedRaw: refuseRaw("CODEC.COMPRESSED", "", "plain text", "\u001f\u008b", "\u0078\u009c"),
  },
  {
    name: "messagePack",
    codec: messagePack(json(itemSchema)),
    any: anyItem,
    values: [Item],
    refused: [
      ...refuse("CODEC.JSON_SCHEMA", undefined, null, {}, [], { ...Item, qty: "1" }, { ...Item, nested: {} }),
      ...refuse("CODEC.MESSAGE_PACK", { ...Item, name: "\ud800" }),
    ],
    refusedRaw: [
      ...refuseRaw("CODEC.MESSAGE_PACK", "", "{}", "\u00c1", "\u0081", "\u00c4\u0001a"),
      ...refuseRaw("CODEC.JSON_SCHEMA", "\u0080", "\u00c0", "\u0001"),
    ],
  },
  {
    name: "php",
    codec: php(json(itemSchema)),
    any: anyItem,
    values: [Item],
    refused: [
      ...refuse("CODEC.JSON_SCHEMA", undefined, null, {}, [], { ...Item, qty: "1" }, { ...Item, nested: {} }),
      ...refuse("CODEC.PHP", { ...Item, name: "\ud800" }),
    ],
    refusedRaw: [
      ...refuseRaw("CODEC.PHP", "", "{}", "i:1", 's:1:"ab";', 'O:1:"A":0:{}', "a:1:{i:0;R:1;}"),
      ...refuseRaw("CODEC.JSON_SCHEMA", "a:0:{}", "N;", "i:1;"),
    ],
  },
  {
    name: "secret",
    codec: secret(id("token", int)),
    any: fc.maxSafeInteger(),
    values: [1],
    refused: refuse("CODEC.INT", "1", 1.5, undefined),
    refusedRaw: refuseRaw("CODEC.INT", "", "x"),
  },
  {
    name: "optional",
    codec: optional(secret(day)),
    any: anyDay,
    values: ["2011-10-03"],
    refused: refuse("CODEC.DAY", undefined, ""),
    refusedRaw: refuseRaw("CODEC.DAY", ""),
  },
]
