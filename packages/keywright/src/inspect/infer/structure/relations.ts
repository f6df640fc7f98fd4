/* Relations between entities: a field that holds another's id, an index on such a
 * field from the other side, and sets of ids between two of them. */

import type { RelationForm } from "../../../schema/json/form.ts"
import { type FoundEntity, patternsOf } from "./found-entity.ts"
import type { Pattern } from "../mine/pattern.ts"
import { fieldTexts } from "./places.ts"
import type { Ids } from "../propose/proposal-params.ts"
import { camel, unique, nameWords } from "../mine/words.ts"
import { structure } from "../thresholds.ts"

export type FoundRelations = Map<FoundEntity, Record<string, RelationForm>>

/** `nameOf`: the name of a pattern in the proposal. */
export function relationsOf(
  entities: readonly FoundEntity[],
  patterns: readonly Pattern[],
  ids: Ids,
  nameOf: (pattern: Pattern) => string | undefined,
): FoundRelations {
  const found: FoundRelations = new Map(entities.map((entity) => [entity, {}]))
  const taken = new Map(entities.map((entity) => [entity, new Set<string>()]))
  const home = (id: string | undefined, db: number) =>
    id === undefined ? undefined : entities.find(({ pattern }) => pattern.db === db && ids.of(pattern, "{0}") === id)
  const pathOf = ({ pattern, name }: FoundEntity) => nameOf(pattern) ?? name
  const add = (entity: FoundEntity, name: string, relation: RelationForm) => {
    found.get(entity)![unique(name, taken.get(entity)!, [`${name}Record`])] = relation
  }
  for (const entity of entities)
    for (const [field, texts] of fieldTexts(entity.pattern)) {
      const target = field === entity.idField ? undefined : home(ids.of(entity.pattern, `.${field}`), entity.pattern.db)
      if (target === undefined) continue
      const { share } = texts.sketch.within(target.pattern.row.texts[0]!.sketch)
      const index = entity.indexes.find(
        (one) =>
          one.fields.length === 1 && one.fields[0] === field && one.score === undefined && one.where === undefined,
      )
      const inverse = index && !index.unique ? unique(pluralIn(index.patterns, entity), taken.get(target)!) : undefined
      const name = camel(
        nameWords(field).filter((word, i, all) => !(i === all.length - 1 && i > 0 && /^ids?$/i.test(word))),
      )
      add(entity, name, {
        one: pathOf(target),
        from: field,
        ...(inverse !== undefined && { inverse }),
        ...(share < structure.shareOfReferences && { mayDangle: true }),
      })
      if (index?.unique) add(target, entity.name, { one: pathOf(entity), by: index.name })
    }
  const owned = new Set(entities.flatMap(patternsOf))
  for (const pattern of patterns) {
    if (owned.has(pattern)) continue
    const through = nameOf(pattern)
    if (through === undefined || pattern.described.kind !== "set" || pattern.row.params.length !== 1) continue
    const [from, to] = [home(ids.of(pattern, "{0}"), pattern.db), home(ids.of(pattern, "member"), pattern.db)]
    if (from !== undefined && to !== undefined && from !== to)
      add(from, lastLiteral(pattern) ?? `${to.name}s`, { many: pathOf(to), through })
  }
  return found
}

/** What the other side calls them: `dishes` of `category:{categoryId}:dishes`. */
function pluralIn(patterns: readonly Pattern[], { name }: FoundEntity): string {
  const mirrored = patterns.map(lastLiteral).find((word) => word !== undefined)
  return (
    mirrored ??
    (/(?:s|x|ch|sh)$/.test(name) ? `${name}es` : name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`)
  )
}

/** The word after the last parameter. */
function lastLiteral({ row }: Pattern): string | undefined {
  const last = row.parts.at(-1)
  const words = typeof last === "string" && row.params.length > 0 ? nameWords(last) : []
  return words.length === 0 ? undefined : camel(words)
}
