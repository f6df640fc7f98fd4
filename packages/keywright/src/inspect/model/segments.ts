/* Segments of keys that have the form of their pattern. */

import type { TextCodec } from "../../schema/codec/codec.ts"
import type { Key } from "../../schema/key.ts"
import { locate, slotsOf } from "../../schema/locate.ts"
import { isAccepted } from "./decoding.ts"

/** Parameters whose codec reads some texts only. */
export const checkedParams = ({ params }: Key): [name: string, codec: TextCodec][] =>
  Object.entries<TextCodec>(params).filter(([, { spec }]) => spec.codec !== "text")

export const readsSegment = (codec: TextCodec, text: string): boolean => isAccepted(() => codec.decode(text))

/** Whether a key of this pattern has a segment that its codec does not read. */
export function hasUnreadableSegment(key: string, row: Key): boolean {
  const texts = locate(key, ...slotsOf(row.pattern, row.params))
  return texts !== undefined && checkedParams(row).some(([name, codec]) => !readsSegment(codec, texts[name]!))
}
