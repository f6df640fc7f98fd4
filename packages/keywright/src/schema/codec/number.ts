/* Numbers. Redis keeps them as text, so each codec says which texts it takes. */

import { codecRefused } from "../../errors/codec.ts"
import { boundable, type BoundableCodec } from "./bounds.ts"
import { codec, type Codec, type NumericCodec } from "./codec.ts"

const plainInt: NumericCodec<number> = codec({
  name: "int",
  spec: { codec: "int" },
  example: "42",
  mask: ["#+", "-#+"],
  numeric: true,
  encode(value) {
    if (!Number.isSafeInteger(value)) throw codecRefused("INT", "a whole number up to 2^53 - 1", value)
    return String(value)
  },
  decode(raw) {
    const value = Number(raw)
    if (!Number.isSafeInteger(value) || String(value) !== raw)
      throw codecRefused("INT", "a whole number up to 2^53 - 1", raw)
    return value
  },
})

/**
 * A whole number that JavaScript holds exactly: up to 2^53 − 1 either way. Beyond that, use `bigint`. −0 is kept as 0.
 * With bounds, only these numbers, both ends included.
 * @example
 * const stock = map("stock", text, int({ min: 0 }), { ttl: "never" })
 */
export const int: BoundableCodec = boundable(plainInt, (value) => Number.isSafeInteger(value))

/**
 * An integer of any size that Redis can count with (64 bits).
 * @example
 * const total = counter("total", { value: bigint, ttl: "never" })
 */
export const bigint: NumericCodec<bigint> = codec({
  name: "bigint",
  spec: { codec: "bigint" },
  example: "9007199254740993",
  mask: ["#+", "-#+"],
  numeric: true,
  encode(value) {
    if (typeof value !== "bigint" || BigInt.asIntN(64, value) !== value)
      throw codecRefused("BIGINT", "a bigint of 64 bits", value)
    return String(value)
  },
  decode(raw) {
    if (!/^(0|-?[1-9]\d{0,18})$/.test(raw) || BigInt.asIntN(64, BigInt(raw)) !== BigInt(raw)) {
      throw codecRefused("BIGINT", "a whole number of 64 bits", raw)
    }
    return BigInt(raw)
  },
})

const plainFloat: NumericCodec<number> = codec({
  name: "float",
  spec: { codec: "float" },
  example: "1.5",
  numeric: true,
  encode(value) {
    if (typeof value !== "number" || Number.isNaN(value)) throw codecRefused("FLOAT", "a number", value)
    if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : String(value)
    return value > 0 ? "inf" : "-inf"
  },
  decode(raw) {
    if (raw === "inf" || raw === "+inf") return Infinity
    if (raw === "-inf") return -Infinity
    const value = Number(raw)
    // No digit can be matched in two ways: a text may have megabytes of them.
    if (!Number.isFinite(value) || !/^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(raw))
      throw codecRefused("FLOAT", "a number", raw)
    return value
  },
})

/**
 * A number with a fraction, as Redis prints scores and INCRBYFLOAT. `inf` and `-inf` are numbers, NaN is not. With
 * bounds, only these numbers, and no infinities.
 * @example
 * const rating = float({ min: 0, max: 5 })
 * console.log(rating.decode("4.5")) // → 4.5
 */
export const float: BoundableCodec = boundable(plainFloat, (value) => Number.isFinite(value))

/**
 * An exact decimal as text, for money: never rounded, never in floating point.
 * @example
 * const price = map("prices", text, decimal, { ttl: "never" }) // { item1: "19.90" }
 */
export const decimal: Codec<string> = codec({
  name: "decimal",
  spec: { codec: "decimal" },
  example: "19.90",
  encode: checkDecimal,
  decode: checkDecimal,
})

function checkDecimal(value: string): string {
  if (typeof value !== "string" || !/^-?\d+(\.\d+)?$/.test(value))
    throw codecRefused("DECIMAL", "a decimal such as 19.90", value)
  return value
}
