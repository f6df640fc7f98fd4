import { expect, it } from "vitest"
import { clusters, isNames, looseClusters } from "./mine-words.ts"
import type { MinedKey, PatternPart } from "./mine.ts"
import { itemsOf, partsOf } from "./pattern.cases.ts"
import { NAMES } from "./segments.cases.ts"
import { times } from "../values/values.cases.ts"

/** Different words, as many as wanted. */
const words = (count: number) =>
  times(count, (i) => NAMES[i % NAMES.length]! + "abcdefgh"[Math.floor(i / NAMES.length)]!)

const wordsOf = (items: readonly MinedKey[], at = 0, known: readonly string[] = []) =>
  clusters(items, at, new Set(known)).map((cluster) => cluster.words.toSorted())

it.each<[string, MinedKey[], string[][]]>([
  ["words that go on alike together", itemsOf(["alice:cart", "bob:cart"]), [["alice", "bob"]]],
  ["words that go on otherwise apart", itemsOf(["alice:cart", "bob:box"]), [["alice"], ["bob"]]],
  [
    "words whose keys hold other things apart",
    [...itemsOf(["alice:x"], "set"), ...itemsOf(["bob:x"], "list")],
    [["alice"], ["bob"]],
  ],
  ["reserved words apart", itemsOf(["alice", "bob", "index"]), [["alice", "bob"], ["index"]]],
])("puts %s", (_, items, expected) => {
  expect(wordsOf(items)).toEqual(expected)
})

it.each([
  [
    ["de", "fr", "en"],
    [
      ["de", "en", "fr"],
      ["home", "shop"],
    ],
  ],
  [["de", "fr"], [["de", "en", "fr", "home", "shop"]]],
])("puts words that are data elsewhere apart where there are three: %j", (known, expected) => {
  expect(wordsOf(itemsOf(["de", "fr", "en", "home", "shop"]), 0, known)).toEqual(expected)
})

it.each<[string, count: number, boolean]>([
  ["sixteen on either side, and hardly a combination twice", 16, true],
  ["fifteen on either side", 15, false],
])("takes words loosely together: %s", (_, count, is) => {
  const names = words(count)
  const items = itemsOf(names.map((one, i) => `${one}:${names[(i * 7 + 3) % count]!}x`))
  expect(looseClusters(items, 0).map((cluster) => cluster.words.length)).toEqual(is ? [count] : [])
})

const after = (before: string, own: readonly string[], rests: readonly string[] = [""]) =>
  own.flatMap((word) => rests.map((rest) => `${before}${word}${rest}`))

interface Case {
  readonly keys: readonly string[]
  readonly at?: number
  readonly before?: PatternPart[]
  readonly shape?: string
  readonly fields?: readonly string[]
  readonly others?: number
}
it.each<[string, boolean, Case]>([
  ["eight words after a prefix", true, { keys: after("country:", words(8)) }],
  ["seven words after a prefix", false, { keys: after("country:", words(7)) }],
  ["two languages", true, { keys: after("home:", ["de", "pt-BR"]) }],
  ["one word", false, { keys: after("home:", ["alice"]) }],
  ["five codes in capitals", true, { keys: after("rate:", ["EURUSD", "BTCUSD", "ETHUSD", "USDJPY", "USDCHF"]) }],
  ["five words in small letters", false, { keys: after("rate:", ["gold", "silver", "iron", "zinc", "lead"]) }],
  ["a word in an index", true, { keys: ["index:mail:x"], at: 2, before: ["index:mail"] }],
  ["three words with records", true, { keys: after("user:", words(3)), shape: "hash", fields: ["id", "name"] }],
  ["two words with records", false, { keys: after("user:", words(2)), shape: "hash", fields: ["id", "name"] }],
  [
    "two words that head three of the same keys",
    true,
    { keys: after("bull:", words(2), [":wait", ":done", ":failed"]) },
  ],
  [
    "two words that head two of the same keys, and one a third",
    true,
    { keys: ["a:bob:wait", "a:bob:done", "a:bob:failed", "a:eve:wait", "a:eve:done"] },
  ],
  ["two words that head one of the same keys", false, { keys: after("bull:", words(2), [":wait"]) }],
  ["an empty word", false, { keys: after("bull:", ["", ...words(60)]) }],
  ["at the beginning, thirty words", true, { keys: words(30), at: 0, before: [] }],
  ["at the beginning, twenty-nine words", false, { keys: words(29), at: 0, before: [] }],
  [
    "three counters after a parameter",
    true,
    {
      keys: after("q:7:", ["select", "insert", "update"], ["", ""]),
      at: 2,
      before: partsOf("q:{int}"),
      shape: "string:int",
    },
  ],
  [
    "three counters beside many other literals",
    false,
    {
      keys: after("q:7:", ["select", "insert", "update"], ["", ""]),
      at: 2,
      before: partsOf("q:{int}"),
      shape: "string:int",
      others: 20,
    },
  ],
])("%s are names: %s", (_, is, { keys, at = 1, before = ["rate:"], shape, fields, others }) => {
  const items = itemsOf(keys, shape, fields && { fields })
  const [cluster, ...more] = clusters(items, at, new Set())
  expect(more).toEqual([])
  const around = { at, before, others: others ?? cluster!.words.length, listed: [], known: new Set<string>() }
  expect(isNames(cluster!, around)).toBe(is)
})
