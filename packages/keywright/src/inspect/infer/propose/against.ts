/* What a given schema lacks, compared with what was found. */

import type { AnyCodec, CodecFields } from "../../../schema/codec/codec.ts"
import { classifier } from "../../../schema/classify/classify.ts"
import { redisTypes } from "../../../schema/define.ts"
import { describeCodec } from "../../../schema/json/describe.ts"
import type { Key } from "../../../schema/key.ts"
import type { Keyspace } from "../../../schema/keyspace.ts"
import { declaredDatabases, declaredKeys } from "../../walk/databases.ts"
import { getOrMake } from "../../walk/get-or-make.ts"
import type { Pattern } from "../mine/pattern.ts"
import { fieldTexts } from "../structure/places.ts"

/**
 * Something that a server has and a given schema does not say: what `infer` returns with `against`.
 * @example
 * const { lacks } = await infer(db.$driver(), { against: shop })
 * for (const { pattern, detail } of lacks ?? ([] as Lack[])) console.log(pattern, detail)
 */
export interface Lack {
  readonly db: number
  /** As it was found; of what is declared and empty, as it is declared. */
  readonly pattern: string
  readonly keys: number
  readonly what: "pattern" | "type" | "ttl" | "fields" | "keys"
  /** The name in the given schema, where it has one. */
  readonly name?: string
  /** In words: what the server has and the schema does not say. */
  readonly detail: string
}

export interface Compared {
  readonly lacks: readonly Lack[]
  /** Patterns that no declaration owns. */
  readonly missing: readonly Pattern[]
}

/** `home`: the database that the connection speaks to, which a schema without databases is about. */
export function compare(keyspace: Keyspace, patterns: readonly Pattern[], home: number): Compared {
  const lacks: Lack[] = []
  const missing: Pattern[] = []
  const used = new Set<string>()
  const owners = new Map<number, ReturnType<typeof classifier>>()
  const ownerOf = (db: number, key: string): Key | undefined =>
    getOrMake(owners, db, () => classifier(declaredKeys(keyspace, db, home))).owner(key)?.key
  for (const pattern of patterns) {
    const { db, of, row, names } = pattern
    const about = { db, pattern: row.pattern(names), keys: of.count }
    const own = of.examples.map((key) => ownerOf(db, key))
    for (const key of own) if (key !== undefined) used.add(key.name)
    if (own.some((key) => key === undefined)) {
      missing.push(pattern)
      lacks.push({ ...about, what: "pattern", detail: `no pattern declares this ${pattern.type}` })
      continue
    }
    for (const key of new Set(own))
      lacks.push(...differences(pattern, key!).map((one) => ({ ...about, name: key!.name, ...one })))
  }
  for (const db of declaredDatabases(keyspace, home))
    for (const { name, pattern } of declaredKeys(keyspace, db, home))
      if (!used.has(name))
        lacks.push({ db, pattern, keys: 0, name, what: "keys", detail: "declared, but there is no such key" })
  return { lacks, missing }
}

function differences(pattern: Pattern, key: Key): Pick<Lack, "what" | "detail">[] {
  const { type, of } = pattern
  const declared = redisTypes[key.kind]
  if (declared !== type) return [{ what: "type", detail: `declared as ${key.kind}, and most keys are of type ${type}` }]
  const found: Pick<Lack, "what" | "detail">[] = []
  const { ttls } = of
  if (key.ttl?.on === "never" && ttls.count > 0)
    found.push({ what: "ttl", detail: `declared to never expire, and ${ttls.count} of ${of.count} keys have a TTL` })
  const mayStay =
    key.ttl === undefined || key.ttl.on === "never" || (key.ttl.on === "choice" && key.ttl.choices.includes("never"))
  if (!mayStay && ttls.without > 0)
    found.push({ what: "ttl", detail: `declared to expire, and ${ttls.without} of ${of.count} keys have no TTL` })
  const known = declaredFields(key)
  const more = fieldTexts(pattern).flatMap(([name]) => (known?.has(name) === false ? [name] : []))
  if (more.length > 0)
    found.push({ what: "fields", detail: `fields that are not declared: ${more.slice(0, 12).join(", ")}` })
  return found
}

/** The fields that a declaration names; undefined when it does not say. */
function declaredFields({ shape }: Key): ReadonlySet<string> | undefined {
  const { fields, value } = shape as { fields?: CodecFields; value?: AnyCodec }
  if (fields !== undefined) return new Set(Object.keys(fields))
  if (value?.spec.codec !== "json") return undefined
  const properties = describeCodec(value)["properties"] as object | undefined
  return properties && new Set(Object.keys(properties))
}
