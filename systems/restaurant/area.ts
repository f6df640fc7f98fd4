/* Which keys of a server are a restaurant's: those under its tag; without a tag, all, or all
 * that are under no tag where there are others. A check reports the rest as unknown, a repair
 * may delete what is unknown, and an export has everything: so each is told its area. */

import type { RestaurantSettings } from "./settings.ts"

export interface Area {
  /** For SCAN; undefined is all keys. */
  readonly match?: string
  has(key: string): boolean
}

export function areaOf({ tag, restaurants }: Pick<RestaurantSettings, "tag" | "restaurants">): Area {
  if (tag !== undefined) return { match: `{${tag}}:*`, has: (key) => key.startsWith(`{${tag}}:`) }
  return restaurants.length === 0 ? { has: () => true } : { match: "[^{]*", has: (key) => !key.startsWith("{") }
}
