/* How ids are stored in lists, sets and unique indexes: bare or in quotes. One form is
 * written; both are read and removed, since a keyspace may be migrating from bare ids to
 * quoted ones. */

import type { AnyCodec } from "../../schema/codec/codec.ts"
import { idIn, isQuoted, quote } from "../../schema/codec/quoted.ts"
import type { Key } from "../../schema/key.ts"

export interface IdForm {
  readonly isQuoted: boolean
  /** An id, as it is written. */
  stored(id: string): string
  /** The id that is stored. */
  id(raw: string): string
  /** Each once. */
  ids(raw: readonly string[]): readonly string[]
  /** All forms in which the id may be stored. */
  forms(id: string): readonly string[]
}

const asItIs = <T>(of: T): T => of

export const bareIds: IdForm = Object.freeze({
  isQuoted: false,
  stored: asItIs,
  id: asItIs,
  ids: asItIs,
  forms: (id: string) => [id],
})

export const quotedIds: IdForm = Object.freeze({
  isQuoted: true,
  stored: quote,
  id: idIn,
  ids: (raw: readonly string[]) => [...new Set(raw.map(idIn))],
  forms: (id: string) => [quote(id), id],
})

/** The form of the ids that a key holds. */
export const idFormOf = ({ shape }: Pick<Key, "shape">): IdForm => {
  const { member, value } = shape as { readonly member?: AnyCodec; readonly value?: AnyCodec }
  return isQuoted(member ?? value) ? quotedIds : bareIds
}
