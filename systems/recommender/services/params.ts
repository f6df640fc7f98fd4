/* The recommender's parameters, and which key a category's pool is. */

import { conflict } from "../../platform/http/problem.ts"
import type { RecommenderContext } from "../context.ts"
import { DEFAULTS } from "../schema.ts"
import { outOfRange } from "./out-of-range.ts"

export interface Changes {
  readonly max_post_age?: number | undefined
  readonly distinct_category?: number | undefined
}

export function params({ db, settings }: Pick<RecommenderContext, "db" | "settings">) {
  /** No ring has a slot beyond its last. */
  const read = async () => {
    const found = { ...DEFAULTS, ...(await db.settings().get()) }
    const last = found.max_post_age - 1
    if (found.day_index !== undefined && found.day_index > last)
      throw outOfRange(db.settings(), db.settings.pattern, "day_index", `0 to ${last}`)
    return found
  }
  const one = async (name: keyof typeof DEFAULTS) => (await db.settings().get(name)) ?? DEFAULTS[name]
  /** What is given is not read: so a rebuild fixes what is broken. */
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
    /** The pools of the first n categories, by code. */
    pools: (categories: number) =>
      Array.from({ length: categories }, (_, code) => ({ suffix: code + settings.categoryKeyBase })),
  }
}

export type Params = ReturnType<typeof params>
/** What a run and the recommendations go by. */
export type ParamValues = Awaited<ReturnType<Params["read"]>>
