/* Which fields of a record are secret, for everything that shows or follows one of them. */

import type { CodecFields } from "../../schema/codec/codec.ts"
import type { KeyModel } from "./model.ts"

/** A field of its documents that may not be shown: all are secret, it is listed or declared so, or a secret part of the key. */
export const isSecretField = ({ secret, secrets, declared }: KeyModel, field: string): boolean =>
  secret === true ||
  secret.includes(field) ||
  secrets.has(field) ||
  (declared.shape["fields"] as CodecFields | undefined)?.[field]?.secret === true

/** A key of another pattern that repeats these parameters would show one that is hidden here. */
export const spellsOut = (from: KeyModel, to: KeyModel, params: readonly string[]): boolean =>
  params.some((param) => from.secrets.has(param) && !to.secrets.has(param))
