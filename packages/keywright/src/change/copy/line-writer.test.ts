import fc from "fast-check"
import { expect, it } from "vitest"
import { KeyDigest, spellScore } from "./digest.ts"
import { digestPart, type ValuePart, writeValue } from "./key-value.ts"
import { LineWriter } from "./line-writer.ts"

const texts = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.string({ minLength: 900, maxLength: 1200 }))

it("writes what JSON reads, and hashes what was written", () => {
  fc.assert(
    fc.property(fc.constantFrom("list", "set", "string" as const), fc.array(texts, { minLength: 1 }), (type, words) => {
      const elements = type === "string" ? words.slice(0, 1) : words
      const part: ValuePart = { type, elements }
      const lines = new LineWriter()
      const digest = KeyDigest.of(type, "key")
      writeValue(lines, digest, part)
      expect(JSON.parse(lines.take().toString())).toEqual(type === "string" ? elements[0] : elements)
      const apart = KeyDigest.of(type, "key")
      digestPart(apart, part)
      expect(digest.end(5).toString()).toBe(apart.end(5).toString())
    }),
  )
})

it("takes bytes that are not text as base64", () => {
  const lines = new LineWriter()
  const bytes = Buffer.from([0xff, 0, 10])
  writeValue(lines, new KeyDigest("hash"), { type: "hash", elements: ["f", bytes] })
  expect(JSON.parse(lines.take().toString())).toEqual([["f", { base64: bytes.toString("base64") }]])
})

const digestOf = (type: ValuePart["type"], key: string, elements: readonly string[], pexpireat?: number) => {
  const digest = KeyDigest.of(type, key)
  digestPart(digest, { type, elements })
  return digest.end(pexpireat).toString()
}

it("has one digest for a set in any order, and another for a list in another order", () => {
  expect(digestOf("set", "k", ["a", "b", "c"])).toBe(digestOf("set", "k", ["c", "a", "b"]))
  expect(digestOf("list", "k", ["a", "b", "c"])).not.toBe(digestOf("list", "k", ["c", "a", "b"]))
})

it("tells apart keys that differ in anything", () => {
  const digests = [
    digestOf("set", "k", ["a", "b"]),
    digestOf("set", "a", ["k", "b"]),
    digestOf("set", "k", ["ab"]),
    digestOf("set", "k", ["a", "b"], 1),
    digestOf("list", "k", ["a", "b"]),
    digestOf("list", "k", ["ab", ""]),
    digestOf("list", "ka", ["b"]),
    digestOf("hash", "k", ["a", "b"]),
    digestOf("hash", "k", ["b", "a"]),
  ]
  expect(new Set(digests).size).toBe(digests.length)
})

it("hardly ever gives two keys the same digest", () => {
  const seen = new Set<string>()
  for (let i = 0; i < 50_000; i++) seen.add(digestOf("string", `k:${i}`, [String(i % 7)]))
  expect(seen.size).toBe(50_000)
  const halves = new Set([...seen].map((digest) => digest.slice(0, 6)))
  expect(halves.size).toBeGreaterThan(49_000)
})

it("compares scores as numbers, however they are spelled", () => {
  expect(["3", "3.0", "3e0", "+3"].map(spellScore)).toEqual(["3", "3", "3", "3"])
  expect(["-0", "0", "00"].map(spellScore)).toEqual(["0", "0", "0"])
  expect(spellScore("inf")).toBe(spellScore("+inf"))
})
