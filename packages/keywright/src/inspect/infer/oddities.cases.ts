/* A keyspace that nobody would design: every type, values of every make, keys of every
 * form. What infer must survive, explain and print. */

import { deflateRawSync, gzipSync } from "node:zlib"
import type { Command } from "../../driver/driver.ts"

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

const java = Buffer.from([0xac, 0xed, 0x00, 0x05, 0x73, 0x72, 0x00, 0x11, 0x6a, 0x61])

/** What would be code where the name of a field becomes the name of a constant. */
const hostileFields = ["a = (globalThis.codeOfData = 1), b", "1", "", "class", "x/*"]

export const oddities: readonly Command[] = [
  ...numbers(30).flatMap((n): Command[] => [
    ["SET", `doc:${n}`, document(n)],
    ["SET", `packed:java:${n}`, java],
    ["SET", `packed:gzip:${n}`, gzipSync(`text ${n}`)],
    ["SET", `packed:deflate:${n}`, deflateRawSync(`a longer text, number ${n}`)],
    ["SET", `packed:php:${n}`, `a:1:{s:2:"id";i:${n};}`],
    ["SET", `spring:users::${n}`, `{"@class":"com.example.User","id":${n},"name":"n${n}"}`],
    ["SET", `flat csv ${n}`, `${n},2026-01-0${(n % 9) + 1},1`],
    ["RPUSH", `access/2026/01/${n}`, `10.0.0.${n}|GET|200`],
    ["SET", `page:https://example.com/a?n=${n}`, "<html>", "EX", "60"],
    ["SET", `{tenant${n % 4}}:quota`, String(n)],
    ["HSET", `geo.meta.${n}`, "name", `n${n}`, "lat", `${n}.25`, "__proto__", "x"],
    ["PFADD", `visitors:2026-01-${String(n).padStart(2, "0")}`, "a", `b${n}`],
    ["ZADD", `leaders#${n}`, "1.5", "a", "inf", "b"],
    ["SET", `ключ:${n}`, "значение"],
    ["XADD", `log:${n % 3}`, "*", "level", "info", "text", `line ${n}`],
    ["XADD", `hostile:${n % 3}`, "*", ...hostileFields.flatMap((field) => [field, document(n)])],
  ]),
  [
    "GEOADD",
    "places",
    "13.361389",
    "38.115556",
    "Palermo",
    "15.087269",
    "37.502669",
    "Catania",
    "2.35",
    "48.85",
    "Paris",
  ],
  ["SETBIT", "bitmap:active", "7", "1"],
  ["SET", Buffer.from([0xff, 0xfe, 0x01]), "a key that is not text"],
  ["SET", "default", "a word that is reserved"],
  ["SET", "constructor", "another"],
]

function document(n: number): string {
  return JSON.stringify({
    ref: `r${n}`,
    state: ["NEW", "PAID", "SENT"][n % 3],
    tags: n % 2 ? ["a", "b"] : [],
    address: { street: "s", zip: n % 3 ? null : "1" },
    lines: [{ sku: `s${n}`, count: n, price: n / 4 }],
    either: n % 2 ? n : "text",
    "odd name": true,
    ...(n % 4 && { note: null }),
    byDay: Object.fromEntries(numbers(n > 3 ? 8 : 2).map((day) => [`2026-01-${10 + day + n}`, day])),
  })
}
