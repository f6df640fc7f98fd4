/* What can be edited, and what a form for it asks. Derived keys (indexes, lists of
 * ids, counters of ids) are not edited by hand: records are, and they follow. */

import { documentSpec } from "../../../schema/codec/document-spec.ts"
import { describeCodec } from "../../../schema/json/describe.ts"
import type { KeyModel } from "../../../inspect/model/model.ts"
import { tableOf } from "../../../inspect/model/told-by-server.ts"
import type { AnyCodec, CodecFields, TextCodec } from "../../../schema/codec/codec.ts"
import type { CodecSpec, JsonSchema } from "../../../schema/codec/codec-spec.ts"
import type { Entity } from "../../../schema/entity.ts"
import type { Edit, EditForm, FormField } from "../../api.ts"
import type { CellView } from "../cell.ts"
import type { OpenSystem } from "../open-system.ts"

/** Kinds whose values are put together from fields of a form. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  map: ["field", "value"],
  set: ["member"],
  zset: ["member", "score"],
  list: ["item"],
  geo: ["member", "longitude", "latitude"],
}

export const isDerived = ({ declared, toolkit }: KeyModel): boolean =>
  toolkit || (declared.entity !== undefined && declared.entity.role !== "record")

/** The edits that a key of this type takes. */
export function editsOf({ owner }: CellView, type: string): Edit["op"][] {
  if (owner === undefined) return type === "none" ? [] : ["delete"]
  const { row } = owner
  if (isDerived(row) || type === "none") return []
  if (row.type !== type) return ["delete"]
  if (row.declared.kind === "hash" || row.declared.kind === "string" || row.declared.kind === "counter")
    return ["change", "delete"]
  if (row.declared.kind === "stream") return ["put", "remove", "delete"]
  return row.declared.kind in ELEMENTS ? ["put", "remove", "delete"] : ["delete"]
}

/** By the names of patterns. */
export function formsOf(system: OpenSystem): Record<string, EditForm> {
  const forms: Record<string, EditForm> = {}
  for (const row of system.model.keys.values()) {
    if (isDerived(row) || row.declared.kind === "bitmap" || row.declared.kind === "hyperloglog") continue
    forms[row.declared.name] = formOf(system, row)
  }
  return forms
}

function formOf(system: OpenSystem, row: KeyModel): EditForm {
  const { name, kind, ttl, params } = row.declared
  const entity = row.declared.entity && system.model.entities.get(row.declared.entity.name)
  const asked = Object.entries(params).filter(
    ([param]) => !(entity && param === entity.idField && entity.entity.ids !== "given"),
  )
  const choices = ttl?.on === "choice" ? ttl.choices.map((one) => (one === "never" ? null : one)) : undefined
  return {
    name,
    create: true,
    params: asked.map(([param, codec]) => textField(param, codec)),
    fields: formFieldsOf(row, entity?.entity),
    shape:
      kind === "hash" || holdsDocument(row) ? "record" : kind in ELEMENTS || kind === "stream" ? "element" : "value",
    ...(choices && { ttls: choices }),
  }
}

/** A JSON value that is an object with known fields. */
export function holdsDocument({ declared }: KeyModel): boolean {
  const value = declared.shape["value"] as AnyCodec | undefined
  return (
    declared.kind === "string" &&
    value !== undefined &&
    documentSpec(value.spec) !== undefined &&
    describeCodec(value)["properties"] !== undefined
  )
}

function formFieldsOf(row: KeyModel, entity: Entity | undefined): FormField[] {
  const { kind, shape } = row.declared
  const own = new Set<string>([...(entity ? [entity.idField, ...entity.stamps] : [])])
  const codecs = shape["fields"] as CodecFields | undefined
  if (codecs) return Object.entries(codecs).flatMap(([name, codec]) => (own.has(name) ? [] : [textField(name, codec)]))
  if (holdsDocument(row)) {
    const secret = new Set(row.secret === true ? [] : row.secret)
    const schema = describeCodec(shape["value"] as AnyCodec)
    const required = new Set((schema["required"] as readonly string[] | undefined) ?? [])
    return Object.entries(schema["properties"] as Readonly<Record<string, JsonSchema>>).flatMap(([name, part]) =>
      own.has(name) ? [] : [jsonField(name, part, !required.has(name), secret.has(name) || row.secret === true)],
    )
  }
  if (kind === "geo")
    return [textField("member", shape["member"] as TextCodec), numberField("longitude"), numberField("latitude")]
  const parts = ELEMENTS[kind] ?? ["value"]
  return parts.map((name) => valueField(name, shape[name] as AnyCodec))
}

/** A value on its own: JSON as JSON, everything else as it is stored. */
const valueField = (name: string, codec: AnyCodec): FormField =>
  documentSpec(bare(codec.spec))
    ? jsonField(name, describeCodec(codec), false, codec.secret === true)
    : textField(name, codec)

const numberField = (name: string): FormField => ({
  name,
  type: "float",
  optional: false,
  secret: false,
  as: "text",
  input: "number",
})

function textField(name: string, codec: AnyCodec): FormField {
  const spec = bare(codec.spec)
  const choices = spec.codec === "oneOf" ? spec.values.map(String) : spec.codec === "flag" ? ["1", "0"] : undefined
  return {
    name,
    type: codec.name,
    optional: codec.optional === true,
    secret: codec.secret === true,
    as: "text",
    input: choices ? "choice" : NUMBERS.has(spec.codec) ? "number" : spec.codec === "json" ? "json" : "text",
    ...(choices && { choices }),
  }
}

const NUMBERS = new Set<string>(["int", "float", "unixSeconds", "unixMillis"])

/** By the type of a JSON value. */
const INPUTS = tableOf<FormField["input"]>({ string: "text", number: "number", integer: "number", boolean: "boolean" })

function jsonField(name: string, schema: JsonSchema, optional: boolean, secret: boolean): FormField {
  const bareSchema = withoutNull(schema)
  const choices = bareSchema["enum"] as readonly unknown[] | undefined
  const isWords = choices?.every((one) => typeof one === "string") === true
  const { type } = bareSchema
  return {
    name,
    type: isWords ? "one of" : typeof type === "string" ? type : "JSON",
    optional,
    secret,
    as: "json",
    input: isWords ? "choice" : (INPUTS[String(type)] ?? "json"),
    ...(isWords && { choices: choices as readonly string[] }),
    schema,
  }
}

/** The schema of the value when it is not null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const either = (schema["anyOf"] ?? schema["oneOf"]) as readonly JsonSchema[] | undefined
  const left = either?.filter(({ type }) => type !== "null") ?? []
  if (left.length === 1) return left[0]!
  const types = Array.isArray(schema["type"]) ? schema["type"].filter((type) => type !== "null") : []
  return types.length === 1 ? { ...schema, type: types[0] as string } : schema
}

const bare = (spec: CodecSpec): CodecSpec =>
  spec.codec === "optional" || spec.codec === "secret" || spec.codec === "id" ? bare(spec.of) : spec
