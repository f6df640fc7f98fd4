/* Entities: saves, finds and lists, against the same by hand and against redis-om.
 *
 * A dish as in a restaurant's menu: a JSON document and six index keys that move
 * with every save. All sides save a record that they hold in their hands, checked by
 * zod, with other values in all indexed fields: what was there is known, and its old
 * entries have to go. What differs is what they promise. One command at a time promises
 * nothing: a crash leaves half a save, and two savers leave both old and new entries.
 * WATCH/MULTI and compare-and-set promise what we do. */

import { createHash } from "node:crypto"
import { connect, entity, flag, float, int, json, keyspace, layout, text } from "keywright"
import { createClient } from "redis"
import * as om from "redis-om"
import * as z from "zod"
import { startRedis } from "../../test/real-redis.ts"
import type { Bench } from "./harness.ts"

const Dish = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price: z.number(),
  imageUrl: z.string(),
  categoryId: z.string(),
  kitchenId: z.string(),
  supplierId: z.string(),
  stock: z.int(),
  soldToday: z.int(),
  available: z.boolean(),
})
type Dish = z.infer<typeof Dish>

const plate = { id: text, name: text, description: text, price: float, stock: int, available: flag }
const record = layout({ key: "{entity}:{id}", all: "{entity}:list", index: "{entity}:index:{index}:{value}" })
const menu = keyspace(
  {
    dish: record("dish", json(Dish), {
      index: {
        category: ["categoryId", "category:{categoryId}:dishes"],
        kitchen: ["kitchenId", "kitchen:{kitchenId}:dishes"],
        supplier: ["supplierId", "supplier:{supplierId}:dishes"],
      },
      ids: "given",
    }),
    user: record("user", json(z.object({ id: z.string(), email: z.string(), name: z.string() })), {
      unique: { email: "email" },
      ids: "given",
    }),
    shelf: record("shelf", json(Dish), { index: { kitchen: "kitchenId" }, ids: "given" }),
    plate: entity("plate:{id}", plate),
  },
  { ttl: "never" },
)

const RECORDS = 500
const CALLERS = 200

/** What the six index keys hold: three fields, each with a mirror. */
const indexKeys = (prefix: string, { categoryId, kitchenId, supplierId }: Dish): string[] => [
  `${prefix}dish:index:category:${categoryId}`,
  `${prefix}category:${categoryId}:dishes`,
  `${prefix}dish:index:kitchen:${kitchenId}`,
  `${prefix}kitchen:${kitchenId}:dishes`,
  `${prefix}dish:index:supplier:${supplierId}`,
  `${prefix}supplier:${supplierId}:dishes`,
]

const dishOf = (n: number): Dish => ({
  id: `d${n}`,
  name: "Phở bò tái",
  description: "Rice noodles in a broth of twelve hours, with rare beef, basil and lime",
  price: 65_000,
  imageUrl: "https://cdn.example.com/dishes/pho-bo-tai-1200.jpg",
  categoryId: `c${n % 20}`,
  kitchenId: `k${n % 20}`,
  supplierId: `s${n % 20}`,
  stock: 40,
  soldToday: 12,
  available: true,
})

/** Another value in one of the three indexed fields. */
const movedOnce = (dish: Dish): Partial<Dish> => ({
  categoryId: `c${(Number(dish.categoryId.slice(1)) + 1) % 20}`,
  soldToday: dish.soldToday + 1,
})

/** Other values in all indexed fields. */
const moved = (dish: Dish): Partial<Dish> => {
  const next = (Number(dish.categoryId.slice(1)) + 1) % 20
  return { categoryId: `c${next}`, kitchenId: `k${next}`, supplierId: `s${next}`, soldToday: dish.soldToday + 1 }
}

interface Held {
  dish: Dish
  raw: string
}

interface Hand {
  send(...command: string[]): Promise<unknown>
}

/** A store by hand under a prefix of its own, and the records that it holds. */
async function byHand(prefix: string, { send }: Hand) {
  const held: Held[] = []
  for (let n = 0; n < RECORDS; n++) {
    const dish = dishOf(n)
    const raw = JSON.stringify(dish)
    held.push({ dish, raw })
    await send("SET", `${prefix}dish:${dish.id}`, raw)
    for (const key of indexKeys(prefix, dish)) await send("SADD", key, dish.id)
  }
  /** The next state of a record: what was, what will be, and where it stands then. */
  const next = (i: number, change = moved) => {
    const one = held[i % RECORDS]!
    const dish = Dish.parse({ ...one.dish, ...change(one.dish) })
    return { one, dish, raw: JSON.stringify(dish), key: `${prefix}dish:${dish.id}` }
  }
  return { next, keys: (dish: Dish) => indexKeys(prefix, dish) }
}

const compareAndSet = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
for i = 2, 7 do redis.call("SREM", KEYS[i], ARGV[3]) end
for i = 8, 13 do redis.call("SADD", KEYS[i], ARGV[3]) end
redis.call("SET", KEYS[1], ARGV[2])
return 1`

export default async function (bench: Bench): Promise<void> {
  const server = await startRedis()
  const db = await connect(menu, server.url)
  const driver = db.$driver()
  const own: Hand = { send: (...command) => driver.send(command) }
  const client = await createClient({ url: server.url }).connect()
  const theirs: Hand = { send: (...command) => client.sendCommand(command) }

  const records: Dish[] = []
  for (let n = 0; n < RECORDS; n++) records.push(await db.dish.create(dishOf(n)))
  const saving = (change: typeof moved) => async (i: number) => {
    const n = i % RECORDS
    records[n] = await db.dish.update(records[n]!, change(records[n]!))
  }
  const save = saving(moved)

  const oneByOne = async (prefix: string, hand: Hand, change = moved) => {
    const { next, keys } = await byHand(prefix, hand)
    return async (i: number) => {
      const { one, dish, raw, key } = next(i, change)
      const [before, after] = [keys(one.dish), keys(dish)]
      for (const old of before) if (!after.includes(old)) await hand.send("SREM", old, dish.id)
      for (const fresh of after) if (!before.includes(fresh)) await hand.send("SADD", fresh, dish.id)
      await hand.send("SET", key, raw)
      Object.assign(one, { dish, raw })
    }
  }
  const ownOneByOne = await oneByOne("o:", own)
  const theirOneByOne = await oneByOne("n:", theirs)

  const sha = createHash("sha1").update(compareAndSet).digest("hex")
  await own.send("SCRIPT", "LOAD", compareAndSet)
  const cas = await byHand("s:", own)
  const byScript = async (i: number) => {
    const { one, dish, raw, key } = cas.next(i)
    const command = ["EVALSHA", sha, "13", key, ...cas.keys(one.dish), ...cas.keys(dish), one.raw, raw, dish.id]
    if ((await driver.send(command)) !== 1) throw new Error("changed by another")
    Object.assign(one, { dish, raw })
  }

  const connections = await Promise.all(
    Array.from({ length: CALLERS }, () => createClient({ url: server.url, commandOptions: { timeout: 0 } }).connect()),
  )
  const watched = await byHand("w:", own)
  const byWatch = async (i: number) => {
    const connection = connections.pop()!
    const { one, dish, raw, key } = watched.next(i)
    await connection.watch(key)
    if ((await connection.get(key)) !== one.raw) throw new Error("changed by another")
    const multi = connection.multi()
    for (const old of watched.keys(one.dish)) multi.sRem(old, dish.id)
    for (const fresh of watched.keys(dish)) multi.sAdd(fresh, dish.id)
    await multi.set(key, raw).exec()
    Object.assign(one, { dish, raw })
    connections.push(connection)
  }

  const plain = await byHand("p:", own)
  const plainSet = async (i: number) => {
    const { one, dish, raw, key } = plain.next(i)
    await driver.send(["SET", key, raw])
    Object.assign(one, { dish, raw })
  }

  await bench.compare({ name: "save, 1 caller ÷ one by one", goal: ">=3", ours: save, theirs: ownOneByOne })
  const at200 = { ours: save, concurrency: CALLERS }
  await bench.compare({ ...at200, name: "save, 200 ÷ one by one, node-redis", goal: ">=4", theirs: theirOneByOne })
  await bench.compare({ ...at200, name: "save, 200 ÷ one by one, our connection", goal: ">=1", theirs: ownOneByOne })
  await bench.compare({ ...at200, name: "save, 200 ÷ a script by hand", goal: ">=0.95", theirs: byScript })
  await bench.compare({ ...at200, name: "save, 200 ÷ WATCH/MULTI, 200 connections", goal: ">=3", theirs: byWatch })
  await bench.compare({ ...at200, name: "save, 200 ÷ a plain SET of the document", theirs: plainSet })
  await bench.compare({
    name: "save, 200, one field of three moves ÷ one by one, our connection",
    concurrency: CALLERS,
    ours: saving(movedOnce),
    theirs: await oneByOne("f:", own, movedOnce),
  })

  await againstRedisOm(bench, server.url, db)

  for (let n = 0; n < RECORDS; n++)
    await db.user.create({ id: `u${n}`, email: `someone.${n}@example.com`, name: "Someone" })
  const user = z.object({ id: z.string(), email: z.string(), name: z.string() })
  await bench.compare({
    name: "find by unique, 1 caller ÷ two awaits",
    goal: ">=1.3",
    ours: (i) => db.user.find("email", { email: `someone.${i % RECORDS}@example.com` }),
    theirs: async (i) => {
      const id = await driver.send(["GET", `user:index:email:someone.${i % RECORDS}@example.com`])
      return user.parse(JSON.parse(String(await driver.send(["GET", `user:${String(id)}`]))))
    },
  })

  for (let n = 0; n < RECORDS; n++) await db.shelf.create({ ...dishOf(n), kitchenId: `k${n % 25}` })
  for (const concurrency of [1, 50]) {
    await bench.compare({
      name: `list of 20, ${concurrency} caller${concurrency > 1 ? "s" : ""} ÷ SMEMBERS + MGET`,
      goal: concurrency > 1 ? ">=1" : ">=0.95",
      concurrency,
      ours: (i) => db.shelf.list("kitchen", { kitchenId: `k${i % 25}` }),
      theirs: async (i) => {
        const ids = (await driver.send(["SMEMBERS", `shelf:index:kitchen:k${i % 25}`])) as string[]
        const raws = (await driver.send(["MGET", ...ids.sort().map((id) => `shelf:${id}`)])) as string[]
        return raws.map((raw) => Dish.parse(JSON.parse(raw)))
      },
    })
  }

  await Promise.all([db.$close(), ...connections.map((connection) => connection.close()), client.close()])
  await server.stop()
}

/** The same fields as a hash, without indexes; redis-om on its own client. */
async function againstRedisOm(
  bench: Bench,
  url: string,
  db: Awaited<ReturnType<typeof connect<(typeof menu)["entries"], {}, {}, {}>>>,
): Promise<void> {
  const omClient = await new om.Client().open(url)
  const schema = new om.Schema(
    "omplate",
    {
      id: { type: "string" },
      name: { type: "string" },
      description: { type: "text" },
      price: { type: "number" },
      stock: { type: "number" },
      available: { type: "boolean" },
    },
    { dataStructure: "HASH" },
  )
  const repository = omClient.fetchRepository(schema)
  const plateOf = (n: number, stock: number) => ({
    id: `p${n}`,
    name: "Phở bò tái",
    description: "Rice noodles in a broth of twelve hours",
    price: 65_000,
    stock,
    available: true,
  })
  const plates: Awaited<ReturnType<typeof db.plate.create>>[] = []
  for (let n = 0; n < RECORDS; n++) {
    plates.push(await db.plate.create(plateOf(n, 1)))
    await repository.save(`p${n}`, plateOf(n, 1))
  }
  await bench.compare({
    name: "save a hash, 200 ÷ redis-om",
    goal: ">=2",
    concurrency: CALLERS,
    ours: async (i) => {
      const n = i % RECORDS
      plates[n] = await db.plate.update(plates[n]!, plateOf(n, i))
    },
    theirs: (i) => repository.save(`p${i % RECORDS}`, plateOf(i % RECORDS, i)),
  })
  await bench.compare({
    name: "fetch a hash, 200 ÷ redis-om",
    goal: ">=1.5",
    concurrency: CALLERS,
    ours: (i) => db.plate.get(`p${i % RECORDS}`),
    theirs: (i) => repository.fetch(`p${i % RECORDS}`),
  })
  await omClient.close()
}
