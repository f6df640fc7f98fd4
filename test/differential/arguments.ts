/* Random arguments, from small pools, so that commands meet on the same keys and
 * every key comes to hold the wrong type for the next command. */

import type { Random } from "../random.ts"

const ints = [
  "0",
  "1",
  "-1",
  "2",
  "7",
  "10",
  "100",
  "-100",
  "9223372036854775807",
  "-9223372036854775808",
  "9223372036854775808",
  "1.5",
  "ten",
  "",
]
const values = [
  "",
  "a",
  "b",
  "hello",
  "Hello World",
  "12",
  "-3",
  "3.5",
  "007",
  " 1",
  "1 ",
  "\u00ff\u0000\r\n",
  "ünïcode",
  "x".repeat(64),
  "y".repeat(200),
  "0",
  "1e3",
  "inf",
]
const fields = ["f", "g", "h", "", "field with a space", "f1", "f2", "z".repeat(80)]
const members = ["a", "b", "c", "d", "e", "1", "2", "3", "", "long-".repeat(20)]
const scores = ["0", "1", "-1", "2.5", "1e10", "-0", "inf", "-inf", "3", "4", "5", "0.1", "nan", "one"]
const bounds = ["-inf", "+inf", "0", "1", "(1", "(2.5", "3", "(", "5", "-1"]
const lexes = ["-", "+", "[a", "(a", "[b", "(c", "[d", "a"]
const ids = [
  "0",
  "1",
  "1-1",
  "1-2",
  "2-1",
  "3-0",
  "5-5",
  "7",
  "9-1",
  "12-3",
  "1-*",
  "0-0",
  "20-1",
  "33-3",
  "50-0",
  "*bad",
  "18446744073709551615-1",
]

/* The sizes of small keys, so that many are around the limits of compact encodings. */
const keys = Array.from({ length: 14 }, (_, index) => `k${index.toString(36)}`)

const makers: Readonly<Record<string, (random: Random) => string>> = {
  key: (random) => (random.chance(0.01) ? "" : random.pick(keys)),
  // Ranges by name are only defined where all scores are equal.
  lexkey: (random) => random.pick(["lex1", "lex2"]),
  // A score that is not a geohash has no defined position, and processors differ.
  geokey: (random) => random.pick(["geo1", "geo2"]),
  val: (random) => random.pick(values),
  field: (random) => random.pick(fields),
  member: (random) => random.pick(members),
  int: (random) => (random.chance(0.8) ? String(random.int(200) - 100) : random.pick(ints)),
  // Kept apart: sums with large integers round differently.
  floatkey: () => "float",
  floathash: () => "floats",
  // Sums of these have the same digits whatever the width of a float.
  binaryfloat: (random) => random.pick(["0.5", "0.25", "-1.5", "3", "100", "-0.125", "abc"]),
  score: (random) => random.pick(scores),
  bound: (random) => random.pick(bounds),
  lex: (random) => random.pick(lexes),
  index: (random) => String(random.int(12) - 6),
  count: (random) => (random.chance(0.95) ? String(random.int(6)) : random.pick(["-1", "x"])),
  offset: (random) => (random.chance(0.95) ? String(random.int(70)) : random.pick(["-1", "4294967296", "x"])),
  bit: (random) => (random.chance(0.97) ? String(random.int(2)) : "2"),
  secs: (random) => (random.chance(0.9) ? "100000" : random.pick(["0", "-1", "x", "9223372036854775807"])),
  badms: (random) => random.pick(["0", "-5", "x", "9223372036854775807"]),
  future: (random) => String(33_333_333_333_000 + random.int(5) * 1000),
  futuresecs: (random) => String(33_333_333_333 + random.int(5)),
  past: (random) => String(1000 + random.int(1000)),
  id: (random) => random.pick(ids),
  group: (random) => random.pick(["g1", "g2"]),
  consumer: (random) => random.pick(["c1", "c2"]),
  channel: () => "channel",
  lon: (random) => (random.chance(0.97) ? String(random.int(300) - 150) : "200"),
  lat: (random) => String(random.int(160) - 80),
}

/** Fills in a template. */
export function fill(template: string, random: Random): string[] {
  return template.split(" ").map((word) => {
    const made = makers[word.replace(/^\(/, "")]?.(random)
    return made === undefined ? word : word.startsWith("(") ? `(${made}` : made
  })
}

/** Drops or doubles an argument. What takes a random member without its count stays whole. */
export function spoil(command: string[], random: Random): string[] {
  if (command.length < 2 || command.includes("1000")) return command
  const at = 1 + random.int(command.length - 1)
  return random.chance(0.5) ? command.toSpliced(at, 1) : command.toSpliced(at, 0, command[at] ?? "")
}
