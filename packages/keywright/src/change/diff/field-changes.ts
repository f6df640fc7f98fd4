/* The fields of a hash, a stream or a record kept as a hash. */

import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import type { FoundChange } from "./change.ts"
import { codecChanges } from "./codec-changes.ts"
import type { Renames } from "./match.ts"

export function fieldChanges(before: CodecFields, after: CodecFields, path: string, renames: Renames): FoundChange[] {
  const at = (name: string) => `${path}.${name}`
  const renamed = new Map(
    Object.keys(before).flatMap((name) => {
      const to = renames.get(at(name))?.slice(path.length + 1)
      return to !== undefined && to in after && !(to in before) ? [[name, to] as const] : []
    }),
  )
  const taken = new Set(renamed.values())
  return [
    ...Object.entries(before)
      .filter(([name]) => !(name in after) && !renamed.has(name))
      .map(([name, { optional }]): FoundChange => ({
        code: optional ? "FIELD.REMOVED" : "FIELD.RELAXED",
        path: at(name),
        what: optional ? name : `${name} is gone`,
      })),
    ...[...renamed].flatMap(([name, to]) => [
      {
        code: "FIELD.RENAMED",
        path: at(to),
        what: `${name} → ${to}`,
        ...renamedField(before[name]!, after[to]!),
      } as FoundChange,
      ...codecChanges(before[name]!.spec, after[to]!.spec, at(to)),
    ]),
    ...Object.entries(after)
      .filter(([name]) => !taken.has(name))
      .flatMap(([name, codec]) => {
        const was = before[name]
        const needs = codec.optional !== true
        if (was === undefined)
          return [{ code: needs ? "FIELD.REQUIRED" : "FIELD.ADDED", path: at(name), what: name } as FoundChange]
        const needed = was.optional !== true
        const presence: FoundChange[] =
          needs === needed ? [] : [{ code: needs ? "FIELD.REQUIRED" : "FIELD.RELAXED", path: at(name), what: name }]
        return [...presence, ...codecChanges(was.spec, codec.spec, at(name))]
      }),
  ]
}

/** A program that requires the field fails where it has the other name; one that does not takes it for absent. */
function renamedField(before: AnyCodec, after: AnyCodec): Partial<FoundChange> {
  const [oldReader, newReader] = [before.optional ? "silent" : "fails", after.optional ? "silent" : "fails"] as const
  return {
    oldReader,
    newReader,
    oldWriter: oldReader === "silent" ? "silent" : newReader,
    newWriter: newReader === "silent" ? "silent" : "fails to read",
  }
}
