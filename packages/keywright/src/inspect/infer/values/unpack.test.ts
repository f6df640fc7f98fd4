import { deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { writeMessagePack } from "../../../schema/codec/message-pack-write.ts"
import { type Blob, blobNames, blobOf } from "./blob.ts"
import { unpack } from "./unpack.ts"

const one = { id: 7, tags: ["a"] }
const text = JSON.stringify(one)

it.each<[Blob, string | Uint8Array, unknown]>([
  ["php", 'a:1:{s:2:"id";i:7;}', { document: { id: 7 } }],
  ["php", Buffer.from('s:1:"\xff";', "latin1"), undefined],
  ["messagePack", writeMessagePack(one), { document: one }],
  ["gzip", gzipSync(text), { document: one }],
  ["zlib", deflateSync(text), { document: one }],
  ["deflate", deflateRawSync(text), { document: one }],
  ["gzip", gzipSync("[not JSON"), { text: "[not JSON" }],
  ["gzip", gzipSync(Buffer.of(255, 254)), undefined],
  ["gzip", gzipSync(text).subarray(0, 12), undefined],
  ["gzip", gzipSync(Buffer.alloc(2 << 20)), undefined],
  ["pickle", Buffer.from("80044e2e", "hex"), undefined],
])("looks into %s", (blob, raw, found) => {
  expect(unpack(blob, raw)).toEqual(found)
})

it("throws at no value, whatever it was taken for", () => {
  const numRuns = process.env["KEYWRIGHT_FULL"] === "1" ? 100_000 : 300
  const damaged = fc
    .tuple(
      fc.constantFrom(gzipSync(text), deflateSync(text), deflateRawSync(text), writeMessagePack(one)),
      fc.nat(),
      fc.nat(255),
    )
    .map(([raw, at, byte]) => {
      const changed = Uint8Array.from(raw)
      changed[at % changed.length] = byte
      return changed
    })
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), damaged, fc.string({ unit: "binary" })), (raw) => {
      for (const blob of Object.keys(blobNames) as Blob[]) unpack(blob, raw)
      blobOf(raw)
    }),
    { numRuns },
  )
})
