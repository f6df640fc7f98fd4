import type { Route } from "../state/route.ts"

/** What the browser's tab says: never a key, which may be private. */
export function titleOf({ view, path }: Route): string {
  const name = view === "key" ? "Key" : view.charAt(0).toUpperCase() + view.slice(1)
  const where = view === "key" ? path.slice(0, 1) : path.slice(0, 2)
  return [...where.toReversed(), name, "Keywright Studio"].join(" · ")
}
