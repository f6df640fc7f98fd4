import { checkUp } from "../../platform/few-at-once.ts"
import type { CartoContext } from "../context.ts"
import type { Sql } from "../source/users.ts"

/**
 * A change of the catalogue and of Redis, in one transaction of the catalogue. Those who waited for their turn while
 * Redis went away hear so at once: they do not wait for it one after another (ALL-10).
 */
export const changing =
  ({ source, redis }: Pick<CartoContext, "source" | "redis">) =>
  <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
    source.transaction(async (sql) => {
      checkUp(redis)
      return work(sql)
    })
