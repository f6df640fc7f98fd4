import { counter, json, keyspace, layout, string, text } from "keywright"
import * as z from "zod"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:next",
  all: "{entity}:all",
  index: "{entity}:index:{index}:{value}",
})

const Link = z.object({ id: z.string(), slug: z.string(), url: z.url(), owner: z.string() })

export const links = keyspace(
  {
    link: record("link", json(Link), {
      unique: { slug: "slug" },
      index: { owner: "owner" },
      doc: "A short link. Its slug is unique.",
    }),
    clicks: counter("clicks:{slug}", { doc: "How often a link was followed." }),
    preview: string("preview:{slug}", text, { ttl: "10m", evictable: true, doc: "The rendered preview of a link." }),
  },
  { name: "links", ttl: "never" },
)
