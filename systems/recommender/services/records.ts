/* Records of the source, as they are added and deleted through the API (REC-19, REC-20).
 * Ids grow; one that a run has passed is never given out. */

import { badRequest, conflict, notFound } from "../../platform/http/problem.ts"
import { deleteRows, hasRows, updateRows } from "../../platform/rows.ts"
import type { RecommenderContext } from "../context.ts"
import { locked, takeId, type Sql } from "../source/sequence.ts"
import type { TableName } from "../tables.ts"
import { MOST_CATEGORIES } from "../schema.ts"
import type { Params } from "./params.ts"

export interface NewChallenge {
  readonly id?: number | undefined
  readonly category: number
  readonly is_public: boolean
  readonly duration: number
  readonly created?: Date | undefined
}
export interface NewPost {
  readonly id?: number | undefined
  readonly challenge: number
  readonly user: number
  readonly text: string
  readonly created?: Date | undefined
}

export function records({ db, source, clock }: RecommenderContext, params: Params) {
  /** Checks, numbers and inserts in one transaction; returns the id. */
  const add = async (
    table: TableName,
    insert: (sql: Sql, takeNext: (wanted?: number) => Promise<number>) => Promise<number>,
  ): Promise<number> => {
    const cursor = (await db.settings().get(`cursor_${table}`)) ?? 0
    return source.transaction((sql) => insert(sql, (wanted) => takeId(sql, table, cursor, wanted)))
  }
  const pools = () => params.pools(MOST_CATEGORIES)

  return {
    async addChallenge({ id: wanted, category, is_public, duration, created }: NewChallenge): Promise<number> {
      const { distinct_category } = await params.read()
      if (category >= distinct_category) throw unknownCategory(distinct_category)
      return add("clg", async (sql, takeNext) => {
        const id = await takeNext(wanted)
        const row = { id, category, is_public: is_public ? 1 : 0, duration } as const
        await sql
          .insertInto("recommender_clg")
          .values({ ...row, created: (created ?? clock.now()).getTime() })
          .execute()
        return id
      })
    },

    addMember: (challenge: number, user: number) =>
      add("mmbr", async (sql, takeNext) => {
        const id = await takeNext()
        await needChallenge(sql, challenge)
        if (await isMember(sql, challenge, user)) throw conflict("already_member", "the user is a member already")
        await sql.insertInto("recommender_mmbr").values({ id, challenge, user }).execute()
        return id
      }),

    addPost: ({ id: wanted, challenge, user, text, created }: NewPost) =>
      add("post", async (sql, takeNext) => {
        const id = await takeNext(wanted)
        // The next run passes over what was deleted: another post of this id would be lost.
        if (wanted !== undefined && (await db.deletedPosts().score(id)) !== undefined)
          throw conflict("id_taken", "a post with this id was deleted")
        await needChallenge(sql, challenge)
        if (!(await isMember(sql, challenge, user)))
          throw conflict("not_a_member", "the user is not a member of the challenge")
        const row = { id, challenge, user, text, skipped: 0, deleted: 0 } as const
        await sql
          .insertInto("recommender_post")
          .values({ ...row, created: (created ?? clock.now()).getTime() })
          .execute()
        return id
      }),

    addReaction: (post: number, user: number, cancelled: boolean) =>
      add("reaction", async (sql, takeNext) => {
        const id = await takeNext()
        await needPost(sql, post)
        const row = { id, post, user, cancelled: cancelled ? 1 : 0, skipped: 0 } as const
        await sql.insertInto("recommender_reaction").values(row).execute()
        return id
      }),

    addTracking: (user: number) =>
      add("tracking", async (sql, takeNext) => {
        const id = await takeNext()
        await sql.insertInto("recommender_tracking").values({ id, user }).execute()
        return id
      }),

    /**
     * Out of the pool first, so that a failure in between leaves no deleted post there; and once more when the
     * source has it no longer, since a run may have read it until then.
     */
    async deletePost(id: number): Promise<void> {
      await source.ask((sql) => needPost(sql, id))
      await db.$steps.dropPost({ id, recentPosts: pools() })
      const isDeleted = await source.transaction((sql) => removePost(sql, id))
      await db.$steps.dropPost({ id, recentPosts: pools() })
      if (!isDeleted) throw noPost()
    },
  }
}

export type Records = ReturnType<typeof records>

export const unknownCategory = (categories: number) =>
  badRequest("unknown_category", `categories are 0 to ${categories - 1}`)
const noPost = () => notFound("there is no such post", "no_such_post")

async function needChallenge(sql: Sql, id: number): Promise<void> {
  if (!(await hasRows(sql, "recommender_clg", { id })))
    throw notFound("there is no such challenge", "no_such_challenge")
}

async function needPost(sql: Sql, id: number): Promise<void> {
  if (!(await hasRows(sql, "recommender_post", { id, deleted: 0 }))) throw noPost()
}

const isMember = (sql: Sql, challenge: number, user: number): Promise<boolean> =>
  hasRows(sql, "recommender_mmbr", { challenge, user })

/** A post that a run has read stays, as deleted: its day was counted (REC-20). False when it was gone. */
async function removePost(sql: Sql, id: number): Promise<boolean> {
  const { read } = await locked(sql, "post")
  if (id > read) return deleteRows(sql, "recommender_post", { id })
  return updateRows(sql, "recommender_post", { id, deleted: 0 }, { deleted: 1 })
}
