/* The schema alone: what it leaves open, and what will hurt later. A keyspace that
 * exists has passed the strict part already: its patterns are unambiguous. */

import { documentSpec } from "../../schema/codec/document-spec.ts"
import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { codecsIn } from "../../schema/codecs-in.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { parsePattern } from "../../schema/pattern.ts"
import { reservedFields } from "../../schema/reserved-fields.ts"
import type { CheckFinding } from "./check-finding.ts"
import { unmarkedKeys, unmarkedSecrets } from "./check-secrets.ts"
import { sourceLines, type SourceFile } from "./source-lines.ts"

/** A key of this many characters is repeated in every index, log and command. */
const LONG_KEY = 100

/** Everything worth a remark, in the order of the schema. */
export function checkSchema(keyspace: Keyspace, sources: readonly SourceFile[] = []): CheckFinding[] {
  const lines = sourceLines(keyspace, sources)
  const place = (key: Key) => {
    const at = lines(key)
    return { name: key.name, pattern: key.pattern, ...(at && { at }) }
  }
  const usual = usualSeparator(keyspace.keys)
  return keyspace.keys.flatMap((key) =>
    [
      ...(key.ttl === undefined ? [undecided(key)] : []),
      ...(key.doc === undefined && (key.entity === undefined || key.entity.role === "record")
        ? [undocumented(key)]
        : []),
      ...longKey(key),
      ...separators(key, usual),
      ...unmarkedSecrets(key, keyspace.keys),
      ...unmarkedKeys(key, keyspace.keys),
      ...strayKeyOf(key, keyspace.keys),
      ...reservedNames(key, keyspace),
    ].map((finding) => ({ ...finding, ...place(key) })),
  )
}

const undecided = ({ pattern }: Key): CheckFinding => ({
  code: "SCHEMA.TTL_UNDECIDED",
  severity: "warning",
  message: `the schema does not say when ${pattern} expires`,
  why: "A key without a decision stays forever, and nobody knows whether that was intended.",
  fix: 'State ttl: "10m", sliding(…), fixed(…) or "never", on the key, its group or the keyspace.',
})

const undocumented = ({ pattern }: Key): CheckFinding => ({
  code: "SCHEMA.UNDOCUMENTED",
  severity: "warning",
  message: `${pattern} has no doc`,
  why: "The generated page says nothing about it.",
  fix: 'Add doc: "…", one sentence.',
})

function longKey({ pattern, params }: Key): CheckFinding[] {
  const literal = parsePattern(pattern).reduce((sum, part) => sum + (typeof part === "string" ? part.length : 0), 0)
  const example = parsePattern(pattern).reduce(
    (sum, part) => sum + (typeof part === "string" ? part.length : (params[part.param]?.example.length ?? 1)),
    0,
  )
  if (literal <= LONG_KEY / 2 && example <= LONG_KEY) return []
  return [
    {
      code: "SCHEMA.KEY_LONG",
      severity: "warning",
      message: `keys of ${pattern} have about ${example} characters`,
      why: "Redis keeps every key whole in memory, and every index and command repeats it.",
      fix: "Shorten the fixed words; the schema keeps the readable names.",
    },
  ]
}

const SEPARATOR = /[:._/|-]/

/** Characters that part a parameter from its neighbours: what a reader takes for the separators of a key. */
function separatorsOf(pattern: string): Set<string> {
  const parts = parsePattern(pattern)
  const found = new Set<string>()
  parts.forEach((part, i) => {
    if (typeof part !== "string") return
    const edges = [i > 0 ? part[0] : undefined, i < parts.length - 1 ? part.at(-1) : undefined]
    for (const edge of edges) if (edge !== undefined && SEPARATOR.test(edge)) found.add(edge)
    if (part.includes(":")) found.add(":")
  })
  return found
}

function usualSeparator(keys: readonly Key[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { pattern } of keys) for (const one of separatorsOf(pattern)) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

function separators({ pattern }: Key, usual: string | undefined): CheckFinding[] {
  const found = [...separatorsOf(pattern)]
  const mixed = found.length > 1
  if (!mixed && (found.length === 0 || found[0] === usual)) return []
  return [
    {
      code: "SCHEMA.SEPARATORS",
      severity: mixed ? "warning" : "note",
      message: mixed
        ? `${pattern} mixes the separators ${found.join(" and ")}`
        : `${pattern} separates with ${found[0]}, most other keys with ${usual}`,
      why: "Anybody who writes such a key by hand will get it wrong.",
      fix: `Use ${usual} throughout, where the name is still free to choose.`,
    },
  ]
}

/** A keyOf whose pattern is not that of any key: what it points at can never be found. In a shard it is without the tag. */
function strayKeyOf(key: Key, keys: readonly Key[]): CheckFinding[] {
  const isInShard = ({ sharded }: Key) => sharded !== undefined && sharded.shards > 0
  const patterns = new Set(keys.map(({ pattern }) => patternShape(pattern)))
  if (isInShard(key))
    for (const one of keys.filter(isInShard)) patterns.add(patternShape(one.pattern.replace("{{shard}}:", "")))
  const specs = codecsIn(key.shape).flatMap(({ spec }) => keyOfSpecs(spec))
  return specs
    .flatMap(({ keys: named }) => Object.entries(named))
    .filter(([, pattern]) => !patterns.has(patternShape(pattern)))
    .map(([to, pattern]): CheckFinding => ({
      code: "SCHEMA.KEY_OF",
      severity: "error",
      message: `${key.pattern} holds keys of "${pattern}" (${to}), which no key declares`,
      fix: "Spell the pattern as it is declared, groups' prefixes included.",
    }))
}

/** Names that were removed and must not be used again: the entry's own, and those of its fields. */
function reservedNames(key: Key, keyspace: Keyspace): CheckFinding[] {
  if (key.entity !== undefined && key.entity.role !== "record") return []
  const path = key.entity?.name ?? key.name
  const { fields, value } = key.shape as { fields?: object; value?: { spec?: CodecSpec } }
  const document = value?.spec && (documentSpec(value.spec)?.schema?.["properties"] as object | undefined)
  const names = Object.keys(fields ?? document ?? {})
  const back = reservedFields(key, keyspace)
    .filter((name) => names.includes(name))
    .map((name) => `the field ${name} of ${path}`)
  return [...(keyspace.reserved?.includes(path) ? [`the entry ${path}`] : []), ...back].map((what): CheckFinding => ({
    code: "SCHEMA.RESERVED",
    severity: "error",
    message: `${what} is declared, and its name is reserved`,
    why: "Old data under this name may still be there, with another meaning.",
    fix: "Choose another name; or remove it from reserved, once no old data is left.",
  }))
}

/** Names of parameters do not matter for what a pattern can be. */
const patternShape = (pattern: string): string => pattern.replace(/\{\w+\}/g, "{}")

type KeyOfSpec = Extract<CodecSpec, { codec: "keyOf" }>

function keyOfSpecs(spec: CodecSpec): KeyOfSpec[] {
  if (spec.codec === "keyOf") return [spec]
  return "of" in spec ? keyOfSpecs(spec.of) : []
}
