/* Which items are looked at most. Scores are negative, so that the most popular comes
 * first; people see the number of views (SHOP-C5). */

import { soundOnly } from "../../platform/sound-only.ts"
import type { ShopContext } from "../context.ts"

export function popularity({ db, lenient }: ShopContext) {
  return {
    /** The most popular first (SHOP-6). */
    async top(limit: number, offset: number): Promise<{ item: string; views: number }[]> {
      const found = await db.popular().rangeWithScores(offset, offset + limit - 1, lenient)
      const sound = soundOnly(found, (score) => score <= 0 && Number.isFinite(score), db.popular, lenient)
      return sound.map(([item, score]) => ({ item, views: -score }))
    },
    count: () => db.popular().size(),
  }
}

export type Popularity = ReturnType<typeof popularity>
