/* Which items are looked at most. Scores are negative, so that the most popular comes
 * first; people see the number of views (SHOP-C5). */

import type { ShopContext } from "../context.ts"

export function popularity({ db, lenient }: ShopContext) {
  return {
    /** The most popular first (SHOP-6). */
    async top(limit: number, offset: number): Promise<{ item: string; views: number }[]> {
      const found = await db.popular().rangeWithScores(offset, offset + limit - 1, lenient)
      return found.map(([item, score]) => ({ item, views: -score }))
    },
    count: () => db.popular().size(),
  }
}

export type Popularity = ReturnType<typeof popularity>
