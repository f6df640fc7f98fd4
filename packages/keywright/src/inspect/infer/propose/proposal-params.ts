/* Codecs and names of parameters, members and fields: ids by the thing that they
 * belong to, everything else by what it looks like. */

import type { CodecSpec } from "../../../schema/codec/codec-spec.ts"
import type { Domain } from "../structure/domains.ts"
import type { FoundEntity } from "../structure/found-entity.ts"
import type { Pattern } from "../mine/pattern.ts"
import { type IdPlace, placeName } from "../structure/places.ts"
import { isBearer, isSecretParam } from "../structure/secrets.ts"
import { soundsSecret } from "../../check/check-secrets.ts"
import { camel, unique, nameWords } from "../mine/words.ts"

export interface Ids {
  /** The codec of the ids at a place, when they are the ids of something known. */
  spec(pattern: Pattern, at: string): CodecSpec | undefined
  /** The thing whose ids these are: `"user"`. */
  of(pattern: Pattern, at: string): string | undefined
  isSecret(pattern: Pattern, param: number): boolean
}

export function idsOf(domains: readonly Domain[], entities: readonly FoundEntity[]): Ids {
  const taken = new Set<string>()
  const specs = new Map<string, { name: string; spec: CodecSpec; secret: boolean }>()
  for (const domain of domains) {
    const base = camel(nameWords(domain.name))
    const name = unique(base, taken, domain.places.every((place) => place.isInt) ? [`${base}Number`] : [`${base}Name`])
    const isText =
      !domain.places.every((place) => place.isInt) || domain.places.some((place) => isTextId(place, entities))
    const of: CodecSpec = { codec: isText ? "text" : "int" }
    const secret = isText && (soundsSecret(name) || isBearer(domain.places))
    const spec: CodecSpec = { codec: "id", name, of }
    for (const place of domain.places)
      specs.set(placeName(place), { name, spec: secret ? { codec: "secret", of: spec } : spec, secret })
  }
  const find = (pattern: Pattern, at: string) => specs.get(`${pattern.db} ${pattern.row.id} ${at}`)
  return {
    spec: (pattern, at) => find(pattern, at)?.spec,
    of: (pattern, at) => find(pattern, at)?.name,
    isSecret: (pattern, param) => find(pattern, `{${param}}`)?.secret ?? isSecretParam(pattern, param),
  }
}

/** Nothing is known to be an id: every parameter takes what its pattern was found by, no more and no less. */
export const noIds: Ids = { spec: () => undefined, of: () => undefined, isSecret: isSecretParam }

/** A document that keeps its ids as texts: then they are texts everywhere. */
function isTextId({ pattern, at }: IdPlace, entities: readonly FoundEntity[]): boolean {
  const { documents } = pattern.of.values.cells
  if ("field" in at) return documents?.objects?.fields?.get(at.field)?.strings !== undefined
  const entity = "param" in at ? entities.find((one) => one.pattern === pattern) : undefined
  return entity !== undefined && documents?.objects?.fields?.get(entity.idField)?.strings !== undefined
}

/** The codec of a parameter; undefined for plain text. */
export function paramSpec(pattern: Pattern, param: number, ids: Ids): CodecSpec | undefined {
  const { row, names } = pattern
  const { kind } = row.params[param]!
  if (kind !== "text" && kind !== "int") return { codec: kind }
  const allow = row.allow[param]!
  const matching = row.matching?.param === param ? row.matching.form : undefined
  const known = ids.spec(pattern, `{${param}}`)
  if (known !== undefined)
    return strict(known, { ...(matching !== undefined && { matching }), ...(allow !== "" && { allow }) })
  if (kind === "int") return { codec: "int" }
  const values = ids === noIds ? undefined : choices(pattern, param)
  if (values !== undefined) return { codec: "oneOf", values }
  const isSecret = ids.isSecret(pattern, param)
  if (!isSecret && allow === "" && matching === undefined) return undefined
  const spec: CodecSpec = {
    codec: "id",
    name: names[param]!,
    of: { codec: "text" },
    ...(matching !== undefined && { matching }),
    ...(allow !== "" && { allow }),
  }
  return isSecret ? { codec: "secret", of: spec } : spec
}

/** An id that takes the texts that its pattern takes, no others. */
const strict = (spec: CodecSpec, options: { readonly matching?: string; readonly allow?: string }): CodecSpec =>
  spec.codec === "secret"
    ? { ...spec, of: strict(spec.of, options) }
    : spec.codec === "id"
      ? { ...spec, ...options }
      : spec

/** A hash tag that is the same in every key. Other words become more: another tenant, another language. */
function choices({ row }: Pattern, param: number): string[] | undefined {
  const { values } = row.texts[param]!
  const isOne = row.params[param]!.tag === true && values?.size === 1 && row.allow[param] === ""
  return isOne ? [...values.keys()] : undefined
}

/** Names of the parameters, those of ids first; never one twice in a pattern. */
export function nameParams(pattern: Pattern, ids: Ids): void {
  const taken = new Set<string>()
  pattern.names = pattern.names.map((name, i) => unique(ids.of(pattern, `{${i}}`) ?? name, taken, [name, `${name}Id`]))
}
