/* Which fields of a record are secret, for everything that shows or follows one of them. */

import type { CodecFields } from "../../schema/codec/codec.ts"
import type { KeyModel } from "./model.ts"

/** A field that may not be shown: the whole document is secret, the field is declared secret, or it is a secret part of the key. */
export const isSecretField = ({ secret, secrets, declared }: KeyModel, field: string): boolean =>
  secret === true ||
  secret.includes(field) ||
  secrets.has(field) ||
  (declared.shape["fields"] as CodecFields | undefined)?.[field]?.secret === true

/** A key of another pattern that repeats these parameters would show one that is hidden here. */
export const spellsOut = (from: KeyModel, to: KeyModel, params: readonly string[]): boolean =>
  params.some((param) => from.secrets.has(param) && !to.secrets.has(param))
