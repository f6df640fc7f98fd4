/* The codecs of keys that hold secrets: as they were declared, and with errors that show none. Fields of a hash or a stream
 * that are listed as secret are hidden like those that are declared with `secret(…)`. For documents, an
 * error of a validator may quote such fields, and so may the error for a text that is not a whole document. */

import { hidingIssues, type SecretFields } from "../errors/json.ts"
import { isKeywrightError } from "../errors/error.ts"
import { type AnyCodec, codec, type CodecFields, type DocumentCodec } from "./codec/codec.ts"
import { type CodecSpec, partsOf } from "./codec/codec-spec.ts"
import { secret as hidden } from "./codec/wrap.ts"
import type { Notes } from "./define.ts"
import { hiding } from "./draft.ts"
import type { Key } from "./key.ts"
import type { ParamCodecsOf } from "./locate.ts"

/** Before any value is read: from then on, keys that are declared hide their secrets. */
export const hideSecrets = (): void => {
  hiding.by = (shape, secret, params) => hidingDocuments(hidingListed(shape, secret, params), secret, params)
}

/**
 * Fields of a hash or a stream that are listed as secret, or that repeat a secret part of the key: their codecs hide
 * them, like those that are declared with `secret(…)`.
 */
function hidingListed(shape: Key["shape"], secret: Notes["secret"], params: ParamCodecsOf): Key["shape"] {
  const fields = shape["fields"] as CodecFields | undefined
  if (fields === undefined) return shape
  const isSecret = (name: string) =>
    secret === true ||
    (Array.isArray(secret) && secret.includes(name)) ||
    (Object.hasOwn(params, name) && params[name]?.secret === true)
  const inside = secretsIn(secret, params)
  if (inside !== true && inside.length === 0) return shape
  const entries = Object.entries(fields).map(([name, codec]) => {
    const isWhole = !codec.secret && isSecret(name)
    return [name, isWhole ? hidden(codec) : hidingInside(codec, inside)]
  })
  return { ...shape, fields: Object.fromEntries(entries) as CodecFields }
}

/** The parts of a kind that have values. */
const PARTS = ["value", "item", "member", "field", "score"]

/**
 * The shape of a key whose documents have fields that are listed as secret, or that repeat a secret part of the key; or
 * whose whole value is secret.
 */
function hidingDocuments(shape: Key["shape"], secret: Notes["secret"], params: ParamCodecsOf): Key["shape"] {
  const fields = secretsIn(secret, params)
  if (fields !== true && fields.length === 0) return shape
  const isListed = Array.isArray(secret) && secret.some((name) => !Object.hasOwn(params, name))
  const parts = PARTS.flatMap((part) => {
    const of = shape[part] as AnyCodec | undefined
    const isOfMap = part === "value" && shape["field"] !== undefined
    const made = of && (isListed && isOfMap ? hidingValues(of, fields) : hidingInside(of, fields))
    return made === of ? [] : [[part, made] as const]
  })
  return parts.length === 0 ? shape : { ...shape, ...Object.fromEntries(parts) }
}

/** A codec that hides such fields of its values, unless it hides everything already. */
function hidingInside(of: AnyCodec, fields: SecretFields): AnyCodec {
  if (of.secret) return of
  if (isDocument(of.spec)) return hidingFields(of, fields)
  return mayHold(of.spec, fields) ? hidden(of) : of
}

/** The values of a map: one codec reads all of them, whichever field they are of, so all are hidden. */
const hidingValues = (of: AnyCodec, fields: SecretFields): AnyCodec =>
  of.secret || isDocument(of.spec) ? hidingInside(of, fields) : hidden(of)

function secretsIn(secret: Notes["secret"], params: ParamCodecsOf): SecretFields {
  if (secret === true) return true
  const ofKey = Object.keys(params).filter((name) => params[name]!.secret)
  return [...(secret ?? []), ...ofKey]
}

/**
 * Whether a value may have such a field, at any depth; a document may have any. Columns, lists and choices are hidden as
 * a whole then, as they are when a part of them is declared with `secret(…)`.
 */
export function mayHold(spec: CodecSpec, fields: SecretFields): boolean {
  if (fields === true || spec.codec === "json") return true
  const own = spec.codec === "delimited" ? Object.keys(spec.fields) : spec.codec === "tagged" ? ["tag", "id"] : []
  return own.some((name) => fields.includes(name)) || partsOf(spec).some(([, part]) => mayHold(part, fields))
}

/** JSON, or JSON in another form: a value whose fields are hidden one by one. */
export function isDocument(spec: CodecSpec): boolean {
  return spec.codec === "json" || (spec.codec !== "quoted" && "of" in spec && isDocument(spec.of))
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
