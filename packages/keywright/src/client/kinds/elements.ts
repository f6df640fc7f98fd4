/* Several values at once: as arguments, and from replies. */

import type { Reply, Wire } from "../../driver/driver.ts"
import { Undecodable } from "../../errors/outcome.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { ManyNotes } from "../call/notes.ts"

/** Members and items as arguments. */
export const encodeAll = (codec: AnyCodec, values: readonly unknown[]): Wire[] =>
  values.map((value) => codec.encode(value))

/** Whether there is nothing to send. A value that is not a list is refused where the command is built. */
export const isNone = (values: readonly unknown[]): boolean => Array.isArray(values) && values.length === 0

/**
 * Every element decoded, or every pair; with `onUndecodable`, those that cannot be decoded are reported and left out.
 */
export function decodeEach<R>(
  elements: readonly Reply[],
  width: 1 | 2,
  decode: (first: Reply, second: Reply, index: number) => R,
  notes?: ManyNotes,
): R[] {
  const decoded: R[] = []
  for (let i = 0; i + width <= elements.length; i += width) {
    try {
      decoded.push(decode(elements[i]!, elements[i + 1]!, i))
    } catch (error) {
      if (notes?.onUndecodable === undefined || !(error instanceof Undecodable)) throw error
      notes.onUndecodable(error)
    }
  }
  return decoded
}

/**
 * The result of `decode`; with `onUndecodable`, a value that cannot be decoded is reported, and
 * `otherwise` is returned.
 */
export function decodeOr<R, E>(otherwise: E, decode: () => R, notes: ManyNotes | undefined): R | E {
  if (notes?.onUndecodable === undefined) return decode()
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error
    notes.onUndecodable(error)
    return otherwise
  }
}
