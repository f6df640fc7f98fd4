/* What was seen and is not declared, since it may be chance: a comment says it, and audit never makes a
 * finding of it. */

import { documentSpec } from "../../../schema/codec/document-spec.ts"
import type { CodecSpec, JsonSchema } from "../../../schema/codec/codec-spec.ts"
import type { Pattern } from "../mine/pattern.ts"
import { fieldTexts } from "../structure/places.ts"
import { isCalledSecret, isSecretField } from "../structure/secrets.ts"
import { comesAgain } from "../values/enumeration.ts"
import { pilesUp } from "../values/piles-up.ts"
import { keepForm } from "./def-form.ts"

/** More words than these say nothing. */
const MOST_WORDS = 8
const MOST_FIELDS = 6

/** `seen: at most 27`, `state seen: done, late, open`. */
export function seenOf(pattern: Pattern): string[] {
  const { of, type } = pattern
  const isTrimmed = pilesUp(type, of) && keepForm(pattern).keep === undefined
  return [
    ...ttlSeen(pattern),
    ...(isTrimmed ? [`seen: at most ${of.values.largest}`] : []),
    ...wordsSeen(pattern),
    ...fieldsSeen(pattern),
  ]
}

function ttlSeen({ of: { ttls } }: Pattern): string[] {
  if (ttls.isDecided) return []
  return [ttls.count === 0 ? "seen: no TTL" : `seen: TTLs of at most ${ttls.duration}`]
}

const wordsSeen = ({ names, row, of }: Pattern): string[] =>
  names.flatMap((name, i) => {
    const { values } = row.texts[i]!
    const isFew = values !== undefined && values.size <= MOST_WORDS && row.params[i]!.atom === "word"
    return isFew && of.count > values.size ? [`{${name}} seen: ${[...values.keys()].sort().join(", ")}`] : []
  })

const fieldsSeen = (pattern: Pattern): string[] =>
  (isCalledSecret(pattern) ? [] : fieldTexts(pattern))
    .filter(([name, texts]) => comesAgain(texts) && !isSecretField(name, texts) && !isClosed(pattern, name))
    .slice(0, MOST_FIELDS)
    .map(([name, texts]) => `${name} seen: ${[...texts.values!.keys()].sort().join(", ")}`)

/** Whether the proposal says that a field has no other values. */
function isClosed({ described: { fields, shape } }: Pattern, name: string): boolean {
  const spec = fields?.[name]
  if (spec !== undefined) return isOneOf(spec)
  const value = shape["value"]
  const schema = value && documentSpec(value)?.schema
  const properties = (schema?.["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>
  return properties[name]?.["enum"] !== undefined
}

const isOneOf = (spec: CodecSpec): boolean =>
  spec.codec === "oneOf" || ((spec.codec === "optional" || spec.codec === "quoted") && isOneOf(spec.of))
