/* What the keyspaces of the tests have in common: entities of every sort. */

import * as z from "zod"
import { json } from "../../schema/codec/json.ts"
import { float, int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { optional } from "../../schema/codec/wrap.ts"
import { set, string } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { layout } from "../../schema/layout.ts"

export const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
})

export const dishKeys = {
  counter: "dish:counter",
  all: "dish:list",
  index: {
    category: ["dish:index:category:{categoryId}", "category:{categoryId}:dishes"],
    onSale: { patterns: "dish:sale:{categoryId}", where: { available: true } },
    byDate: { patterns: "dish:dates:{categoryId}", score: "addedAt" },
  },
} as const

export const commonEntries = {
  role: record("role", json(z.object({ id: z.string(), name: z.string() })), { unique: { name: "name" } }),
  permission: record("permission", json(z.object({ id: z.string(), path: z.string() }))),
  category: record("category", json(z.object({ id: z.string(), name: z.string() }))),
  cart: record("cart", json(z.object({ id: z.string(), userId: z.string() })), {
    unique: { user: ["userId", "user:{userId}:cart"] },
  }),
  session: entity("session:{id}", json(z.object({ id: z.string(), userId: z.string(), device: z.string() })), {
    ids: "uuid",
    all: "session:list",
    ttl: "10m",
    unique: { device: "session:device:{device}" },
    index: { user: "session:user:{userId}" },
  }),
  gauge: entity(
    "gauge:{id}",
    { id: text, room: text, value: float, limit: optional(int) },
    { all: "gauge:list", index: { room: "gauge:room:{room}" } },
  ),
  rolePermissions: set("role:{roleId}:permissions", text),
  cartCache: string("cache:cart:{userId}", text, { ttl: "5m" }),
}

export const commonRelations = {
  user: { role: { one: "role", from: "roleId", inverse: "users" }, cart: { one: "cart", by: "user" } },
  role: { permissions: { many: "permission", through: "rolePermissions" } },
  dish: { category: { one: "category", from: "categoryId", inverse: "dishes" } },
} as const
