/* Short links: unique slugs, each with a life of its own. When a link ends, its slug is free again. */

import { connect, entity, json, keyspace, upTo } from "keywright"
import * as z from "zod"

const Link = z.object({ id: z.string(), slug: z.string(), url: z.url(), owner: z.string() })

export const links = keyspace(
  {
    link: entity("link:{id}", json(Link), {
      ids: "uuid",
      ttl: upTo("365d"),
      unique: { slug: "slug:{slug}" },
      index: { owner: "owner:{owner}:links" },
      doc: "A short link.",
    }),
  },
  { name: "links" },
)

const db = await connect(links)
const letters = "abcdefghijkmnpqrstuvwxyz23456789"
const randomSlug = () => Array.from({ length: 6 }, () => letters[Math.floor(Math.random() * letters.length)]).join("")

/** With a slug that the caller chose, or a free one. */
export async function shorten(url: string, owner: string, slug?: string, ttl: "1h" | "30d" | "365d" = "30d") {
  for (let tries = 0; ; tries++) {
    try {
      return await db.link.create({ slug: slug ?? randomSlug(), url, owner }, { ttl })
    } catch (error) {
      const taken = (error as { code?: string }).code === "INDEX.UNIQUE_TAKEN"
      if (!taken || slug !== undefined || tries > 5) throw error
    }
  }
}

const mine = await shorten("https://example.com/a", "ann", "hello", "1h")
await shorten("https://example.com/b", "bob", "hello").catch((error) => console.log(error.code)) // → INDEX.UNIQUE_TAKEN
const other = await shorten("https://example.com/c", "ann")
console.log(other.slug.length, (await db.link.list("owner", { owner: "ann" })).length) // → 6 2

console.log((await db.link.find("slug", { slug: "hello" }))?.url) // → https://example.com/a
await db.link.delete(mine)
console.log((await shorten("https://example.com/b", "bob", "hello")).owner) // → bob
await db.$close()
