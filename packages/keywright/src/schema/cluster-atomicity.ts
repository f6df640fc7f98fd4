/* What stays whole in a Redis Cluster. A script or a MULTI works in one slot, and a slot
 * is chosen by the hash tag of a key, {…}: so keys that change together need the same
 * tag, made of the same parameter. This works that out from a schema, without a server.
 *
 * It is a matter of proof, not of luck: two keys without a common tag may share a slot
 * today, and another tenant's keys will not. */

import { text } from "./codec/text.ts"
import { type Drain, drainKeyNames } from "./drain.ts"
import { groupBy } from "./group-by.ts"
import { hashTag } from "./hash-tag.ts"
import type { Key } from "./key.ts"
import type { Keyspace } from "./keyspace.ts"
import { relationRows } from "./entity-relations.ts"
import { invariantKeys, invariantName } from "./invariant.ts"
import { parsePattern } from "./pattern.ts"
import { type Step, stepKey } from "./step.ts"

/**
 * What `clusterAtomicity` says about one entity, family, step, drain or invariant.
 * @example
 * const apart: Atomicity[] = clusterAtomicity(shop).filter(({ atomic }) => !atomic)
 */
export interface Atomicity {
  /** An entity or a family by its path, a step as `$steps.view`, a drain as `$drains.views`, an invariant as `sameIds(login, recent)`. */
  readonly name: string
  readonly kind: "entity" | "family" | "step" | "drain" | "invariant"
  /** All of it is in one slot, whatever its parameters are. */
  readonly atomic: boolean
  /** The parameter in braces that all its keys share. */
  readonly tag?: string
  /** Two of its patterns that can be in different slots. */
  readonly apart?: readonly [string, string]
  /** What a cluster refuses of it (PLACEMENT.SPLIT): reading always works. Nothing is refused for an invariant, but a failover can break it. */
  readonly refused: readonly string[]
  /** How it would come into one slot: a group, or patterns with a tag in place. */
  readonly proposal?: string
}

/**
 * Which entities, families, steps, drains and invariants of a keyspace are in one slot of a cluster, and what is refused of the
 * others.
 * @example
 * for (const { name, atomic, refused } of clusterAtomicity(shop)) if (!atomic) console.log(name, refused)
 */
export function clusterAtomicity(keyspace: Keyspace): readonly Atomicity[] {
  const { keys } = keyspace
  const find = (path: string): Key => keys.find(({ name }) => name === path)!
  const sets = relationRows(keyspace).flatMap((row) =>
    "set" in row.via ? [{ entity: row.entity, set: row.via.set }] : [],
  )
  const entities = grouped(keys, (key) => key.entity?.name).map(([name, own]) => {
    const owned = sets.filter((one) => one.entity === name).map((one) => find(one.set))
    return judged(name, "entity", [...own, ...owned], entityOperations)
  })
  const families = grouped(keys, (key) => key.family).map(([name, own]) =>
    judged(name, "family", own, () => ["load", "fill", "write", "delete"]),
  )
  const steps = Object.entries((keyspace.steps ?? {}) as Record<string, Step>).map(([name, step]) =>
    judged(`$steps.${name}`, "step", stepKeys(step, find), () => ["call"]),
  )
  const invariants = keyspace.invariants.map((rule) =>
    judged(invariantName(rule), "invariant", invariantKeys(rule).map(find), () => []),
  )
  // What a drain does beside its target is in the target's slot whatever that is.
  const drains = Object.entries((keyspace.drains ?? {}) as Record<string, Drain>).map(([name, drain]) => {
    const { out, note } = drainKeyNames(name, drain)
    return judged(`$drains.${name}`, "drain", [drain.from, out, note].map(find), () => ["run"])
  })
  return [...entities, ...families, ...steps, ...drains, ...invariants]
}

/** A path with [] is any number of keys: two of them represent it. Calls check that those have one tag. */
const stepKeys = ({ keys }: Step, find: (path: string) => Key): Key[] =>
  keys.flatMap((given) => {
    const { path, many } = stepKey(given)
    return many === undefined ? [find(path)] : [find(path), find(path)]
  })

function judged(
  name: string,
  kind: Atomicity["kind"],
  keys: readonly Key[],
  operations: (keys: readonly Key[]) => string[],
): Atomicity {
  const [first, ...others] = keys
  if (first === undefined) return { name, kind, atomic: true, refused: [] }
  const tag = tagOf(first)
  const other = others.find((key) => !sameTag(tag, tagOf(key)))
  if (other === undefined)
    return { name, kind, atomic: true, ...(tag !== undefined && { tag: tag.param }), refused: [] }
  return {
    name,
    kind,
    atomic: false,
    apart: [first.pattern, other.pattern],
    refused: operations(keys),
    proposal: proposalFor(keys),
  }
}

/** Whatever touches more than the record itself. */
function entityOperations(keys: readonly Key[]): string[] {
  const indexed = keys.some((key) => key.entity?.index !== undefined)
  return ["create", "delete", ...(indexed ? ["update of an indexed field"] : []), "transaction"]
}

interface Tag {
  readonly param: string
  /** How its value becomes text: two codecs may spell one value in two ways. */
  readonly codec: string
}

const sameTag = (one: Tag | undefined, other: Tag | undefined): boolean =>
  one !== undefined && one.param === other?.param && one.codec === other.codec

/** In an index a parameter without a codec is the value of a field: spelled as text. */
function specOf({ params }: Key, param: string): string {
  const { spec, shard } = params[param] ?? text
  if (shard !== undefined) return `${shard.by} ${shard.of} ${shard.tags.length}`
  return JSON.stringify(spec.codec === "value" ? text.spec : spec)
}

/** Undefined where a parameter before the tag may contain a brace: the one who chooses it would choose the slot. */
function tagOf(key: Key): Tag | undefined {
  const param = hashTag(key.pattern)
  if (param === undefined) return undefined
  for (const part of parsePattern(key.pattern)) {
    if (typeof part === "string") continue
    if (part.param === param) break
    if (key.params[part.param]?.allow?.includes("{") === true) return undefined
  }
  return { param, codec: specOf(key, param) }
}

/** Where all patterns have a parameter in common: that one in double braces. Otherwise a group around them. */
function proposalFor(keys: readonly Key[]): string {
  const sharded = keys.find((key) => key.sharded?.shards === 0)?.sharded
  if (sharded !== undefined && keys.every((key) => key.sharded?.by === sharded.by))
    return `more than 0 shards: sharded(1024, ${JSON.stringify(sharded.by)}, …)`
  if (keys.some((key) => (key.sharded?.shards ?? 0) > 0))
    return "one sharded(…) group for all of them, by a parameter that each has"
  const [first, ...others] = keys
  const isCommon = (param: string) =>
    others.every((key) => Object.hasOwn(key.params, param) && specOf(key, param) === specOf(first!, param))
  const common = Object.keys(first!.params).find((param) => first!.pattern.includes(`{${param}}`) && isCommon(param))
  const isMany = others.includes(first!)
  if (common !== undefined && !isMany) {
    const patterns = [...new Set(keys.map(({ pattern }) => pattern))]
    return patterns.map((pattern) => tagInPlace(pattern, common)).join(", ")
  }
  const entries = [...new Set(keys.map(({ name, entity }) => (entity?.name ?? name).split(".", 1)[0]))]
  return `scope("{{tenant}}:", { ${entries.join(", ")} })`
}

const tagInPlace = (pattern: string, param: string): string =>
  pattern.replace(/\{\{(\w+)\}\}/g, "{$1}").replace(`{${param}}`, `{{${param}}}`)

const grouped = (keys: readonly Key[], by: (key: Key) => string | undefined): [string, Key[]][] =>
  [...groupBy(keys, by)].flatMap(([name, own]) => (name === undefined ? [] : [[name, own]]))
