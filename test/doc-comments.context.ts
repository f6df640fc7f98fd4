/* What the examples in doc comments take for granted: a shop, a client of it, and what programs have at hand. */

import {
  connect,
  counter,
  entity,
  family,
  int,
  json,
  keyspace,
  map,
  set,
  string,
  text,
  unixSeconds,
  zset,
} from "keywright"
import * as z from "zod"

export { subscribe } from "node:diagnostics_channel"
export { createClient } from "redis"
export { afterAll, beforeEach } from "vitest"
export { z }

const User = z.object({ id: z.string(), email: z.string(), name: z.string() })
const Order = z.object({ id: z.string(), userId: z.string() })

export const shop = keyspace(
  {
    page: string("cache:{hash}", text, { ttl: "5m" }),
    cart: map("cart:{token}", text, int, { ttl: "30d" }),
    viewed: zset("viewed:{token}", text, { score: unixSeconds, keep: 25, ttl: "30d" }),
    sold: counter("sold:{item}"),
    user: entity("user:{id}", json(User), { counter: "user:counter", unique: { email: "user:email:{email}" } }),
    order: entity("order:{id}", json(Order), { counter: "order:counter", index: { user: "orders-of:{userId}" } }),
    profile: family(
      "profile:{id}:",
      { ttl: "1h", marker: "name" },
      { name: string("name", text), tags: set("tags", text) },
    ),
  },
  { ttl: "never", relations: { order: { user: { one: "user", from: "userId", inverse: "orders" } } } },
)

export const db = await connect(shop, "memory:")
