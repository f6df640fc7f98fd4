/* Documents of which some fields are secret: what a validator says of these fields may quote them, and so does the
 * refusal of a text that is not a whole document. The codecs of such keys are as they were declared, with errors
 * that show neither. */

import { hidingIssues, type SecretFields } from "../errors/json.ts"
import { isKeywrightError } from "../errors/error.ts"
import { type AnyCodec, codec, type DocumentCodec } from "./codec/codec.ts"
import type { CodecSpec } from "./codec/codec-spec.ts"
import { secret as hidden } from "./codec/wrap.ts"
import type { Notes } from "./define.ts"
import type { Key } from "./key.ts"
import type { ParamCodecsOf } from "./locate.ts"

/** The parts of a kind that have values. */
const PARTS = ["value", "item", "member"]

/**
 * The shape of a key whose documents have fields that are listed as secret, or that repeat a secret part of the key; or
 * whose whole value is secret.
 */
export function hidingDocuments(shape: Key["shape"], secret: Notes["secret"], params: ParamCodecsOf): Key["shape"] {
  const fields = secretsIn(secret, params)
  if (fields !== true && fields.length === 0) return shape
  const hiding = PARTS.flatMap((part) => {
    const of = shape[part] as AnyCodec | undefined
    if (of === undefined || of.secret || (fields !== true && !isDocument(of.spec))) return []
    return [[part, isDocument(of.spec) ? hidingFields(of, fields) : hidden(of)] as const]
  })
  return hiding.length === 0 ? shape : { ...shape, ...Object.fromEntries(hiding) }
}

function secretsIn(secret: Notes["secret"], params: ParamCodecsOf): SecretFields {
  if (secret === true) return true
  const ofKey = Object.keys(params).filter((name) => params[name]!.secret)
  return [...(secret ?? []), ...ofKey]
}

/** JSON, or JSON in another form. */
function isDocument(spec: CodecSpec): boolean {
  const { codec: name, of } = spec as { codec: string; of?: CodecSpec }
  return name === "json" || (of !== undefined && isDocument(of))
}

function hidingFields(of: AnyCodec, fields: SecretFields): AnyCodec {
  const hide = <A extends unknown[], R>(run: (...args: A) => R, ...args: A): R => {
    try {
      return run(...args)
    } catch (error) {
      throw isKeywrightError(error) ? hidingIssues(error, fields, of.name) : error
    }
  }
  const { document, decodeBytes } = of
  return codec({
    ...of,
    encode: (value: unknown) => hide(of.encode, value),
    decode: (raw: string) => hide(of.decode, raw),
    ...(decodeBytes && { decodeBytes: (raw: Uint8Array) => hide(decodeBytes, raw) }),
    ...(document && { document: hidingDocument(document, hide) }),
  })
}

const hidingDocument = (
  { parse, read, accept }: DocumentCodec<unknown>,
  hide: <R>(run: (given: never) => R, given: never) => R,
): DocumentCodec<unknown> => ({
  hidden: true,
  ...(parse && { parse: (raw) => hide(parse, raw as never) }),
  read: (document) => hide(read, document as never),
  accept: (document) => hide(accept, document as never),
})
