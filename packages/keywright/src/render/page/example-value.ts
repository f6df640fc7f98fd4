/* Example values, made of what the codecs and the documents' schemas know. */

import { documentSpec } from "../../schema/codec/document-spec.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { JsonSchema } from "../../schema/codec/codec-spec.ts"
import type { Key } from "../../schema/key.ts"
import { describeCodec } from "../../schema/json/describe.ts"
import { parsePattern } from "../../schema/pattern.ts"

const HIDDEN = "•••"

/** A key of the pattern, made of the codecs' examples: `"inv:42"`. Secret segments are hidden. */
const exampleKey = ({ pattern, params }: Pick<Key, "pattern" | "params">): string =>
  parsePattern(pattern)
    .map((segment) => {
      if (typeof segment === "string") return segment
      const codec = params[segment.param]!
      return codec.secret === true ? HIDDEN : exampleText(segment.param, codec)
    })
    .join("")

/** The command that writes such a key: `ZADD recent: 1700000000.5 abc`. */
export function exampleCommand(key: Key): string {
  const { fields, ...parts } = key.shape as { fields?: Record<string, AnyCodec> } & Record<string, AnyCodec>
  const name = exampleKey(key)
  const part = (which: string) => valueOf(parts[which]!, which, key.secret, key.params)
  const pairs = Object.entries(fields ?? {}).map(([field, codec]) => `${field} ${valueOf(codec, field, key.secret)}`)
  switch (key.kind) {
    case "string":
      return `SET ${name} ${part("value")}`
    case "counter":
      return parts["value"]?.spec.codec === "int" ? `INCR ${name}` : `INCRBYFLOAT ${name} ${part("value")}`
    case "hash":
      return `HSET ${name} ${pairs.join(" ")}`
    case "map":
      return `HSET ${name} ${part("field")} ${part("value")}`
    case "list":
      return `RPUSH ${name} ${part("item")}`
    case "set":
      return `SADD ${name} ${part("member")}`
    case "zset":
      return `ZADD ${name} ${part("score")} ${part("member")}`
    case "stream":
      return `XADD ${name} * ${pairs.join(" ")}`
    case "bitmap":
      return `SETBIT ${name} 7 1`
    case "hyperloglog":
      return `PFADD ${name} ${part("member")}`
    case "geo":
      return `GEOADD ${name} 106.7 10.8 ${part("member")}`
  }
}

function valueOf(codec: AnyCodec, name: string, secret: Key["secret"], params: Key["params"] = {}): string {
  if (codec.secret === true || secret === true || (Array.isArray(secret) && secret.includes(name))) return HIDDEN
  if (documentSpec(codec.spec) || (codec.spec.codec === "optional" && codec.spec.of.codec === "json")) {
    const document = exampleDocument(describeCodec(codec), Array.isArray(secret) ? secret : [])
    return `'${JSON.stringify(withParams(document, params))}'`
  }
  const text = exampleText(name, codec)
  return /[\s"'#]/.test(text) ? JSON.stringify(text) : text
}

/** A record's id is that of its key. */
function withParams(document: unknown, params: Key["params"]): unknown {
  if (Object(document) !== document || Array.isArray(document)) return document
  const same = Object.entries(params).filter(([name, codec]) => name in (document as object) && codec.secret !== true)
  return {
    ...(document as object),
    ...Object.fromEntries(same.map(([name, codec]) => [name, exampleText(name, codec)])),
  }
}

/** Where the codec takes any text, one that shows what it is: `user1`. */
function exampleText(name: string, codec: AnyCodec): string {
  if (codec.example !== "abc" && codec.example !== "…" && codec.example !== "") return codec.example
  const told = `${(codec.id ?? name).replace(/[^\w-]+/g, "-")}1`
  try {
    codec.decode(told)
    return told
  } catch {
    return codec.example // It takes other texts only.
  }
}

/** A small document that fits the schema: all required fields, and a few of the others. */
function exampleDocument(schema: JsonSchema, secret: readonly string[] = [], name = "text"): unknown {
  const either = (schema["anyOf"] ?? schema["oneOf"]) as JsonSchema[] | undefined
  if (either) return exampleDocument(either.find((one) => one["type"] !== "null") ?? {}, secret, name)
  if (Array.isArray(schema["enum"])) return schema["enum"][0]
  if ("const" in schema) return schema["const"]
  if (Array.isArray(schema["examples"])) return schema["examples"][0]
  const type = Array.isArray(schema["type"])
    ? (schema["type"] as unknown[]).find((one) => one !== "null")
    : schema["type"]
  if (type === "object" || schema["properties"]) return exampleObject(schema, secret)
  if (type === "array") {
    const item = exampleDocument((schema["items"] as JsonSchema | undefined) ?? {}, secret, name.replace(/s$/, ""))
    return Array.from({ length: Math.min(Number(schema["minItems"] ?? 1) || 1, 3) }, () => item)
  }
  if (type === "integer") return 1
  if (type === "number") return 9.5
  if (type === "boolean") return true
  if (type === "null") return null
  return schema["format"] === "date-time"
    ? "2026-01-31T12:00:00.000Z"
    : schema["format"] === "date"
      ? "2026-01-31"
      : idLike(name)
}

function exampleObject(schema: JsonSchema, secret: readonly string[]): Record<string, unknown> {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>)
  const required = (schema["required"] ?? []) as readonly string[]
  const shown = properties.filter(([name]) => required.includes(name))
  const some = shown.length > 0 ? shown : properties.slice(0, 3)
  return Object.fromEntries(
    some.map(([name, property]) => [name, secret.includes(name) ? HIDDEN : exampleDocument(property, secret, name)]),
  )
}

const idLike = (name: string): string =>
  /^id$|Id$|_id$/.test(name) ? "42" : `some ${name.replace(/([A-Z])/g, " $1").toLowerCase()}`
