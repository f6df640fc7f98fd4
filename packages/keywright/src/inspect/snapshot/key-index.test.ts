import { expect, it } from "vitest"
import { KeyIndex } from "./key-index.ts"

it("finds each key, and none that is not there", () => {
  const index = new KeyIndex(0)
  for (let i = 0; i < 5000; i++) index.add(`key:${i}`, 10 * i, 10)
  index.seal()
  expect([0, 1, 2500, 4999].map((i) => index.find(`key:${i}`))).toEqual([0, 1, 2500, 4999])
  expect([index.find("key:5000"), index.find("")]).toEqual([-1, -1])
})

it("finds both of two keys of which one is bytes, and the other these in Latin-1 after a zero", () => {
  const index = new KeyIndex(0)
  index.add("\0é", 0, 10)
  index.add(Buffer.from([0xe9]), 10, 10)
  index.seal()
  expect([index.find("\0é"), index.find(Buffer.from([0xe9]))]).toEqual([0, 1])
})

it("takes no longer for a file that was made of one key over and over: the first is found", () => {
  const index = new KeyIndex(0)
  index.add("another", 0, 10)
  for (let i = 1; i <= 500_000; i++) index.add("the same", 10 * i, 10)
  index.seal()
  expect([index.find("the same"), index.find("another"), index.find("neither")]).toEqual([1, 0, -1])
})

it("says where a key ends, not where the next begins, when much is between them that is not read", () => {
  const index = new KeyIndex(0)
  index.add("a", 10, 5)
  index.add("b", 15, 5)
  index.add("c", 2 ** 40, 5)
  index.seal()
  expect([0, 1, 2].map((number) => index.endOf(number))).toEqual([15, 20, 2 ** 40 + 5])
})
