/* Keys that live and die together: who belongs to a family, and which one says that it is loaded. */

import type { Key } from "../../schema/key.ts"
import type { Found } from "./change.ts"
import type { Entry, Side } from "./side.ts"

/** One key that both schemas have. */
export function familyChanges(before: Key, after: Key, path: string): Found[] {
  const isIn = (key: Key) => key.family !== undefined
  const isMarker = (key: Key) => key.marker === true
  if (isIn(before) === isIn(after) && isMarker(before) === isMarker(after)) return []
  const told = (key: Key) => (isMarker(key) ? "the marker of a family" : isIn(key) ? "in a family" : "by itself")
  return [{ code: "FAMILY.CHANGED", path, what: `${told(before)} → ${told(after)}` }]
}

/** Members that join a family or leave it: the two sides then fill different sets of keys. */
export function memberChanges(before: Side, after: Side, added: readonly Entry[], removed: readonly Entry[]): Found[] {
  const [olds, news] = [familiesIn(before), familiesIn(after)]
  return [
    ...added
      .filter(({ key }) => key.family !== undefined && olds.has(key.family))
      .map(({ path, key }): Found => ({
        code: "FAMILY.CHANGED",
        path,
        what: `comes to ${key.family}`,
        oldReader: "works",
        newKey: key.name,
      })),
    ...removed
      .filter(({ key }) => key.family !== undefined && news.has(key.family))
      .map(({ path, key }): Found => ({
        code: "FAMILY.CHANGED",
        path,
        what: `leaves ${key.family}`,
        newReader: "works",
        oldKey: key.name,
      })),
  ]
}

const familiesIn = ({ keyspace }: Side): ReadonlySet<string> =>
  new Set(keyspace.keys.flatMap(({ family }) => family ?? []))
