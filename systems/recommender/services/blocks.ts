/* Authors whom a user does not want to see (REC-17), in the source. */

import { notFound } from "../../platform/http/problem.ts"
import { deleteRows, hasRows, insertNew } from "../../platform/rows.ts"
import type { RecommenderContext } from "../context.ts"

export function blocks({ source }: RecommenderContext) {
  return {
    async add(user: number, author: number): Promise<void> {
      await source.ask((sql) => insertNew(sql, "recommender_block", { user, author }))
    },

    async remove(user: number, author: number): Promise<void> {
      if (!(await source.ask((sql) => deleteRows(sql, "recommender_block", { user, author }))))
        throw notFound("the author is not blocked", "not_blocked")
    },

    /** Whether a user blocks anybody: most do not. */
    isBlocking: (user: number): Promise<boolean> => source.ask((sql) => hasRows(sql, "recommender_block", { user })),

    /** The posts of those whom a user blocks, from an id on. */
    async postsOf(user: number, from: number): Promise<number[]> {
      const rows = await source.ask((sql) =>
        sql
          .selectFrom("recommender_block as b")
          .innerJoin("recommender_post as p", "p.user", "b.author")
          .select("p.id")
          .where("b.user", "=", user)
          .where("p.id", ">=", from)
          .execute(),
      )
      return rows.map(({ id }) => id)
    },
  }
}

export type Blocks = ReturnType<typeof blocks>
