/* What says of a value which one it was, so that an edit is of nothing else, must not help to guess a secret: a PIN has
 * ten thousand values, and a digest of it is found among theirs at once. */

import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod"
import { type Engine, start } from "@keywright/embedded"
import { version } from "../../client/entity/handed-out.ts"
import type { Driver } from "../../driver/driver.ts"
import { embeddedDriver } from "../../driver/embedded.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { inspectKey } from "../../inspect/model/inspect-key.ts"
import { stats } from "../../inspect/stats/stats.ts"
import { id } from "../../schema/codec/id.ts"
import { json } from "../../schema/codec/json.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { secret } from "../../schema/codec/wrap.ts"
import { hash, list, map, set, string } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { scope } from "../../schema/group.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import { type RunningStudio, startStudio } from "./start-studio.ts"
import { enter, type StudioClient } from "./studio-client.cases.ts"

const PIN = "4711"
const record = layout({ key: "{entity}:{id}", all: "{entity}:list", index: "{entity}:index:{index}:{value}" })
const bank = keyspace(
  {
    pin: string("pin:{user}", secret(text)),
    pins: map("pins:{user}", text, secret(text)),
    old: list("old:{user}", secret(text)),
    used: set("used:{user}", secret(text)),
    tags: set("tags", text),
    account: hash("account:{user}", { name: text, pin: secret(text) }),
    bearer: record("bearer", json(z.object({ id: z.string() }))),
    card: record("card", json(z.object({ id: z.string(), bearerId: z.string() })), {
      secret: ["bearerId"],
      index: { bearer: "bearerId" },
    }),
    user: record("user", json(z.object({ id: z.string(), pin: z.string() })), {
      secret: ["pin"],
      index: { pin: "pin" },
    }),
    client: entity("client:{id}", json(z.object({ id: z.string(), vip: z.boolean(), mail: z.string().optional() })), {
      secret: ["vip"],
      unique: { mail: { patterns: "vip-mail:{mail}", where: { vip: true } } },
      index: { vips: { patterns: "vips", where: { vip: true } } },
    }),
    patient: entity(
      "patient:{id}",
      { id: text, ill: secret(text) },
      { index: { ill: { patterns: "ill", where: { ill: "1" } } } },
    ),
    guest: entity("guest:{id}", json(z.object({ id: z.string() })), { params: { id: id("guest") } }),
    ticket: string("ticket:{guest}", text, { params: { guest: secret(id("guest")) } }),
    hall: scope("hall:{guest}:", { seat: entity("seat:{id}", { id: text }, { params: { id: id("row") } }) }),
    seats: set("seats:{guest}", id("row"), { params: { guest: secret(id("guest")) } }),
    ballot: entity("ballot:{id}", { id: text, name: text }, { params: { id: secret(text) } }),
    option: entity("option:{id}", { id: text }),
    chosen: set("chosen:{ballot}", text),
    worker: entity(
      "worker:{id}",
      { id: text, salary: secret(int) },
      { index: { salary: { patterns: "salaries", score: "salary" } } },
    ),
    pass: entity("pass:{id}", { id: text, bearerId: secret(text) }),
    session: hash("session:{token}", { n: int }, { params: { token: secret(text) } }),
  },
  {
    name: "bank",
    ttl: "never",
    relations: {
      card: { bearer: { one: "bearer", from: "bearerId", inverse: "cards" } },
      ballot: { options: { many: "option", through: "chosen" } },
      pass: { bearer: { one: "bearer", from: "bearerId" } },
    },
  },
)
/** Names of Keywright's own keys, which have a digest of a key. */
const digestOf = (key: string) => createHash("sha1").update(key).digest("hex")
const NOTES = [
  ["SET", `keywright:op:order-1:${digestOf(`SET\nsession:${PIN}`).slice(0, 16)}`, "x"],
  ["SET", `keywright:fill:${digestOf(`session:${PIN}`)}`, "x"],
  ["ZADD", `keywright:hold:${digestOf(`session:${PIN}`)}`, "1", "x"],
  ["SADD", `keywright:import:set:{-}:${digestOf(`session:${PIN}`)}`, "x"],
]
const USERS = ["ada", "bob"]
const TOKEN = "c0ffee"
const SESSIONS = 30
const KEYS = ["pin", "pins", "old", "used", "account"]

let engine: Engine
let driver: Driver
let studio: RunningStudio
let page: StudioClient
let readOnly: RunningStudio

beforeAll(async () => {
  engine = await start()
  driver = embeddedDriver(engine)
  for (const user of USERS) {
    await driver.send(["SET", `pin:${user}`, PIN])
    await driver.send(["HSET", `pins:${user}`, "card", PIN])
    await driver.send(["RPUSH", `old:${user}`, PIN])
    await driver.send(["SADD", `used:${user}`, PIN])
    await driver.send(["HSET", `account:${user}`, "name", "x", "pin", PIN])
  }
  for (let n = 0; n < SESSIONS; n++) await driver.send(["HSET", `session:${TOKEN}${n + 10}`, "n", String(n)])
  for (const command of [
    ["SET", "bearer:ada-lovelace-1815", '{"id":"ada-lovelace-1815"}'],
    ["SADD", "bearer:list", "ada-lovelace-1815"],
    ["SET", "user:ada", `{"id":"ada","pin":"${PIN}"}`],
    ["SADD", "user:list", "ada"],
    ["SADD", `user:index:pin:${PIN}`, "ada"],
    ["SET", "ticket:grace", "x"],
    ["SET", "guest:grace", '{"id":"grace"}'],
    ["HSET", "hall:grace:seat:7", "id", "7"],
    ["SADD", "seats:grace", "7"],
    ["HSET", "ballot:grace", "id", "grace", "name", "x"],
    ["HSET", "option:scarlet", "id", "scarlet"],
    ["SADD", "chosen:grace", "scarlet"],
    ["SET", "client:hopper", '{"id":"hopper","vip":true}'],
    ["SET", "client:turing", '{"id":"turing","vip":false}'],
    ["SADD", "vips", "hopper", "nobody"],
    ["SET", "vip-mail:grace@example.com", "hopper"],
    ["HSET", "patient:hopper", "id", "hopper", "ill", "1"],
    ["HSET", "patient:turing", "id", "turing", "ill", "0"],
    ["SADD", "ill", "hopper", "nobody"],
    ["SET", "card:1", '{"id":"1","bearerId":"ada-lovelace-1815"}'],
    ["SADD", "card:list", "1"],
    ["SADD", "card:index:bearer:ada-lovelace-1815", "1"],
    ...NOTES,
    ...["a", "b", "c"].map((worker, i) => ["HSET", `worker:${worker}`, "id", worker, "salary", String(9 - i)]),
    ["ZADD", "salaries", "9", "a", "8", "b", "7", "c"],
    ["HSET", "pass:1", "id", "1", "bearerId", "ada-lovelace-1815"],
  ])
    await driver.send(command)
  const systems = [{ keyspace: bank, server: { engine } }]
  studio = await startStudio({ systems: systems as never, write: true, reveal: false })
  page = await enter(studio)
  readOnly = await startStudio({ systems: systems as never, reveal: false })
})
afterAll(async () => {
  await studio?.close()
  await readOnly?.close()
  await driver?.close()
  await engine?.stop()
})

const refOf = (key: string) => `k${Buffer.from(key).toString("base64url")}`
const show = (key: string) =>
  page.call("GET /api/systems/:system/key", { system: "bank", query: { db: 0, ref: refOf(key) } })
const elementOf = async (key: string) => (await show(key)).elements?.rows[0]?.element
const sha1 = (value: string) => createHash("sha1").update(value).digest("hex").slice(0, 16)

test.each(KEYS)("no answer about %s has a digest of it", async (name) => {
  const detail = await show(`${name}:ada`)
  const refs = [detail.seen, detail.elements?.rows[0]?.element ?? ""]
  const decoded = refs.map((ref) => Buffer.from(ref.slice(1), "base64url").toString("latin1"))
  const told = [JSON.stringify(detail), ...decoded].join(" ")
  for (let i = 0; i < 10_000; i++) {
    const guess = String(i).padStart(4, "0")
    expect(told).not.toContain(sha1(guess))
    expect(told).not.toContain(version(["name", "x", "pin", guess]))
  }
})

test("no name of a key of Keywright's own has a digest of one with a secret part", async () => {
  await page.event("scan", ({ state }) => state === "done")
  const overview = await page.call("GET /api/systems/:system/overview", { system })
  const names = overview.databases.flatMap(({ toolkit }) => toolkit.map(({ name }) => name))
  expect(names).toHaveLength(NOTES.length)
  const told = [JSON.stringify(overview)]
  for (const pattern of names) {
    const listed = await page.call("GET /api/systems/:system/keys", { system, query: { pattern } })
    const query = { db: 0, ref: listed.keys[0]!.ref }
    const { text } = await page.raw("GET /api/systems/:system/key", { system, query })
    told.push(JSON.stringify(listed), text)
  }
  told.push(JSON.stringify(await stats(bank as never, driver)), JSON.stringify(await audit(bank as never, driver)))
  const refs = told.flatMap((one) => [...one.matchAll(/"ref":"k([\w-]+)"/g)].map(([, ref]) => ref!))
  const all = [...told, ...refs.map((ref) => Buffer.from(ref, "base64url").toString("latin1"))].join(" ")
  for (const [, key] of NOTES) expect(all).not.toContain(key!.slice(key!.lastIndexOf(":") + 1))
})

test.each(KEYS)("that two of %s are the same is not told", async (name) => {
  const [ada, bob] = [await show(`${name}:ada`), await show(`${name}:bob`)]
  expect(ada.seen).not.toBe(bob.seen)
  expect(ada.seen).toBe((await show(`${name}:ada`)).seen)
  if (ada.elements) expect(ada.elements.rows[0]!.element).not.toBe(bob.elements!.rows[0]!.element)
})

const previewed = async (edit: object): Promise<string> => {
  const { text } = await page.raw("POST /api/systems/:system/edit/preview", { system: "bank", body: edit })
  return text
}

test.each([
  ["pin", (guess: string) => ({ op: "delete", seen: sha1(guess) })],
  ["account", (guess: string) => ({ op: "delete", seen: version(["name", "x", "pin", guess]) })],
  ["pins", (guess: string) => ({ op: "remove", element: refOf(`${sha1(guess)}:card`) })],
  ["old", (guess: string) => ({ op: "remove", element: refOf(`0:${guess}`) })],
  ["used", (guess: string) => ({ op: "remove", element: refOf(guess) })],
])("an edit of %s does not tell whether a guess is right", async (name, edit) => {
  const place = { db: 0, ref: refOf(`${name}:ada`) }
  expect(await previewed({ ...place, ...edit(PIN) })).toBe(await previewed({ ...place, ...edit("0000") }))
})

test("what was seen of one key is not what was seen of another; what the page was given is edited", async () => {
  const [ada, bob] = [refOf("pin:ada"), refOf("pin:bob")]
  const { seen } = await show("pin:bob")
  expect(await previewed({ op: "delete", db: 0, ref: ada, seen })).toContain("STUDIO.REF")
  const element = await elementOf("used:bob")
  expect(await previewed({ op: "remove", db: 0, ref: refOf("used:ada"), element })).toContain("STUDIO.REF")
  const edit = { op: "remove", db: 0, ref: refOf("used:bob"), element, confirm: "used:bob" }
  await page.call("POST /api/systems/:system/edit", { system: "bank", body: edit })
  const change = { op: "change", db: 0, ref: bob, seen, fields: { value: "1234" }, confirm: "pin:bob" }
  await page.call("POST /api/systems/:system/edit", { system: "bank", body: change })
  expect(await driver.send(["GET", "pin:bob"])).toBe("1234")
  expect(await driver.send(["EXISTS", "used:bob"])).toBe(0)
  const late = await page.refused("POST /api/systems/:system/edit", { system: "bank", body: change })
  expect(late.code).not.toBe("STUDIO.REF")
})

test.each(KEYS)("what is sealed of a value of %s is not shown as the name of a key", async (name) => {
  const detail = await show(`${name}:ada`)
  for (const ref of [detail.seen, detail.elements?.rows[0]?.element ?? detail.seen]) {
    const refused = await page.refused("GET /api/systems/:system/key", { system: "bank", query: { db: 0, ref } })
    expect(refused.code).toBe("STUDIO.REF")
  }
})

test("what is sealed of the name of a key is not shown as an element", async () => {
  await page.event("scan", ({ state }) => state === "done")
  const { keys } = await page.call("GET /api/systems/:system/keys", { system: "bank", query: { pattern: "session" } })
  await driver.send(["SADD", "tags", "x"])
  const edit = { op: "remove", db: 0, ref: refOf("tags"), element: keys[0]!.ref }
  const told = await previewed(edit)
  expect(told).not.toContain(TOKEN)
  expect(told).toContain("STUDIO.REF")
  expect(await previewed({ ...edit, element: await elementOf("tags") })).toContain("SREM tags x")
})

test("a relation does not tell which record a secret field refers to, from either side", async () => {
  const relationsOf = async (key: string) => (await show(key)).relations.map(({ name, links }) => [name, links.length])
  expect(await relationsOf("card:1")).toEqual([["index bearer", 1]])
  expect(await relationsOf("pass:1")).toEqual([])
  for (const key of ["card:1", "pass:1"]) expect(JSON.stringify(await show(key))).not.toContain("ada-lovelace-1815")
  expect(await relationsOf("bearer:ada-lovelace-1815")).toEqual([])
})

const system = "bank"
const indexKey = (pin: string) => `user:index:pin:${pin}`
const keyAt = (pin: string) => ({ system, query: { db: 0, ref: refOf(indexKey(pin)) } })
const consoleLine = (line: string) => page.raw("POST /api/systems/:system/console", { system, body: { db: 0, line } })

test.each([
  ["its page", (pin: string) => page.raw("GET /api/systems/:system/key", keyAt(pin))],
  ["its elements", (pin: string) => page.raw("GET /api/systems/:system/elements", keyAt(pin))],
  ["the search", (pin: string) => page.raw("GET /api/search", { query: { q: indexKey(pin) } })],
  ["EXISTS", (pin: string) => consoleLine(`EXISTS ${indexKey(pin)}`)],
  ["MEMORY USAGE", (pin: string) => consoleLine(`MEMORY USAGE ${indexKey(pin)}`)],
  [
    "a list",
    (pin: string) =>
      page.raw("GET /api/systems/:system/keys", { system, query: { pattern: "user#pin", "p.pin": pin } as never }),
  ],
])("%s does not tell whether a key with a guessed secret is there", async (_, asked) => {
  const [right, wrong] = [await asked(PIN), await asked("0000")]
  expect(right.text).toBe(wrong.text)
  expect(right.text).not.toContain("ada")
})

test("nor that a key of an index with a condition on a secret field is there", async () => {
  await page.event("scan", ({ state }) => state === "done")
  const listed = await page.raw("GET /api/systems/:system/keys", { system, query: { pattern: "client#mail" } })
  expect(listed.text).toContain("vip-mail:…")
  expect(listed.text).not.toMatch(/grace|hopper/)
  const [right, wrong] = await Promise.all(
    ["grace", "nobody"].map((name) => consoleLine(`EXISTS vip-mail:${name}@example.com`)),
  )
  expect(right!.text).toBe(wrong!.text)
})

describe.each([
  ["client", "vips"],
  ["patient", "ill"],
])("who is in an index of %s by a secret field is not told", (record, index) => {
  test("by its page, its list, the console or a list of records", async () => {
    await page.event("scan", ({ state }) => state === "done")
    const query = { db: 0, ref: refOf(index) }
    const pattern = `${record}#${index}`
    const answers = [
      await page.raw("GET /api/systems/:system/key", { system, query }),
      await page.raw("GET /api/systems/:system/elements", { system, query }),
      await page.raw("GET /api/systems/:system/keys", { system, query: { pattern } }),
      await page.raw("GET /api/systems/:system/keys", { system, query: { pattern: record, index: pattern } as never }),
      await consoleLine(`SMEMBERS ${index}`),
      await consoleLine(`SISMEMBER ${index} hopper`),
    ]
    for (const { text } of answers) expect(text).not.toContain(`${Buffer.from("hopper").toString("base64url")}"`)
    for (const { text } of answers) expect(text).not.toContain("hopper")
  })

  test("by the page of a record", async () => {
    const relationsOf = async (key: string) => (await show(key)).relations.map(({ name }) => name)
    expect(await relationsOf(`${record}:hopper`)).toEqual(await relationsOf(`${record}:turing`))
  })

  test("by an audit", async () => {
    await driver.send(["SREM", index, "hopper"])
    await page.call("POST /api/systems/:system/audit", { system, body: {} })
    await page.event("audit", ({ state }) => state === "done")
    const { text } = await page.raw("GET /api/systems/:system/audit/findings", { system, query: { limit: 500 } })
    await driver.send(["SADD", index, "hopper"])
    expect(text).not.toContain("hopper")
  })
})

test("what the page was given of such a key opens it", async () => {
  await page.event("scan", ({ state }) => state === "done")
  const { keys } = await page.call("GET /api/systems/:system/keys", { system, query: { pattern: "user#pin" } })
  const { db, ref } = keys[0]!
  const detail = await page.call("GET /api/systems/:system/key", { system, query: { db, ref } })
  expect(detail.elements?.total).toBe(1)
})

test("a key that anybody can spell does not lead to one with the same id as a secret", async () => {
  const relationsOf = async (key: string) => (await show(key)).relations.map(({ name }) => name)
  expect(await relationsOf("guest:grace")).toEqual(await relationsOf("guest:nobody"))
})

test.each(["ticket", "seats", "ballot"])(
  "a key of %s does not lead to one that spells its secret id",
  async (pattern) => {
    await page.event("scan", ({ state }) => state === "done")
    const { keys } = await page.call("GET /api/systems/:system/keys", { system, query: { pattern } })
    const query = { db: 0, ref: keys[0]!.ref }
    const { text } = await page.raw("GET /api/systems/:system/key", { system, query })
    expect(text).toContain(`${pattern}:…`)
    expect(text).not.toContain("grace")
    expect(text).not.toContain("scarlet")
    const { relations } = await inspectKey(bank as never, driver, `${pattern}:grace`)
    expect(relations).toEqual([])
  },
)

test("who may only look is not told what an edit would do", async () => {
  const body = { op: "change", db: 0, ref: refOf("user:ada"), seen: "", fields: { pin: PIN } }
  const reader = await enter(readOnly)
  const refused = await reader.refused("POST /api/systems/:system/edit/preview", { system, body })
  expect(refused.code).toBe("STUDIO.READ_ONLY")
})

test("an audit does not tell how a key begins", async () => {
  const keysOf = async (match: string) => {
    await page.call("POST /api/systems/:system/audit", { system: "bank", body: { match } })
    return (await page.event("audit", ({ state }) => state === "done")).keys
  }
  expect(await keysOf(`session:${TOKEN.slice(0, 1)}*`)).toBe(await keysOf("session:x*"))
})

test("the order of an index by a secret score does not tell which is the greater", async () => {
  const { elements, relations } = await show("salaries")
  expect(elements?.rows.map(({ cells }) => cells[0]!.decoded)).toEqual(["a", "b", "c"])
  expect(elements?.ordered).toBe(false)
  expect(relations).toEqual([])
  const query = { pattern: "worker", index: "worker#salary", descending: 1 } as never
  const refused = await page.refused("GET /api/systems/:system/keys", { system, query })
  expect(refused.code).toBe("STUDIO.QUERY")
  const inspected = await inspectKey(bank as never, driver, "salaries")
  expect(inspected).toMatchObject({
    value: [
      ["a", "…"],
      ["b", "…"],
      ["c", "…"],
    ],
    relations: [],
  })
})

test("the order of a list does not tell which of two keys is the greater", async () => {
  await page.event("scan", ({ state }) => state === "done")
  const listed = async (limit: number, cursor?: string) =>
    page.call("GET /api/systems/:system/keys", { system: "bank", query: { pattern: "session", limit, cursor } })
  const { keys, next } = await listed(20)
  const { keys: rest } = await listed(20, next)
  const order = [...keys, ...rest].map(({ cells }) => Number(JSON.stringify(cells![0]!.decoded)))
  const inOrder = Array.from({ length: SESSIONS }, (_, n) => n)
  expect(order.toSorted((a, b) => a - b)).toEqual(inOrder)
  expect(order).not.toEqual(inOrder)
})
