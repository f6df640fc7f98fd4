import { codecRefused } from "../../errors/codec.ts"
import { codec, type Codec } from "./codec.ts"

/**
 * Any text, as it is.
 * @example
 * const page = string("cache:{hash}", text, { ttl: "5m" })
 */
export const text: Codec<string> = codec({
  name: "text",
  spec: { codec: "text" },
  example: "abc",
  encode(value) {
    // A lone surrogate has no bytes: it would come back as another text.
    if (typeof value !== "string" || !value.isWellFormed()) throw codecRefused("TEXT", "text", value)
    return value
  },
  decode: (raw) => raw,
})
