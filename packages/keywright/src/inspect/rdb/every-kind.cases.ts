/* One small file with every type and encoding, and what it holds. */

import type { RdbType } from "./kinds.ts"
import * as w from "./rdb-writer.cases.ts"

export interface Expected {
  readonly code: number
  readonly type: RdbType
  readonly encoding: string
  /** Undefined where only decoding can show it. */
  readonly length: number | undefined
  readonly value: unknown
  readonly bytes: Buffer
}

const b = (text: string) => Buffer.from(text)
const long = "x".repeat(300) + "tail"
const big = 9007199254740993n
const numbers: w.Element[] = [
  0,
  12,
  13,
  127,
  -1,
  -128,
  128,
  4095,
  -4096,
  5000,
  -32768,
  40000,
  -8388608,
  9000000,
  -2147483648,
  big,
]
const texts = ["", "a", "y".repeat(70), "z".repeat(5000)]
const mixed: w.Element[] = [...numbers, ...texts]
const mixedValue = mixed.map((element) => b(String(element)))
const pairs = ["name", "Ada", "age", 36, "note", long]
const pairsValue = [
  [b("name"), b("Ada")],
  [b("age"), b("36")],
  [b("note"), b(long)],
]
const scored = ["low", "-inf", "mid", 3, "half", "2.5", "high", "inf"]
const scoredValue = [
  [b("low"), -Infinity],
  [b("mid"), 3],
  [b("half"), 2.5],
  [b("high"), Infinity],
]
const at = 1_900_000_000_000
const expiring = [
  [b("f"), b("1")],
  [b("g"), b("2"), at],
  [b("h"), b("3"), at + 500],
]

const nodes = [
  w.string(w.streamId(at, 0)),
  w.string(
    w.streamNode(
      ["kind", "n"],
      [
        { after: [0, 0], values: ["in", 1] },
        { after: [0, 3], own: ["kind", "out", "note", "y".repeat(70)] },
        { after: [1, 0], values: ["in", 2], deleted: true },
      ],
    ),
  ),
  w.string(w.streamId(at + 9, 0)),
  w.lzf(w.streamNode(["kind"], [{ after: [70_000, 2], values: ["q".repeat(90)] }])),
]
const streamEntries = [
  [`${at}-0`, [b("kind"), b("in"), b("n"), b("1")]],
  [`${at}-3`, [b("kind"), b("out"), b("note"), b("y".repeat(70))]],
  [`${at + 70_009}-2`, [b("kind"), b("q".repeat(90))]],
]

/* How a server writes -1 where a count belongs. */
const unknownNumber = w.length(2n ** 64n - 1n, 64)

/* What `stream` writes. */
function streamValue(version: 1 | 2 | 3) {
  return {
    entries: streamEntries,
    lastId: `${at}-0`,
    ...(version >= 2 && { maxDeletedId: "0-0", added: 9 }),
    groups: [
      {
        ...{ name: b("g1"), lastId: `${at}-1`, consumers: [b("c"), b("d")] },
        pending: [[`${at}-0`, b("d"), at, 1]],
        ...(version >= 2 && { read: 3 }),
      },
      { name: b("g2"), lastId: "0-0", consumers: [], pending: [] },
    ],
  }
}

function stream(version: 1 | 2 | 3): Buffer {
  const id = w.streamId(at, 0)
  const two = version >= 2
  const pending = w.counted([id, w.i64le(at), w.length(1)])
  const consumer = (name: string, ...held: Buffer[][]) => [
    w.joined(w.string(name), w.i64le(at), ...(version >= 3 ? [w.i64le(at)] : []), w.counted(...held)),
  ]
  return Buffer.concat([
    w.counted(nodes.slice(0, 2), nodes.slice(2)),
    w.length(3),
    w.joined(w.length(at, 64), w.length(0)),
    ...(two ? [w.length(at, 64), w.length(0), w.length(0), w.length(0), w.length(9)] : []),
    w.counted(
      [
        w.string("g1"),
        w.length(at, 64),
        w.length(1),
        ...(two ? [w.length(3)] : []),
        pending,
        w.counted(consumer("c"), consumer("d", [id])),
      ],
      [w.string("g2"), w.length(0), w.length(0), ...(two ? [unknownNumber] : []), w.counted(), w.counted()],
    ),
  ])
}

const moduleValue = Buffer.concat([
  w.joined(w.moduleId("ReJSON-RL", 3), w.length(1), w.length(5), w.length(2), w.length(70000)),
  w.joined(w.length(3), Buffer.alloc(4), w.length(4), w.double(1), w.length(5), w.string(long), w.length(0)),
])

function kind(
  code: number,
  type: RdbType,
  encoding: string,
  length: number | undefined,
  value: unknown,
  ...bytes: Buffer[]
) {
  return { code, type, encoding, length, value, bytes: Buffer.concat(bytes) } satisfies Expected
}

const s = w.string

const common: readonly Expected[] = [
  kind(0, "string", "raw", 5, b("hello"), s("hello")),
  kind(0, "string", "raw", 0, b(""), s("")),
  kind(0, "string", "int", 4, b("-128"), w.int8(-128)),
  kind(0, "string", "int", 5, b("32767"), w.int16(32767)),
  kind(0, "string", "int", 11, b("-2147483648"), w.int32(-2147483648)),
  kind(0, "string", "lzf", 304, b(long), w.lzf(long)),
  kind(1, "list", "linkedlist", 3, [b("a"), b("7"), b(long)], w.counted([s("a")], [w.int8(7)], [w.lzf(long)])),
  kind(2, "set", "hashtable", 2, [b("m"), b("300")], w.counted([s("m")], [w.int16(300)])),
  kind(
    ...([3, "zset", "skiplist", 3] as const),
    [
      [b("a"), 1.5],
      [b("b"), Infinity],
      [b("c"), -Infinity],
    ],
    w.counted([s("a"), w.scoreText(1.5)], [s("b"), w.scoreText(Infinity)], [s("c"), w.scoreText(-Infinity)]),
  ),
  kind(4, "hash", "hashtable", 1, [[b("f"), b("12")]], w.counted([s("f"), w.int8(12)])),
  kind(5, "zset", "skiplist", 1, [[b("m"), 0.1]], w.counted([s("m"), w.double(0.1)])),
  kind(7, "module", "ReJSON-RL", undefined, undefined, moduleValue),
  kind(9, "hash", "zipmap", 1, [[b("f"), b(long)]], s(w.zipmap([["f", long]], 3))),
  kind(10, "list", "ziplist", mixed.length, mixedValue, s(w.ziplist(mixed))),
  kind(11, "set", "intset", 2, [b("-5"), b("300")], s(w.intset([-5, 300], 2))),
  kind(11, "set", "intset", 2, [b("-70000"), b("70000")], s(w.intset([-70000, 70000], 4))),
  kind(11, "set", "intset", 2, [b("-1"), b(String(big))], s(w.intset([-1, big], 8))),
  kind(12, "zset", "ziplist", 4, scoredValue, s(w.ziplist(scored))),
  kind(13, "hash", "ziplist", 3, pairsValue, w.lzf(w.ziplist(pairs))),
  kind(
    14,
    "list",
    "quicklist",
    3,
    [b("a"), b("1"), b("b")],
    w.counted([s(w.ziplist(["a", 1]))], [w.lzf(w.ziplist(["b"]))]),
  ),
  kind(15, "stream", "stream", 3, streamValue(1), stream(1)),
  kind(16, "hash", "listpack", 3, pairsValue, w.lzf(w.listpack(pairs))),
  kind(17, "zset", "listpack", 4, scoredValue, s(w.listpack(scored))),
  kind(
    ...([18, "list", "quicklist", 4] as const),
    [b("a"), b("5"), b(long), b("77")],
    w.counted([w.length(2), s(w.listpack(["a", 5]))], [w.length(1), w.lzf(long)], [w.length(1), w.int8(77)]),
  ),
  kind(19, "stream", "stream", 3, streamValue(2), stream(2)),
  kind(20, "set", "listpack", mixed.length, mixedValue, s(w.listpack(mixed))),
  kind(21, "stream", "stream", 3, streamValue(3), stream(3)),
]

const redisOnly: readonly Expected[] = [
  kind(
    ...([22, "hash", "hashtable", 3, expiring] as const),
    w.counted(
      [w.length(0), s("f"), w.int8(1)],
      [w.length(at), s("g"), w.int8(2)],
      [w.length(at + 500), s("h"), w.int8(3)],
    ),
  ),
  kind(23, "hash", "listpackex", 3, expiring, s(w.listpack(["f", 1, 0, "g", 2, BigInt(at), "h", 3, BigInt(at + 500)]))),
  kind(
    ...([24, "hash", "hashtable", 3, expiring] as const),
    w.i64le(at),
    w.counted([w.length(0), s("f"), w.int8(1)], [w.length(1), s("g"), w.int8(2)], [w.length(501), s("h"), w.int8(3)]),
  ),
  kind(
    ...([25, "hash", "listpackex", 3, expiring] as const),
    w.i64le(at),
    s(w.listpack(["f", 1, 0, "g", 2, BigInt(at), "h", 3, BigInt(at + 500)])),
  ),
]

const valkeyOnly: readonly Expected[] = [
  kind(
    ...([22, "hash", "hashtable", 3, expiring] as const),
    w.counted(
      [s("f"), w.int8(1), w.i64le(-1)],
      [s("g"), w.int8(2), w.i64le(at)],
      [s("h"), w.int8(3), w.i64le(at + 500)],
    ),
  ),
]

export const keyOf = (expected: Expected, index: number): string => `${expected.type}:${expected.encoding}:${index}`

function between(head: string): Buffer[] {
  const code = s("#!lua name=lib\nreturn 1")
  const moduleData = [
    w.u8(247),
    w.moduleId("graphdata", 1),
    w.length(2),
    w.length(1),
    w.length(5),
    s("data"),
    w.length(0),
  ]
  const slotImport = [w.u8(243), s("job"), w.counted([w.length(0), w.length(100)])]
  return [
    w.joined(w.aux("redis-ver", "7.0.15"), w.aux("ctime", "1700000000"), w.u8(245), code, ...moduleData),
    w.joined(w.u8(244), w.length(1), w.length(2), w.length(3), ...(head.startsWith("VALKEY") ? slotImport : [])),
    w.joined(w.selectDb(3), w.u8(251), w.length(40), w.length(1)),
  ]
}

/** A file that holds everything, and the list of what is in it. */
export function everyKind(head: string): { content: Buffer; expected: readonly Expected[] } {
  const expected = [...common, ...(head.startsWith("VALKEY") ? valkeyOnly : redisOnly)]
  const entries = expected.map((one, index) => w.entry(one.code, keyOf(one, index), one.bytes))
  return { content: w.rdb(head, [...between(head), ...entries]), expected }
}
