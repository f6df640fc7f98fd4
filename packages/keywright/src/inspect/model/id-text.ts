/* Ids as they are held, and as they appear in keys: the same, unless the schema says that
 * they are held in quotes. */

import type { AnyCodec } from "../../schema/codec/codec.ts"
import { idIn, isQuoted, quote } from "../../schema/codec/quoted.ts"

export interface IdText {
  /** The form used in keys. */
  of(held: string): string
  /** What the schema says is held. */
  held(text: string): string
}

const same = (text: string): string => text
const plain: IdText = Object.freeze({ of: same, held: same })
const inQuotes: IdText = Object.freeze({ of: idIn, held: quote })

export const idText = (isInQuotes: boolean): IdText => (isInQuotes ? inQuotes : plain)

export const idTextOf = (codec: AnyCodec | undefined): IdText => idText(isQuoted(codec))
