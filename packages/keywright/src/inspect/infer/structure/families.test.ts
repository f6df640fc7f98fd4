import { expect, it } from "vitest"
import { askOf, patternOfKeys } from "../mine/pattern.cases.ts"
import { familiesOf } from "./families.ts"

const numbers = ["1", "2", "3"]
const pattern = (spelling: string, ttl = 5000) =>
  patternOfKeys(
    spelling,
    "set",
    numbers.map((n) => [spelling.replace(/\{\w+\}/, n), ["x"]]),
    { ttlMs: () => ttl },
  )
const [room, guests, lights] = [pattern("room:{int}"), pattern("room:{int}:guests"), pattern("room:{int}:lights")]
/** All of a number at the same moment. */
const together = (key: string) => 1000 + Number(/\d+/.exec(key)![0])

it.each<[string, string[][], ReturnType<typeof pattern>[], (key: string) => number | undefined]>([
  ["keys that go away at the same moment", [["room:{p0}", "room:{p0}:guests"]], [room, guests], together],
  [
    "keys of which one pattern has other deadlines",
    [["room:{p0}", "room:{p0}:guests"]],
    [room, guests, lights],
    (key) => together(key) + Number(key.endsWith("lights")),
  ],
  [
    "keys that go away one after the other",
    [],
    [room, guests],
    (key) => together(key) + Number(key.endsWith("guests")),
  ],
  ["keys of which one goes away later", [], [room, guests], (key) => together(key) + Number(key === "room:3")],
  ["keys that stay", [], [pattern("room:{int}", -1), pattern("room:{int}:guests", -1)], together],
  ["keys with other beginnings", [], [room, pattern("hall:{int}")], together],
  ["keys without a parameter", [], [pattern("a"), pattern("a")], () => 7],
])("%s: %j", async (_, families, patterns, deadlineOf) => {
  const found = await familiesOf(patterns, askOf(patterns, deadlineOf))
  expect(found.map((family) => family.map(({ row }) => row.pattern()))).toEqual(families)
})

it("needs no key to be there in all of them", async () => {
  const some = patternOfKeys("room:{int}:guests", "set", [["room:2:guests", ["x"]]], { ttlMs: () => 5000 })
  expect(await familiesOf([room, some], askOf([room, some], together))).toEqual([[room, some]])
})

it("asks for no key whose parameters it could not tell", async () => {
  const odd = ["page:{text}:a", "page:{text}:b"].map((spelling) =>
    patternOfKeys(spelling, "set", [[spelling.replace("{text}", "x:y"), ["z"]]], { ttlMs: () => 5000 }),
  )
  const asked: string[] = []
  await familiesOf(odd, async (probes) => probes.map(({ key }) => void asked.push(key)))
  expect(asked).toEqual([])
})
