/* JSON documents as programs that use MessagePack store them. */

import { jsonNeeded } from "../../errors/codec.ts"
import { codec, type Codec } from "./codec.ts"
import { readMessagePack } from "./message-pack-read.ts"
import { writeMessagePack } from "./message-pack-write.ts"

/**
 * A document as MessagePack, for data that other programs share. It reads and writes what JSON can hold; other values
 * (bytes, timestamps, integers beyond 2^53) are refused. Numbers without a fraction are written as integers.
 * @example
 * const Cart = z.object({ items: z.array(z.string()) })
 * const cart = string("cart:{id}", messagePack(json(Cart)), { ttl: "1d" })
 */
export const messagePack = <R, W>(of: Codec<R, W>): Codec<R, W, Uint8Array> => {
  const { document, spec } = of
  if (document === undefined || spec.codec !== "json" || spec.jackson) throw jsonNeeded("messagePack", of.name)
  const decodeBytes = (raw: Uint8Array): R => document.read(readMessagePack(raw))
  return codec<Codec<R, W, Uint8Array>>({
    name: `${of.name}, as MessagePack`,
    spec: { codec: "messagePack", of: spec },
    example: of.example,
    encode: (value) => writeMessagePack(JSON.parse(of.encode(value))),
    decode: (raw) => decodeBytes(Buffer.from(raw, "latin1")),
    decodeBytes,
    stored: readMessagePack,
  })
}
