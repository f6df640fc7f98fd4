/* JSON documents as PHP's serialize() stores them: caches of Laravel, Symfony and WordPress. */

import { codecRefused, jsonNeeded } from "../../errors/codec.ts"
import { codec, type Codec } from "./codec.ts"
import { asDeclared, readPhp } from "./php-read.ts"
import { writePhp } from "./php-write.ts"

/**
 * A document as PHP's `serialize()` writes it, for data that PHP programs share. Only plain data: objects and references
 * are refused, and nothing is executed. An object that PHP could not tell from a list (empty, or with the keys 0, 1, 2 …)
 * is refused where the schema does not say that it is an object.
 * @example
 * const Cart = z.object({ items: z.array(z.string()) })
 * const cart = string("laravel_cache:cart:{id}", php(json(Cart)), { ttl: "1d" })
 */
export const php = <R, W>(of: Codec<R, W>): Codec<R, W> => {
  const { document, spec } = of
  if (document === undefined || spec.codec !== "json" || spec.jackson) throw jsonNeeded("php", of.name)
  const parse = (raw: string): unknown => asDeclared(readPhp(raw), spec.schema)
  return codec<Codec<R, W>>({
    name: `${of.name}, as PHP serialises it`,
    spec: { codec: "php", of: spec },
    example: "a:0:{}",
    encode(value) {
      const plain: unknown = JSON.parse(of.encode(value))
      const raw = writePhp(plain)
      if (JSON.stringify(parse(raw)) !== JSON.stringify(plain))
        throw codecRefused("PHP", "an object that is not like a list", value)
      return raw
    },
    decode: (raw) => document.read(parse(raw)),
    stored: (raw) => parse(Buffer.from(raw).toString()),
  })
}
