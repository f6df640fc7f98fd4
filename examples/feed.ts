/* A feed with pages: posts fan out to their followers, and a cursor stays right while new posts arrive. */

import { connect, id, json, keyspace, layout, set, unixMillis, zset } from "keywright"
import * as z from "zod"

const user = id("user")
const post = id("post")
const record = layout({ key: "{entity}:{id}", counter: "{entity}:next" })

export const social = keyspace(
  {
    post: record("post", json(z.object({ id: z.string(), by: z.string(), text: z.string(), at: z.number() })), {
      doc: "A post.",
    }),
    followers: set("followers:{user}", user, { doc: "Who follows a user." }),
    feed: zset("feed:{user}", post, { score: unixMillis, keep: 800, doc: "The newest 800 posts for a user." }),
  },
  { name: "social", ttl: "never", params: { user } },
)

const db = await connect(social)

export async function publish(by: string, text: string, at: number) {
  const made = await db.post.create({ by, text, at })
  const readers = await db.followers({ user: by }).members()
  await db.$batch((db) => readers.map((reader) => db.feed({ user: reader }).add(made.id, new Date(at))))
  return made
}

/** Newest first. The cursor is the time of the last post: what comes meanwhile moves nothing. */
export async function page(reader: string, size: number, before?: number) {
  const end = before === undefined ? "+inf" : { below: new Date(before) }
  const rows = await db.feed({ user: reader }).between("-inf", end, { reverse: true, limit: size })
  const posts = await db.post.getMany(rows.map(([one]) => one))
  return { posts: posts.flatMap((one) => (one ? [one.text] : [])), next: rows.at(-1)?.[1].getTime() }
}

await db.followers({ user: "ann" }).add("bob")
for (let n = 1; n <= 5; n++) await publish("ann", `post ${n}`, n * 1000)

const first = await page("bob", 2)
console.log(first.posts) // → [ 'post 5', 'post 4' ]
await publish("ann", "post 6", 6000)
const second = await page("bob", 2, first.next)
console.log(second.posts) // → [ 'post 3', 'post 2' ]
console.log((await page("bob", 2, second.next)).posts) // → [ 'post 1' ]
await db.$close()
