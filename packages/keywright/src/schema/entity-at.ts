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

/** The paths of all entities, those in groups included. */
export function entityPaths(entries: unknown, prefix = ""): string[] {
  return Object.entries(entries as Record<string, { entries?: unknown; kind?: string }>).flatMap(([name, entry]) =>
    entry.entries !== undefined
      ? entityPaths(entry.entries, `${prefix}${name}.`)
      : entry.kind === "entity"
        ? [prefix + name]
        : [],
  )
}
