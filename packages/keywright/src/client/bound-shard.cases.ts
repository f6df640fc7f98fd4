/* A keyspace with sharded groups, and calls that would leave a shard that is bound. */

import * as z from "zod"
import { json } from "../schema/codec/json.ts"
import { text } from "../schema/codec/text.ts"
import { map, set, string } from "../schema/define.ts"
import { family, scope } from "../schema/group.ts"
import { keyspace } from "../schema/keyspace.ts"
import { layout } from "../schema/layout.ts"
import { checksum } from "../schema/shard.ts"
import { sharded } from "../schema/sharded.ts"
import { step } from "../schema/step.ts"
import { connect } from "./connect.ts"

const record = layout({ key: "{entity}:{id}", all: "{entity}-list", index: "{entity}-index:{index}:{value}" })
const Order = z.object({ id: z.string(), user: z.string(), item: z.string() })
const Letter = z.object({ id: z.string(), project: z.string(), user: z.string(), token: z.string() })
const hit = "-- KEYS: first, others\nfor i = 2, #KEYS do redis.call('SET', KEYS[i], 'hit') end\nreturn 1"
export const schemaWith = (shards: number) =>
  keyspace(
    {
      mine: sharded(shards, "user", {
        order: record("order", json(Order), { ids: "given", index: { user: "user", item: "item" } }),
        account: record("account", json(z.object({ id: z.string() })), { ids: "given" }),
        cart: map("cart:{user}", text, text),
        note: string("note:{id}", text),
        first: string("first", text),
        inside: scope("in:{project}:", { note: string("{id}", text) }),
        page: family(
          "page:{name}",
          { ttl: "1h", marker: "text" },
          { text: string("", text), tags: set(":tags", text) },
        ),
      }),
      people: sharded(
        shards,
        "home",
        {
          status: string("St:{project}:{user}", text),
          access: string("Acc:{token}", text),
          first: string("all", text),
          letter: record("letter", json(Letter), {
            ids: "given",
            index: { whose: { on: ["project", "user"] }, token: "token" },
          }),
        },
        { checksumOf: ["project", "user"], startOf: ["token"] },
      ),
      profile: sharded(shards / 2, "user", {
        profile: record("profile", json(z.object({ id: z.string() })), { ids: "given" }),
      }),
      byId: sharded(shards, "id", { thing: record("thing", json(z.object({ id: z.string() })), { ids: "given" }) }),
    },
    {
      ttl: "never",
      relations: {
        "mine.account": { orders: { many: "mine.order", by: "user" } },
        "mine.order": { profile: { one: "profile.profile", from: "item" } },
      },
      steps: {
        take: step({ keys: ["mine.first", "mine.note[]"], script: hit }),
        empty: step({ keys: ["mine.cart", "mine.note[]"], script: hit }),
        all: step({ keys: ["mine.note[]"], script: hit }),
        hand: step({ keys: ["people.first", "people.access[]", "people.status[]"], script: hit }),
        both: step({ keys: ["people.status", "people.access"], script: hit }),
      },
    },
  )

// Three users of two shards: alice and dave share one.
export const [alice, bob, dave] = ["alice", "bob", "u2"] as const
export const [homeOfAlice, homeOfBob] = [checksum("p", alice), checksum("p", bob)]
/** As if it came from outside. */
export const from = (object: object): never => JSON.parse(JSON.stringify(object)) as never

export const openShards = (url: string, shards = 16) =>
  connect(schemaWith(shards), url, { acceptSplit: ["mine.order"] })
type Db = Awaited<ReturnType<typeof openShards>>

export const tagOf = (key: string) => /\{(.*?)\}/.exec(key)![1]!

/** What is bound in different ways to the shard of alice, and to that of bob. */
export const boundIn = (db: Db) => {
  const [own, others] = [db.mine({ user: alice }), db.mine({ user: bob })]
  const [home, otherHome] = [db.people({ home: homeOfAlice }), db.people({ home: homeOfBob })]
  const shard = db.mine.shards().find((one) => one.first().key === own.first().key)!
  const homeShard = db.people.shards().find((one) => one.first().key === home.first().key)!
  return { db, own, others, home, otherHome, shard, homeShard }
}
type Bound = ReturnType<typeof boundIn>

const firstOf = <T>(all: AsyncIterable<T>) => all[Symbol.asyncIterator]().next()
/** A call that takes no parameters, according to its type. */
const with_ = (key: () => unknown, params: object) => (key as (params: object) => unknown)(params)

/** By name: the code of the error, and the call. */
export const attacks: Record<string, readonly [code: string, call: (at: Bound) => unknown]> = {
  "count of an index": ["KEY.BOUND_PARAM", (at) => at.own.order.count("user", { user: bob })],
  "ids of an index": ["KEY.BOUND_PARAM", (at) => at.own.order.listIds("user", { user: bob })],
  "an index, named beside its fields": [
    "KEY.BOUND_PARAM",
    (at) => at.own.order.list("item", from({ item: "secret", user: bob })),
  ],
  "an index of the same shard": ["KEY.BOUND_PARAM", (at) => at.own.order.count("user", { user: dave })],
  "deleting an index": ["KEY.BOUND_PARAM", (at) => at.own.order.deleteAll("user", { user: bob })],
  "deleting it in a transaction": [
    "KEY.BOUND_PARAM",
    (at) => at.db.$transaction((tx) => tx.mine({ user: alice }).order.deleteAll("user", { user: bob })),
  ],
  "creating a document": ["KEY.OTHER_SHARD", (at) => at.own.order.create({ id: "9", user: bob, item: "x" })],
  "creating one of the same shard": [
    "KEY.BOUND_PARAM",
    (at) => at.own.order.create({ id: "9", user: dave, item: "x" }),
  ],
  "creating in a transaction": [
    "KEY.OTHER_SHARD",
    (at) => at.db.$transaction((tx) => tx.mine({ user: alice }).order.create({ id: "9", user: bob, item: "x" })),
  ],
  "an upsert": ["KEY.OTHER_SHARD", (at) => at.own.order.upsert({ id: "2", user: bob, item: "x" })],
  "an update": ["KEY.OTHER_SHARD", (at) => at.own.order.update("2", { user: bob })],
  "a replacement": ["KEY.OTHER_SHARD", (at) => at.own.order.replace("2", { id: "2", user: bob, item: "x" })],
  "explaining one": [
    "KEY.OTHER_SHARD",
    (at) => at.db.$explain((tx) => tx.mine({ user: alice }).order.update("2", { user: bob })),
  ],
  "a key": ["KEY.BOUND_PARAM", (at) => with_(at.own.cart, { user: bob })],
  "a key without that parameter": ["KEY.BOUND_PARAM", (at) => at.own.note(from({ id: "1", user: bob }))],
  "a key by its shard": [
    "KEY.BOUND_PARAM",
    (at) => at.own.note(from({ id: "1", shard: tagOf(at.others.first().key) })),
  ],
  "a group inside": ["KEY.BOUND_PARAM", (at) => at.own.inside(from({ project: "p", user: bob }))],
  "a family inside": ["KEY.BOUND_PARAM", (at) => at.own.page(from({ name: "p", user: bob }))],
  "a scan": ["KEY.BOUND_PARAM", (at) => firstOf(at.own.note.scan(from({ user: bob })))],
  "a scan of one of the shards": ["KEY.OTHER_SHARD", (at) => firstOf(at.shard.note.scan(from({ user: bob })))],
  "a key of one of the shards": ["KEY.OTHER_SHARD", (at) => at.shard.note(from({ id: "1", user: bob }))],
  "a document of one of the shards": [
    "KEY.OTHER_SHARD",
    (at) => at.shard.order.create({ id: "9", user: bob, item: "x" }),
  ],
  "an index of one of the shards": ["KEY.OTHER_SHARD", (at) => at.shard.order.listIds("user", { user: bob })],
  "a group inside of one of the shards": [
    "KEY.OTHER_SHARD",
    (at) => at.shard.inside(from({ project: "p", user: bob })).note({ id: "1" }),
  ],
  "two that disagree": [
    "KEY.OTHER_SHARD",
    (at) => at.db.mine.note(from({ id: "1", user: alice, shard: tagOf(at.others.first().key) })),
  ],
  "an item of a step": [
    "KEY.OTHER_SHARD",
    (at) => at.db.$steps.take({ user: alice, note: from([{ id: "1", user: bob }]) }),
  ],
  "an item of a step, by its shard": [
    "KEY.OTHER_SHARD",
    (at) =>
      at.db.$steps.empty({ user: alice, note: from([{ id: "1", user: alice, shard: tagOf(at.others.first().key) }]) }),
  ],
  "two items of a step": [
    "KEY.OTHER_SHARD",
    (at) =>
      at.db.$steps.all({
        note: from([
          { id: "1", user: alice },
          { id: "1", user: bob },
        ]),
      }),
  ],
  "a relation of one of the shards to another group": [
    "ENTITY.UNBOUND",
    (at) => at.shard.order.get("2", { with: { profile: true } }),
  ],
  "a relation": ["KEY.OTHER_SHARD", (at) => at.own.account.get(bob, { with: { orders: true } })],
  "a relation in a transaction": [
    "KEY.OTHER_SHARD",
    (at) => at.db.$transaction((tx) => tx.mine({ user: alice }).account.get(bob, { with: { orders: true } })),
  ],
  "an id that decides on the shard": ["KEY.OTHER_SHARD", (at) => at.db.byId({ id: alice }).thing.get(bob)],
  "a document whose id does": ["KEY.OTHER_SHARD", (at) => at.db.byId({ id: alice }).thing.create({ id: bob })],

  "an index by several": ["KEY.OTHER_SHARD", (at) => at.home.letter.count("whose", { project: "p", user: bob })],
  "an index of tokens": ["KEY.OTHER_SHARD", (at) => at.home.letter.listIds("token", { token: `${homeOfBob}t` })],
  "an index by several, with the checksum": [
    "KEY.BOUND_PARAM",
    (at) => at.home.letter.listIds("whose", from({ project: "p", user: bob, home: homeOfBob })),
  ],
  "deleting an index, with the checksum": [
    "KEY.BOUND_PARAM",
    (at) => at.home.letter.deleteAll("token", from({ token: `${homeOfBob}t`, home: homeOfBob })),
  ],
  "creating a document by several": [
    "KEY.OTHER_SHARD",
    (at) => at.home.letter.create({ id: "9", project: "p", user: bob, token: `${homeOfAlice}t` }),
  ],
  "a document with another token": [
    "KEY.OTHER_SHARD",
    (at) => at.home.letter.create({ id: "9", project: "p", user: alice, token: `${homeOfBob}t` }),
  ],
  "a key of one of the shards, with the checksum": [
    "KEY.OTHER_SHARD",
    (at) => with_(at.homeShard.first, { home: homeOfBob }),
  ],
  "a key of one of the shards, with both": [
    "KEY.OTHER_SHARD",
    (at) => at.homeShard.status(from({ project: "p", user: bob, home: homeOfBob })),
  ],
  "an index of one of the shards, with both": [
    "KEY.OTHER_SHARD",
    (at) => at.homeShard.letter.listIds("whose", from({ project: "p", user: bob, home: homeOfBob })),
  ],
  "an item with its own checksum": [
    "KEY.OTHER_SHARD",
    (at) =>
      at.db.$steps.hand({
        home: homeOfAlice,
        access: from([{ token: `${homeOfBob}t`, home: homeOfBob }]),
        status: [],
      }),
  ],
  "keys of a step that decide by themselves": [
    "KEY.OTHER_SHARD",
    (at) => at.db.$steps.both(from({ project: "p", user: alice, token: `${homeOfBob}t` })),
  ],
  ...Object.fromEntries(
    [[homeOfBob], { toString: homeOfBob }, 7, true].map((home) => [
      `${JSON.stringify(home)} as a checksum`,
      ["CODEC.CHECKSUM", (at) => at.db.people({ home: home as never })] as const,
    ]),
  ),
}
