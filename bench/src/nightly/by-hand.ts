/* The nightly run as it is written by hand: the same records from the same source, the same
 * commands, on node-redis with its timer off. Nothing is promised: a crash leaves half of
 * what was to go together, and starting again counts it twice. The cursor comes after each
 * record where they go one by one, and after each batch in pipelines. */

import Database from "libsql"
import { createClient } from "redis"

/** As fast as node-redis is. */
export const connectByHand = (url: string, database: number) =>
  createClient({ url, database, commandOptions: { timeout: 0 } }).connect()
type Redis = Awaited<ReturnType<typeof connectByHand>>

export interface ByHand {
  /** Everything, in pipelines of a batch each. */
  inPipelines(size: number): Promise<void>
  /** The first n posts and reactions, each command awaited. */
  oneByOne(firstPosts: number, firstReactions: number): Promise<void>
  close(): void
}
interface Post {
  readonly id: number
  readonly challenge: number
  readonly user: number
  readonly text: string
  readonly created: number
}
interface Reaction {
  readonly id: number
  readonly post: number
  readonly user: number
}

const INDEX = 0
const WIDTH = 5

export function byHand(redis: Redis, file: string): ByHand {
  const db = new Database(file)
  const pages = function* <R extends { readonly id: number }>(
    columns: string,
    table: string,
    size: number,
    most: number,
  ) {
    const statement = db.prepare(`select ${columns} from ${table} where id > ? and id <= ? order by id limit ?`)
    let after = 0
    for (;;) {
      const rows = statement.all(after, most, size) as R[]
      if (rows.length > 0) yield rows
      if (rows.length < size) return
      after = rows.at(-1)!.id
    }
  }
  const posts = (size: number, most: number) =>
    pages<Post>('id, challenge, "user", text, created', "recommender_post", size, most)
  const reactions = (size: number, most: number) =>
    pages<Reaction>('id, post, "user"', "recommender_reaction", size, most)

  const days = new Set<string>()
  /** Whether it is the first one of that user, category and date. */
  const isDay = ({ user, challenge, created }: Post): boolean => {
    const name = `${user} ${challenge % WIDTH} ${new Date(created).toISOString().slice(0, 10)}`
    if (days.has(name)) return false
    days.add(name)
    return true
  }
  const oneMore = (stored: string | null, category: number): string => {
    const spent = stored === null ? Array.from({ length: WIDTH }, () => 0) : stored.split(",").map(Number)
    spent[category]! += 1
    return spent.join(",")
  }
  const add = ({ id, challenge }: Post) => [
    redis.zAdd(`recent_posts_for_category${(challenge % WIDTH) + 1}`, { score: INDEX, value: String(id) }),
    redis.hSet("post_clg_pair", String(id), String(challenge)),
  ]
  const like = ({ post, user }: Reaction) => redis.sAdd(`${user}_liked_posts`, String(post))
  const prefer = ({ user }: Reaction, challenge: string) => redis.zIncrBy(`${user}_clgs_preference`, 1, challenge)
  const challengeOf = ({ post }: Reaction) => redis.hGet("post_clg_pair", String(post))
  const moveCursor = (table: string, id: number) => redis.hSet("rs_param", `cursor_${table}`, String(id))

  return {
    async inPipelines(size: number): Promise<void> {
      days.clear()
      for (const rows of posts(size, Infinity)) {
        const counted = rows.filter(isDay)
        const stored = await Promise.all([...counted.map(({ user }) => redis.hGet("user_contribution", String(user)))])
        await Promise.all([
          ...rows.flatMap(add),
          ...counted.map(({ user, challenge }, i) =>
            redis.hSet("user_contribution", String(user), oneMore(stored[i]!, challenge % WIDTH)),
          ),
          moveCursor("post", rows.at(-1)!.id),
        ])
      }
      for (const rows of reactions(size, Infinity)) {
        const challenges = await Promise.all(rows.map(challengeOf))
        await Promise.all([
          ...rows.flatMap((row, i) => [like(row), prefer(row, challenges[i] ?? "1")]),
          moveCursor("reaction", rows.at(-1)!.id),
        ])
      }
    },

    async oneByOne(firstPosts: number, firstReactions: number): Promise<void> {
      days.clear()
      for (const rows of posts(firstPosts, firstPosts)) {
        for (const row of rows) {
          for (const one of add(row)) await one
          if (isDay(row)) {
            const stored = await redis.hGet("user_contribution", String(row.user))
            await redis.hSet("user_contribution", String(row.user), oneMore(stored, row.challenge % WIDTH))
          }
          await moveCursor("post", row.id)
        }
      }
      for (const rows of reactions(firstReactions, firstReactions)) {
        for (const row of rows) {
          const challenge = await challengeOf(row)
          await like(row)
          await prefer(row, challenge ?? "1")
          await moveCursor("reaction", row.id)
        }
      }
    },
    close: () => db.close(),
  }
}
