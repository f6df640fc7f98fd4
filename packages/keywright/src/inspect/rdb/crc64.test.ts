import { expect, it } from "vitest"
import { Crc64 } from "./crc64.ts"

function sum(...parts: Buffer[]): string {
  const crc = new Crc64()
  for (const part of parts) crc.update(part, 0, part.length)
  return crc.value().toString(16)
}

it("gives the published check value", () => {
  expect(sum(Buffer.from("123456789"))).toBe("e9c6d914c4b8d9ca")
})

it("is zero for nothing", () => {
  expect(sum()).toBe("0")
})

it("does not depend on how the bytes are portioned", () => {
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 7919) & 255))
  for (const at of [1, 7, 8, 9, 500, 999]) expect(sum(bytes.subarray(0, at), bytes.subarray(at))).toBe(sum(bytes))
})
