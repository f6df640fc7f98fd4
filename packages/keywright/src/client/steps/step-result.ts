/* What a script returned → what the declaration says it is. */

import type { Reply } from "../../driver/driver.ts"
import { stepResult } from "../../errors/step.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { Result } from "../../schema/step.ts"
import { inPairs, textOf } from "../call/reply.ts"

/** Some part of it is kept as bytes. */
export function wantsBytes(result: Result): boolean {
  if (result === undefined) return false
  if (!("shape" in result)) return result.decodeBytes !== undefined
  return [result.of].flat().some((part) => wantsBytes(part as Result))
}

export function readResult(step: string, result: Result, reply: Reply): unknown {
  if (result === undefined) return undefined
  if (!("shape" in result)) return readValue(step, result, reply)
  if (result.shape === "maybe") return reply === null ? undefined : readResult(step, result.of as Result, reply)
  if (!Array.isArray(reply)) throw stepResult(step, "an array")
  const items = reply as readonly Reply[]
  if (result.shape === "array") return items.map((item) => readResult(step, result.of as Result, item))
  if (result.shape === "tuple") {
    // Lua ends an array at its first nil: what is cut off is nil.
    if (items.length > result.of.length) throw stepResult(step, `${result.of.length} values`)
    return result.of.map((part, i) => readResult(step, part as Result, items[i] ?? null))
  }
  if (items.length % 2 !== 0) throw stepResult(step, "pairs")
  const [first, second] = result.of as readonly [AnyCodec, AnyCodec]
  return inPairs(items).map(([one, other]) => [readValue(step, first, one), readValue(step, second, other)])
}

function readValue(step: string, codec: AnyCodec, raw: Reply): unknown {
  if (raw === null && codec.optional) return undefined
  if (raw === null || Array.isArray(raw)) throw stepResult(step, codec.name)
  try {
    return codec.decodeBytes && raw instanceof Uint8Array ? codec.decodeBytes(raw) : codec.decode(textOf(raw))
  } catch (error) {
    throw stepResult(step, codec.name, error)
  }
}
