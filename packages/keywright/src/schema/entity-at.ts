import type { Entity } from "./entity.ts"

/** The entity at a dotted path: `"tenant.user"`. Undefined when there is none. */
export function entityAt(entries: unknown, path: string): Entity | undefined {
  let at = { entries } as { entries?: unknown; kind?: string } | undefined
  for (const name of path.split(".")) {
    const inside = at?.entries as Record<string, typeof at> | undefined
    at = inside && Object.hasOwn(inside, name) ? inside[name] : undefined
  }
  return at?.kind === "entity" ? (at as Entity) : undefined
}

/** All entities by their paths, those in groups included. */
export function entitiesIn(entries: unknown, prefix = ""): [path: string, entity: Entity][] {
  return Object.entries(entries as Record<string, { entries?: unknown; kind?: string }>).flatMap(([name, entry]) => {
    if (entry.entries !== undefined) return entitiesIn(entry.entries, `${prefix}${name}.`)
    return entry.kind === "entity" ? [[prefix + name, entry as Entity]] : []
  })
}
