import { codecRefused } from "../../errors/codec.ts"
import { definitionRefused } from "../../errors/define.ts"
import { codec, type Codec } from "./codec.ts"
import { literalMask } from "../mask.ts"

/**
 * One of these values, and nothing else: texts or numbers.
 * @example
 * const channel = string("notify:{user}", oneOf("push", "sms"), { ttl: "never" })
 */
export function oneOf<const V extends readonly [string | number, ...(string | number)[]]>(
  ...values: V
): Codec<V[number]> {
  const byText = new Map<string, V[number]>(values.map((value) => [String(value), value]))
  const expected = `one of ${values.join(", ")}`
  const odd = values.find((value) => (typeof value === "string" ? !value.isWellFormed() : !Number.isFinite(value)))
  if (odd !== undefined) throw definitionRefused(expected, "neither text nor a finite number")
  if (byText.size < values.length) throw definitionRefused(expected, "two values with the same text")
  if (byText.size === 0) throw definitionRefused(expected, "no value at all")
  return codec({
    name: expected,
    spec: { codec: "oneOf", values: Object.freeze(values) },
    example: String(values[0]),
    mask: values.map((value) => literalMask(String(value))),
    encode(value) {
      const raw = String(value)
      if (!byText.has(raw) || byText.get(raw) !== value) throw codecRefused("ONE_OF", expected, value)
      return raw
    },
    decode(raw) {
      const value = byText.get(raw)
      if (value === undefined) throw codecRefused("ONE_OF", expected, raw)
      return value
    },
  })
}
