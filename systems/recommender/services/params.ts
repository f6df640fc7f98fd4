/* The recommender's parameters, and which key a category's pool is. */

import { conflict } from "../../platform/http/problem.ts"
import type { RecommenderContext } from "../context.ts"
import { outOfRange } from "./out-of-range.ts"

/** REC-C8 */
const DEFAULTS = { max_post_age: 7, distinct_category: 5 } as const
/** As many categories, and days in the pool, as there can ever be (REC-21). */
export const MOST_CATEGORIES = 64
export const MOST_DAYS = 3650
const MOST = { max_post_age: MOST_DAYS, distinct_category: MOST_CATEGORIES } as const

export interface Changes {
  readonly max_post_age?: number | undefined
  readonly distinct_category?: number | undefined
}

export function params({ db, settings }: Pick<RecommenderContext, "db" | "settings">) {
  /** No ring has 0 days, and none has a slot beyond its last. */
  const checked = (name: string, value: number, least: number, most: number): number => {
    if (value >= least && value <= most) return value
    throw outOfRange(db.settings(), db.settings.pattern, name, `${least} to ${most}`)
  }
  const read = async () => {
    const found = { ...DEFAULTS, ...(await db.settings().get()) }
    for (const name of ["max_post_age", "distinct_category"] as const) checked(name, found[name], 1, MOST[name])
    if (found.day_index !== undefined) checked("day_index", found.day_index, 0, found.max_post_age - 1)
    return found
  }
  const one = async (name: keyof typeof MOST) =>
    checked(name, (await db.settings().get(name)) ?? DEFAULTS[name], 1, MOST[name])
  /** What is given is not read: so a rebuild mends what is broken. */
  const changed = async ({ max_post_age, distinct_category }: Changes) => ({
    maxPostAge: max_post_age ?? (await one("max_post_age")),
    categories: distinct_category ?? (await one("distinct_category")),
  })

  return {
    read,
    changed,

    /** REC-21, REC-C16 */
    async change(changes: Changes): Promise<void> {
      if (await db.$steps.setParams(await changed(changes))) return
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
