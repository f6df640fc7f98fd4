/* Authors whom a user does not want to see (REC-17), in the source. */

import { notFound } from "../../platform/http/problem.ts"
import type { RecommenderContext } from "../context.ts"

export function blocks({ source }: RecommenderContext) {
  return {
    async add(user: number, author: number): Promise<void> {
      await source.ask((sql) =>
        sql
          .insertInto("recommender_block")
          .values({ user, author })
          .onConflict((known) => known.doNothing())
          .execute(),
      )
    },

    async remove(user: number, author: number): Promise<void> {
      const { numDeletedRows } = await source.ask((sql) =>
        sql
          .deleteFrom("recommender_block")
          .where("user", "=", user)
          .where("author", "=", author)
          .executeTakeFirstOrThrow(),
      )
      if (numDeletedRows === 0n) throw notFound("the author is not blocked", "not_blocked")
    },

    async of(user: number): Promise<number[]> {
      const rows = await source.ask((sql) =>
        sql.selectFrom("recommender_block").select("author").where("user", "=", user).execute(),
      )
      return rows.map(({ author }) => author)
    },

    /** The posts of these authors, from an id on. */
    async postsOf(authors: readonly number[], from: number): Promise<number[]> {
      if (authors.length === 0) return []
      const rows = await source.ask((sql) =>
        sql.selectFrom("recommender_post").select("id").where("user", "in", authors).where("id", ">=", from).execute(),
      )
      return rows.map(({ id }) => id)
    },
  }
}

export type Blocks = ReturnType<typeof blocks>
