/* Codecs of parameters, declared once: those that a parameter has everywhere, for the
 * whole keyspace. The parameters of a group's prefix are declared by the group
 * (`prefixParams`). */

import type { CodecSpec } from "../../../schema/codec/codec-spec.ts"
import type { EntryForm, KeyspaceForm } from "../../../schema/json/form.ts"
import { mapped } from "../known/open-values.ts"
import { paramSpecs } from "./def-form.ts"
import type { FoundGroup } from "../structure/groups.ts"
import type { Pattern } from "../mine/pattern.ts"
import type { Ids } from "./proposal-params.ts"

type Specs = Readonly<Record<string, CodecSpec>>

/** The names of the parameters in a pattern, or in the beginning of one. */
const paramsInPattern = (pattern: string): string[] => [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

/** All patterns of a group, those of the groups in it too. */
export const patternsIn = ({ patterns, groups }: FoundGroup): Pattern[] => [...patterns, ...groups.flatMap(patternsIn)]

/** The codecs of the parameters that a group begins with; undefined when its patterns do not agree about them. */
export function prefixParams(group: FoundGroup, ids: Ids): Specs | undefined {
  const all = patternsIn(group).map((pattern) => paramSpecs(pattern, ids))
  const names = paramsInPattern(group.prefix ?? "")
  const [first = {}] = all
  const isSame = names.every((name) =>
    all.every((specs) => JSON.stringify(specs[name]) === JSON.stringify(first[name])),
  )
  return isSame ? Object.fromEntries(names.flatMap((name) => (name in first ? [[name, first[name]!]] : []))) : undefined
}

export function withSharedParams(form: KeyspaceForm): KeyspaceForm {
  const seen = new Map<string, Set<string>>()
  const visit = (entry: EntryForm, prefix: string, around: Specs): void => {
    if ("group" in entry) {
      for (const one of Object.values(entry.entries))
        visit(one, prefix + (entry.prefix ?? ""), { ...around, ...entry.params })
      return
    }
    const indexes = entry.kind === "entity" ? Object.values({ ...entry.unique, ...entry.index }) : []
    const specs: Specs = { ...around, ...entry.params }
    for (const name of [prefix + entry.pattern, ...indexes.flatMap(({ patterns }) => patterns)].flatMap(
      paramsInPattern,
    ))
      seen.set(name, (seen.get(name) ?? new Set()).add(JSON.stringify(specs[name] ?? null)))
  }
  for (const entry of Object.values(form.entries)) visit(entry, "", {})
  const shared = [...seen].filter(([name, specs]) => specs.size === 1 && !specs.has("null") && name !== "id")
  const params = Object.fromEntries(shared.map(([name, [only]]) => [name, JSON.parse(only!) as CodecSpec]))
  const strip = (entry: EntryForm): EntryForm => {
    const { params: own, ...rest } = entry
    const left = Object.entries(own ?? {}).filter(([name]) => !(name in params))
    const stripped = (left.length === 0 ? rest : { ...rest, params: Object.fromEntries(left) }) as EntryForm
    return "group" in stripped ? { ...stripped, entries: mapped(stripped.entries, strip) } : stripped
  }
  const { entries, ...rest } = form
  return { ...rest, ...(shared.length > 0 && { params }), entries: mapped(entries, strip) }
}
