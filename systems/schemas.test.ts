/* The five documents, key by key: pattern, Redis type and TTL as they are written
 * there. What the language can say is proved by the fact that these are all. */

import { describe, expect, test } from "vitest"
import { carto } from "./carto/schema.ts"
import { messaging } from "./messaging/schema.ts"
import { recommender } from "./recommender/schema.ts"
import { restaurant } from "./restaurant/schema.ts"
import { shop } from "./shop/schema.ts"

const X = "P:{project}:S:{service}:"
const users = "rails:users:{userId}:queries:"
const entities = ["user", "role", "permission", "category", "dish", "cart", "cartDetail", "order", "orderDetail"]

/** db, pattern, type, TTL in seconds: one, several to choose from, or none. */
type Row = readonly [db: number, pattern: string, type: string, ...seconds: number[]]

const documents: Record<string, { keyspace: typeof shop.keys; rows: readonly Row[] }> = {
  shop: {
    keyspace: shop.keys,
    rows: [
      [0, "login:", "hash"],
      [0, "recent:", "zset"],
      [0, "viewed:{token}", "zset"],
      [0, "viewed:", "zset"],
      [0, "cart:{token}", "hash"],
      [0, "inv:{row}", "string"],
      [0, "delay:", "zset"],
      [0, "schedule:", "zset"],
      [0, "cache:{hash}", "string", 300],
    ],
  },
  messaging: {
    keyspace: messaging.keys,
    rows: [
      [0, `${X}St:{user}`, "hash", 600],
      [0, `${X}OnSub`, "set"],
      [0, `${X}C:{user}`, "list"],
      [0, `${X}Ch:{channel}`, "hash", 10_800],
      ...["Sub", "Own", "Man", "BanSub", "JR", "Inv"].map(
        (set) => [0, `${X}Ch:{channel}:${set}`, "set", 10_800] as const,
      ),
      ...["C", "Ch", "BanCh", "BanSub", "Inv", "JR"].map((set) => [0, `${X}Sub:{user}:${set}`, "set", 10_800] as const),
      [0, `${X}RefTok:{token}`, "hash", 30, Infinity],
      [0, `${X}AccTok:{token}`, "hash", 10_800],
      [0, "TokensKeys", "hash"],
      [0, "P:{project}:PGSK", "string"],
      [0, "P:{project}:PGPN", "string"],
      [0, "P:{project}:PAPC", "string"],
    ],
  },
  carto: {
    keyspace: carto.keys,
    rows: [
      [0, "rails:{database}:{table}", "hash"],
      [1, "log-{date}", "list"],
      [2, `${users}total`, "string"],
      [2, `${users}{day}`, "string"],
      [2, `${users}{day}:time`, "string"],
      [2, `${users}{month}`, "string"],
      [2, `${users}{month}:{verb}`, "string"],
      [2, `${users}{month}:time`, "string"],
      [3, "rails:oauth_tokens:{oauthToken}", "hash"],
      [5, "rails:users:{username}", "hash"],
      [5, "user:{username}:mapviews:global", "zset"],
      [5, "user:{username}:mapviews:stat_tag:{visualization}", "zset"],
    ],
  },
  recommender: {
    keyspace: recommender.keys,
    rows: [
      [0, "rs_param", "hash"],
      [0, "db_len", "hash"],
      [0, "recent_posts_for_category{suffix}", "zset"],
      [0, "on_clg_info", "hash"],
      [0, "user_contribution", "hash"],
      [0, "post_clg_pair", "hash"],
      [0, "{user}_liked_posts", "set"],
      [0, "{user}_clgs_preference", "zset"],
    ],
  },
  restaurant: {
    keyspace: restaurant.keys,
    rows: [
      ...entities.flatMap((name): Row[] => [
        [0, `${name}:{id}`, "string"],
        [0, `${name}:counter`, "string"],
        [0, `${name}:list`, "set"],
      ]),
      [0, "user:index:email:{email}", "string"],
      [0, "role:index:name:{name}", "string"],
      [0, "role:{roleId}:permissions", "set"],
      [0, "category:{categoryId}:dishes", "set"],
      [0, "dish:index:category:{categoryId}", "set"],
      [0, "cart:index:user:{userId}", "string"],
      [0, "user:{userId}:cart", "string"],
      [0, "cart:{cartId}:items", "set"],
      [0, "cartDetail:index:cart:{cartId}", "set"],
      [0, "order:index:user:{userId}", "set"],
      [0, "user:{userId}:orders", "set"],
      [0, "order:{orderId}:details", "set"],
      [0, "orderDetail:index:order:{orderId}", "set"],
      [0, "order:index:paymentRef:{paymentRef}", "string"],
      [0, "cache:cart:{userId}", "string", 300],
    ],
  },
}

const types = { counter: "string", map: "hash" } as Readonly<Record<string, string>>
const seconds = (ttl: (typeof shop.keys)[number]["ttl"]): number[] => {
  if (ttl === undefined) return [Number.NaN]
  if (ttl.on === "never") return []
  const choices = ttl.on === "choice" ? ttl.choices : [ttl.ms]
  return choices.map((choice) => (choice === "never" ? Infinity : choice / 1000))
}

describe.each(Object.entries(documents))("%s", (_, { keyspace, rows }) => {
  test("declares every key of its document, with its type and TTL, and nothing else but its own helpers", () => {
    const declared = keyspace
      .filter((key) => !key.pattern.startsWith("keywright:"))
      .map((key) => [key.db, key.pattern, types[key.kind] ?? key.kind, ...seconds(key.ttl)])
    expect(declared.map((row) => JSON.stringify(row)).sort()).toEqual(rows.map((row) => JSON.stringify(row)).sort())
  })

  test("documents every key that a person would look up", () => {
    const silent = keyspace.filter((key) => key.doc === undefined && key.entity === undefined)
    expect(silent.map((key) => key.name)).toEqual([])
  })
})
