/* What is related to what, as data: boxes and lines. With entities, these are the
 * boxes and their relations the lines. Without, the named ids are: a key that goes
 * from one id to others (`viewed:{token}` holds items) is a line between them, and
 * a key that concerns one id only is a row of its box. */

import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { Group } from "../../schema/group.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { parsePattern } from "../../schema/pattern.ts"
import { type DocPage, docPage } from "./doc-model.ts"
import { eachText, oneLine } from "../printable.ts"

export interface Diagram {
  readonly kind: "entities" | "ids"
  readonly boxes: readonly DiagramBox[]
  readonly lines: readonly DiagramLine[]
}

export interface DiagramBox {
  readonly name: string
  readonly rows: readonly { readonly name: string; readonly type: string; readonly secret: boolean }[]
}

export interface DiagramLine {
  readonly from: string
  readonly to: string
  readonly label: string
  /** How many there are at each end. */
  readonly ends: readonly [from: LineEnd, to: LineEnd]
}

export type LineEnd = "one" | "maybe" | "many"

export function diagramOf(keyspace: Keyspace, page: DocPage = docPage(keyspace)): Diagram {
  const isOfEntities = page.sections.some(({ kind }) => kind === "entity")
  return eachText(isOfEntities ? entityDiagram(page) : idDiagram(keyspace), oneLine)
}

function entityDiagram({ sections, relations }: DocPage): Diagram {
  const boxes = sections
    .filter(({ kind }) => kind === "entity")
    .map(({ name, keys }) => ({ name, rows: keys.find(({ role }) => role === "the record")?.parts ?? [] }))
  // An inverse says the same again: each pair is drawn once.
  const drawn = new Set<string>()
  const lines = relations.flatMap(({ entity, name, target, many, via }): DiagramLine[] => {
    const through = "field" in via ? via.field : "index" in via ? via.index : via.set
    if ([`${entity} ${target} ${through}`, `${target} ${entity}`].some((pair) => drawn.has(pair))) return []
    drawn.add(`${entity} ${target} ${through}`).add(`${entity} ${target}`)
    const ends: DiagramLine["ends"] =
      "field" in via ? ["many", "one"] : "set" in via ? ["many", "many"] : ["one", many ? "many" : "maybe"]
    return [{ from: entity, to: target, label: name, ends }]
  })
  return { kind: "entities", boxes, lines }
}

function idDiagram({ keys, entries }: Keyspace): Diagram {
  const prefixes = Object.values(entries as Record<string, Partial<Group<string, unknown>>>)
    .map(({ prefix }) => prefix ?? "")
    .filter((prefix) => prefix !== "")
  // What a group puts before all of its keys says nothing in a small box.
  const short = (pattern: string) => {
    const prefix = prefixes.find((one) => pattern.startsWith(one) && pattern.length > one.length) ?? ""
    return pattern.slice(prefix.length)
  }
  const rows = new Map<string, { name: string; type: string; secret: boolean }[]>()
  const lines = new Map<string, { from: string; to: string; labels: string[]; many: boolean }>()
  const box = (id: string) => rows.get(id) ?? rows.set(id, []).get(id)!
  const join = (from: string, to: string, label: string, many: boolean) => {
    for (const id of [from, to]) box(id)
    const line = lines.get(`${from} ${to}`) ?? { from, to, labels: [], many: false }
    lines.set(`${from} ${to}`, { ...line, labels: [...line.labels, label], many: line.many || many })
  }
  for (const key of keys) {
    const { subject, objects } = idsOf(key)
    if (subject === undefined) continue
    const others = objects.filter((id) => id !== subject)
    const label = key.name.slice(key.name.lastIndexOf(".") + 1)
    if (others.length === 0) box(subject).push({ name: short(key.pattern), type: key.kind, secret: false })
    for (const other of new Set(others)) join(subject, other, label, holdsMany(key, other))
    // One id inside of another: rails:{database}:{table}.
    const within = parametersOf(short(key.pattern)).flatMap((param) => key.params[param]?.id ?? [])
    if (within.length > 1) join(within.at(-2)!, within.at(-1)!, label, true)
  }
  const named = [...rows].filter(
    ([id, own]) => own.length > 0 || [...lines.values()].some(({ from, to }) => id === from || id === to),
  )
  return {
    kind: "ids",
    boxes: named.map(([name, own]) => ({ name, rows: own })),
    lines: [...lines.values()].map(({ from, to, labels, many }) => ({
      from,
      to,
      label: labels.length > 3 ? `${labels.slice(0, 3).join(", ")} +${labels.length - 3}` : labels.join(", "),
      ends: ["one", many ? "many" : "one"],
    })),
  }
}

const parametersOf = (pattern: string): string[] =>
  parsePattern(pattern).flatMap((part) => (typeof part === "string" ? [] : part.param))

/** What a key is about, and which ids it holds. */
function idsOf(key: Key): { subject: string | undefined; objects: string[] } {
  const { fields, field, ...parts } = key.shape as { fields?: Record<string, AnyCodec>; field?: AnyCodec } & Record<
    string,
    AnyCodec
  >
  const params = Object.values(key.params).flatMap(({ id }) => id ?? [])
  const held = [...Object.values(fields ?? {}), ...Object.values(parts)].flatMap(idsIn)
  const subject = params.at(-1) ?? field?.id ?? held[0]
  const inner = params.length > 0 && field?.id !== undefined ? [field.id] : []
  return { subject, objects: [...inner, ...held] }
}

/** The ids of a codec; tagged ones have several. */
function idsIn({ id, spec }: AnyCodec): string[] {
  if (id !== undefined) return [id]
  if (spec.codec !== "tagged") return []
  return Object.values(spec.tags).flatMap((of) => (of.codec === "id" ? [of.name] : []))
}

const holdsMany = ({ kind, shape }: Key, id: string): boolean =>
  kind === "map" ? (shape["field"] as AnyCodec).id === id : ["set", "zset", "list", "stream", "geo"].includes(kind)
