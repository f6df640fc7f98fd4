/* By how much a number goes up: as a command's argument. Integers and floats have
 * different commands, and the codec says which of them its numbers are. */

import { argumentRefused } from "../../errors/client.ts"
import { isFiniteNumber } from "./argument.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { CodecSpec } from "../../schema/codec/codec-spec.ts"

/** `"5"` for INCRBY, HINCRBY; or `"0.5"` for INCRBYFLOAT and HINCRBYFLOAT. */
export function stepOf(codec: AnyCodec, by: number | bigint): { readonly whole: boolean; readonly text: string } {
  if (isFloat(codec.spec)) {
    if (!isFiniteNumber(by)) throw argumentRefused("a step", "a finite number", by)
    return { whole: false, text: String(by) }
  }
  if (typeof by === "bigint" ? BigInt.asIntN(64, by) !== by : !Number.isSafeInteger(by)) {
    throw argumentRefused("a step", "a whole number", by)
  }
  return { whole: true, text: String(by) }
}

/** How the result of an increment is read: the server counts without bounds, and its result is returned as it is. */
export const countedBy = (codec: AnyCodec): AnyCodec => codec.unbounded ?? codec

function isFloat(spec: CodecSpec): boolean {
  const { codec, of } = spec as { codec: string; of?: CodecSpec }
  return codec === "float" || (of !== undefined && isFloat(of))
}
