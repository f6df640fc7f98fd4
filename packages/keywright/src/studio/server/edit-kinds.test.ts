/* Every kind of key, shown and edited: elements added, put in another's place, removed. */

import { type Engine, start } from "@keywright/embedded"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import * as z from "zod"
import type { Driver } from "../../driver/driver.ts"
import { embeddedDriver } from "../../driver/embedded.ts"
import { bytes, compressed } from "../../schema/codec/bytes.ts"
import { isoInstant } from "../../schema/codec/date.ts"
import { id } from "../../schema/codec/id.ts"
import { json } from "../../schema/codec/json.ts"
import { messagePack } from "../../schema/codec/message-pack.ts"
import { bigint, int } from "../../schema/codec/number.ts"
import { oneOf } from "../../schema/codec/one-of.ts"
import { php } from "../../schema/codec/php.ts"
import { text } from "../../schema/codec/text.ts"
import { optional } from "../../schema/codec/wrap.ts"
import { bitmap, counter, geo, hash, hyperloglog, list, map, set, stream, string, zset } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { family, scope } from "../../schema/group.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { either, sliding } from "../../schema/ttl.ts"
import type { Edit, KeyDetail } from "../api.ts"
import { type RunningStudio, startStudio } from "./start-studio.ts"
import { enter, type StudioClient } from "./studio-client.cases.ts"

const town = id("town")
const Page = z.object({ title: z.string(), views: z.int().optional() })
const kinds = keyspace(
  {
    note: string("note:{id}", text, { ttl: either("1h", "never") }),
    setting: string("setting:{id}", json(z.object({ dark: z.boolean(), size: z.int().optional() })), {
      ttl: sliding("1d"),
    }),
    order: entity("order:{id}", json(z.object({ id: z.string(), paid: z.boolean().optional() }))),
    blob: string("blob:{id}", bytes),
    packed: string("packed:{id}", messagePack(json(Page))),
    fromPhp: string("php:{id}", php(json(Page))),
    zipped: string("zipped:{id}", compressed(json(Page), { format: "gzip" })),
    views: counter("views:{id}", { value: bigint }),
    mayor: hash("mayor:{town}", { name: text, since: optional(isoInstant), party: oneOf("red", "blue") }),
    prices: map("prices", text, int),
    queue: list("queue", text, { keep: 5 }),
    towns: set("towns", town),
    board: zset("board", town, { score: int }),
    news: stream("news", { title: text, town: optional(town) }),
    places: geo("places", town),
    stalls: set("stalls", json(Page)),
    pages: map("pages", text, json(Page)),
    ranked: zset("ranked", json(Page), { score: int }),
    profile: hash("profile", { name: optional(text), page: optional(json(Page)) }),
    house: hash("house:{id}", { name: text, constructor: text }),
    days: bitmap("days"),
    seen: hyperloglog("seen", text),
    trip: family(
      "trip:{trip}:",
      { ttl: "1h" },
      { stops: set("stops", text), menus: set("menus", json(Page)), plan: string("plan", text) },
    ),
    tenant: scope("t:{tenant}:", {
      user: entity("user:{id}", { id: text, name: text, age: optional(int) }, { unique: { name: "user:name:{name}" } }),
    }),
  },
  { name: "kinds", ttl: "never", params: { town } },
)

let engine: Engine
let driver: Driver
let studio: RunningStudio
let page: StudioClient

beforeAll(async () => {
  engine = await start()
  driver = embeddedDriver(engine)
  studio = await startStudio({ systems: [{ keyspace: kinds, server: { engine } }], write: true })
  page = await enter(studio)
})
afterAll(async () => {
  await studio?.close()
  await driver?.close()
  await engine?.stop()
})
beforeEach(() => driver.send(["FLUSHALL"]))

const system = "kinds"
const raw = (...command: string[]) => driver.send(command)
const show = async (key: string): Promise<KeyDetail> => {
  const ref = `k${Buffer.from(key).toString("base64url")}`
  return page.call("GET /api/systems/:system/key", { system, query: { db: 0, ref } })
}
const apply = async (edit: object): Promise<void> => {
  const { confirm } = await page.call("POST /api/systems/:system/edit/preview", { system, body: edit })
  await page.call("POST /api/systems/:system/edit", { system, body: { ...edit, confirm } })
}
const create = (pattern: string, params: object, fields: object, more: object = {}) =>
  apply({ op: "create", pattern, params, fields, ...more })
const on = async (key: string, edit: Partial<Edit> & { op: Edit["op"] }): Promise<void> => {
  const { db, ref, seen } = await show(key)
  await apply({ db, ref, seen, ...edit })
}
const elementOf = async (key: string, at: number): Promise<string> => (await show(key)).elements!.rows[at]!.element

test("a field that objects inherit is missing where it was not given", async () => {
  const body = { op: "create", pattern: "house", params: { id: "1" }, fields: { name: "Ann" } }
  expect(await page.refused("POST /api/systems/:system/edit/preview", { system, body })).toMatchObject({
    issues: [{ field: "constructor", message: "it is missing" }],
  })
})

test("a string: created, changed, deleted, with the TTL that was chosen", async () => {
  await create("note", { id: "1" }, { value: "hello" }, { ttlMs: null })
  expect(await raw("PTTL", "note:1")).toBe(-1)
  await on("note:1", { op: "change", fields: { value: "bye" } })
  expect(await raw("GET", "note:1")).toBe("bye")
  expect(await raw("PTTL", "note:1")).toBe(-1)
  await raw("PEXPIRE", "note:1", "60000")
  await on("note:1", { op: "change", fields: { value: "soon" } })
  expect(Number(await raw("PTTL", "note:1"))).toBeGreaterThan(60_000)
  await on("note:1", { op: "delete" })
  expect(await raw("EXISTS", "note:1")).toBe(0)
})

test("a document: some of its fields, and one removed", async () => {
  await create("setting", { id: "1" }, { dark: true, size: 3 })
  await on("setting:1", { op: "change", fields: { size: null, dark: false } })
  expect(await raw("GET", "setting:1")).toBe('{"dark":false}')
  expect(Number(await raw("PTTL", "setting:1"))).toBeGreaterThan(80_000_000)
  const { fields } = await show("setting:1")
  expect(fields?.map(({ name, declared, missing }) => [name, declared, missing])).toEqual([
    ["dark", true, false],
    ["size", true, false],
  ])
})

test.each([
  ["setting:1", '{"dark":false,"tweet":1234567890123456789}', { dark: true }],
  ["setting:1", '{"dark":false,"size":1,"size":2}', { dark: true }],
  ["order:1", '{"id":"1","tweet":1234567890123456789}', { paid: true }],
])("a document of which an edit would lose something is not changed: %s", async (key, stored, fields) => {
  await raw("SET", key, stored)
  const { ref, seen } = await show(key)
  const body = { op: "change", db: 0, ref, seen, fields }
  const refused = await page.refused("POST /api/systems/:system/edit/preview", { system, body })
  expect(refused.code).toBe("STUDIO.NOT_EDITABLE")
  expect(await raw("GET", key)).toBe(stored)
})

test.each(["packed", "php", "zipped"])("a document that is stored as %s: its fields, and one removed", async (name) => {
  await create(name === "php" ? "fromPhp" : name, { id: "1" }, { title: "Ramen", views: 3 })
  await on(`${name}:1`, { op: "change", fields: { title: "Pho", views: null } })
  const { fields, value } = await show(`${name}:1`)
  expect(value?.decoded).toEqual({ title: "Pho" })
  expect(fields?.map((field) => [field.name, field.declared, field.missing])).toEqual([
    ["title", true, false],
    ["views", true, false],
  ])
})

test("bytes and a counter beyond what a number holds", async () => {
  await driver.send(["SET", "blob:1", Buffer.from([0, 255, 7])])
  expect((await show("blob:1")).value?.decoded).toEqual({ "~": "bytes", base64: "AP8H", bytes: 3 })
  await create("views", { id: "1" }, { value: "9007199254740993" })
  expect((await show("views:1")).value?.decoded).toEqual({ "~": "bigint", text: "9007199254740993" })
})

test("a hash: typed fields, a choice, an optional one", async () => {
  await create("mayor", { town: "ulm" }, { name: "Ann", party: "red" })
  await on("mayor:ulm", { op: "change", fields: { since: "2026-01-01T00:00:00.000Z", party: "blue" } })
  expect(await raw("HGETALL", "mayor:ulm")).toEqual(
    expect.arrayContaining(["name", "Ann", "party", "blue", "since", "2026-01-01T00:00:00.000Z"]),
  )
  const { ref, seen } = await show("mayor:ulm")
  const body = { op: "change", db: 0, ref, seen, fields: { party: "green", name: null } }
  const refused = await page.refused("POST /api/systems/:system/edit/preview", { system, body })
  expect(refused.issues?.map(({ field }) => field)).toEqual(["party", "name"])
})

test.each([
  ["prices", ["HSET", "prices", "tea", "3"], ["HSET", "prices", "tea", "777"], { field: "tea", value: "4" }],
  ["board", ["ZADD", "board", "1", "ulm"], ["ZADD", "board", "2", "ulm"], { member: "ulm", score: "8" }],
])("an element of %s that has another value by now is not changed", async (key, before, meanwhile, fields) => {
  await raw(...before)
  const element = await elementOf(key, 0)
  await raw(...meanwhile)
  const { ref } = await show(key)
  for (const edit of [{ op: "put", fields }, { op: "remove" }]) {
    const body = { ...edit, db: 0, ref, element }
    const refused = await page.refused("POST /api/systems/:system/edit/preview", { system, body })
    expect(refused.code).toBe("STUDIO.CHANGED")
  }
})

test("a dictionary: an entry, another field in its place, none", async () => {
  await create("prices", {}, { field: "tea", value: "3" })
  await on("prices", { op: "put", element: await elementOf("prices", 0), fields: { field: "green tea", value: "4" } })
  expect(await raw("HGETALL", "prices")).toEqual(["green tea", "4"])
  await on("prices", { op: "remove", element: await elementOf("prices", 0) })
  expect(await raw("EXISTS", "prices")).toBe(0)
})

test("a list: pushed, replaced in its place, removed; its limit is kept", async () => {
  await create("queue", {}, { item: "a" })
  for (const item of ["b", "c", "d", "e", "f"]) await on("queue", { op: "put", fields: { item } })
  expect(await raw("LRANGE", "queue", "0", "-1")).toEqual(["b", "c", "d", "e", "f"])
  const second = await elementOf("queue", 1)
  await on("queue", { op: "put", element: second, fields: { item: "C" } })
  const stale = { op: "remove", db: 0, ref: (await show("queue")).ref, element: second }
  expect((await page.refused("POST /api/systems/:system/edit/preview", { system, body: stale })).code).toBe(
    "STUDIO.CHANGED",
  )
  await on("queue", { op: "remove", element: await elementOf("queue", 1) })
  expect(await raw("LRANGE", "queue", "0", "-1")).toEqual(["b", "d", "e", "f"])
})

test("sets and sorted sets, their ids linked to what they lead to", async () => {
  await create("towns", {}, { member: "ulm" })
  await on("towns", { op: "put", element: await elementOf("towns", 0), fields: { member: "bonn" } })
  expect(await raw("SMEMBERS", "towns")).toEqual(["bonn"])
  expect((await show("towns")).elements?.rows[0]?.cells[0]?.link?.key).toBe("mayor:bonn")
  await create("board", {}, { member: "ulm", score: "7" })
  await on("board", { op: "put", element: await elementOf("board", 0), fields: { member: "ulm", score: "8" } })
  expect(await raw("ZSCORE", "board", "ulm")).toBe("8")
})

test("a stream, places on the globe; bits and estimates are only shown", async () => {
  await create("news", {}, { title: "rain", town: "ulm" })
  await on("news", { op: "put", fields: { title: "sun" } })
  const { elements } = await show("news")
  expect(elements).toMatchObject({ columns: ["id", "title", "town"], total: 2 })
  expect(elements?.rows.map(({ cells }) => cells[1]?.decoded)).toEqual(["sun", "rain"])
  await on("news", { op: "remove", element: elements!.rows[1]!.element })
  expect(await raw("XLEN", "news")).toBe(1)

  await create("places", {}, { member: "ulm", longitude: "9.99", latitude: "48.4" })
  const place = (await show("places")).elements
  expect(place?.columns).toEqual(["member", "longitude", "latitude"])
  expect(place?.rows[0]?.cells[1]?.decoded).toBeCloseTo(9.99, 3)

  await raw("SETBIT", "days", "9", "1")
  await raw("PFADD", "seen", "a")
  expect([(await show("days")).edits, (await show("seen")).edits]).toEqual([["delete"], ["delete"]])
  for (const key of ["days", "seen"]) {
    const { db, ref, seen } = await show(key)
    for (const op of ["change", "put"]) {
      const body = { op, db, ref, seen, fields: { value: "x" } }
      const refused = await page.refused("POST /api/systems/:system/edit/preview", { system, body })
      expect(refused.code).toBe("STUDIO.NOT_EDITABLE")
    }
  }
})

test.each([
  ["stalls", ["SADD", "stalls", '{"title":"a"}'], { member: { title: 1 } }],
  ["pages", ["HSET", "pages", "tea", '{"title":"a"}'], { field: "coffee", value: { title: 1 } }],
  ["ranked", ["ZADD", "ranked", "1", '{"title":"a"}'], { member: { title: 1 }, score: "2" }],
  ["places", ["GEOADD", "places", "1", "1", "ulm"], { member: "bonn", longitude: "999", latitude: "1" }],
  ["trip:1:menus", ["SADD", "trip:1:menus", '{"title":"a"}'], { member: { title: 1 } }],
  ["profile", ["HSET", "profile", "name", "n", "page", '{"title":"a"}'], { name: null, page: { title: 1 } }],
])("an edit of %s that the schema refuses changes nothing", async (key, stored, fields) => {
  await raw(...stored)
  const before = await raw("DUMP", key)
  const { ref, seen, elements } = await show(key)
  const element = elements?.rows[0]?.element
  const edit = element === undefined ? { op: "change", seen } : { op: "put", element }
  const body = { ...edit, db: 0, ref, fields, confirm: key }
  await page.refused("POST /api/systems/:system/edit/preview", { system, body })
  await page.refused("POST /api/systems/:system/edit", { system, body })
  expect(await raw("DUMP", key)).toEqual(before)
})

test("a family: its keys share a deadline after an edit too", async () => {
  await raw("SET", "trip:1:plan", "north", "PX", "100000")
  await raw("SADD", "trip:1:stops", "a")
  await raw("PEXPIRE", "trip:1:stops", "100000")
  await on("trip:1:stops", { op: "put", fields: { member: "b" } })
  expect(await raw("SCARD", "trip:1:stops")).toBe(2)
  expect(Number(await raw("PTTL", "trip:1:stops"))).toBeLessThanOrEqual(100_000)
})

test("a record in a scope, kept as a hash, with its unique index", async () => {
  await create("tenant.user", { tenant: "acme", id: "7" }, { name: "ann", age: "40" })
  expect(await raw("GET", "t:acme:user:name:ann")).toBe("7")
  await on("t:acme:user:7", { op: "change", fields: { name: "anne", age: null } })
  expect(await raw("HGETALL", "t:acme:user:7")).toEqual(expect.arrayContaining(["name", "anne"]))
  expect(await raw("EXISTS", "t:acme:user:name:ann")).toBe(0)
  const shown = await show("t:acme:user:7")
  expect(shown.relations.find(({ how }) => how === "index")?.links[0]).toMatchObject({
    key: "t:acme:user:name:anne",
    exists: true,
  })
  await on("t:acme:user:7", { op: "delete" })
  expect(await raw("DBSIZE")).toBe(0)
})
