import { expect, it } from "vitest"
import { GatheredBytes } from "./gathered-bytes.ts"

const gathered = (...parts: string[]): GatheredBytes => {
  const bytes = new GatheredBytes()
  for (const part of parts) bytes.add(Buffer.from(part))
  return bytes
}

it.each([
  [[], ""],
  [["abc"], "abc"],
  [["", "abc", ""], "abc"],
  [[..."abcdefghijklmnopq"], "abcdefghijklmnopq"],
  [["a", "bcdefghijklmnop", "q"], "abcdefghijklmnopq"],
])("%j are %j", (parts, whole) => {
  expect(
    gathered(...parts)
      .take()
      .toString(),
  ).toBe(whole)
})

it("a single part is not copied", () => {
  const part = Buffer.from("abc")
  const bytes = new GatheredBytes()
  bytes.add(part)
  expect(bytes.take().buffer).toBe(part.buffer)
})

it("the part that came first is not written to", () => {
  const part = Buffer.from("abcdef").subarray(0, 3)
  const bytes = new GatheredBytes()
  bytes.add(part)
  bytes.add(Buffer.from("xyz"))
  expect(bytes.take().toString()).toBe("abcxyz")
  expect(part.toString()).toBe("abc")
})

it("after they were taken, nothing is kept", () => {
  const bytes = gathered("a", "b", "c")
  bytes.take()
  expect(bytes.take()).toHaveLength(0)
})
