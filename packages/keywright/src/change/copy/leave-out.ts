/* Parts of a key that are exported only on request. */

import type { Reply, Wire } from "../../driver/driver.ts"
import { isKeywrightError } from "../../errors/error.ts"
import { hasNameTwice } from "../../files/name-twice.ts"
import { decode } from "../../inspect/model/decoding.ts"
import { hidingFields, holdsFields } from "../../inspect/model/hidden-fields.ts"
import { keyShower } from "../../inspect/model/show-key.ts"
import { isDocument, mayHold } from "../../schema/hidden-secrets.ts"
import { secretFields, secretParams } from "../../schema/secret-params.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import { isObject, parsedJson } from "../../schema/codec/json-checks.ts"
import { codecsIn } from "../../schema/codecs-in.ts"
import type { Key } from "../../schema/key.ts"
import type { ValuePart } from "./key-value.ts"

/** What is left of a part: all but some fields, or nothing. */
export type Remaining = { readonly part: ValuePart; readonly fields: readonly string[] } | "secret"

export interface Leave {
  /** The key itself is secret: how it may be shown. */
  readonly show?: (key: Wire) => string
  rest(part: ValuePart): Remaining
}

/** Makes the function that leaves secrets out; undefined for a pattern that has none. */
export function leaveOut(row: Key, keys: readonly Key[]): Leave | undefined {
  if (secretParams(row, keys).size > 0) return { show: keyShower(row, keys), rest: () => "secret" }
  const isHash = row.kind === "hash"
  const fields = row.entity === undefined || row.entity.role === "record" ? secretFields(row, keys) : []
  const own = isHash ? codecFields(row.shape["fields"] as CodecFields) : []
  const all = fields === true ? true : [...fields, ...own]
  const isSecretElsewhere = !isHash && codecsIn(row.shape).some((codec) => codec.secret === true)
  if (all === true || isSecretElsewhere) return { rest: () => "secret" }
  if (all.length === 0) return undefined
  if (isHash) {
    const codecs = row.shape["fields"] as CodecFields
    const isListed = fields !== true && fields.length > 0
    const formOf = (name: string): FieldForm => {
      // Another version of a program may have put a secret there.
      if (!Object.hasOwn(codecs, name)) return "secret"
      if (!isListed) return "text"
      const { spec } = codecs[name]!
      return isDocument(spec) ? codecs[name]! : mayHold(spec, fields) ? "secret" : "text"
    }
    return { rest: (part) => withoutPairs(part, all, formOf) }
  }
  if (row.kind === "string") return { rest: (part) => withoutFields(part, all, row.shape["value"] as AnyCodec) }
  return { rest: () => "secret" }
}

const codecFields = (fields: CodecFields): string[] =>
  Object.entries(fields)
    .filter(([, codec]) => codec.secret === true)
    .map(([name]) => name)

/** The codec of a document, or what else a field is. */
type FieldForm = AnyCodec | "secret" | "text"

function withoutPairs(part: ValuePart, fields: readonly string[], formOf: (name: string) => FieldForm): Remaining {
  if (part.type !== "hash") return "secret"
  const elements: Reply[] = []
  const left: string[] = []
  for (let i = 0; i + 1 < part.elements.length; i += 2) {
    const name = String(part.elements[i])
    if (fields.includes(name) || holdsInside(String(part.elements[i + 1]), fields, formOf(name))) left.push(name)
    else elements.push(part.elements[i]!, part.elements[i + 1]!)
  }
  return { part: { ...part, elements }, fields: left }
}

/** A document that cannot be read may hold secrets anywhere; so may one with a name twice, because only one of the two is looked at. */
function withoutFields(part: ValuePart, fields: readonly string[], codec: AnyCodec): Remaining {
  if (part.type !== "string") return "secret"
  const text = String(part.elements[0])
  const document = parsedJson(text)
  if (!isObject(document)) return "secret" // The audit reports that it is not a document.
  const left = fields.filter((field) => Object.hasOwn(document, field))
  const rest = Object.fromEntries(Object.entries(document).filter(([name]) => !left.includes(name)))
  // Deeper inside, nobody could tell what an import would have to put back.
  if (isHeldIn(rest, fields)) return "secret"
  if (left.length === 0)
    return hasNameTwice(text, document) || areMadeOf(codec, part.elements[0]!, fields)
      ? "secret"
      : { part, fields: left }
  return { part: { ...part, elements: [JSON.stringify(rest)] }, fields: left }
}

const isHeldIn = (document: unknown, fields: readonly string[]): boolean =>
  hidingFields(document, (name) => fields.includes(name)) !== document

/** Whether the validator renames fields of the document into these. */
function areMadeOf(codec: AnyCodec, raw: Reply, fields: readonly string[]): boolean {
  try {
    return holdsFields(decode(codec, raw), (name) => fields.includes(name))
  } catch (error) {
    if (isKeywrightError(error)) return false
    throw error
  }
}

/** Whether the value of a field is a document that may have one of these fields: one that cannot be read, too. */
function holdsInside(value: string, fields: readonly string[], form: FieldForm): boolean {
  if (form === "secret") return true
  const isCodec = form !== "text"
  if (!isCodec && !/^\s*[[{]/.test(value)) return false
  try {
    const document: unknown = JSON.parse(value)
    return isHeldIn(document, fields) || hasNameTwice(value, document) || (isCodec && areMadeOf(form, value, fields))
  } catch {
    return isCodec
  }
}
