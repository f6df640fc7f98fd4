/* An entity in the JSON form: its records, and all that moves with them. */

import { defined } from "../../../errors/defined.ts"
import type { CodecSpec, JsonSchema } from "../../../schema/codec/codec-spec.ts"
import { documentSpec } from "../../../schema/codec/document-spec.ts"
import type { Stamp } from "../../../schema/entity.ts"
import type { EntityForm, IndexForm, TtlForm } from "../../../schema/json/form.ts"
import { likelyTtl, paramSpecs, secretFields, shapeForm, ttlForm, withoutValues } from "./def-form.ts"
import type { FoundEntity } from "../structure/found-entity.ts"
import { isCalledSecret } from "../structure/secrets.ts"
import type { Pattern } from "../mine/pattern.ts"
import type { Ids } from "./proposal-params.ts"

export function entityForm(entity: FoundEntity, ids: Ids, around: TtlForm | undefined): EntityForm {
  const { pattern, counter, all, indexes } = entity
  const { described, row, names } = pattern
  // Whether records expire is a part of what an entity is.
  const own = pattern.of.ttls.count > 0 ? likelyTtl(pattern) : ttlForm(pattern)
  const document = described.shape["value"]
  const isSecret = document !== undefined && isCalledSecret(pattern)
  const secret = isSecret ? fieldsOf(document).filter((name) => name !== entity.idField) : secretFields(pattern)
  const params = Object.assign(
    {},
    ...[pattern, ...indexes.flatMap((index) => index.patterns)].map((one) => entityParams(one, ids)),
  ) as Record<string, CodecSpec>
  const of = (isUnique: boolean) =>
    Object.fromEntries(
      indexes
        .filter(({ unique }) => unique === isUnique)
        .map(({ name, patterns, score, where }): [string, IndexForm] => [
          name,
          {
            patterns: patterns.map((one) => one.row.pattern(one.names)),
            ...defined({ where, score }),
          },
        ]),
    )
  const [unique, index] = [of(true), of(false)]
  return {
    kind: "entity",
    pattern: row.pattern(names),
    store:
      described.fields !== undefined
        ? { as: "hash", fields: withId(shapeForm(pattern, ids).shape!["fields"] as Record<string, CodecSpec>, entity) }
        : { as: "json", value: isSecret ? withoutValues(document) : document! },
    ...(Object.keys(params).length > 0 && { params }),
    ...(counter === undefined
      ? row.params[0]!.atom === "uuid" && { ids: "uuid" as const }
      : { counter: counter.row.pattern() }),
    ...(all !== undefined && { all: all.row.pattern() }),
    ...(Object.keys(unique).length > 0 && { unique }),
    ...(Object.keys(index).length > 0 && { index }),
    ...stampsForm(pattern),
    ...(entity.quoted && { quoted: true }),
    ...(own !== undefined && JSON.stringify(own) !== JSON.stringify(around) && { ttl: own }),
    ...(secret.length > 0 && { secret }),
  }
}

/** Those at the top of a document. */
const fieldsOf = (document: CodecSpec): string[] => Object.keys(documentSpec(document)?.schema?.["properties"] ?? {})

/** Every record has its id. */
const withId = (fields: Record<string, CodecSpec>, { idField }: FoundEntity): Record<string, CodecSpec> => {
  const id = fields[idField]!
  return { ...fields, [idField]: id.codec === "optional" ? id.of : id }
}

/**
 * Documents that all say when they were made and changed, as Keywright would: then Keywright
 * continues to maintain the stamps.
 */
function stampsForm({ described }: Pattern): Pick<EntityForm, "stamps"> {
  const spec = described.shape["value"]
  const schema = spec?.codec === "json" ? spec.schema : undefined
  const properties = (schema?.["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>
  const required = new Set((schema?.["required"] ?? []) as readonly string[])
  const isAt = (name: string) => required.has(name) && properties[name]?.["format"] === "date-time"
  if (!isAt("createdAt") || !isAt("updatedAt")) return {}
  const isBy = (name: string) => required.has(name) && properties[name]?.["type"] === "string"
  const by: readonly Stamp[] = isBy("createdBy") && isBy("updatedBy") ? ["createdBy", "updatedBy"] : []
  return { stamps: ["createdAt", "updatedAt", ...by] }
}

/** Fields in index keys are values as the document has them: only ids and odd characters need a codec. */
function entityParams(pattern: Pattern, ids: Ids): Record<string, CodecSpec> {
  const specs = Object.entries(paramSpecs(pattern, ids)).filter(
    ([, spec]) => spec.codec === "id" || spec.codec === "secret",
  )
  return Object.fromEntries(specs)
}
