/* The recommender's parameters, and which key a category's pool is. */

import { Undecodable } from "keywright"
import { conflict } from "../../platform/http/problem.ts"
import type { RecommenderContext } from "../context.ts"

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
  /** Other programs may write it too: no ring has 0 days (ALL-11). */
  const checked = (name: keyof typeof MOST, value: number): number => {
    if (value >= 1 && value <= MOST[name]) return value
    const { key } = db.settings()
    throw new Undecodable("VALUE.OUT_OF_RANGE", `${name} of ${key} is not 1 to ${MOST[name]}`, { key, pattern: key })
  }
  const read = async () => {
    const found = { ...DEFAULTS, ...(await db.settings().get()) }
    for (const name of ["max_post_age", "distinct_category"] as const) checked(name, found[name])
    return found
  }
  const one = async (name: keyof typeof MOST) => checked(name, (await db.settings().get(name)) ?? DEFAULTS[name])
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
