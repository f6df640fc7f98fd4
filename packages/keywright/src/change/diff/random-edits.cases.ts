/* Random edits of a schema, as somebody might make them: the same for the same seed. What does
 * not make a schema any more is tried again with the next number. */

import { chance } from "../../../../../test/random.ts"
import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import type { KeyspaceForm } from "../../schema/json/form.ts"
import { fromJson } from "../../schema/json/from-json.ts"

// oxlint-disable-next-line typescript/no-explicit-any -- forms that are edited at random have no type.
type Any = any
type Below = (n: number) => number

export interface Edit {
  readonly seed: number
  readonly edited: KeyspaceForm
}

export function* edits(form: KeyspaceForm, count: number): Generator<Edit> {
  for (let seed = 1, made = 0; made < count && seed < count * 40; seed++) {
    const below = chance(seed * 2654435761)
    const edited = structuredClone(form) as Any
    for (let times = 1 + below(3); times > 0; times--) edit(edited, below)
    try {
      fromJson(edited)
    } catch {
      continue
    }
    made++
    yield { seed, edited }
  }
}

const pick = <T>(below: Below, all: readonly T[]): T => all[below(all.length)]!

/** Every entry that is not a group, with the object that contains it. */
function leaves(entries: Any, found: [home: Any, name: string][] = []): [home: Any, name: string][] {
  for (const [name, entry] of Object.entries(entries as Record<string, Any>)) {
    if (entry.entries) leaves(entry.entries, found)
    else found.push([entries, name])
  }
  return found
}

const codecs: readonly CodecSpec[] = [
  { codec: "text" },
  { codec: "int" },
  { codec: "float" },
  { codec: "day" },
  { codec: "unixSeconds" },
  { codec: "unixMillis" },
  { codec: "int", min: 0 },
  { codec: "oneOf", values: ["a", "b"] },
  { codec: "many", separator: ",", item: { codec: "int" } },
  { codec: "json", schema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } },
]

const verbs: readonly ((entry: Any, below: Below, home: Any, name: string) => void)[] = [
  (entry) => (entry.pattern = `v2:${entry.pattern}`),
  (entry) => (entry.pattern = entry.pattern.replace(/\{(\w+)\}$/, "{$1}:{more}")),
  (entry, below) =>
    (entry.ttl = pick(below, ["1h", "30d", "never", { sliding: "1h" }, { fixed: "2h" }, { upTo: "1d" }] as const)),
  (entry) => delete entry.ttl,
  (entry) => (entry.keep = (entry.keep ?? 100) * 2),
  (entry) => delete entry.keep,
  (entry) => (entry.evictable = !entry.evictable),
  (entry, below) => {
    const place = pick(below, Object.keys(entry.shape ?? { none: 1 }))
    if (place === "fields") entry.shape.fields[pick(below, Object.keys(entry.shape.fields))] = pick(below, codecs)
    else if (entry.shape) entry.shape[place] = pick(below, codecs)
  },
  (entry, below) => (entry.params = { ...entry.params, [pick(below, paramsIn(entry.pattern))]: pick(below, codecs) }),
  (entry) => (entry.doc = "Other words."),
  (entry) => (entry.secret = entry.secret === undefined ? true : undefined),
  (entry, _, home, name) => {
    home[`${name}2`] = entry
    delete home[name]
  },
  (_, __, home, name) => delete home[name],
  (entry, below) => {
    const schema = entry.store?.value?.schema ?? entry.shape?.value?.schema
    if (!schema?.properties) return
    const name = pick(below, Object.keys(schema.properties))
    if (below(3) === 0) delete schema.properties[name]
    else if (below(2) === 0) schema.properties[name] = { type: "number" }
    else schema.properties["added"] = { type: "string" }
  },
  (entry) => entry.index && delete entry.index[Object.keys(entry.index)[0]!],
  (entry) => entry.unique && delete entry.unique[Object.keys(entry.unique)[0]!],
  (entry) => entry.all && (entry.all = `${entry.all}2`),
  (entry) => (entry.writes = ["web"]),
]

const paramsIn = (pattern: string): string[] =>
  [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).concat("none")

function edit(form: Any, below: Below): void {
  const all = leaves(form.entries)
  if (all.length === 0) return
  const [home, name] = pick(below, all)
  pick(below, verbs)(home[name], below, home, name)
}
