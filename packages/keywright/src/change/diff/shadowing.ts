/* A new pattern that is more literal than one that is there takes keys away from it: with
 * `cart:list` beside `cart:{id}`, the cart called list is nobody's any more. */

import { redisTypes } from "../../schema/define.ts"
import type { Found } from "./change.ts"
import type { Entry, Side } from "./side.ts"

/** The entries that come or go and do so, by path. */
export function shadowing(
  before: Side,
  after: Side,
  added: readonly Entry[],
  removed: readonly Entry[],
): ReadonlyMap<string, Found> {
  return new Map([
    ...added.flatMap((entry) => rowOf(entry, after, before, "PATTERN.SHADOWS")),
    ...removed.flatMap((entry) => rowOf(entry, before, after, "PATTERN.UNSHADOWS")),
  ])
}

function rowOf(
  entry: Entry,
  here: Side,
  there: Side,
  code: "PATTERN.SHADOWS" | "PATTERN.UNSHADOWS",
): [string, Found][] {
  const names = new Set([entry.key.name, ...[...entry.others.values()].map(({ name }) => name)])
  const known = new Set(there.keyspace.keys.map(({ db, pattern }) => `${db} ${pattern}`))
  const loser = here.keyspace.keys.find(
    ({ db, pattern, rivals, name }) =>
      !names.has(name) && known.has(`${db} ${pattern}`) && rivals.some((rival) => names.has(rival)),
  )
  if (!loser) return []
  const what =
    code === "PATTERN.SHADOWS"
      ? `${entry.key.pattern} takes keys of ${loser.pattern}`
      : `${entry.key.pattern} leaves its keys to ${loser.pattern}`
  const isSameType = redisTypes[loser.kind] === redisTypes[entry.key.kind]
  const mixed = isSameType ? ("silent" as const) : ("fails" as const)
  // Who knows the literal pattern refuses the id; who does not takes one for the other.
  const verdicts: Partial<Found> =
    code === "PATTERN.SHADOWS"
      ? { oldReader: mixed, newReader: "fails", oldWriter: "silent", newWriter: mixed }
      : { oldReader: "fails", newReader: mixed, oldWriter: mixed, newWriter: "silent" }
  const place = code === "PATTERN.SHADOWS" ? { newKey: entry.key.name } : { oldKey: entry.key.name }
  return [[entry.path, { code, path: entry.path, what, ...verdicts, ...place }]]
}
