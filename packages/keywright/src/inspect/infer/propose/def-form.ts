/* One pattern as a definition in the JSON form. */

import type { CodecSpec } from "../../../schema/codec/codec-spec.ts"
import type { DefForm, TtlForm } from "../../../schema/json/form.ts"
import type { Pattern } from "../mine/pattern.ts"
import { type Ids, paramSpec } from "./proposal-params.ts"
import { hasLongTokens, isCalledSecret, isSecretField, isSecretValue } from "../structure/secrets.ts"
import { values as limits } from "../thresholds.ts"
import { fieldsIn } from "../values/documents.ts"
import { pilesUp } from "../values/piles-up.ts"

/** Undefined where too little was seen to say it: nobody has decided it then. */
export const ttlForm = (pattern: Pattern): TtlForm | undefined =>
  pattern.of.ttls.isDecided ? likelyTtl(pattern) : undefined

/** What the deadlines suggest. */
export function likelyTtl({ of: { ttls } }: Pattern): TtlForm {
  const { duration } = ttls
  if (duration === undefined) return "never"
  if (ttls.class === "mixed") return { either: [duration, "never"] }
  return ttls.class === "sliding" ? { sliding: duration } : duration
}

export function defForm(pattern: Pattern, ids: Ids, around: TtlForm | undefined | "family", prefix: string): DefForm {
  const { row, names, described } = pattern
  // Those of the prefix are said by the group.
  const params = Object.fromEntries(
    Object.entries(paramSpecs(pattern, ids)).filter(([name]) => !prefix.includes(`{${name}}`)),
  )
  const own = ttlForm(pattern)
  const isSaid = around === "family" || JSON.stringify(own) === JSON.stringify(around)
  const secret = secretFields(pattern)
  return {
    kind: described.kind,
    pattern: row.pattern(names).slice(prefix.length),
    ...(Object.keys(params).length > 0 && { params }),
    ...shapeForm(pattern, ids),
    ...keepForm(pattern),
    ...(!isSaid && own !== undefined && { ttl: own }),
    ...(secret.length > 0 && { secret }),
  }
}

/** Many collections of one length that somebody may have chosen, and none that is longer: they are trimmed. */
export function keepForm(pattern: Pattern): Pick<DefForm, "keep"> {
  const { largest, full } = pattern.of.values
  const isRound = largest % 10 === 0 || (largest & (largest - 1)) === 0 || largest === 25
  const least = isRound ? limits.leastFull : limits.leastFullOdd
  return pilesUp(pattern.type, pattern.of) && full >= least ? { keep: largest } : {}
}

export function paramSpecs(pattern: Pattern, ids: Ids): Record<string, CodecSpec> {
  const found = pattern.names.flatMap((name, i) => {
    const spec = paramSpec(pattern, i, ids)
    return spec === undefined ? [] : [[name, spec] as const]
  })
  return Object.fromEntries(found)
}

export function shapeForm(pattern: Pattern, ids: Ids): Pick<DefForm, "shape"> {
  const { described } = pattern
  if (described.fields !== undefined) {
    const fields = Object.entries(described.fields).map(([name, spec]) => [name, fieldSpec(pattern, name, spec, ids)])
    return { shape: { fields: Object.fromEntries(fields) as Record<string, CodecSpec> } }
  }
  const shape = Object.entries(described.shape).map(([part, whole]) => {
    const spec = whole.codec === "quoted" ? whole.of : whole
    const known =
      spec.codec === "text" || spec.codec === "int" || spec.codec === "oneOf" ? ids.spec(pattern, part) : undefined
    // A counter counts; what it counts is not an id.
    const inner = described.kind === "counter" || known === undefined ? spec : known
    const own: CodecSpec = whole.codec === "quoted" ? { codec: "quoted", of: inner } : inner
    const isElement = part === "member" || part === "item"
    const isSecret =
      (part === "value" && described.kind === "string" && isHidable(own) && isSecretValue(pattern)) ||
      (part === "value" && described.kind === "map" && isHidable(own) && hasSecretFields(pattern)) ||
      (!saysLittle(own) && isCalledSecret(pattern)) ||
      (isElement && own.codec === "text" && hasLongTokens(pattern.of.values.cells.texts))
    return [part, isSecret ? hidden(own) : own] as const
  })
  return shape.length === 0 ? {} : { shape: Object.fromEntries(shape) }
}

/** Documents have fields that are secret, and numbers say little. */
const isHidable = ({ codec }: CodecSpec): boolean =>
  codec === "text" || codec === "oneOf" || codec === "id" || codec === "bytes" || codec === "quoted"

/** In a hash whose fields are data, one codec reads all values. */
const hasSecretFields = ({ of: { values } }: Pattern): boolean =>
  [...(values.fields?.keys() ?? [])].some((name) => isSecretField(name, undefined))

/** Numbers, flags and dates; and what is secret already. */
const saysLittle = ({ codec }: CodecSpec): boolean =>
  /^(?:int|float|bigint|decimal|packedInts|(?:loose)?flag|day|month|compactDay|unix\w+|isoInstant|secret)$/i.test(codec)

const hidden = (of: CodecSpec): CodecSpec => ({ codec: "secret", of: withoutValues(of) })

/** A proposal that says which values a secret has would tell it. */
export const withoutValues = (of: CodecSpec): CodecSpec =>
  JSON.parse(JSON.stringify(of), (name, part: { codec?: unknown } | null) =>
    part?.codec === "oneOf" ? { codec: "text" } : name === "enum" && Array.isArray(part) ? undefined : part,
  ) as CodecSpec

/** A field of a hash: an id, a secret, or as it looks. */
function fieldSpec(pattern: Pattern, name: string, spec: CodecSpec, ids: Ids): CodecSpec {
  if (spec.codec === "optional") return { codec: "optional", of: fieldSpec(pattern, name, spec.of, ids) }
  if (spec.codec === "quoted") return { codec: "quoted", of: fieldSpec(pattern, name, spec.of, ids) }
  const known = spec.codec === "text" || spec.codec === "int" ? ids.spec(pattern, `.${name}`) : undefined
  const of = known ?? spec
  const isOfSecret = known === undefined && !saysLittle(of) && isCalledSecret(pattern)
  const isSecret =
    isOfSecret || (of.codec !== "secret" && isSecretField(name, pattern.of.values.fields?.get(name)?.texts))
  return isSecret ? hidden(of) : of
}

/** Fields of documents that look secret, at every depth: a listed name stands for all of them. */
export function secretFields({ of: { values } }: Pattern): string[] {
  const cells = [values.cells, ...(values.fields?.values() ?? [])]
  const fields = cells.flatMap(({ documents, unpacked }) => [...fieldsIn(documents), ...fieldsIn(unpacked)])
  return [...new Set(fields.filter(([name, texts]) => isSecretField(name, texts)).map(([name]) => name))]
}
