import { codecRefused } from "../../errors/codec.ts"
import { codec, type Codec } from "./codec.ts"

/** `0` and `1`. */
export const flag: Codec<boolean> = codec({
  name: "flag (0 or 1)",
  spec: { codec: "flag" },
  example: "1",
  mask: ["0", "1"],
  encode(value) {
    if (typeof value !== "boolean") throw codecRefused("FLAG", "true or false", value)
    return value ? "1" : "0"
  },
  decode(raw) {
    if (raw !== "0" && raw !== "1") throw codecRefused("FLAG", "0 or 1", raw)
    return raw === "1"
  },
})
