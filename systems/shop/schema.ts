/* The shop: login cookies, carts, a cache of database rows, a cache of pages. */

import { float, id, int, json, keyspace, map, sameIds, secret, string, text, unixSeconds, zset } from "keywright"
import * as z from "zod"

const token = secret(id("token", { matching: /[A-Za-z0-9-]{1,64}/ }))
const item = id("item", { matching: /[^\s\p{Cc}]{1,256}/u, allow: ":" })
const row = id("row", { matching: /[^\s\p{Cc}:]{1,256}/u })
const user = id("user")

/** A row of the shop's own database: whatever columns it has. */
const Row = z.record(z.string(), z.unknown())

export interface ShopTtls {
  /** Seconds that a rendered page is kept. */
  readonly pageTtl?: number
  readonly viewedPerSession?: number
}

export const shopSchema = ({ pageTtl = 300, viewedPerSession = 25 }: ShopTtls = {}) =>
  keyspace(
    {
      // Login cookies
      login: map("login:", token, user, { doc: "Which user a session token belongs to." }),
      recent: zset("recent:", token, { score: unixSeconds, doc: "When each token was last seen." }),
      viewed: zset("viewed:{token}", item, { score: unixSeconds, keep: viewedPerSession, doc: "Which items a session looked at, and when: the newest only." }),
      popular: zset("viewed:", item, {
        score: float,
        doc: "All items by popularity: the score is minus the number of views, halved now and then, so the lowest is the most popular.",
      }),
      cart: map("cart:{token}", item, int, { doc: "How many of each item a session wants; never 0." }),

      // Rows of the database
      row: string("inv:{row}", json(Row), { doc: "A cached database row." }),
      delay: zset("delay:", row, { score: float, doc: "Seconds between two refreshes of a row; 0 or less ends its caching." }),
      schedule: zset("schedule:", row, { score: unixSeconds, doc: "When a row is copied to Redis next." }),

      // Pages
      page: string("cache:{hash}", text, { ttl: `${pageTtl}s`, evictable: true, doc: "A rendered page, by the digest of its normalised URL." }),
    },
    {
      name: "shop",
      doc: "Sessions and carts by cookie, popularity of items, a scheduled cache of database rows and a page cache.",
      ttl: "never",
      params: { token, row },
      invariants: [
        sameIds(token, ["login", "recent"], { doc: "A session is known and dated, or neither." }),
        sameIds(row, ["delay", "schedule"], { doc: "A row is scheduled exactly while it has a delay." }),
      ],
    },
  )

export const shop = shopSchema()
