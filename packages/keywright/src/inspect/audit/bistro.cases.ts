/* A keyspace with everything that an entity can have, filled through the client, and damaged
 * by raw commands. Each kind of damage has its own place; writers use others. */

import * as z from "zod"
import { chance } from "../../../../../test/random.ts"
import { connect } from "../../client/connect.ts"
import type { ClientOf } from "../../client/client.ts"
import type { Target } from "../../client/target.ts"
import { json } from "../../schema/codec/json.ts"
import { counter } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { commonEntries, commonRelations, dishKeys, record } from "../../client/entity/common.cases.ts"
import { type Damage, type Expected, type Raw, shuffled } from "./damage.cases.ts"

const User = z.object({
  id: z.string(),
  name: z.string(),
  password: z.string(),
  email: z.string().optional(),
  roleId: z.string().optional(),
})
const Dish = z.object({
  id: z.string(),
  name: z.string(),
  categoryId: z.string(),
  price: z.number(),
  available: z.boolean(),
  addedAt: z.string(),
})

export const bistro = keyspace(
  {
    ...commonEntries,
    user: record("user", json(User), { unique: { email: "email" }, index: { role: "roleId" }, secret: ["password"] }),
    dish: entity("dish:{id}", json(Dish), dishKeys),
    line: record("line", json(z.object({ id: z.string(), dishId: z.string() }))),
    visits: counter("visits:{page}"),
  },
  {
    name: "bistro",
    ttl: "never",
    relations: { ...commonRelations, line: { dish: { one: "dish", from: "dishId", mayDangle: true } } },
  },
)

export type Bistro = ClientOf<typeof bistro>

/** Planted in every secret place: no finding may show it. */
export const CANARY = "canary-4f9d1c"
const DAY = 86_400_000

export const openBistro = (target: Target): Promise<Bistro> => connect(bistro, target, { sweep: false })

export async function fillBistro(db: Bistro, size: number): Promise<void> {
  const range = Array.from({ length: size }, (_, i) => i + 1)
  for (let i = 1; i <= 6; i++) {
    await db.role.create({ name: `role${i}` })
    await db.category.create({ name: `Category ${i}` })
    await db.permission.create({ path: `/api/${i}` })
    await db.rolePermissions({ roleId: String(i) }).add(String(i), "1")
  }
  for (const i of range) {
    // Every fifth has neither e-mail nor role: damage puts them there.
    const more = i % 5 === 0 ? {} : { email: `u${i}@example.com`, roleId: String(1 + (i % 6)) }
    await db.user.create({ name: `User ${i}`, password: `${CANARY}-${i}`, ...more })
    await db.dish.create({
      name: `Dish ${i}`,
      categoryId: String(1 + (i % 6)),
      price: i,
      available: i % 2 === 0,
      addedAt: new Date(1.7e12 + i * DAY).toISOString(),
    })
    await db.line.create({ dishId: i % 3 === 0 ? "gone" : String(i) })
    if (i <= 50) {
      await db.cart.create({ userId: String(i) })
      await db.session.create({ id: `s${i}`, userId: String(i), device: `device${i}` })
      await db.gauge.create({ id: `g${i}`, room: `room${i % 4}`, value: i / 2 })
      await db.cartCache({ userId: String(i) }).set("cached")
    }
    await db.visits({ page: `p${i}` }).set(i)
  }
}

const NOTES = "keywright:expiry:session:{id}"

/** The note that the sweeper has of a session. */
async function noteOf(raw: Raw, i: number): Promise<string> {
  const all = (await raw("ZRANGE", NOTES, "0", "-1")) as string[]
  return all.find((member) => member.startsWith(`s${i}\t`))!
}

type Plant = (raw: Raw, i: number) => Promise<Expected>

const category = (i: number) => String(1 + (i % 6))
/** A user without e-mail and role, beyond the places of the others. */
const bare = (i: number) => 5 * i + 50
const userJson = (i: number, more: object) =>
  JSON.stringify({ id: String(i), name: `User ${i}`, password: `${CANARY}-${i}`, ...more })

/** Each is planted at its own place `i`, from 1 to 50. */
const plants: Readonly<Record<string, Plant>> = {
  "an unknown key": async (raw, i) => (await raw("SET", `lock:${i}:held`, "1"), { "KEY.UNKNOWN": 1 }),
  "an unknown key that is not text": async (raw, i) => {
    await raw("SET", Buffer.from([0xff, 0xfe, i]), "1")
    return { "KEY.UNKNOWN": 1 }
  },
  "a record of another type": async (raw, i) => {
    await raw("DEL", `dish:${i}`)
    await raw("RPUSH", `dish:${i}`, "1")
    return { "KEY.TYPE": 1 }
  },
  "an index of another type": async (raw, i) => {
    await raw("RPUSH", `gauge:room:odd${i}`, "1")
    await raw("HSET", `gauge:odd${i}`, "id", `odd${i}`, "room", `odd${i}`, "value", "1")
    await raw("SADD", "gauge:list", `odd${i}`)
    return { "KEY.TYPE": 1 }
  },
  "a TTL on a record": async (raw, i) => (await raw("PEXPIRE", `dish:${i}`, "9000000"), { "TTL.UNEXPECTED": 1 }),
  "no TTL on a cache": async (raw, i) => (await raw("PERSIST", `cache:cart:${i}`), { "TTL.MISSING": 1 }),
  "no TTL on a session": async (raw, i) => (await raw("PERSIST", `session:s${i}`), { "TTL.MISSING": 1 }),
  "a TTL that is too long": async (raw, i) => {
    await raw("PEXPIRE", `cache:cart:${i}`, "99000000")
    return { "TTL.TOO_LONG": 1 }
  },
  "a document that is no JSON": async (raw, i) => {
    await raw("SET", `user:${i}`, `{"password":"${CANARY}`)
    return { "VALUE.UNDECODABLE": 1 }
  },
  "a document that does not fit": async (raw, i) => {
    const fit = JSON.parse(String(await raw("GET", `dish:${i}`))) as object
    await raw("SET", `dish:${i}`, JSON.stringify({ ...fit, price: "dear" }))
    return { "VALUE.UNDECODABLE": 1 }
  },
  "a document with another id": async (raw, i) => {
    const fit = JSON.parse(String(await raw("GET", `dish:${i}`))) as object
    await raw("SET", `dish:${i}`, JSON.stringify({ ...fit, id: `dish_${i}` }))
    return { "ENTITY.ID": 1 }
  },
  "a field that no key can hold": async (raw, i) => {
    await raw("SET", `user:${bare(i)}`, userJson(bare(i), { email: "a b:c" }))
    return { "ENTITY.NOT_INDEXABLE": 1 }
  },
  "a record missing in its index": async (raw, i) => {
    await raw("SREM", `dish:index:category:${category(i)}`, String(i))
    return { "INDEX.MISSING": 1 }
  },
  "a record missing in the mirror": async (raw, i) => {
    await raw("SREM", `category:${category(i)}:dishes`, String(i))
    return { "MIRROR.MISSING": 1 }
  },
  "an index entry of nothing": async (raw, i) => {
    await raw("SADD", `dish:index:category:${category(i)}`, `ghost${i}`)
    return { "INDEX.DANGLING": 1 }
  },
  "a mirror entry of nothing": async (raw, i) => {
    await raw("SADD", `category:${category(i)}:dishes`, `ghost${i}`)
    return { "MIRROR.DANGLING": 1 }
  },
  "an index entry that belongs elsewhere": async (raw, i) => {
    await raw("SADD", `dish:index:category:${category(i + 1)}`, String(i))
    return { "INDEX.STALE": 1 }
  },
  "a mirror entry that belongs elsewhere": async (raw, i) => {
    await raw("SADD", `category:${category(i + 1)}:dishes`, String(i))
    return { "MIRROR.STALE": 1 }
  },
  "an entry whose condition does not hold": async (raw, i) => {
    const odd = 2 * i + 51
    await raw("SADD", `dish:sale:${category(odd)}`, String(odd))
    return { "INDEX.STALE": 1 }
  },
  "another score": async (raw, i) => {
    await raw("ZADD", `dish:dates:${category(i)}`, "5", String(i))
    return { "INDEX.SCORE": 1 }
  },
  "a record missing in an ordered index": async (raw, i) => {
    await raw("ZREM", `dish:dates:${category(i)}`, String(i))
    return { "INDEX.MISSING": 1 }
  },
  "a unique index that is missing": async (raw, i) => {
    const at = i % 5 === 0 ? i + 1 : i
    await raw("DEL", `user:index:email:u${at}@example.com`)
    return { "UNIQUE.MISSING": 1 }
  },
  "a unique index of nothing": async (raw, i) => {
    await raw("SET", `user:index:email:ghost${i}@example.com`, `ghost${i}`)
    return { "UNIQUE.DANGLING": 1 }
  },
  "a unique index of a record with another value": async (raw, i) => {
    await raw("SET", `user:index:email:old${i}@example.com`, String(i))
    return { "UNIQUE.STALE": 1 }
  },
  "a unique index that leads to nothing instead of its record": async (raw, i) => {
    await raw("SET", `role:index:name:role${1 + (i % 6)}`, `ghost${i}`)
    return { "UNIQUE.DANGLING": 1 }
  },
  "two records with one unique value": async (raw, i) => {
    await raw("SET", `user:${bare(i)}`, userJson(bare(i), { email: `u${bare(i) + 1}@example.com` }))
    return { "UNIQUE.TAKEN": 1 }
  },
  "the mirror of a unique index is missing": async (raw, i) => {
    await raw("DEL", `user:${i}:cart`)
    return { "MIRROR.MISSING": 1 }
  },
  "a record missing in the list": async (raw, i) => (await raw("SREM", "line:list", String(i)), { "LIST.MISSING": 1 }),
  "an id of nothing in the list": async (raw, i) => {
    await raw("SADD", "line:list", `ghost${i}`)
    return { "LIST.DANGLING": 1 }
  },
  "a counter that is behind": async (raw) => (await raw("SET", "permission:counter", "2"), { "COUNTER.BEHIND": 1 }),
  "a counter that is not a number": async (raw) => {
    await raw("SET", "category:counter", "many")
    return { "COUNTER.NOT_A_NUMBER": 1 }
  },
  "a plain counter that is not a number": async (raw, i) => {
    await raw("SET", `visits:p${i}`, "many")
    return { "VALUE.UNDECODABLE": 1 }
  },
  "a reference to nothing": async (raw, i) => {
    await raw("SET", `user:${bare(i)}`, userJson(bare(i), { roleId: `ghost${i}` }))
    await raw("SADD", `user:index:role:ghost${i}`, String(bare(i)))
    return { "REFERENCE.MISSING": 1 }
  },
  "an id of nothing in a set between entities": async (raw, i) => {
    await raw("SADD", `role:${1 + (i % 6)}:permissions`, `ghost${i}`)
    return { "THROUGH.DANGLING": 1 }
  },
  "a set between entities without its owner": async (raw, i) => {
    await raw("SADD", `role:ghost${i}:permissions`, "1")
    return { "THROUGH.ORPHAN": 1 }
  },
  "a hash without a field": async (raw, i) => (await raw("HDEL", `gauge:g${i}`, "value"), { "VALUE.FIELD_MISSING": 1 }),
  "a hash with another field": async (raw, i) => {
    await raw("HSET", `gauge:g${i}`, "valeu", "1")
    return { "VALUE.FIELD_UNKNOWN": 1 }
  },
  "a hash field that does not decode": async (raw, i) => {
    await raw("HSET", `gauge:g${i}`, "limit", "much")
    return { "VALUE.UNDECODABLE": 1 }
  },
  "an expired record that nobody noted": async (raw, i) => {
    await raw("DEL", `session:s${i}`)
    await raw("ZREM", NOTES, await noteOf(raw, i))
    return { "INDEX.EXPIRED": 1, "LIST.EXPIRED": 1, "UNIQUE.DANGLING": 1 }
  },
  "an expired record that nobody swept": async (raw, i) => {
    await raw("DEL", `session:s${i}`, `session:device:device${i}`)
    await raw("ZADD", NOTES, "XX", "1700000000000", await noteOf(raw, i))
    return { "EXPIRY.OVERDUE": 1 }
  },
  "an unreadable note of the sweeper": async (raw, i) => {
    await raw("ZADD", NOTES, "4000000000000", `note ${i}`)
    return { "EXPIRY.UNREADABLE": 1 }
  },
}

/** Plants every kind of damage, each at its own place. */
export async function damageBistro(raw: Raw, seed: number): Promise<Damage[]> {
  const pick = chance(seed * 7919 + 17)
  const names = shuffled(Object.keys(plants), pick)
  const planted: Damage[] = []
  for (const [at, name] of names.entries()) planted.push({ name, expects: await plants[name]!(raw, at + 1) })
  return planted
}

/** Writes through the client, at other places than the damage, until it is stopped. */
export async function writeBistro(db: Bistro, isOver: () => boolean, from: number): Promise<number> {
  let writes = 0
  for (let i = from; !isOver(); i++) {
    const user = await db.user.create({ name: "w", password: CANARY, email: `w${i}@example.com`, roleId: "1" })
    const dish = await db.dish.create({
      name: "w",
      categoryId: "3",
      price: 1,
      available: true,
      addedAt: new Date().toISOString(),
    })
    const session = await db.session.create({ userId: user.id, device: `w${i}` })
    await db.dish.update(dish.id, { categoryId: "4", available: false })
    await db.user.update(user.id, { email: `x${i}@example.com`, roleId: "2" })
    await db.cart.create({ userId: user.id })
    await db.session.delete(session.id)
    if (i % 2 === 0) await db.dish.delete(dish.id)
    writes += 8
  }
  return writes
}
