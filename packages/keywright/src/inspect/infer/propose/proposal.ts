/* The proposal: what was found, as a keyspace in its JSON form. */

import { defined } from "../../../errors/defined.ts"
import {
  formSchema,
  type EntryForm,
  type KeyspaceForm,
  type RelationForm,
  type TtlForm,
} from "../../../schema/json/form.ts"
import type { InvariantRule } from "../../../schema/invariant.ts"
import { type FoundEntity, patternsOf } from "../structure/found-entity.ts"
import { defForm } from "./def-form.ts"
import { entityForm } from "./entity-form.ts"
import { entryNames } from "./entry-names.ts"
import { type FoundGroup, groupsOf } from "../structure/groups.ts"
import { withSharedParams, patternsIn, prefixParams } from "./shared-params.ts"
import type { Pattern } from "../mine/pattern.ts"
import { fieldTexts } from "../structure/places.ts"
import { type Ids, noIds } from "./proposal-params.ts"
import { camel, nameWords } from "../mine/words.ts"

export interface Findings {
  readonly patterns: readonly Pattern[]
  readonly entities: readonly FoundEntity[]
  readonly ids: Ids
  /** Patterns whose keys share one deadline, by what they begin with. */
  readonly families: readonly (readonly Pattern[])[]
  readonly invariants: readonly ProposedLink[]
  /** Single keys that hold the same ids for now as another one. */
  readonly alike: ReadonlyMap<Pattern, Pattern>
  readonly relations: ReadonlyMap<FoundEntity, Readonly<Record<string, RelationForm>>>
}

/** An invariant between patterns, before these have names. */
export type ProposedLink =
  | { readonly kind: "same"; readonly id: string; readonly patterns: readonly [Pattern, Pattern] }
  | { readonly kind: "reference"; readonly id: string; readonly patterns: readonly [Pattern, Pattern | FoundEntity] }
  | { readonly kind: "inverse"; readonly patterns: readonly [Pattern, Pattern] }

export interface Proposal {
  readonly form: KeyspaceForm
  /** The name of each pattern in the proposal, and of those that belong to an entity, the entity's. */
  readonly names: ReadonlyMap<Pattern, string>
  /** Patterns that belong to entities. */
  readonly entities: readonly Pattern[]
}

export interface ProposalOptions {
  readonly name?: string
  /** The database of the connection: if it is the only one, it needs no group. */
  readonly home: number
  /** The databases that were read. */
  readonly dbs: readonly number[]
  /** How plain: 1 leaves relations and invariants out, 2 groups as well, 3 also entities, 4 also ids of parameters. */
  readonly plain: number
}

/** Every parameter with the codec that its pattern was found by. */
export const PLAINEST = 4

export function proposalOf(given: Findings, { name, home, plain, dbs: used }: ProposalOptions): Proposal {
  const findings = plain < PLAINEST ? given : { ...given, ids: noIds }
  const entities = plain >= 3 ? [] : declared(findings)
  const names = new Map<Pattern, string>()
  const owned = new Set(entities.flatMap(patternsOf))
  const dbs = [...used].sort((a, b) => a - b)
  const isSplit = dbs.length > 1 || (dbs[0] ?? home) !== home
  const inFamily = new Set(findings.families.flat())
  const ttl = defaultTtl(findings.patterns.filter((pattern) => !inFamily.has(pattern)))
  const entries: Record<string, EntryForm> = {}
  for (const db of dbs) {
    const path = isSplit ? `db${db}` : ""
    const shared: Shared = {
      ids: findings.ids,
      ttl,
      named: (pattern, entry) => names.set(pattern, path === "" ? entry : `${path}.${entry}`),
    }
    const rest = findings.patterns.filter((pattern) => pattern.db === db && !owned.has(pattern))
    const groups = plain >= 2 ? [{ patterns: rest, groups: [] }] : groupsOf(rest, findings.families)
    const inside = entities.filter(({ pattern }) => pattern.db === db)
    const own = Object.fromEntries(databaseEntries(inside, groups, shared))
    if (isSplit) entries[path] = { group: "database", db, name: path, entries: own }
    else Object.assign(entries, own)
  }
  const form: KeyspaceForm = {
    $schema: formSchema,
    version: 1,
    ...defined({ name, ttl }),
    inferred: true,
    entries,
    ...(plain === 0 && relationsForm(findings, entities, names)),
    ...(plain === 0 && invariantsForm(findings, names)),
  }
  return { form: withSharedParams(form), names, entities: [...owned] }
}

/** Those that something belongs to, and those that these refer to. */
function declared({ entities, ids }: Findings): FoundEntity[] {
  const all = entities.filter(({ pattern }) => pattern.of.ttls.class !== "mixed")
  const own = all.filter(isWorthwhile)
  const isReferred = ({ pattern }: FoundEntity) => {
    const id = ids.of(pattern, "{0}")
    return own.some(
      ({ pattern: from, idField }) =>
        from.db === pattern.db &&
        fieldTexts(from).some(([field]) => field !== idField && id !== undefined && ids.of(from, `.${field}`) === id),
    )
  }
  return all.filter((entity) => own.includes(entity) || isReferred(entity))
}

/** Something beside the records must belong to it, or it is just a document. */
const isWorthwhile = ({ counter, all, indexes }: FoundEntity): boolean =>
  counter !== undefined || all !== undefined || indexes.length > 0

/** What the entries of a database have in common. */
interface Shared {
  readonly ids: Ids
  readonly ttl: TtlForm | undefined
  readonly named: (pattern: Pattern, name: string) => void
}

function databaseEntries(
  entities: readonly FoundEntity[],
  groups: readonly FoundGroup[],
  shared: Shared,
): [string, EntryForm][] {
  const taken = new Set<string>()
  const found: [string, EntryForm][] = []
  for (const entity of entities) {
    taken.add(entity.name)
    for (const pattern of patternsOf(entity)) shared.named(pattern, entity.name)
    found.push([entity.name, entityForm(entity, shared.ids, shared.ttl)])
  }
  for (const group of groups) found.push(...groupEntries(group, shared, "", "", taken))
  return found
}

function groupEntries(
  group: FoundGroup,
  shared: Shared,
  prefix: string,
  path: string,
  taken: Set<string>,
): [string, EntryForm][] {
  const { ids, ttl, named } = shared
  const params = group.prefix === undefined ? {} : prefixParams(group, ids)
  if (params === undefined)
    return groupEntries({ patterns: patternsIn(group), groups: [] }, shared, prefix, path, taken)
  const { patterns, groups } = group
  const whole = prefix + (group.prefix ?? "")
  const inside = group.prefix === undefined ? taken : new Set<string>()
  const isFamily = group.family === true
  const deadline = isFamily ? longest(patterns) : undefined
  const groupName = group.prefix === undefined ? undefined : groupNameOf(group, taken)
  const inner = groupName === undefined ? path : `${path}${groupName}.`
  const entries = groups.flatMap((one) => groupEntries(one, shared, whole, inner, inside))
  const names = entryNames(patterns, whole, inside)
  for (const [pattern, name] of names) {
    named(pattern, inner + name)
    entries.push([name, defForm(pattern, ids, isFamily ? "family" : ttl, whole)])
  }
  if (group.prefix === undefined) return entries
  const marker = isFamily ? markerOf(patterns, whole) : undefined
  const form: EntryForm = {
    group: isFamily ? "family" : "scope",
    prefix: group.prefix,
    ...(Object.keys(params).length > 0 && { params }),
    ...(marker !== undefined && { marker: names.get(marker)! }),
    ...(deadline !== undefined && { ttl: deadline }),
    entries: Object.fromEntries(entries),
  }
  return [[groupName!, form]]
}

/** The key that is nothing but the family's name, and that none of the others is more often than. */
const markerOf = (patterns: readonly Pattern[], prefix: string): Pattern | undefined =>
  patterns.find(
    ({ row, names, of }) => row.pattern(names) === prefix && patterns.every((other) => other.of.count <= of.count),
  )

const longest = (patterns: readonly Pattern[]): string =>
  patterns.reduce((best, one) => (one.of.ttls.longest > best.of.ttls.longest ? one : best)).of.ttls.duration!

function groupNameOf({ prefix = "" }: FoundGroup, taken: Set<string>): string {
  const words = prefix.match(/\{+(\w+)\}+/g)?.map((word) => word.replace(/[{}]/g, "")) ?? []
  const base = camel(words.length === 0 ? nameWords(prefix) : [words.at(-1)!])
  let name = base
  for (let n = 2; taken.has(name); n++) name = `${base}${n}`
  taken.add(name)
  return name
}

/** What most patterns have: none. Said of all only where none is left undecided. */
function defaultTtl(patterns: readonly Pattern[]): TtlForm | undefined {
  const without = patterns.filter(({ of }) => of.ttls.class === "none").length
  return without >= patterns.length / 2 && patterns.every(({ of }) => of.ttls.isDecided) ? "never" : undefined
}

function relationsForm(
  { relations }: Findings,
  entities: readonly FoundEntity[],
  names: ReadonlyMap<Pattern, string>,
): Pick<KeyspaceForm, "relations"> {
  const found = entities.flatMap((entity) => {
    const own = relations.get(entity)
    return own === undefined || Object.keys(own).length === 0 ? [] : [[names.get(entity.pattern)!, own] as const]
  })
  return found.length === 0 ? {} : { relations: Object.fromEntries(found) }
}

function invariantsForm(
  { invariants }: Findings,
  names: ReadonlyMap<Pattern, string>,
): Pick<KeyspaceForm, "invariants"> {
  const nameOf = (one: Pattern | FoundEntity) => names.get("row" in one ? one : one.pattern)!
  const found = invariants.map((link): InvariantRule => {
    const [one, other] = link.patterns.map(nameOf) as [string, string]
    if (link.kind === "same") return { kind: "same", id: link.id, keys: [one, other], truth: one }
    if (link.kind === "reference") return { kind: "reference", id: link.id, from: one, to: other }
    return { kind: "inverse", keys: [one, other], truth: one }
  })
  return found.length === 0 ? {} : { invariants: found }
}
