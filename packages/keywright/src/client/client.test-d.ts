/* What the compiler must infer of a client, and what it must refuse. */

import { assertType, expectTypeOf, test } from "vitest"
import * as z from "zod"
import {
  bigint,
  counter,
  day,
  drain,
  flag,
  geo,
  hash,
  int,
  json,
  keyspace,
  list,
  map,
  oneOf,
  optional,
  scope,
  set,
  sharded,
  stream,
  string,
  text,
  unixSeconds,
  zset,
  type Day,
} from "../index.ts"
import { connect } from "./connect.ts"

const schema = keyspace(
  {
    viewed: zset("viewed:{token}", text, { score: unixSeconds }),
    recent: zset("recent:", text, { score: unixSeconds }),
    cart: map("cart:{token}", text, int),
    status: hash("status:{user}", { name: text, qty: int, ok: flag, note: optional(text) }),
    log: list("log-{date}", text, { params: { date: day } }),
    liked: set("{user}_liked", int),
    best: set("best:{category}", int, { params: { category: oneOf(1, 2, 3) } }),
    order: string("order:{id}", json(z.object({ id: z.string(), n: z.number().default(1) }))),
    total: counter("total:{user}", { value: bigint }),
    events: stream("events", { kind: text, at: optional(unixSeconds) }),
    shops: geo("shops", int),
    service: scope("P:{project}:S:{service}:", {
      subscribers: set("Ch:{channel}:Sub", int),
      online: set("On", int),
      inner: scope("in:{room}:", { seats: counter("seats:{seat}") }),
    }),
  },
  { params: { user: int } },
)

test("parameters", async () => {
  const db = await connect(schema)
  expectTypeOf(db.viewed).parameters.toEqualTypeOf<[params: { token: string }]>()
  expectTypeOf(db.recent).parameters.toEqualTypeOf<[]>()
  expectTypeOf(db.log).parameters.toEqualTypeOf<[params: { date: Day }]>()
  expectTypeOf(db.liked).parameters.toEqualTypeOf<[params: { user: number }]>()
  expectTypeOf(db.best).parameters.toEqualTypeOf<[params: { category: 1 | 2 | 3 }]>()
  // @ts-expect-error viewed needs a token
  db.viewed()
  // @ts-expect-error it is called token
  db.viewed({ tokn: "t" })
  // @ts-expect-error recent: is one key
  db.recent({ token: "t" })
  // @ts-expect-error the keyspace says that a user is a number
  db.liked({ user: "1" })
  // @ts-expect-error there is no fourth category
  db.best({ category: 4 })
  // @ts-expect-error no such entry
  void db.veiwed
})

test("keys", async () => {
  const db = await connect(schema)
  expectTypeOf(db.viewed({ token: "t" }).key).toEqualTypeOf<string & `viewed:${string}`>()
  expectTypeOf(db.liked({ user: 1 }).key).toEqualTypeOf<string & `${string}_liked`>()
  assertType<`P:${string}:S:${string}:Ch:${string}:Sub`>(
    db.service.subscribers({ project: "1", service: "2", channel: "3" }).key,
  )
})

test("scopes join their parameters, and can be bound once", async () => {
  const db = await connect(schema)
  expectTypeOf(db.service.subscribers).parameters.toEqualTypeOf<
    [params: { project: string; service: string; channel: string }]
  >()
  const bound = db.service({ project: "1", service: "2" })
  expectTypeOf(bound.subscribers).parameters.toEqualTypeOf<[params: { channel: string }]>()
  expectTypeOf(bound.online).parameters.toEqualTypeOf<[]>()
  expectTypeOf(bound.inner({ room: "r" }).seats).parameters.toEqualTypeOf<[params: { seat: string }]>()
  expectTypeOf(bound.inner.seats).parameters.toEqualTypeOf<[params: { room: string; seat: string }]>()
  // @ts-expect-error both parameters are needed
  db.service({ project: "1" })
  // @ts-expect-error project is bound
  bound.subscribers({ project: "1", service: "2", channel: "3" })
})

test("values", async () => {
  const db = await connect(schema)
  expectTypeOf(await db.viewed({ token: "t" }).rangeWithScores(0, -1)).toEqualTypeOf<[string, Date][]>()
  expectTypeOf(await db.viewed({ token: "t" }).score("i")).toEqualTypeOf<Date | undefined>()
  expectTypeOf(await db.cart({ token: "t" }).get("i")).toEqualTypeOf<number | undefined>()
  expectTypeOf(await db.cart({ token: "t" }).all()).toEqualTypeOf<Map<string, number>>()
  expectTypeOf(await db.status({ user: 1 }).get()).toEqualTypeOf<
    { name: string; qty: number; ok: boolean; note?: string } | undefined
  >()
  expectTypeOf(await db.status({ user: 1 }).get("qty")).toEqualTypeOf<number | undefined>()
  expectTypeOf(await db.status({ user: 1 }).getMany(["qty", "note"])).toEqualTypeOf<
    Partial<{ qty: number; note?: string }>
  >()
  expectTypeOf(await db.status({ user: 1 }).increment("qty")).toEqualTypeOf<number>()
  expectTypeOf(await db.liked({ user: 1 }).members()).toEqualTypeOf<number[]>()
  expectTypeOf(await db.order({ id: "1" }).get()).toEqualTypeOf<{ id: string; n: number } | undefined>()
  expectTypeOf(db.order({ id: "1" }).set)
    .parameter(0)
    .toEqualTypeOf<{ id: string; n?: number | undefined }>()
  expectTypeOf(await db.total({ user: 1 }).get()).toEqualTypeOf<bigint>()
  expectTypeOf(await db.events().range()).toEqualTypeOf<
    { readonly id: string; readonly value: { kind: string; at?: Date } }[]
  >()
  expectTypeOf((await db.shops().search({ aroundMember: 1, radius: 5 }))[0]!.member).toEqualTypeOf<number>()
})

test("what is refused", async () => {
  const db = await connect(schema)
  // @ts-expect-error the score is a date
  await db.viewed({ token: "t" }).add("i", 1)
  // @ts-expect-error no such field
  await db.status({ user: 1 }).get("nme")
  // @ts-expect-error qty is a number
  await db.status({ user: 1 }).set({ qty: "1" })
  // @ts-expect-error a whole record needs qty and ok
  await db.status({ user: 1 }).replace({ name: "a" })
  // @ts-expect-error a kind has its own methods only
  await db.liked({ user: 1 }).pushLeft(1)
  // @ts-expect-error sets of other members cannot be combined
  await db.liked({ user: 1 }).union(db.viewed({ token: "t" }))
  // @ts-expect-error how long to wait has to be said
  await db.log({ date: "2024-01-02" as Day }).takeLeft()
  // @ts-expect-error a set is not read whole
  await db.$getMany([db.liked({ user: 1 })])
})

test("calls that go together", async () => {
  const db = await connect(schema)
  const batch = await db.$batch((db) => [db.order({ id: "1" }).get(), db.liked({ user: 1 }).add(2), 7])
  expectTypeOf(batch).toEqualTypeOf<[{ id: string; n: number } | undefined, number, 7]>()
  const multi = await db.$multi((db) => [db.service({ project: "1", service: "2" }).online().add(1)])
  expectTypeOf(multi).toEqualTypeOf<[number]>()
  const many = await db.$getMany([db.order({ id: "1" }), db.total({ user: 1 })])
  expectTypeOf(many).toEqualTypeOf<[{ id: string; n: number } | undefined, bigint]>()
  const [status] = await db.$getMany([db.status({ user: 1 })])
  const alone = await db.status({ user: 1 }).get()
  expectTypeOf(status).toEqualTypeOf<typeof alone>()
  for await (const { key, params, handle } of db.liked.scan()) {
    expectTypeOf(key).toEqualTypeOf<`${string}_liked`>()
    expectTypeOf(params).toEqualTypeOf<{ user: number }>()
    expectTypeOf(await handle.size()).toEqualTypeOf<number>()
  }
})

test("a sharded group is read over all shards, where its keys are in each of them", async () => {
  const shop = keyspace(
    {
      session: sharded(8, "token", {
        recent: zset("recent:", text, { score: unixSeconds }),
        tags: set("tags:{day}", int, { params: { day } }),
        cart: map("cart:{token}", text, int),
        note: string("note:", text),
      }),
    },
    { ttl: "never" },
  )
  const { merged } = (await connect(shop)).session
  expectTypeOf(merged.recent().top(3)).resolves.toEqualTypeOf<[string, Date][]>()
  expectTypeOf(merged.tags({ day: "2011-10-03" }).scan()).toEqualTypeOf<AsyncIterable<number>>()
  expectTypeOf(merged.recent().size()).resolves.toEqualTypeOf<number>()
  // @ts-expect-error -- it needs its day.
  merged.tags()
  // @ts-expect-error -- a cart is in one shard.
  expectTypeOf(merged.cart)
  // @ts-expect-error -- texts cannot be merged.
  expectTypeOf(merged.note)
})

test("a drain reads its target as that is typed, and names keys that exist", async () => {
  const entries = {
    session: sharded(8, "token", { views: zset("views:", int, { score: unixSeconds }), total: counter("total:") }),
    popular: zset("popular:", int, { score: unixSeconds }),
    all: counter("all:"),
  }
  const views = drain({ from: "session.views", into: "popular" })
  const shop = keyspace(entries, {
    ttl: "never",
    drains: { views, total: drain({ from: "session.total", into: "all" }) },
  })
  const { $drains } = await connect(shop)
  expectTypeOf($drains.views.top(3)).resolves.toEqualTypeOf<[number, Date][]>()
  expectTypeOf($drains.total.get()).resolves.toEqualTypeOf<number>()
  expectTypeOf($drains.views.run()).resolves.toEqualTypeOf<{ readonly batches: number; readonly busy: number }>()
  // @ts-expect-error -- there is no such key.
  keyspace(entries, { ttl: "never", drains: { views: drain({ from: "session.viewed", into: "popular" }) } })
})

test("of a group that is sharded by several parameters, what is in one shard is not merged", async () => {
  const messenger = keyspace({
    people: sharded(
      64,
      "home",
      {
        online: set("P:{project}:OnSub", text, { ttl: "never" }),
        contacts: set("P:{project}:C:{user}", text, { ttl: "never" }),
        uses: set("uses:{token}", text, { ttl: "never" }),
      },
      { checksumOf: ["project", "user"], startOf: ["token"] },
    ),
  })
  const { people } = await connect(messenger)
  expectTypeOf(people({ home: "0a9e" }).contacts)
    .parameter(0)
    .toEqualTypeOf<{ project: string; user: string }>()
  expectTypeOf(people.merged.online({ project: "456" }).size()).resolves.toEqualTypeOf<number>()
  // @ts-expect-error -- the contacts of a user are in one shard.
  expectTypeOf(people.merged.contacts)
  // @ts-expect-error -- so is what begins with the checksum.
  expectTypeOf(people.merged.uses)
})
