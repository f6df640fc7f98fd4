/* Keys that stay but get another owner: a plain set that becomes an index of an entity under the same names, or the
 * other way round. The index is reported as added or removed. The set is not reported as left over: purging it would
 * delete what the new schema keeps there. */

import { changeCodes } from "./change-codes.ts"
import type { FoundChange } from "./change.ts"
import { keyShape, patternShape } from "./pattern-shape.ts"
import type { SchemaSide } from "./side.ts"

export function withoutTakenOver(found: readonly FoundChange[], before: SchemaSide, after: SchemaSide): FoundChange[] {
  const [was, is] = [shapesOfKeys(before), shapesOfKeys(after)]
  const shapes = new Set(after.keyspace.keys.map(({ pattern }) => patternShape(pattern)))
  const isKept = ({ code, oldKey, newKey }: FoundChange): boolean => {
    if (code === "PATTERN.REMOVED") return is.has(shapeOfKey(before, oldKey))
    return code === "PATTERN.ADDED" && was.has(shapeOfKey(after, newKey))
  }
  return found.filter((one) => !isKept(one)).map((one) => withLeftovers(one, shapes))
}

function withLeftovers(found: FoundChange, shapes: ReadonlySet<string>): FoundChange {
  const leftovers = found.leftovers?.filter((pattern) => !shapes.has(patternShape(pattern)))
  if (leftovers === undefined || leftovers.length === found.leftovers!.length) return found
  const isNothing = leftovers.length === 0 && changeCodes[found.code].data === "purge"
  return { ...found, leftovers, ...(isNothing && { data: "nothing" }) }
}

const shapesOfKeys = ({ keyspace }: SchemaSide): ReadonlySet<string> => new Set(keyspace.keys.map(keyShape))

function shapeOfKey({ keyspace }: SchemaSide, name: string | undefined): string {
  const key = keyspace.keys.find((one) => one.name === name)
  return key === undefined ? "" : keyShape(key)
}
