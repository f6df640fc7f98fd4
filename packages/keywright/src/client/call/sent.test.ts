/* What `onSent` is called with: everything that a call sends, in its own async context,
 * and no secret in any of it. */

import { AsyncLocalStorage } from "node:async_hooks"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import * as z from "zod"
import {
  counter,
  entity,
  hash,
  id,
  int,
  json,
  keyOf,
  keyspace,
  layout,
  list,
  map,
  secret,
  set,
  step,
  string,
  text,
  zset,
} from "../../index.ts"
import { connect } from "../connect.ts"
import type { Sent } from "./sent.ts"

const token = secret(id("token"))
const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
})
const Member = z.object({ id: z.string(), email: z.string(), password: z.string(), team: z.string() })
const Worker = z.object({ id: z.string(), salary: z.number(), pin: z.string(), team: z.string() })
const space = keyspace(
  {
    login: map("login:", token, text),
    cart: map("cart:{token}", text, int),
    page: string("page:{hash}", text, { ttl: "5m" }),
    user: hash("user:{name}", { city: text, apiKey: secret(text) }),
    seen: zset("seen:", text, { score: int }),
    hits: counter("hits"),
    tags: set("tags:{name}", text),
    boxes: set("box:{token}", text),
    queue: list("queue:{token}", text),
    visit: string("visit:{token}", json(z.object({ token: z.string() }))),
    guest: entity("guest:{token}", json(z.object({ token: z.string() })), { ids: "given", all: "guest:list" }),
    worker: record("worker", json(Worker), {
      secret: ["salary", "pin"],
      index: { salary: ["salary", "by:salary:{salary}"], team: { on: "team", score: "salary" } },
    }),
    place: string("place:{name}:{token}", text),
    pass: entity(
      "pass:{id}",
      { id: text, name: text },
      { secret: ["id"], all: "passes", unique: { name: "pass-name:{name}" } },
    ),
    member: record("member", json(Member), {
      secret: ["password", "email"],
      unique: { email: "email" },
      index: { team: ["team", "team:{team}:members"] },
    }),
  },
  {
    ttl: "never",
    params: { token },
    steps: {
      visit: step({
        script: '-- KEYS[1] hits ARGV[1] cart\nreturn redis.call("INCR", KEYS[1])',
        keys: ["hits"],
        args: { cart: keyOf({ cart: "cart:{token}" }) },
        returns: int,
      }),
      begin: step({
        script:
          '-- KEYS[1] login: KEYS[2] hits ARGV[1] session ARGV[2] user\nredis.call("HSET", KEYS[1], ARGV[1], ARGV[2])\nreturn redis.call("INCR", KEYS[2])',
        keys: ["login", "hits"],
        args: { session: token, user: text },
        returns: int,
      }),
    },
  },
)

const SECRET = "EB93-3a7f"
let sent: Sent[] = []
let db: Awaited<ReturnType<typeof open>>
const open = () => connect(space, "memory:", { onSent: (one) => sent.push(one) })
beforeAll(async () => (db = await open()))
beforeEach(() => (sent = []))
afterAll(() => db.$close())

const lines = () => sent.flatMap((one) => one.commands.map(({ words }) => `${one.as}: ${words.join(" ")}`))

it("tells commands with their keys and values, by the names of their patterns", async () => {
  await db.page({ hash: "a1" }).set("<html>")
  await db.tags({ name: "x" }).add("red", "blue")
  await db.tags({ name: "x" }).members()
  expect(lines()).toEqual([
    expect.stringMatching(/^command: SET page:a1 <html> PX 300000$/),
    "command: SADD tags:x red blue",
    "command: SMEMBERS tags:x",
  ])
  expect(sent[1]!.commands[0]!.keys).toEqual([{ key: "tags:x", name: "tags" }])
})

it("tells what is sent together as what it is", async () => {
  await db.$multi((all) => [all.tags({ name: "x" }).size(), all.seen().size()])
  await db.$batch((all) => [all.tags({ name: "y" }).size(), all.hits().get()])
  expect(lines()).toEqual(["multi: SCARD tags:x", "multi: ZCARD seen:", "batch: SCARD tags:y", "batch: GET hits"])
})

it("tells what a scan asks, and leaves the connection open", async () => {
  await db.tags({ name: "x" }).add("red")
  const found = []
  for await (const { key } of db.tags.scan()) found.push(key)
  expect(found).toContain("tags:x")
  expect(lines().some((line) => line.startsWith("command: SCAN 0"))).toBe(true)
  expect(await db.tags({ name: "x" }).size()).toBeGreaterThan(0)
})

it("names the keys and arguments of a step", async () => {
  await db.$steps.begin({ session: SECRET as never, user: "ada" })
  expect(sent).toEqual([
    {
      db: 0,
      as: "script",
      commands: [],
      script: {
        name: "begin",
        keys: [
          { key: "login:", name: "login" },
          { key: "hits", name: "hits" },
        ],
        args: { session: "…", user: "ada" },
      },
    },
  ])
})

it("tells what a record's script writes, and where its id comes from", async () => {
  await db.member.create({ email: "ada@example.com", password: "hunter2", team: "red" })
  const written = sent.filter((one) => one.as === "record")
  expect(written).toHaveLength(1)
  expect(lines()).toEqual(
    expect.arrayContaining([
      "record: INCR member:counter",
      "record: SADD member:list new",
      "record: SADD team:red:members new",
    ]),
  )
  const document = written[0]!.commands.find(({ words }) => words[1] === "member:new")!
  expect(document.words[0]).toBe("SET")
  expect(document.words.filter((word) => word === "…").length).toBeGreaterThan(0)
})

it("hides every secret: segments, fields, values, arguments, and what no pattern owns", async () => {
  await db.login().set(SECRET as never, "ada")
  await db.cart({ token: SECRET as never }).set("tea", 2)
  await db.$steps.begin({ session: SECRET as never, user: "ada" })
  await db.$multi((all) => [all.login().get(SECRET as never), all.cart({ token: SECRET as never }).all()])
  await db.member.create({ email: "eva@example.com", password: "hunter3", team: "red" })
  await db.member.find("email", { email: "eva@example.com" })
  await db.$driver().send(["GET", `stray:${SECRET}`])
  await db.$driver().send(["PUBLISH", "news", SECRET])
  const all = JSON.stringify(sent)
  expect(sent.length).toBeGreaterThan(7)
  for (const hidden of [SECRET, "hunter", "eva@"]) expect(all).not.toContain(hidden)
  expect(lines()).toContain("command: HSET cart:… tea 2")
})

it("shows which fields of a hash are meant, and no value beside a secret one", async () => {
  await db.user({ name: "ada" }).set({ city: "Graz", apiKey: SECRET })
  await db.user({ name: "ada" }).get()
  await db.$driver().send(["HMGET", "user:ada", "city", "apiKey", SECRET])
  await db.$driver().send(["HSET", "user:ada", "apiKey", "city"])
  expect(lines()).toContain("command: HMGET user:ada city apiKey …")
  expect(lines()).toContain("command: HSET user:ada … …")
  expect(JSON.stringify(sent)).not.toContain(SECRET)
  expect(JSON.stringify(sent)).not.toContain("Graz")
})

it("hides the second key of a command, too", async () => {
  const [one, other] = [{ token: `${SECRET}-1` as never }, { token: `${SECRET}-2` as never }]
  await db.boxes(one).add("tea")
  await db.boxes(one).move("tea", db.boxes(other))
  await db.queue(one).move(db.queue(other), { from: "left", to: "right" })
  await db.$driver().send(["SMOVE", "tags:x", `stray:${SECRET}`, "m"])
  await db
    .$driver()
    .send(["ZUNIONSTORE", "seen:", "2", "seen:", `cart:${SECRET}`])
    .catch(() => undefined)
  expect(lines()).toContain("command: SMOVE box:… box:… tea")
  expect(JSON.stringify(sent)).not.toContain(SECRET)
})

it("hides what a scan looks for where that names a secret part of keys, or keys of no pattern", async () => {
  const token = SECRET as never
  const scans = [db.cart.scan({ token }), db.cart.scan(), db.place.scan({ token }), db.place.scan({ name: "x" })]
  for (const scan of [...scans, db.tags.scan({ name: "x" })]) for await (const _ of scan);
  await db.$driver().send(["SCAN", "0", "MATCH", `stray:${SECRET}*`, "COUNT", "10"])
  await db.$driver().send(["SCAN", "0", "match", `*${SECRET}*`])
  expect(lines().filter((line) => line.includes("SCAN"))).toEqual([
    ...["…", "cart:*", "…", "place:x:*", "tags:x"].map((glob) => `command: SCAN 0 MATCH ${glob} COUNT 1000`),
    "command: SCAN 0 MATCH … COUNT 10",
    "command: SCAN 0 match …",
  ])
  expect(JSON.stringify(sent)).not.toContain(SECRET)
})

it("hides the secret part of a key that is an argument of a step, and what a function is called with", async () => {
  await db.$steps.visit({ cart: { to: "cart", params: { token: SECRET } } })
  expect(sent.at(-1)!.script!.args).toEqual({ cart: "cart:…" })
  const raw = [
    ["FCALL", "f", "2", "tags:x", "user:ada", SECRET],
    ["mset", "page:a", "b", "visit:a", SECRET],
    ["MSETNX", "page:a", "b", "visit:a", SECRET],
  ]
  for (const command of raw)
    await db
      .$driver()
      .send(command)
      .catch(() => undefined)
  expect(JSON.stringify(sent)).not.toContain(SECRET)
})

it("hides a document that repeats a secret part of its key", async () => {
  await db.visit({ token: SECRET as never }).set({ token: SECRET })
  await db.guest.create({ token: SECRET })
  expect(lines()).toContain("command: SET visit:… …")
  expect(lines()).toContain("record: SADD guest:list …")
  expect(JSON.stringify(sent)).not.toContain(SECRET)
})

it("hides a secret field in the indexes of its record", async () => {
  const { id: made } = await db.worker.create({ salary: 77123, pin: "p-4711", team: "red" })
  await db.worker.update(made, { salary: 88456 })
  await db.worker.list("salary", { salary: 88456 } as never).catch(() => undefined)
  await db.worker.delete(made)
  for (const hidden of ["77123", "88456", "4711"]) expect(JSON.stringify(sent)).not.toContain(hidden)
})

it("hides an id that is listed as secret wherever it is held", async () => {
  await db.pass.create({ id: "i-4711", name: "a" })
  await db.pass.all()
  await db.pass.delete("i-4711")
  expect(sent.length).toBeGreaterThan(2)
  expect(JSON.stringify(sent)).not.toContain("4711")
})

it("tells in the async context of the caller, also while others call", async () => {
  const calling = new AsyncLocalStorage<string[]>()
  const own = await connect(space, "memory:", {
    onSent: ({ commands }) => calling.getStore()?.push(...commands.map(({ words }) => words.at(-1)!)),
  })
  const work = async (name: string) => {
    const noted: string[] = []
    await calling.run(noted, async () => {
      await Promise.all([1, 2, 3].map((n) => own.tags({ name: "z" }).add(`${name}${n}`)))
      await own.$multi((all) => [all.tags({ name: "z" }).add(`${name}4`)])
    })
    return noted
  }
  const [one, other] = await Promise.all([work("a"), work("b")])
  expect([one, other]).toEqual([
    ["a1", "a2", "a3", "a4"],
    ["b1", "b2", "b3", "b4"],
  ])
  await own.$close()
})

it("asks first where it can, and reports what is wanted", async () => {
  const heard: Sent[] = []
  let isWanted = false
  const chosen = await connect(space, "memory:", {
    onSent: { isWanted: () => isWanted, report: (one) => heard.push(one) },
  })
  await chosen.hits().set(1)
  isWanted = true
  await chosen.hits().get()
  isWanted = false
  await chosen.$batch((all) => [all.hits().get()])
  await chosen.$close()
  expect(heard).toEqual([
    { db: 0, as: "command", commands: [{ words: ["GET", "hits"], keys: [{ key: "hits", name: "hits" }] }] },
  ])
})
