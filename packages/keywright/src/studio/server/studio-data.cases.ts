/* The restaurant and carto with some data, and some damage, for the studio's tests. */

import { cartoSchema } from "../../../../../systems/carto/schema.ts"
import { restaurantSchema } from "../../../../../systems/restaurant/schema.ts"
import { connect } from "../../client/connect.ts"
import type { Target } from "../../client/target.ts"
import { toJson } from "../../schema/json/to-json.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { StudioSystem } from "./open-system.ts"

export const [restaurant, carto] = [restaurantSchema(), cartoSchema()]
export const PASSWORD = "canary-password-1"
export const TOKEN = "canary0token0oauth0token0canary1"
export const MAP_KEY = "canary-map-key-2"

/** 20 users, 3 roles, 30 dishes in 3 categories, a cart; an unknown key, a dangling index entry, a broken record. */
export async function fillRestaurant(target: Target): Promise<void> {
  const db = await connect(restaurant, target)
  const raw = db.$driver()
  for (const name of ["ADMIN", "STAFF", "GUEST"]) await db.role.create({ name })
  const permission = await db.permission.create({ name: "read", apiPath: "/dishes", method: "GET", module: "menu" })
  await db.rolePermissions({ roleId: "1" as never }).add(permission.id as never)
  for (let i = 1; i <= 20; i++) {
    const email = `user${i}@example.com`
    await db.user.create({ username: `user ${i}`, email, password: PASSWORD, roleId: String(1 + (i % 3)) })
  }
  for (const name of ["Soups", "Mains", "Sweets"]) await db.category.create({ name })
  for (let i = 1; i <= 30; i++)
    await db.dish.create({ name: `dish ${i}`, price: i, categoryId: String(1 + (i % 3)), available: true })
  const cart = await db.cart.create({ userId: "1" })
  await db.cartDetail.create({ cartId: cart.id, dishId: "7", quantity: 2, price: 7, total: 14 })
  await raw.send(["SET", "leftover:17", "what is this?"])
  await raw.send(["SADD", "dish:index:category:1", "999"])
  await raw.send(["SET", "dish:31", '{"id":"31","name":5}'])
  await raw.send(["SET", Buffer.from([0x62, 0x69, 0x6e, 0xff, 0xfe]), Buffer.from([1, 2, 255])])
  await db.$close()
}

export async function fillCarto(target: Target): Promise<void> {
  const db = await connect(carto, target)
  await db.users.user({ username: "jane" as never }).set({
    id: 7 as never,
    database_name: "jane_db" as never,
    map_key: MAP_KEY,
    api_calls: Array.from({ length: 30 }, () => 1),
  })
  for (let day = 10; day < 30; day++)
    await db.users.mapViews({ username: "jane" as never }).add(`2026-10-${day}` as never, day)
  await db.credentials
    .oauthToken({ oauthToken: TOKEN as never })
    .set({ user_id: 7 as never, time: new Date(0) as never })
  await db.threshold.total({ userId: 7 as never }).increment(41)
  await db.threshold.perDay({ userId: 7 as never, day: "2026-10-03" as never }).increment(5)
  for (let i = 0; i < 250; i++)
    await db.queriesLog
      .log({ date: "2026-10-03" as never })
      .pushLeft({ ip: "10.0.0.1", controller: "tables", action: `show${i}` })
  await db.tables.table({ database: "jane_db" as never, table: "trees" as never }).set({
    the_geom_type: "point",
    infowindow: "<b>tree</b>",
    privacy: false,
    user_id: 7 as never,
  })
  await db.$close()
}

/** The restaurant's schema as it might have been: something was renamed, something lived longer, something is gone. */
export function restaurantBefore(): NonNullable<StudioSystem["against"]> {
  // oxlint-disable-next-line typescript/no-explicit-any -- a form that is edited has no type.
  const { entries, relations: _, ...form } = structuredClone(toJson(restaurant as unknown as Keyspace)) as any
  const { rolePermissions, registrations, endedSession, ...rest } = entries
  return {
    label: "HEAD~1:schema.ts",
    form: {
      ...form,
      entries: {
        ...rest,
        rolePermissions: { ...rolePermissions, pattern: "permissions:{roleId}" },
        registrations: { ...registrations, ttl: "1h" },
        endedSession,
        coupon: { kind: "string", pattern: "coupon:{code}", shape: { value: { codec: "text" } }, ttl: "30d" },
      },
    },
  }
}
