import { codecRefused } from "../../errors/codec.ts"
import { codec, type Codec } from "./codec.ts"

const encode = (value: boolean): string => {
  if (typeof value !== "boolean") throw codecRefused("FLAG", "true or false", value)
  return value ? "1" : "0"
}

/**
 * A boolean, stored as `0` or `1`.
 * @example
 * const seen = string("seen:{user}", flag, { ttl: "1d" })
 */
export const flag: Codec<boolean> = codec({
  name: "flag (0 or 1)",
  spec: { codec: "flag" },
  example: "1",
  mask: ["0", "1"],
  encode,
  decode(raw) {
    if (raw !== "0" && raw !== "1") throw codecRefused("FLAG", "0 or 1", raw)
    return raw === "1"
  },
})

const spellings: Readonly<Record<string, boolean>> = Object.freeze({
  ...{ "1": true, true: true, True: true },
  ...{ "0": false, false: false, False: false },
})

/**
 * A boolean, stored as `0` or `1`; `true`, `True`, `false` and `False` are read too, as programs in other languages write them.
 * @example
 * console.log(looseFlag.decode("True"), looseFlag.encode(true)) // → true 1
 */
export const looseFlag: Codec<boolean> = codec({
  name: "flag (0 or 1; true and false are read)",
  spec: { codec: "looseFlag" },
  example: "1",
  mask: ["0", "1"],
  encode,
  decode(raw) {
    const found = Object.hasOwn(spellings, raw) ? spellings[raw] : undefined
    if (found === undefined) throw codecRefused("FLAG", "0, 1, true or false", raw)
    return found
  },
})
