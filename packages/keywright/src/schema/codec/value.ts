import { codecRefused } from "../../errors/codec.ts"
import { codec, type Codec } from "./codec.ts"

/** A field's value in an index key: text as it is, numbers and flags as JSON writes them. It reads back as text. */
export const fieldValue: Codec<string, string | number | bigint | boolean> = codec({
  name: "field value",
  spec: { codec: "value" },
  example: "abc",
  encode(value) {
    if (
      typeof value === "string"
        ? !value.isWellFormed()
        : typeof value === "number"
          ? !Number.isFinite(value)
          : typeof value !== "boolean" && typeof value !== "bigint"
    ) {
      throw codecRefused("VALUE", "text, a number or a flag", value)
    }
    return String(value)
  },
  decode: (raw) => raw,
})
