/* The typed client: against our own driver by hand, node-redis, ioredis, iovalkey and Valkey GLIDE, at 500 concurrent calls.
 *
 * All sides speak to one real server. By hand means driver.send on the same
 * connection with the same codecs: what is left is what handles cost. The others do
 * the same work with their own methods: zod and JSON for documents, the same codecs
 * for the fields of a hash. */

import { Redis } from "ioredis"
import { Redis as Valkey } from "iovalkey"
import { connect, flag, float, hash, int, isoInstant, json, keyspace, optional, string, text, zset } from "keywright"
import { createClient } from "redis"
import * as z from "zod"
import { startRedis } from "../../test/real-redis.ts"
import type { Bench, Comparison } from "./harness.ts"

const Order = z.object({
  id: z.string(),
  userId: z.string(),
  receiverName: z.string(),
  receiverPhone: z.string(),
  receiverAddress: z.string(),
  receiverEmail: z.string().optional(),
  totalPrice: z.number().nonnegative(),
  status: z.enum(["PENDING", "CONFIRMED", "DELIVERING", "DELIVERED", "CANCELLED"]),
  paymentMethod: z.enum(["CASH", "VNPAY"]),
  paymentStatus: z.enum(["UNPAID", "PAID", "FAILED"]),
  paymentRef: z.string().nullable(),
  items: z.array(z.object({ dish: z.string(), quantity: z.int(), price: z.number() })),
  note: z.string().optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
const document = json(Order)
const fields = {
  name: text,
  description: text,
  qty: int,
  price: float,
  public: flag,
  at: isoInstant,
  note: optional(text),
}

const shop = keyspace({
  page: string("page:{id}", text),
  order: string("order:{id}", document),
  item: hash("item:{id}", fields),
  popular: zset("popular:{day}", text),
})

const KEYS = 1000
const CONCURRENCY = 500
const ids = Array.from({ length: KEYS }, (_, i) => `k${i}`)
const idOf = (i: number): string => ids[i % KEYS]!

const orderOf = (i: number): z.infer<typeof Order> => ({
  id: idOf(i),
  userId: "u17",
  receiverName: "Nguyễn Văn A",
  receiverPhone: "+84 90 123 45 67",
  receiverAddress: "12 Lê Lợi, Quận 1, Hồ Chí Minh",
  receiverEmail: "a@example.com",
  totalPrice: 215_000,
  status: "PENDING",
  paymentMethod: "VNPAY",
  paymentStatus: "UNPAID",
  paymentRef: null,
  items: [{ dish: "pho", quantity: 2, price: 65_000 }],
  note: "no onions",
  createdAt: "2024-01-02T03:04:05.678Z",
  updatedAt: "2024-01-02T03:04:05.678Z",
})
const orders = Array.from({ length: KEYS }, (_, i) => orderOf(i))
const item = { name: "pho", description: "soup with noodles", qty: 7, price: 6.5, public: true, at: new Date(0) }

type Work = "GET" | "JSON GET" | "JSON SET" | "HGETALL" | "ZADD"
type Sides = Readonly<Record<Work, (i: number) => Promise<unknown>>>

const parseOrder = (raw: string | null) => (raw === null ? undefined : Order.parse(JSON.parse(raw)))
const printOrder = (i: number) => (Order.parse(orders[i % KEYS]), JSON.stringify(orders[i % KEYS]))

/** A hash by hand: pairs, or a library's object. */
function readFields(pairs: Iterable<readonly [string, string]>): Record<string, unknown> | undefined {
  const record: Record<string, unknown> = {}
  let required = 6
  for (const [name, raw] of pairs) {
    const codec = (fields as Record<string, (typeof fields)[keyof typeof fields]>)[name]
    if (codec === undefined) continue
    record[name] = codec.decode(raw)
    if (name !== "note") required--
  }
  if (required > 0) throw new Error("a field is missing")
  return record
}

type Glide = import("@valkey/valkey-glide").GlideClient

/** A client in Rust: it comes as a binary, which not every machine has. */
async function openGlide(port: number): Promise<Glide | undefined> {
  const library = await import("@valkey/valkey-glide").catch(() => undefined)
  return library?.GlideClient.createClient({ addresses: [{ host: "127.0.0.1", port }], requestTimeout: 10_000 })
}

export default async function (bench: Bench): Promise<void> {
  const server = await startRedis()
  const db = await connect(shop, server.url)
  const driver = db.$driver()
  const nodeRedis = await createClient({ url: server.url }).connect()
  const quiet = await createClient({ url: server.url, commandOptions: { timeout: 0 } }).connect()
  const io = new Redis(server.url)
  const ioValkey = new Valkey(server.url)
  const glide = await openGlide(server.port)

  await Promise.all(
    ids.flatMap((id, i) => [
      db.page({ id }).set("0123456789abcdef"),
      db.order({ id }).set(orders[i]!),
      db.item({ id }).set(item),
    ]),
  )

  const ours: Sides = {
    GET: (i) => db.page({ id: idOf(i) }).get(),
    "JSON GET": (i) => db.order({ id: idOf(i) }).get(),
    "JSON SET": (i) => db.order({ id: idOf(i) }).set(orders[i % KEYS]!),
    HGETALL: (i) => db.item({ id: idOf(i) }).get(),
    ZADD: (i) => db.popular({ day: "today" }).add(idOf(i), i),
  }
  const safe = Object.freeze({ safe: true })
  const byHand: Sides = {
    GET: async (i) => {
      const raw = (await driver.send(["GET", `page:${idOf(i)}`], safe)) as string | null
      return raw === null ? undefined : text.decode(raw)
    },
    "JSON GET": async (i) => {
      const raw = (await driver.send(["GET", `order:${idOf(i)}`], safe)) as string | null
      return raw === null ? undefined : document.decode(raw)
    },
    "JSON SET": async (i) => {
      await driver.send(["SET", `order:${idOf(i)}`, document.encode(orders[i % KEYS]!)])
    },
    HGETALL: async (i) => {
      const reply = (await driver.send(["HGETALL", `item:${idOf(i)}`], safe)) as string[]
      if (reply.length === 0) return undefined
      const record: Record<string, unknown> = {}
      let required = 6
      for (let at = 0; at < reply.length; at += 2) {
        const name = reply[at]!
        const codec = (fields as Record<string, (typeof fields)[keyof typeof fields]>)[name]
        if (codec === undefined) continue
        record[name] = codec.decode(reply[at + 1]!)
        if (name !== "note") required--
      }
      if (required > 0) throw new Error("a field is missing")
      return record
    },
    ZADD: async (i) => (await driver.send(["ZADD", "popular:today", float.encode(i), text.encode(idOf(i))])) === 1,
  }
  const nodeRedisSides = (client: typeof nodeRedis | typeof quiet): Sides => ({
    GET: (i) => client.get(`page:${idOf(i)}`),
    "JSON GET": async (i) => parseOrder(await client.get(`order:${idOf(i)}`)),
    "JSON SET": (i) => client.set(`order:${idOf(i)}`, printOrder(i)),
    HGETALL: async (i) => readFields(Object.entries(await client.hGetAll(`item:${idOf(i)}`))),
    ZADD: async (i) => (await client.zAdd("popular:today", { score: i, value: idOf(i) })) === 1,
  })
  const ioSides = (client: typeof io | typeof ioValkey): Sides => ({
    GET: (i) => client.get(`page:${idOf(i)}`),
    "JSON GET": async (i) => parseOrder(await client.get(`order:${idOf(i)}`)),
    "JSON SET": (i) => client.set(`order:${idOf(i)}`, printOrder(i)),
    HGETALL: async (i) => readFields(Object.entries(await client.hgetall(`item:${idOf(i)}`))),
    ZADD: async (i) => (await client.zadd("popular:today", i, idOf(i))) === 1,
  })
  const glideSides = (client: Glide): Sides => ({
    GET: (i) => client.get(`page:${idOf(i)}`),
    "JSON GET": async (i) => parseOrder((await client.get(`order:${idOf(i)}`)) as string | null),
    "JSON SET": (i) => client.set(`order:${idOf(i)}`, printOrder(i)),
    HGETALL: async (i) =>
      readFields((await client.hgetall(`item:${idOf(i)}`)).map(({ field, value }) => [String(field), String(value)])),
    ZADD: async (i) => (await client.zadd("popular:today", { [idOf(i)]: i })) === 1,
  })

  const against = async (whom: string, sides: Sides, goals: Partial<Record<Work, Comparison["goal"]>>) => {
    for (const work of Object.keys(goals) as Work[]) {
      const goal = goals[work]
      await bench.compare({
        name: `${work}, against ${whom}`,
        ours: ours[work],
        theirs: sides[work],
        concurrency: CONCURRENCY,
        // 30 rows: the short run stays under two minutes.
        targetMs: bench.full ? 120 : 35,
        ...(goal && { goal }),
      })
    }
  }
  await against("driver.send by hand", byHand, {
    GET: ">=0.95",
    "JSON GET": ">=0.95",
    "JSON SET": ">=0.95",
    HGETALL: ">=0.95",
    ZADD: ">=0.95",
  })
  await against("node-redis 6 as it comes", nodeRedisSides(nodeRedis), {
    GET: ">=4",
    ZADD: ">=4",
    "JSON GET": ">=2.7",
    "JSON SET": ">=2.5",
    HGETALL: ">=2.5",
  })
  await against("node-redis 6 without its timer", nodeRedisSides(quiet), {
    GET: ">=1.2",
    ZADD: ">=1.2",
    "JSON GET": ">=1.25",
    "JSON SET": ">=1.2",
    HGETALL: ">=1.2",
  })
  const atLeastAsFast = { GET: ">=1", ZADD: ">=1", "JSON GET": ">=1", "JSON SET": ">=1", HGETALL: ">=1" } as const
  await against("ioredis 6", ioSides(io), {
    GET: ">=2",
    ZADD: ">=2",
    "JSON GET": ">=1.5",
    "JSON SET": ">=1.5",
    HGETALL: ">=2",
  })
  await against("iovalkey", ioSides(ioValkey), atLeastAsFast)
  if (glide === undefined) bench.say("Valkey GLIDE has no binary for this machine")
  else await against("Valkey GLIDE", glideSides(glide), atLeastAsFast)

  await db.$close()
  nodeRedis.destroy()
  quiet.destroy()
  io.disconnect()
  ioValkey.disconnect()
  glide?.close()
  await server.stop()
}
