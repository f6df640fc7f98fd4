/* An entity: its record is a key like any other; this is about what it maintains in addition. A plain key
 * that becomes an entity, or the other way round, is an entity that maintains nothing on that side. */

import type { Entity, Index } from "../../schema/entity.ts"
import type { Key } from "../../schema/key.ts"
import type { FoundChange } from "./change.ts"
import { durabilityChanges } from "./durability-changes.ts"
import { sameSpec } from "./same-spec.ts"
import { keyShape, patternShape } from "./pattern-shape.ts"
import type { SideEntry } from "./side.ts"
import { without } from "./without.ts"

export function entityChanges(before: SideEntry, after: SideEntry): FoundChange[] {
  if (!before.entity && !after.entity) return []
  const [was, is] = [before.entity ?? NOTHING, after.entity ?? NOTHING]
  const path = after.path
  const keys = { oldKey: before.key.name, newKey: after.key.name }
  return [
    ...(before.entity && after.entity ? idChanges(before.entity, after.entity, path) : []),
    ...ownKeyChanges("counter", before, after),
    ...ownKeyChanges("all", before, after),
    ...indexChanges("unique", before, after),
    ...indexChanges("index", before, after),
    ...stampChanges(was, is, path),
    ...durabilityChanges(was, is, path),
  ].map((one) => ({ ...keys, ...one }))
}

type Kept = Pick<Entity, "unique" | "index" | "stamps" | "durability">

const NOTHING: Kept = { unique: {}, index: {}, stamps: [], durability: "fast" }

function idChanges(was: Entity, is: Entity, path: string): FoundChange[] {
  if (was.ids === is.ids) return []
  return [{ code: "IDS.SOURCE", path, what: `${was.ids} → ${is.ids}` }]
}

/** The counter, or the set of all ids. */
function ownKeyChanges(role: "counter" | "all", before: SideEntry, after: SideEntry): FoundChange[] {
  const [was, is] = [before.others.get(role), after.others.get(role)]
  const code = role === "all" ? "ALL" : "COUNTER"
  const path = `${after.path}#${role}`
  if (!was && is) return [{ code: `${code}.ADDED`, path, what: is.pattern }]
  if (was && !is) {
    const own = role === "all" && { oldKey: was.name }
    return [{ code: `${code}.DROPPED`, path, what: was.pattern, ...own, ...left(was) }]
  }
  if (was && is && keyShape(was) !== keyShape(is))
    return [{ code: `${code}.MOVED`, path, what: `${was.pattern} → ${is.pattern}`, ...left(was) }]
  return []
}

const left = (...keys: readonly Key[]) => ({ leftovers: keys.map(({ pattern }) => pattern) })

/** Indexes by their names; one with the same keys under another name is the same. */
function indexChanges(role: "unique" | "index", before: SideEntry, after: SideEntry): FoundChange[] {
  const [olds, news] = [(before.entity ?? NOTHING)[role], (after.entity ?? NOTHING)[role]]
  const code = role === "unique" ? "UNIQUE" : "INDEX"
  const path = (name: string) => `${after.path}#${name}`
  const renamed = new Map(
    Object.entries(olds).flatMap(([name, index]) => {
      if (name in news) return [[name, name] as const]
      const same = Object.entries(news).find(([other, one]) => !(other in olds) && sameIndex(index, one))
      return same ? [[name, same[0]] as const] : []
    }),
  )
  const taken = new Set(renamed.values())
  return [
    ...Object.entries(olds)
      .filter(([name]) => !renamed.has(name))
      .map(([name, { patterns }]): FoundChange => ({
        code: `${code}.DROPPED`,
        path: path(name),
        what: patterns.join(", "),
        oldKey: `${before.path}#${name}`,
        ...left(...indexKeysOf(before, name)),
      })),
    ...Object.entries(news)
      .filter(([name]) => !taken.has(name))
      .map(([name, { patterns }]): FoundChange => ({
        code: `${code}.ADDED`,
        path: path(name),
        what: patterns.join(", "),
      })),
    ...[...renamed].flatMap(([name, to]) =>
      oneIndex(code, olds[name]!, news[to]!, path(to), indexKeysOf(before, name), indexKeysOf(after, to)),
    ),
  ]
}

/** The key that is read, then its mirrors, with the prefix of their groups. */
const indexKeysOf = ({ others }: SideEntry, name: string): Key[] =>
  [...others].filter(([one]) => one === name || one.startsWith(`${name}~`)).map(([, key]) => key)

const sameIndex = (one: Index, other: Index): boolean =>
  sameSpec(one.patterns.map(patternShape), other.patterns.map(patternShape)) &&
  sameSpec([one.fields, one.where, one.score], [other.fields, other.where, other.score])

function oneIndex(
  code: "UNIQUE" | "INDEX",
  was: Index,
  is: Index,
  path: string,
  [oldKey, ...oldMirrors]: readonly Key[],
  [newKey, ...newMirrors]: readonly Key[],
): FoundChange[] {
  const isMoved = oldKey !== undefined && newKey !== undefined && keyShape(oldKey) !== keyShape(newKey)
  if (isMoved || !sameSpec([was.fields, was.where, was.score], [is.fields, is.where, is.score])) {
    const what = isMoved ? `${oldKey.pattern} → ${newKey.pattern}` : `${indexText(was)} → ${indexText(is)}`
    return [{ code: `${code}.CHANGED`, path, what, ...(isMoved && left(oldKey, ...oldMirrors)) }]
  }
  const isIn = (keys: readonly Key[], key: Key) => keys.some((one) => keyShape(one) === keyShape(key))
  return [
    ...newMirrors
      .filter((key) => !isIn(oldMirrors, key))
      .map(({ pattern }): FoundChange => ({ code: "MIRROR.ADDED", path, what: pattern })),
    ...oldMirrors
      .filter((key) => !isIn(newMirrors, key))
      .map((key): FoundChange => ({ code: "MIRROR.REMOVED", path, what: key.pattern, ...left(key) })),
  ]
}

const indexText = ({ fields, where, score }: Index): string =>
  [
    `by ${fields.join(", ")}`,
    ...(where
      ? [
          `where ${Object.entries(where)
            .map(([name, value]) => `${name} is ${value}`)
            .join(" and ")}`,
        ]
      : []),
    ...(score === undefined ? [] : [`ordered by ${score}`]),
  ].join(" ")

function stampChanges(was: Kept, is: Kept, path: string): FoundChange[] {
  const changed = (code: FoundChange["code"]) => (stamp: string) => ({ code, path: `${path}.${stamp}`, what: stamp })
  return [
    ...without(is.stamps, was.stamps).map(changed("STAMPS.ADDED")),
    ...without(was.stamps, is.stamps).map(changed("STAMPS.REMOVED")),
  ]
}
