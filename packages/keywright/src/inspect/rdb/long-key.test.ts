import { expect, it } from "vitest"
import { KeyIndex } from "../snapshot/key-index.ts"
import { LONGEST_NAME, shortName } from "./long-key.ts"
import * as w from "./rdb-writer.cases.ts"
import { readRdb } from "./read-rdb.ts"

const long = (letter: string) => "é".repeat(LONGEST_NAME) + letter

it("a name is shortened to a text that tells it apart from others", () => {
  const [one, other] = ["a", "b"].map((letter) => shortName(Buffer.from(`x${long(letter)}`)).toString())
  expect(one).toMatch(/^xé+…8194-bytes-[0-9a-f]{32}$/)
  expect(one!.length).toBeLessThan(1100)
  expect(one).not.toBe(other)
})

it("a reader shortens names beyond its limit, and no others", async () => {
  const names = ["short", long("a"), long("b")]
  const file = w.rdb("REDIS0011", [
    ...names.map((name) => w.entry(0, name, w.string("v"))),
    Buffer.concat([w.u8(0), w.lzfRun(1_000_000), w.string("v")]),
  ])
  const read = async (longestName?: number) => {
    const keys: string[] = []
    const options = longestName === undefined ? {} : { longestName }
    for await (const batch of readRdb(w.portions(file, 65_536), options))
      for (const { key } of batch) keys.push(key.toString())
    return keys
  }
  expect((await read()).slice(0, 3)).toEqual(names)
  const [first, ...rest] = await read(LONGEST_NAME)
  expect([first, new Set(rest).size, rest.every((name) => name.length < 1100)]).toEqual(["short", 3, true])
})

it("a key is found by its whole name where the file's is shortened", () => {
  const index = new KeyIndex(0)
  index.add(shortName(Buffer.from(long("a"))).toString(), 0, 1)
  index.seal()
  expect([index.find(long("a")), index.find(long("b"))]).toEqual([0, -1])
})
