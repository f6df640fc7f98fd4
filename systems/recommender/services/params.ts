/* The recommender's parameters, and which key a category's pool is. */

import { conflict } from "../../platform/http/problem.ts"
import type { RecommenderContext } from "../context.ts"

/** REC-C8 */
const DEFAULTS = { max_post_age: 7, distinct_category: 5 } as const
/** As many categories as there can ever be (REC-21). */
export const MOST_CATEGORIES = 64

export interface Changes {
  readonly max_post_age?: number | undefined
  readonly distinct_category?: number | undefined
}

export function params({ db, settings }: Pick<RecommenderContext, "db" | "settings">) {
  const get = () => db.settings().get()
  const withDefaults = (found: Awaited<ReturnType<typeof get>>) => ({ ...DEFAULTS, ...found })
  const read = async () => withDefaults(await get())
  const changed = ({ max_post_age, distinct_category }: Changes, now: Awaited<ReturnType<typeof read>>) => ({
    maxPostAge: max_post_age ?? now.max_post_age,
    categories: distinct_category ?? now.distinct_category,
  })

  return {
    read,
    withDefaults,
    changed,

    /** REC-21, REC-C16 */
    async change(changes: Changes): Promise<void> {
      if (await db.$steps.setParams(changed(changes, await read()))) return
      throw conflict("rebuild_needed", "a run has used these parameters: POST /jobs/rebuild takes the new ones")
    },

    /** The pool of a category: the one place that knows how codes and key names go together (REC-C2). */
    poolOf: (category: number) => ({ suffix: category + settings.categoryKeyBase }),
    /** The pools of the first so many categories, by code. */
    pools: (categories: number) =>
      Array.from({ length: categories }, (_, code) => ({ suffix: code + settings.categoryKeyBase })),
  }
}

export type Params = ReturnType<typeof params>
/** What a run and the recommendations go by. */
export type ParamValues = Awaited<ReturnType<Params["read"]>>
