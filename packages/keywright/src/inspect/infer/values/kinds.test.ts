import { expect, it } from "vitest"
import type { Wire } from "../../../driver/driver.ts"
import { describe } from "./kinds.ts"
import { times, valuesOf } from "./values.cases.ts"

const [text, int] = [{ codec: "text" }, { codec: "int" }]
const each = (values: readonly Wire[]) => values.map((value) => [value])

it.each<[string, type: string, pattern: string, Wire[][], object | undefined]>([
  ["texts", "string", "a:{x}", each(["one thing", "two things"]), { kind: "string", shape: { value: text } }],
  ["numbers", "string", "a:{x}", each(["1", "700"]), { kind: "counter", shape: { value: int } }],
  ["fractions", "string", "a:{x}", each(["1.5", "2"]), { kind: "counter", shape: { value: { codec: "float" } } }],
  [
    "codes that were sent to somebody",
    "string",
    "otp:{x}",
    each(["123456", "999999"]),
    { kind: "string", shape: { value: text } },
  ],
  ["what is called a bitmap", "string", "dau:{day}", each(["a"]), { kind: "bitmap", shape: {} }],
  ["lists", "list", "a", each(["one thing"]), { kind: "list", shape: { item: text } }],
  ["sets", "set", "a", each(["17"]), { kind: "set", shape: { member: int } }],
  [
    "sorted sets",
    "zset",
    "a",
    [["one thing", "1.5"]],
    { kind: "zset", shape: { member: text, score: { codec: "float" } } },
  ],
  [
    "positions",
    "zset",
    "a",
    [
      ["x y", "3479099956230698"],
      ["y z", "3471579339700058"],
    ],
    { kind: "geo", shape: { member: text } },
  ],
  [
    "records",
    "hash",
    "a:{x}",
    times(20, String).map((n) => ["name", `n ${n}`, "age", n]),
    { kind: "hash", fields: { name: text, age: int } },
  ],
  [
    "records with optional fields",
    "hash",
    "a:{x}",
    [...times(19, String).map((n) => ["name", "a b", "age", n]), ["name", "c d"]],
    { kind: "hash", fields: { name: text, age: { codec: "optional", of: int } } },
  ],
  ["maps of ids", "hash", "a", [["17", "1", "18", "2", "19", "3"]], { kind: "map", shape: { field: int, value: int } }],
  [
    "maps of names that are numbered",
    "hash",
    "a",
    [times(8, String).flatMap((n) => [`player_${n}`, "a b"])],
    { kind: "map", shape: { field: text, value: text } },
  ],
  [
    "a record with a few lines that are numbered",
    "hash",
    "a",
    [times(7, String).flatMap((n) => [`line_${n}`, "a b"])],
    { kind: "hash" },
  ],
  [
    "records of which too few were seen to say what each has",
    "hash",
    "a:{x}",
    times(9, String).map((n) => ["name", "a b", "age", n]),
    { kind: "hash", fields: { name: { codec: "optional", of: text }, age: { codec: "optional", of: int } } },
  ],
  [
    "streams",
    "stream",
    "a",
    [times(20, () => "").flatMap(() => ["2", "name", "a b"])],
    { kind: "stream", fields: { name: text } },
  ],
  ["types of modules", "ReJSON-RL", "a", [], undefined],
])("knows %s", (_, type, pattern, all, described) => {
  const found = describe(type, valuesOf(type, all), pattern)
  if (described === undefined) expect(found).toBeUndefined()
  else expect(found).toMatchObject(described)
})

it("is certain of nothing that was read in part", () => {
  expect(describe("hash", valuesOf("hash", [["name", "a b", "age", "7"]], true), "a")?.fields).toEqual({
    name: { codec: "optional", of: text },
    age: { codec: "optional", of: int },
  })
})
