/* Keyspaces that nobody would design, at random and the same for the same seed: keys
 * and values of every make, in every type, mixed as only years of hurried scripts do. */

import { deflateRawSync } from "node:zlib"
import { chance } from "../../../../../test/random.ts"
import type { Command, Wire } from "../../driver/driver.ts"

type Below = (n: number) => number

const one = <T>(below: Below, all: readonly T[]): T => all[below(all.length)]!

const WORDS = [
  ..."user order cart item session cache list counter index name alpha beta v1 oauth2 class default Ünï 日本".split(
    " ",
  ),
  ..."constructor __proto__ toString hasOwnProperty text id z string key keyspace $x".split(" "),
]
const SIGNS = [":", ":", ":", "_", "-", ".", "/", "|", "::", "#", " ", ";"]
/** What a printed program or a pattern could trip over. */
const ODD = [
  "\n",
  '"',
  "'",
  "`",
  "${x}",
  "*/",
  "//",
  "\\",
  "{",
  "}",
  "{}",
  "{{a}}",
  "{a",
  "\u2028",
  "\ufffd",
  "\u0000",
  "\r",
  "[",
  "?",
  "\ufeff",
  "😀",
]
const NUMBERS = [
  "9007199254740993",
  "-9007199254740992",
  "9223372036854775807",
  "1e400",
  "nan",
  "inf",
  "-inf",
  "-0",
  "007",
  "+1",
  "1e5",
  ".5",
  "5.",
  "1_000",
  "0x10",
  "-",
  "1.50",
  "Infinity",
  "NaN",
]

function atom(below: Below): string {
  const n = below(60)
  const hex = (below(2 ** 30) * 4 + 1).toString(16).padStart(8, "0")
  return [
    () => String(n),
    () => String(n * 7919),
    () => `${hex}-${hex.slice(4)}-4${hex.slice(5)}-8${hex.slice(5)}-${hex}${hex.slice(4)}`,
    () => hex + hex + hex,
    () => Buffer.from(hex + hex + hex).toString("base64"),
    () => `2026-01-${String((n % 28) + 1).padStart(2, "0")}`,
    () => `2026-${String((n % 12) + 1).padStart(2, "0")}`,
    () => `202601${String((n % 28) + 1).padStart(2, "0")}`,
    () => `u${n}@example.com`,
    () => `10.0.0.${n}`,
    () => WORDS[n % WORDS.length]!,
    () => `${WORDS[n % 10]}-${WORDS[(n * 7) % 10]}-${n}`,
    () => `{${n}}`,
    () => `a b ${n}`,
    () => `x*${n}?`,
    () => `00${n}`,
    () => "",
    () => one(below, NUMBERS),
    () => `${one(below, ODD)}${n}${one(below, ODD)}`,
    () => `{${WORDS[n % WORDS.length]}}${n}`,
    () => `-${n}`,
  ][below(21)]!()
}

const member = (n: number): unknown =>
  [
    n,
    `t${n}`,
    null,
    n % 2 === 0,
    [n],
    {},
    [],
    { x: n },
    [[1], ["a"]],
    1.5,
    2 ** 60,
    "2026-01-01",
    "",
    "2026-01-05T10:00:00Z",
  ][n % 14]

function document(below: Below): string {
  const n = below(1000)
  return [
    () => JSON.stringify({ id: n, tags: ["a"], deep: { x: n % 2 ? null : n } }),
    () => JSON.stringify([n, "x", null, [n, [n]], { a: n }]),
    () => `"quoted ${n}"`,
    () => `{"__proto__":${n},"constructor":"c${n}","toString":null,"id":${n}}`,
    () => `{"a":${n},"a":"${n}"}`,
    () =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 1 + below(6) }, () => [one(below, WORDS), member(below(99))])),
      ),
    () => JSON.stringify(Array.from({ length: below(4) }, () => member(below(99)))),
    () => `[${"[".repeat(n % 20)}${"]".repeat(n % 20)}]`,
    () => `{"n":${n}e300,"big":12345678901234567890,"at":"2026-01-0${1 + (n % 9)}","":1}`,
    () => JSON.stringify({ [one(below, ODD)]: n, state: one(below, ["NEW", "PAID", "SENT"]) }),
    () =>
      JSON.stringify({
        at: one(below, [
          "2026-01-05T10:00:00Z",
          "2026-02-30T10:00:00Z",
          "2026-01-05T10:00:00.123456Z",
          "2026-01-05T25:00:00Z",
        ]),
      }),
    () => JSON.stringify({ "@class": "com.x.Y", day: one(below, ["2026-01-05", "2026-02-31", "2026-13-01"]) }),
    () => JSON.stringify("x".repeat(n * 3)),
  ][below(13)]!()
}

function value(below: Below): Wire {
  const n = below(1000)
  return [
    () => String(n),
    () => String(n / 8),
    () => String(1_760_000_000 + n),
    () => document(below),
    () => document(below),
    () => `{broken ${n}`,
    () => `${n},${n},${n}`,
    () => `${n}|2026-01-01|x`,
    () => Buffer.from([0xac, 0xed, 0x00, 0x05, n % 256, 0xff]),
    () => Buffer.from([0x1f, 0x8b, n % 256]),
    () => "",
    () => `text with spaces ${n}`,
    () =>
      one(below, [
        "2026-01-05T10:00:00.000Z",
        "2026-01-05T10:00:00Z",
        "2026-01-05T10:00:00+02:00",
        "2026-02-30T10:00:00Z",
      ]),
    () => one(below, NUMBERS),
    () => "x".repeat(n * 30),
    () => Buffer.from([n % 256, 0x80 | (n % 64)]),
    () => deflateRawSync(`a longer text, number ${n}`),
    () => one(below, ["2026-01-05", "2026-02-31", "20260105", "20260231", "2026-13", "2026-12"]),
    () => atom(below),
    () => `${one(below, WORDS)}:${n}`,
    () => one(below, ["0", "1"]),
    () => one(below, ["red", "green", "blue"]),
    () => String(1_760_000_000_000 + n),
    () => `"${one(below, ODD)}`,
    () => `a:1:{s:2:"id";i:${n};}`,
    () => `${n},,${one(below, ODD)}`,
    () => `u_${n}`,
  ][below(27)]!()
}

/** Commands by the number of the logical database. */
export function randomKeyspace(seed: number): Map<number, Command[]> {
  const below = chance(seed * 2654435761)
  const databases = new Map<number, Command[]>()
  const patterns = below(12) === 0 ? 1 : 2 + below(8)
  for (let pattern = 0; pattern < patterns; pattern++) {
    const db = below(5) === 0 ? 1 + below(2) : 0
    const commands = databases.get(db) ?? []
    databases.set(db, commands)
    commands.push(...ofPattern(below))
  }
  // The same names with other types in another database.
  if (below(6) === 0)
    databases.set(
      3,
      (databases.get(0) ?? []).map((command) => ["SADD", command[1]!, "1"]),
    )
  if (below(3) === 0) databases.get(0)?.push(...strays(below))
  if (below(4) === 0) databases.set(4, records(below))
  return databases
}

function ofPattern(below: Below): Command[] {
  const parts = Array.from({ length: 1 + below(4) }, () => (below(2) ? one(below, WORDS) : undefined))
  const sign = one(below, SIGNS)
  const kind = below(6)
  const shape = below(1000)
  const binary = below(20) === 0
  const count = below(15) === 0 ? 1 : 1 + below(below(8) ? 40 : 150)
  const commands: Command[] = []
  for (let n = 0; n < count; n++) {
    // Atoms and values of one pattern are mostly of one kind.
    const same = chance((shape * 31 + 7) * 2654435761)
    const key = parts
      .map((part) => part ?? (below(20) ? atom((limit) => (limit === 21 ? same(21) : below(limit))) : atom(below)))
      .join(sign)
    const cell = () => (below(15) ? value((limit) => (limit === 27 ? same(27) : below(limit))) : value(below))
    const field = (): Wire => (below(binary ? 4 : 400) ? one(below, WORDS) : Buffer.from([0xff, below(256)]))
    commands.push(
      (
        [
          ["SET", key, cell()],
          [
            "HSET",
            key,
            "name",
            cell(),
            "at",
            cell(),
            ...(below(3) ? [] : [shape % 2 ? field() : `f${below(50)}`, cell()]),
          ],
          ["SADD", key, cell(), cell()],
          ["ZADD", key, String(below(100)), cell(), one(below, ["1.5", "inf", "-inf", "1e20", "0.1", "3"]), cell()],
          ["RPUSH", key, ...Array.from({ length: 1 + below(shape % 10 ? 3 : 30) }, cell)],
          ["XADD", key, "*", "level", cell(), ...(below(9) ? ["text", cell()] : [field(), cell()])],
        ] as Command[]
      )[below(30) ? kind : below(6)]!,
    )
    if (shape % 3 === 0 && below(10))
      commands.push(["PEXPIRE", key, String((shape % 2 ? 3_500_000 : 8e15) - below(1000))])
  }
  return commands
}

/** Records with their list, counter and indexes, references, mirrors and families; some of it out of step. */
function records(below: Below): Command[] {
  const name = one(below, ["user", "dish", "item2", "P"])
  const sign = one(below, [":", ":", "_", "/"])
  const damage = one(below, [0, 0, 5, 40])
  const isRight = () => damage === 0 || below(damage) > 0
  const asHash = below(3) === 0
  const key = (...parts: (string | number)[]) => parts.join(sign)
  const commands: Command[] = []
  for (let n = 1; n <= 5 + below(60); n++) {
    const owner = String(1 + below(6))
    const mail = `u${n}@example.com`
    const token = (n * 7919).toString(16).padStart(32, "a1")
    commands.push(
      asHash
        ? ["HSET", key(name, n), "id", String(n), "email", mail, "ownerId", owner]
        : ["SET", key(name, n), JSON.stringify({ id: n, email: mail, ownerId: Number(owner) })],
    )
    if (isRight()) commands.push(["SADD", key(name, "list"), String(n)])
    commands.push(["SET", key(name, "index", "email", mail), String(isRight() ? n : n + 500)])
    if (isRight()) commands.push(["SADD", key("owner", owner, "items"), String(n)])
    if (isRight()) commands.push(["SADD", key(name, n, "owners"), owner])
    commands.push(["HSET", "login:", token, isRight() ? `AccTok:${token}` : `AccTok:gone${n}`])
    commands.push(["SET", `AccTok:${token}`, String(n), "PXAT", String(4_000_000_000_000 + n)])
    if (isRight()) commands.push(["ZADD", "recent:", String(1_760_000_000 + n), token])
    for (const part of ["a", "b"])
      commands.push([
        "SET",
        `fam:${n}:${part}`,
        "x",
        "PXAT",
        String(4_000_000_000_000 + n * 1000 + (isRight() ? 0 : below(3))),
      ])
  }
  commands.push(["SET", key(name, "counter"), String(below(99))])
  return commands
}

/** Single keys without a pattern. */
function strays(below: Below): Command[] {
  const all: Command[] = [
    ["SET", "", "the empty key"],
    ["SET", Buffer.from([0xff, 0xfe, below(256)]), "a key that is not text"],
    ["RPUSH", Buffer.from([0x75, 0x3a, 0xff]), "another"],
    ["SET", `long:${"x".repeat(5000)}`, "y".repeat(40_000)],
    ["SET", one(below, WORDS), "a word"],
    ["HSET", "odd", "__proto__", "1", "constructor", "2", "", "3", one(below, ODD), "4"],
    ["HSET", "many", ...Array.from({ length: 150 }, (_, n) => [`field${n}`, "x".repeat(n)]).flat()],
    ["SET", `${one(below, ODD)}:${one(below, ODD)}`, "1"],
    ["SET", `{${one(below, WORDS)}`, "1"],
    ["SET", `}${below(9)}{`, "1"],
    ["SADD", "large", ...Array.from({ length: 150 }, (_, n) => `m${n * 7}`)],
    ["PFADD", "visitors:2026-01-01", "a", "b"],
    ["SETBIT", "bits", "100", "1"],
    ["SET", "bitmap:1", "no bits"],
    ["GEOADD", "places", "13.361389", "38.115556", "Palermo", "15.087269", "37.502669", "Catania"],
  ]
  return all.filter(() => below(3) === 0)
}

/** More keys than are learned from at once: common ones, rare ones, and some that look like others. */
export function manyKeys(count: number, seed = 7): Command[] {
  const below = chance(seed * 2654435761)
  return Array.from({ length: count }, (_, n): Command => {
    const rare = below(400)
    if (rare === 0) return ["SET", `user:${one(below, WORDS)}${n}`, "x"]
    if (rare === 1) return ["RPUSH", `user:${n}`, "x"]
    if (rare === 2) return ["SADD", `page:a${one(below, ODD)}${n}`, "x"]
    if (rare === 3) return ["SET", `late:${one(below, ["a", "b", "c"])}:${n}`, "1"]
    if (rare === 4) return ["SET", `${atom(below)}${one(below, SIGNS)}${atom(below)}`, "1"]
    if (rare === 5) return ["SET", `log-2026-02-3${below(10)}`, "x"]
    if (rare < 100) return ["SADD", `page:x${below(2 ** 30).toString(36)}`, String(n)]
    if (rare < 200) return ["SET", `log-2026-01-${10 + below(15)}:${n}`, "x", "PX", "3500000"]
    return ["SET", `user:${n}`, rare === 200 ? "not a number" : String(n)]
  })
}
