import { describe, expect, it } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import { startRedis } from "../../../../../test/real-redis.ts"
import { onAnyServer } from "../../client/servers.cases.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { Interrupted } from "../../errors/inspect.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { audit, type AuditResult } from "./audit.ts"
import { bistro, fillBistro, openBistro } from "./bistro.cases.ts"
import { either, hash, id, int, keyspace, list, map, optional, set, string, text, zset } from "../../index.ts"
import { expectClean } from "./expect-clean.ts"
import { fillPlaza, plaza } from "./plaza.cases.ts"
import type { AuditRule, RuleContext } from "./rules.ts"

const schema = plaza as unknown as Keyspace

onAnyServer("an audit under trouble", (server) => {
  it("reads a set of very many members, in parts", async () => {
    const { driver } = server()
    const count = isFull ? 1_000_000 : 30_000
    for (let at = 0; at < count; at += 10_000) {
      const rows = Array.from({ length: 10_000 }, (_, i) => `r${at + i}`)
      await driver.batch([
        ["SADD", "schedule:", ...rows],
        ["ZADD", "delay:", ...rows.flatMap((row) => ["1", row])],
      ])
    }
    await driver.batch([
      ["SREM", "schedule:", "r17"],
      ["SADD", "schedule:", "more"],
    ])
    const { summary } = await audit(schema, driver)
    await driver.send(["UNLINK", "schedule:", "delay:"])
    expect(summary).toEqual({ "SAME.MISSING": 1, "SAME.EXTRA": 1 })
  })

  it("passes over keys that vanish while it reads", async () => {
    const { driver } = server()
    await fillPlaza(driver, 60)
    let vanished = 0
    const { findings } = await audit(schema, driver, {
      page: 20,
      onProgress: () => {
        void driver.send(["UNLINK", `cache:${++vanished}`, `basket:${vanished}`, `events:${vanished}`])
      },
    })
    expect(findings).toEqual([])
  })

  it("reads values as long as it is told to", async () => {
    const { driver } = server()
    await driver.batch([
      ["SETRANGE", "cache:1", "3000000", "x"],
      ["PEXPIRE", "cache:1", "1000"],
      ["SET", "hits:1", "x"],
    ])
    expect((await audit(schema, driver, { valueBytes: 1_000_000, match: "cache:*" })).summary).toEqual({
      "VALUE.TOO_LARGE": 1,
    })
    expect((await audit(schema, driver, { match: "cache:*" })).summary).toEqual({})
  })

  it("keeps as many findings as it is told to, and counts all", async () => {
    const { driver } = server()
    for (let i = 0; i < 50; i++) await driver.send(["SET", `odd:${i}`, "1"])
    const told: string[] = []
    const { findings, summary } = await audit(schema, driver, { limit: 10, onFinding: ({ key }) => told.push(key) })
    expect([findings.length, told.length]).toEqual([10, 50])
    expect(summary).toEqual({ "KEY.UNKNOWN": 50 })
  })

  it("keeps the findings that it is told to, however many others there are", async () => {
    const { driver } = server()
    for (let i = 0; i < 30; i++) await driver.send(["SET", `odd:${i}`, "1"])
    await driver.send(["SADD", "t:p0:OnSub", "ghost"])
    const { findings, summary } = await audit(schema, driver, { limit: 10, keep: ({ fixable }) => fixable })
    expect(findings.map(({ code }) => code)).toEqual(["REFERS.DANGLING"])
    expect(summary).toEqual({ "KEY.UNKNOWN": 30, "REFERS.DANGLING": 1 })
  })

  it("asks the application's own rules, and what it accepts", async () => {
    const db = await openBistro(server().target)
    await fillBistro(db, 12)
    await server().raw("SET", "user:index:email:first@example.com", "1")
    const { summary, findings } = await audit(bistro as unknown as Keyspace, server().driver, {
      rules: [
        {
          code: "DISH.CHEAP",
          of: "dish",
          check: ({ price }: { price: number }) =>
            price < 3
              ? { expected: "a price of 3 or more", found: String(price), place: { field: "price" } }
              : undefined,
        },
        {
          code: "CATEGORY.FULL",
          of: "category",
          check: async ({ id }: { id: string }, { list }) => {
            const dishes = await list("dish", "category", { categoryId: id })
            return dishes.length === 2 ? undefined : { expected: "2 dishes", found: String(dishes.length) }
          },
        },
      ],
      accept: ({ code, key }) => code === "UNIQUE.STALE" && key.endsWith("first@example.com"),
    })
    expect(summary).toEqual({ "DISH.CHEAP": 2 })
    expect(findings[0]).toMatchObject({ pattern: "dish:{id}", place: { field: "price" }, fixable: false })
    await db.$close()
  })

  it("asks rules about the elements of collections, part by part, and what is elsewhere", async () => {
    const user = id("user")
    const shop = keyspace(
      {
        friends: list("friends:{user}", user),
        best: zset("best:{kind}", user, { score: int, params: { kind: int } }),
        kinds: map("kinds", user, int),
        barred: set("barred", user),
        ticket: hash("ticket:{user}", { from: optional(user) }, { ttl: either("30s", "never") }),
        note: string("note:{user}", text),
      },
      { params: { user }, ttl: "never" },
    )
    const { driver } = server()
    const many = Array.from({ length: 2500 }, (_, i) => `f${i}`)
    await driver.batch([
      ["RPUSH", "friends:ann", ...many, "eve"],
      ["RPUSH", "friends:bob", "ann"],
      ["SADD", "barred", "eve"],
      ["ZADD", "best:1", "5", "ann", "5", "bob", "5", "new"],
      ["ZADD", "best:01", "5", "bob"],
      ["HSET", "kinds", "ann", "1", "bob", "2"],
      ["HSET", "ticket:ann", "from", "bob"],
      ["HSET", "ticket:bob", "other", "x"],
      ["SET", "note:ann", "bob"],
      ["SET", "note:bob", "bob"],
    ])
    const rules = [
      {
        code: "FRIENDS.BARRED",
        of: "friends",
        check: async (all: readonly string[], { lookUp }: RuleContext) => {
          const barred = await lookUp("barred", all)
          const found = all.filter((_, i) => barred[i])
          return found.map((member) => ({ place: { member }, expected: "nobody who is barred", found: "one" }))
        },
      },
      {
        code: "BEST.KIND",
        of: "best",
        check: async (all: readonly { member: string; score: number }[], { lookUp, params }: RuleContext) => {
          const kinds = await lookUp(
            "kinds",
            all.map(({ member }) => member),
          )
          const odd = all.filter((_, i) => kinds[i] !== undefined && kinds[i] !== Number(params["kind"]))
          return odd.map(({ member, score }) => ({ place: { member }, expected: "its kind", found: String(score) }))
        },
      },
      {
        code: "TICKET.FIRST",
        of: "ticket",
        check: async ({ from }: { from?: string }, { ttl }: RuleContext) =>
          from === undefined && (await ttl()) === undefined ? { expected: "an end", found: "none" } : undefined,
      },
      {
        code: "NOTE.SAME",
        of: "note",
        check: async (text: string, { read }: RuleContext) =>
          text === (await read("note", { user: "ann" })) ? undefined : { expected: "that of ann", found: text },
      },
      {
        code: "TICKET.TWICE",
        of: "ticket",
        check: async ({ from }: { from?: string }, { memory, params, read }: RuleContext) => {
          if (from === undefined) return undefined
          const first = memory.get(from) as string | undefined
          memory.set(from, first ?? params["user"])
          if (first === undefined || first === params["user"]) return undefined
          const other = (await read("ticket", { user: first })) as { from?: string } | undefined
          return other?.from === from ? { expected: "one ticket from each", found: "another" } : undefined
        },
      },
      {
        code: "BARRED.FRIEND",
        of: "barred",
        check: async (all: readonly string[], { lookUp }: RuleContext) => {
          const [first, last, none] = await lookUp("friends", ["f0", "eve", "nobody"], { user: "ann" })
          return { expected: all.join(), found: [first, last, none].join() }
        },
      },
      {
        code: "NOTE.LATE",
        of: "note",
        grace: "20ms",
        // As if somebody had seen to all but one of them meanwhile.
        check: (text: string, { memory, key }: RuleContext) => {
          const isFirst = !memory.has(key)
          memory.set(key, text)
          return isFirst || key === "note:bob" ? { expected: "another", found: text } : undefined
        },
      },
      {
        code: "BARRED.SIZES",
        of: "barred",
        check: async (_: unknown, { size }: RuleContext) => {
          const sizes = await Promise.all([
            size("friends", { user: "ann" }),
            size("friends", { user: "nobody" }),
            size("friends", { user: "text" }),
            size("best", { kind: 1 }),
            size("kinds"),
            size("barred"),
            size("ticket", { user: "ann" }),
            size("note", { user: "ann" }),
          ])
          return { expected: "other sizes", found: sizes.join() }
        },
      },
    ] as readonly AuditRule[]
    await driver.send(["SET", "friends:text", "x"])
    await driver.send(["HSET", "ticket:cid", "from", "bob"])
    const look = async () => (await audit(shop as unknown as Keyspace, driver, { rules })).findings
    const twice = (await look()).filter(({ code }) => code === "TICKET.TWICE")
    expect(twice.map(({ key }) => ["ticket:ann", "ticket:cid"].includes(key))).toEqual([true])
    await driver.send(["DEL", "ticket:cid"]) // The next audit remembers nothing of it.
    const findings = await look()
    const sizes = findings.find(({ code }) => code === "BARRED.SIZES")
    expect(sizes?.found).toBe("2501,0,0,3,2,1,1,3")
    expect(findings.find(({ code }) => code === "BARRED.FRIEND")?.found).toBe("true,true,false")
    const own = findings.filter(({ code }) => rules.some((rule) => rule.code === code))
    expect(own.map(({ code, key, place }) => [code, key, place]).sort()).toEqual([
      ["BARRED.FRIEND", "barred", undefined],
      ["BARRED.SIZES", "barred", undefined],
      ["BEST.KIND", "best:1", { member: "bob" }],
      ["FRIENDS.BARRED", "friends:ann", { member: "eve" }],
      ["NOTE.LATE", "note:bob", undefined],
      ["TICKET.FIRST", "ticket:bob", undefined],
    ])
  })

  it("is one call in a test, which lists the findings", async () => {
    const db = await openBistro(server().target)
    await fillBistro(db, 5)
    await expectClean(db)
    await server().raw("SADD", "dish:list", "ghost")
    await expect(expectClean(db)).rejects.toThrow(/1 finding[\s\S]*LIST\.DANGLING {2}dish:list \(member ghost\)/)
    await db.$close()
  })
})

describe.runIf(needs("redis-server"))("an audit whose server goes away", () => {
  it("ends with a typed error and what it has found so far", async () => {
    const redis = await startRedis()
    const driver = openResp(redis.url)
    for (let i = 0; i < 4000; i++) void driver.send(["SET", `odd:${i}`, "1"])
    let found = 0
    const error: unknown = await audit(schema, driver, {
      page: 50,
      databases: [0],
      timeoutMs: 500,
      onFinding: () => {
        if (++found === 500) void redis.kill9()
      },
    }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Interrupted)
    const { partial, resume } = error as Interrupted<AuditResult>
    expect(partial!.findings.length).toBeGreaterThanOrEqual(500)
    expect(resume).toMatch(/^1\.0\.0\.\d+\.[0-9a-f]{16}$/)
    await driver.close()
    await redis.stop()
  })
})
