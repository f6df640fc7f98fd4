import { expect, it } from "vitest"
import { wireFormat } from "./wire-formats.ts"

const bytes = (...all: readonly (number | string)[]): Uint8Array =>
  Uint8Array.from(all.flatMap((one) => (typeof one === "number" ? [one] : [...Buffer.from(one)])))

it.each<[string, Uint8Array, string | undefined]>([
  ["a map of one", bytes(0x81, 0xa1, "a", 1), "messagePack"],
  ["an array of several kinds", bytes(0x95, 0xc0, 0xcd, 1, 2, 0xd9, 2, "ab", 0xc4, 1, 9, 0xd4, 1, 7), "messagePack"],
  ["a long array", bytes(0xdc, 0, 2, 1, 2), "messagePack"],
  ["a map that is cut", bytes(0x82, 0xa1, "a", 1), undefined],
  ["a map with more behind it", bytes(0x81, 0xa1, "a", 1, 1), undefined],
  ["a byte that is never used", bytes(0x91, 0xc1), undefined],
  ["a size beyond the end", bytes(0xdd, 0, 0), undefined],
  ["a document with its length", bytes(5, 0, 0, 0, 0), "bson"],
  ["a wrong length", bytes(6, 0, 0, 0, 0), undefined],
  ["two fields", bytes(0x08, 0x96, 0x01, 0x12, 0x02, "hi"), "protobuf"],
  ["one field", bytes(0x0a, 0x04, "text"), undefined],
  ["a field of number 0", bytes(0x00, 0x01, 0x12, 0x02, "hi"), undefined],
  ["a field that is cut", bytes(0x08, 0x01, 0x12, 0x09, "hi"), undefined],
])("%s is %s", (_, value, format) => {
  expect(wireFormat(value)).toBe(format)
})
