/* Which items are looked at most. Scores are negative, so that the most popular comes
 * first; people see the number of views (SHOP-C5). */

import type { ShopContext } from "../context.ts"

export function popularity({ db, lenient, settings }: ShopContext) {
  return {
    /** The most popular first (SHOP-6); with shards, also by views that are not part of the popularity yet. */
    async top(limit: number, offset: number) {
      const found =
        settings.shards === 0
          ? await db.popular().rangeWithScores(offset, offset + limit - 1, lenient)
          : await db.$drains.views.top(limit, { offset, ...lenient })
      return found.map(([item, score]) => ({ item, views: -score }))
    },
    count: () => db.popular().size(),
  }
}

/** How many items have a popularity, and how many of them stay when there are more. */
export interface MostItems {
  readonly most: number
  readonly stay: number
}

/** Items may be anything that a customer sends: what is invented between two rescalings has an end. */
export const itemsOfAll = ({ popularKept: stay }: { readonly popularKept: number }): MostItems => ({
  most: Math.max(1000, 5 * stay),
  stay,
})

/** The same for what a shard adds up between two passes of the drain: together not much more than all may have. */
export function itemsOfShard(settings: { readonly popularKept: number; readonly shards: number }): MostItems {
  const all = itemsOfAll(settings)
  if (settings.shards === 0) return all
  const most = Math.max(1000, Math.ceil(all.most / settings.shards))
  return { most, stay: Math.min(all.stay, most) }
}

export type Popularity = ReturnType<typeof popularity>
