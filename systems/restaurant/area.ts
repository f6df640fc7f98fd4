/* Which keys of a server belong to a restaurant: those under its tag; without a tag, all keys,
 * or all without a tag if there are other restaurants. A check reports other keys as unknown, a
 * repair may delete unknown keys, and an export has all of them: so each is given its area. */

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
