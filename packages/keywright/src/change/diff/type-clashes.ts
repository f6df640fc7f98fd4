/* Two changes in one pattern: a key that is removed or changes its form, and one of another Redis
 * type that takes its place. An index that becomes unique turns a set into a string under the
 * same names: each side finds what the other wrote, and every command fails on it. */

import { redisTypes } from "../../schema/define.ts"
import type { Key } from "../../schema/key.ts"
import type { FoundChange } from "./change.ts"
import { typeVerdicts } from "./kind-changes.ts"
import type { Matched } from "./match.ts"
import { keyShape } from "./pattern-shape.ts"
import type { SchemaSide } from "./side.ts"

type Clash = readonly [was: Key, is: Key]

/** What the comparisons found, with one change of type in place of what they say about the two keys. */
export function withTypeClashes(
  found: readonly FoundChange[],
  before: SchemaSide,
  after: SchemaSide,
  pairs: Matched["pairs"],
): FoundChange[] {
  const clashes = clashesOf(before, after, pairs)
  // Records that come or go do more than that.
  const namesOf = (keys: readonly Key[]) =>
    new Set(keys.filter(({ entity }) => entity?.role !== "record").map(({ name }) => name))
  const [gone, come] = [namesOf(clashes.map(([was]) => was)), namesOf(clashes.map(([, is]) => is))]
  const isTold = ({ code, path, oldKey }: FoundChange): boolean => {
    if (/\.(DROPPED|REMOVED)$/.test(code)) return gone.has(oldKey ?? path) || gone.has(path)
    return /\.(ADDED|CHANGED)$/.test(code) && come.has(path)
  }
  return [...found.filter((one) => !isTold(one)), ...clashes.map(clashFound)]
}

function clashesOf(before: SchemaSide, after: SchemaSide, pairs: Matched["pairs"]): Clash[] {
  const paired = new Set(pairs.flatMap(([one, other]) => [`old ${one.key.name}`, `new ${other.key.name}`]))
  const olds = new Map(before.keyspace.keys.map((key) => [keyShape(key), key]))
  return after.keyspace.keys.flatMap((is) => {
    const was = olds.get(keyShape(is))
    if (!was || redisTypes[was.kind] === redisTypes[is.kind]) return []
    return paired.has(`old ${was.name}`) && paired.has(`new ${is.name}`) ? [] : [[was, is] as const]
  })
}

function clashFound([was, is]: Clash): FoundChange {
  const usual = typeVerdicts(was.kind, is.kind)
  return {
    code: "KIND.TYPE",
    path: is.name,
    what: `${was.kind} → ${is.kind} in ${is.pattern}`,
    // What an entity keeps is never written blindly.
    oldWriter: was.entity ? "fails" : usual.oldWriter,
    newWriter: is.entity ? "fails" : usual.newWriter,
    // Repair deletes a key of the wrong type and builds it from the records.
    data: is.entity && is.entity.role !== "record" ? "index" : "convert",
    oldKey: was.name,
    newKey: is.name,
  }
}
