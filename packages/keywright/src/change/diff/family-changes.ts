/* Keys that live and die together: who belongs to a family, and which one says that it is loaded. */

import type { Key } from "../../schema/key.ts"
import type { FoundChange } from "./change.ts"
import type { Matched } from "./match.ts"
import type { SchemaSide } from "./side.ts"

/** One key that both schemas have. */
export function familyChanges(before: Key, after: Key, path: string): FoundChange[] {
  const isIn = (key: Key) => key.family !== undefined
  const isMarker = (key: Key) => key.marker === true
  if (isIn(before) === isIn(after) && isMarker(before) === isMarker(after)) return []
  const told = (key: Key) => (isMarker(key) ? "the marker of a family" : isIn(key) ? "in a family" : "by itself")
  return [{ code: "FAMILY.CHANGED", path, what: `${told(before)} → ${told(after)}` }]
}

/** Members that join a family or leave it: the two sides then fill different sets of keys. */
export function memberChanges(before: SchemaSide, after: SchemaSide, { added, removed }: Matched): FoundChange[] {
  const [olds, news] = [familiesIn(before), familiesIn(after)]
  return [
    ...added
      .filter(({ key }) => key.family !== undefined && olds.has(key.family))
      .map(({ path, key }): FoundChange => ({
        code: "FAMILY.CHANGED",
        path,
        what: `comes to ${key.family}`,
        oldReader: "works",
        newKey: key.name,
      })),
    ...removed
      .filter(({ key }) => key.family !== undefined && news.has(key.family))
      .map(({ path, key }): FoundChange => ({
        code: "FAMILY.CHANGED",
        path,
        what: `leaves ${key.family}`,
        newReader: "works",
        oldKey: key.name,
      })),
  ]
}

const familiesIn = ({ keyspace }: SchemaSide): ReadonlySet<string> =>
  new Set(keyspace.keys.flatMap(({ family }) => family ?? []))
