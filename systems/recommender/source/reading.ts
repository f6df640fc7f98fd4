/* What the nightly run asks of the source. Records are read in the order of their ids,
 * from a cursor (not included) to the run's bound (included). */

import { packedRows } from "./packed-rows.ts"
import type { Sql, Bounds } from "./sequence.ts"
import type { SelectQueryBuilder, StringReference } from "kysely"
import { TABLES, type RecommenderTables, type TableName } from "../tables.ts"

/** From where to where, and how many at most. */
export interface Stretch {
  readonly after: number
  readonly upTo: number
  readonly limit: number
}

/** The rows of a stretch, in the order of their ids. */
const within =
  ({ after, upTo, limit }: Stretch) =>
  <T extends keyof RecommenderTables, O>(rows: SelectQueryBuilder<RecommenderTables, T, O>) => {
    const id = "id" as StringReference<RecommenderTables, T>
    return rows
      .where(id, ">", after as never)
      .where(id, "<=", upTo as never)
      .orderBy(id)
      .limit(limit)
  }

export const challengePage = (sql: Sql, stretch: Stretch) =>
  sql
    .selectFrom("recommender_clg")
    .select(["id", "category", "is_public", "duration", "created"])
    .$call(within(stretch))
    .execute()

/** A member, and the category of their challenge, if there is one. */
const MEMBER = ["id", "category", "is_stray"] as const
export type MemberRow = Record<(typeof MEMBER)[number], number>

export const memberPage = (sql: Sql, { after, upTo, limit }: Stretch): Promise<MemberRow[]> =>
  packedRows(
    sql,
    sql
      .selectFrom("recommender_mmbr as m")
      .leftJoin("recommender_clg as c", "c.id", "m.challenge")
      .select((is) => [
        "m.id",
        is.fn.coalesce("c.category", is.lit(0)).as("category"),
        is.case().when("c.id", "is", null).then(is.lit(1)).else(is.lit(0)).end().as("is_stray"),
      ])
      .where("m.id", ">", after)
      .where("m.id", "<=", upTo)
      .orderBy("m.id")
      .limit(limit),
    MEMBER,
  )

export const trackingPage = (sql: Sql, stretch: Stretch) =>
  packedRows(sql, sql.selectFrom("recommender_tracking").select("id").$call(within(stretch)), ["id"])

/** A post, as far as a run is concerned: all of it is numbers. */
const POST = ["id", "challenge", "user", "is_break", "created", "deleted", "skipped"] as const
export type PostRow = Record<(typeof POST)[number], number>

export const postPage = (sql: Sql, stretch: Stretch, breakText: string): Promise<PostRow[]> =>
  packedRows(
    sql,
    sql
      .selectFrom("recommender_post")
      .select((is) => [
        ...(["id", "challenge", "user", "created", "deleted", "skipped"] as const),
        is.case().when("text", "=", breakText).then(is.lit(1)).else(is.lit(0)).end().as("is_break"),
      ])
      .$call(within(stretch)),
    POST,
  )

const DAY_MS = 86_400_000
/** Two posts on one date are never further apart than this. */
const DATE_AT_MOST_MS = 26 * 3_600_000
/** No zone's date changes within a piece of this length: one post of each is enough to know. */
const PIECE_MS = 30_000

/**
 * For the posts of a page, when the same users have posted before, from about the same time, in which category. The
 * page is taken by user and day, so that one who posts all day long is not looked up for each of their posts.
 */
export const earlierPosts = (sql: Sql, { after, upTo }: Omit<Stretch, "limit">, breakText: string) =>
  sql
    .selectFrom((from) =>
      from
        .selectFrom("recommender_post")
        .select(({ fn }) => ["user", fn.min<number>("created").as("first"), fn.max<number>("created").as("last")])
        .where("id", ">", after)
        .where("id", "<=", upTo)
        .groupBy(["user", (is) => is("created", "/", is.lit(DAY_MS))])
        .as("p"),
    )
    .innerJoin("recommender_post as q", (join) =>
      join
        .onRef("q.user", "=", "p.user")
        .on((is) => is("q.created", ">=", is("p.first", "-", is.lit(DATE_AT_MOST_MS))))
        .on((is) => is("q.created", "<=", is("p.last", "+", is.lit(DATE_AT_MOST_MS)))),
    )
    .innerJoin("recommender_clg as c", "c.id", "q.challenge")
    .select(({ fn }) => ["q.user", "c.category", fn.min<number>("q.created").as("created")])
    .where("q.id", "<=", after)
    .where("q.skipped", "=", 0)
    .where("q.text", "!=", breakText)
    .groupBy(["q.user", "c.category", (is) => is("q.created", "/", is.lit(PIECE_MS))])
    .execute()

const REACTION = ["id", "post", "user", "cancelled", "skipped"] as const
export type ReactionRow = Record<(typeof REACTION)[number], number>

export const reactionPage = (sql: Sql, stretch: Stretch): Promise<ReactionRow[]> =>
  packedRows(sql, sql.selectFrom("recommender_reaction").select(REACTION).$call(within(stretch)), REACTION)

/** How many reactions to these posts were counted before a cursor, by post and user. */
export const standing = (sql: Sql, upTo: number, posts: readonly number[], users: readonly number[]) =>
  sql
    .selectFrom("recommender_reaction")
    .select((is) => [
      "post",
      "user",
      is.fn.sum<number>(is.case().when("cancelled", "=", 0).then(is.lit(1)).else(is.lit(-1)).end()).as("count"),
    ])
    .where("id", "<=", upTo)
    .where("skipped", "=", 0)
    .where("post", "in", posts)
    .where("user", "in", users)
    .groupBy(["post", "user"])
    .execute()

export const challengesOfPosts = (sql: Sql, posts: readonly number[]) =>
  sql.selectFrom("recommender_post").select(["id", "challenge"]).where("id", "in", posts).execute()

export const categoriesOf = (sql: Sql, challenges: readonly number[]) =>
  sql.selectFrom("recommender_clg").select(["id", "category"]).where("id", "in", challenges).execute()

/** Everybody who ever reacted to a challenge. */
export const reactedTo = (sql: Sql, challenge: number) =>
  sql
    .selectFrom("recommender_reaction as r")
    .innerJoin("recommender_post as p", "p.id", "r.post")
    .select("r.user")
    .distinct()
    .where("p.challenge", "=", challenge)
    .execute()

/** How many records each table has, up to the run's bounds (REC-C12). */
export async function tableSizes(sql: Sql, bounds: Bounds): Promise<[TableName, number][]> {
  const sizes: [TableName, number][] = []
  for (const name of TABLES) sizes.push([name, await countRecords(sql, name, bounds[name])])
  return sizes
}

const COUNTED_AT_ONCE = 500_000

/** Piece by piece: no query takes long, however many there are. */
async function countRecords(sql: Sql, name: TableName, upTo: number): Promise<number> {
  let [after, total] = [0, 0]
  for (;;) {
    const piece = sql
      .selectFrom(`recommender_${name}` as "recommender_post")
      .select((is) => ["id", (name === "post" ? is.ref("deleted") : is.lit(0)).as("deleted")])
      .$call(within({ after, upTo, limit: COUNTED_AT_ONCE }))
    const { count, gone, last } = await sql
      .selectFrom(piece.as("p"))
      .select(({ fn }) => [
        fn.countAll<number>().as("count"),
        fn.sum<number | null>("deleted").as("gone"),
        fn.max<number | null>("id").as("last"),
      ])
      .executeTakeFirstOrThrow()
    total += count - (gone ?? 0)
    if (count < COUNTED_AT_ONCE) return total
    after = last!
  }
}

type Marked = "recommender_post" | "recommender_reaction"

/** Marks that a run which was cut short has left beyond its cursor are void. */
export const voidMarks = (sql: Sql, table: Marked, after: number) =>
  sql.updateTable(table).set({ skipped: 0 }).where("id", ">", after).where("skipped", "=", 1).execute()

/** Records with a mark, after one id and up to another. */
export const markedBetween = (sql: Sql, table: Marked, after: number, upTo: number) =>
  sql
    .selectFrom(table)
    .select(["id", "user"])
    .where("id", ">", after)
    .where("id", "<=", upTo)
    .where("skipped", "=", 1)
    .execute()

export const unmark = (sql: Sql, table: Marked, ids: readonly number[]) =>
  sql.updateTable(table).set({ skipped: 0 }).where("id", "in", ids).execute()

/** Notes that records were passed over, before the step that passes them over. */
export const markSkipped = (sql: Sql, table: Marked, ids: readonly number[]) =>
  sql.updateTable(table).set({ skipped: 1 }).where("id", "in", ids).execute()
