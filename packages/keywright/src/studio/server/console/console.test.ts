/* The console over the API, on a real server: what it reads, what it refuses, and what it asks. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { needs } from "../../../../../../test/needs.ts"
import type { Driver } from "../../../driver/driver.ts"
import { id, keyspace, map, sameIds, secret, set, string, text, zset } from "../../../schema/index.ts"
import type { Keyspace } from "../../../schema/keyspace.ts"
import type { ConsoleAnswer, ConsoleReply } from "../../api.ts"
import { type RunningStudio, startStudio } from "../start-studio.ts"
import { enter, type StudioClient } from "../studio-client.cases.ts"
import { fillRestaurant, PASSWORD, restaurant } from "../studio-data.cases.ts"
import { redisForSuite } from "../../../driver/redis-for-suite.cases.ts"

const CANARY = "canary-token-77"
const token = id("token")
const plain = keyspace(
  {
    page: string("page:{id}", text),
    session: string("session:{token}", text, { params: { token: secret(text) } }),
    tags: set("tags:{page}", text),
    login: map("login:", token, text),
    cart: map("cart:{id}", text, text),
    recent: zset("recent:", token),
  },
  { ttl: "never", name: "plain", invariants: [sameIds(token, ["login", "recent"])] },
)

describe.runIf(needs("redis-server"))("the console", { timeout: 60_000 }, () => {
  const suite = redisForSuite()
  let [reading, writing]: RunningStudio[] = []
  let [reader, writer]: StudioClient[] = []
  beforeAll(async () => {
    const systems = [
      { keyspace: plain as unknown as Keyspace, server: `${suite.redis.url}/1` },
      { keyspace: restaurant, server: suite.redis.url },
    ]
    await fillRestaurant(suite.redis.url)
    reading = await startStudio({ systems })
    writing = await startStudio({ systems, write: true })
    ;[reader, writer] = [await enter(reading), await enter(writing)]
  }, 60_000)
  afterAll(async () => {
    await Promise.all([reading?.close(), writing?.close()])
  })
  const one = async (): Promise<Driver> => suite.driver.database(1)
  beforeEach(async () => {
    const db = await one()
    await db.send(["FLUSHDB"])
    await db.batch([
      ["SET", "page:1", "<b>hello</b>"],
      ["SADD", "tags:1", "a", "b"],
      ["SET", `session:${CANARY}`, "ann"],
      ["HSET", "login:", "T1", "ann"],
      ["ZADD", "recent:", "1", "T1"],
      ["SET", "stray", CANARY],
    ])
  })
  afterEach(async () => expect(await (await one()).send(["CONFIG", "GET", "maxmemory"])).toBeTruthy())

  const given = (line: string, more: object = {}) => ({ system: "plain", body: { db: 1, line, ...more } })
  const run = (line: string, page = reader!): Promise<ConsoleAnswer> =>
    page.call("POST /api/systems/:system/console", given(line))
  const refused = (line: string, page = reader!) => page.refused("POST /api/systems/:system/console", given(line))
  const replyOf = async (line: string): Promise<ConsoleReply> => {
    const answer = await run(line)
    if (answer.outcome !== "done") throw new Error(JSON.stringify(answer))
    return answer.reply
  }

  it("reads, as text and never as anything else", async () => {
    expect(await replyOf("get page:1")).toEqual({ is: "text", text: "<b>hello</b>", cut: false })
    expect(await replyOf("STRLEN page:1")).toEqual({ is: "number", text: "12" })
    expect(await replyOf("GET page:none")).toEqual({ is: "nil" })
    expect(await replyOf('GET "page:1"')).toMatchObject({ text: "<b>hello</b>" })
    const tags = await replyOf("SMEMBERS tags:1")
    expect(tags.is === "list" && tags.items.map((item) => item.is === "text" && item.text).toSorted()).toEqual([
      "a",
      "b",
    ])
    expect(await refused("HGETALL page:1")).toMatchObject({ status: 409, message: expect.stringMatching(/WRONGTYPE/i) })
  })

  it("sends words, whatever is in them", async () => {
    expect(await replyOf('STRLEN "page:1\\r\\nFLUSHALL"')).toEqual({ is: "number", text: "0" })
    expect(await (await one()).send(["EXISTS", "page:1"])).toBe(1)
  })

  it.each([
    "CONFIG GET requirepass",
    "FLUSHALL",
    "EVAL 'return 1' 0",
    "SHUTDOWN",
    "MONITOR",
    "BLPOP page:1 0",
    "DEBUG SLEEP 9",
  ])("refuses %s, with --write too", async (line) => {
    for (const page of [reader!, writer!])
      expect(await refused(line, page)).toMatchObject({ status: 403, code: "CONSOLE.REFUSED", why: expect.any(String) })
  })

  it.each(["SET page:1 x", "DEL page:1", "EXPIRE page:1 1", "SADD tags:1 c", "GETDEL page:1", "GETEX page:1 EX 1"])(
    "%s needs --write, and then a confirmation of exactly these words",
    async (line) => {
      expect(await refused(line)).toMatchObject({ status: 403, code: "STUDIO.READ_ONLY" })
      const db = await one()
      const before = await db.batch([
        ["GET", "page:1"],
        ["TTL", "page:1"],
        ["SCARD", "tags:1"],
      ])
      const asked = await run(line, writer)
      expect(asked).toMatchObject({ outcome: "confirm", keys: [{ db: 1 }] })
      const confirm = asked.outcome === "confirm" ? asked.confirm : ""
      const other = await writer!.refused(
        "POST /api/systems/:system/console",
        given(`${line} `.replace("1", "2"), { confirm }),
      )
      expect(other).toMatchObject({ code: "STUDIO.NOT_CONFIRMED" })
      const now = () =>
        db.batch([
          ["GET", "page:1"],
          ["TTL", "page:1"],
          ["SCARD", "tags:1"],
        ])
      expect(await now()).toEqual(before)
      const done = await writer!.call("POST /api/systems/:system/console", given(line, { confirm }))
      expect(done).toMatchObject({ outcome: "done", access: "write" })
      expect(await now()).not.toEqual(before)
    },
  )

  it("notes what was written, without the value", async () => {
    const asked = await run("SET page:1 canary-value", writer)
    await writer!.call(
      "POST /api/systems/:system/console",
      given("SET page:1 canary-value", { confirm: (asked as { confirm: string }).confirm }),
    )
    const { entries } = await writer!.call("GET /api/log")
    expect(entries[0]).toMatchObject({ what: "console", text: "SET page:1", ok: true })
    expect(JSON.stringify(entries)).not.toContain("canary-value")
  })

  it("leaves what the schema keeps together to the editor", async () => {
    for (const line of ["HSET login: T2 bob", "ZADD recent: 2 T2", "DEL recent:", "RENAME page:1 login:"])
      expect(await run(line, writer)).toMatchObject({ outcome: "editor" })
    for (const line of ["SET dish:7 x", "SADD dish:index:category:1 9", "DEL dish:7", "INCR dish:counter"]) {
      const answer = await writer!.call("POST /api/systems/:system/console", {
        system: "restaurant",
        body: { db: 0, line },
      })
      expect(answer).toMatchObject({ outcome: "editor", keys: [{ db: 0, key: expect.stringContaining("dish") }] })
    }
    expect(await suite.driver.send(["EXISTS", "dish:7"])).toBe(1)
  })

  it("writes no key that no pattern owns, but removes one", async () => {
    expect(await refused("SET other:1 x", writer)).toMatchObject({ code: "CONSOLE.UNOWNED" })
    expect(await refused("COPY page:1 other:1", writer)).toMatchObject({ code: "CONSOLE.UNOWNED" })
    expect(await run("UNLINK stray", writer)).toMatchObject({ outcome: "confirm" })
  })

  it("keeps secrets: no value, no copy, no prefix that could be tried", async () => {
    const lines = [`GET session:${CANARY}`, "GET stray", "GETRANGE stray 0 0", "MGET page:1 stray", "GETBIT stray 1"]
    for (const line of lines) {
      const failure = await refused(line)
      expect(failure).toMatchObject({ status: 403, code: "CONSOLE.SECRET" })
      expect(JSON.stringify(failure)).not.toContain("canary")
    }
    for (const line of [`RENAME session:${CANARY} page:9`, "COPY stray page:9", `GETDEL session:${CANARY}`])
      expect(await refused(line, writer)).toMatchObject({ status: 403 })
    const user = { system: "restaurant", body: { db: 0, line: "GET user:1" } }
    const failure = await reader!.refused("POST /api/systems/:system/console", user)
    expect([failure.code, JSON.stringify(failure).includes(PASSWORD)]).toEqual(["CONSOLE.SECRET", false])
    expect(await replyOf(`TTL session:${CANARY}`)).toEqual({ is: "number", text: "-1" })
    const all = JSON.stringify(await replyOf("SCAN 0 COUNT 100"))
    expect(all).toContain("session:…")
    expect(all).not.toContain("canary")
    const found = JSON.stringify(await replyOf("SCAN 0 MATCH session:canary* COUNT 100"))
    expect(found).not.toContain("session")
    expect(JSON.stringify(await replyOf("SCAN 0 MATCH page:* COUNT 100"))).toContain("page:1")
  })

  it("does not take a large key at once", async () => {
    await (await one()).send(["SET", "page:big", "x".repeat(5_000_000)])
    expect(await refused("GET page:big")).toMatchObject({ status: 409, code: "CONSOLE.TOO_LARGE" })
    expect(await refused("DEL page:big", writer)).toMatchObject({ code: "CONSOLE.TOO_LARGE" })
    expect(await run("UNLINK page:big", writer)).toMatchObject({ outcome: "confirm" })
  })

  it("does not have one large field sent many times over", async () => {
    await (await one()).send(["HSET", "cart:1", "a", "1", "b", "2"])
    expect(await run("HMGET cart:1 a b")).toMatchObject({ outcome: "done" })
    expect(await refused(`HMGET cart:1${" a".repeat(1000)}`)).toMatchObject({ code: "CONSOLE.SYNTAX" })
  })

  it("completes commands, subcommands, patterns and parameters, but no secret", async () => {
    const overview = () => reader!.call("GET /api/systems/:system/overview", { system: "plain" })
    await reader!.call("POST /api/systems/:system/scan", { system: "plain" })
    await vi.waitFor(
      async () => expect((await overview()).databases[0]?.patterns.find(({ name }) => name === "page")?.keys).toBe(1),
      {
        timeout: 30_000,
      },
    )
    const complete = async (line: string) => {
      const body = { db: 1, line }
      const { options, command } = await reader!.call("POST /api/systems/:system/console/complete", {
        system: "plain",
        body,
      })
      return [options.map(({ text }) => text), command?.name] as const
    }
    expect((await complete("hge"))[0]).toEqual(["HGET", "HGETALL"])
    expect((await complete("OBJECT e"))[0]).toEqual(["ENCODING"])
    expect(await complete("GET pa")).toEqual([["page:"], "GET"])
    expect(await complete("GET page:")).toEqual([["page:1"], "GET"])
    expect((await complete(`GET session:can`))[0]).toEqual([])
    expect((await complete("SET page:1 pa"))[0]).toEqual([])
    expect((await complete("CONFIG "))[0]).toEqual([])
  })
})
