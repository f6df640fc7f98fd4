/* infer from end to end: a server, its file, a replica, a cluster, several databases. */

import { join } from "node:path"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { startRedis } from "../../../../../test/real-redis.ts"
import type { Command } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { day } from "../../schema/codec/date.ts"
import { text } from "../../schema/codec/text.ts"
import { hash, list, string } from "../../schema/define.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { keyspace, type Keyspace } from "../../schema/keyspace.ts"
import { audit } from "../audit/audit.ts"
import { inferSource } from "../../render/source/infer-source.ts"
import { infer, type Inference } from "./infer.ts"
import { oddities } from "./oddities.cases.ts"
import { kept, ordered } from "./structure/structure.cases.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

const shop: readonly Command[] = numbers(40).flatMap((n): Command[] => [
  ["SET", `user:${n}`, JSON.stringify({ id: n, email: `u${n}@example.com`, roleId: 1 + (n % 4), password: "x" })],
  ["SADD", "user:list", String(n)],
  ["SET", `user:index:email:u${n}@example.com`, String(n)],
  ["SADD", `role:${1 + (n % 4)}:users`, String(n)],
  ["HSET", `session:${(n * 7919).toString(16).padStart(32, "a1")}`, "user", String(n), "at", String(1_760_000_000 + n)],
  ["EXPIRE", `session:${(n * 7919).toString(16).padStart(32, "a1")}`, String(3000 + n)],
])

const shown = ({ patterns }: Inference): string[] => patterns.map(({ pattern, type }) => `${pattern} ${type}`).sort()

describe.runIf(needs("redis-server"))("infer", { timeout: 60_000 }, () => {
  const suite = redisForSuite({ args: ["--repl-diskless-sync-delay", "0"] })
  beforeEach(() => suite.driver.send(["FLUSHALL"]))
  const fill = async (commands: readonly Command[], db = 0) =>
    void (await (await suite.driver.database(db)).batch(commands))

  it("finds an entity with its list, its unique index and its set index", async () => {
    await fill([...shop, ["SET", "user:counter", "40"]])
    const { form, keys, explained, unexplained } = await infer(suite.driver)
    expect([keys, explained, unexplained]).toEqual([keys, keys, []])
    expect(form.entries["user"]).toMatchObject({
      kind: "entity",
      pattern: "user:{id}",
      all: "user:list",
      counter: "user:counter",
      unique: { email: { patterns: ["user:index:email:{email}"] } },
      index: { role: { patterns: ["role:{roleId}:users"] } },
      secret: ["password"],
    })
    expect(form.entries["session"]).toMatchObject({ kind: "hash" })
    expect((await audit(fromJson(form), suite.driver)).summary).toEqual({})
  })

  it("finds ids that are held in quotes: in lists, indexes and plain keys; counters and keys have none", async () => {
    const held = shop.map((command): Command => {
      const isHeld = command[0] === "SADD" || String(command[1]).startsWith("user:index:")
      return isHeld ? [...command.slice(0, -1), `"${String(command.at(-1))}"`] : command
    })
    const queue = numbers(9).map((n): Command => ["RPUSH", "mail:queue", `"mail-${n}@example.com"`])
    await fill([...held, ...queue, ["SET", "user:counter", "40"], ["SADD", "mixed", '"a"', "b", "c"]])
    const inference = await infer(suite.driver)
    const { form, keys, explained } = inference
    expect(explained).toBe(keys)
    expect(form.entries["user"]).toMatchObject({
      quoted: true,
      counter: "user:counter",
      all: "user:list",
      unique: { email: { patterns: ["user:index:email:{email}"] } },
      index: { role: { patterns: ["role:{roleId}:users"] } },
    })
    expect(form.entries["mailQueue"]).toMatchObject({ shape: { item: { codec: "quoted", of: { codec: "text" } } } })
    expect(form.entries["mixed"]).toMatchObject({ shape: { member: { codec: "text" } } })
    expect(inferSource(inference, { day: "2026-01-01" })).toContain("quoted: true")
    expect((await audit(fromJson(form), suite.driver)).summary).toEqual({})
  })

  it("finds ordered indexes, and those of some records only", async () => {
    await fill(ordered)
    const { form } = await infer(suite.driver)
    expect(form.entries["task"]).toMatchObject({
      index: {
        byAt: { patterns: ["task:newest"], score: "at" },
        teamByWeight: { patterns: ["task:heavy:{team}"], score: "weight" },
        open: { patterns: ["task:open"], where: { state: "open" } },
        team: { patterns: ["team:{team}:done"], where: { state: "done" } },
      },
    })
    expect(form.entries["taskVotes"]).toMatchObject({ kind: "zset" })
    expect(form.entries["person"]).toMatchObject({
      index: { byRank: { score: "rank" }, bySince: { score: "since" } },
    })
    expect((await audit(fromJson(form), suite.driver)).summary).toEqual({})
    const source = inferSource(await infer(suite.driver), { day: "2026-01-01" })
    expect(source).toContain('byAt: { patterns: "task:newest", score: "at" }')
    expect(source).toContain('where: { state: "open" }')
  })

  it("finds what is trimmed, stamped, numbered by UUIDs, and what marks a family", async () => {
    await fill(kept())
    const { form } = await infer(suite.driver)
    expect(form.entries["note"]).toMatchObject({ ids: "uuid", all: "note:all", stamps: ["createdAt", "updatedAt"] })
    expect(form.entries["feed"]).toMatchObject({ kind: "list", keep: 20 })
    expect(form.entries["steps"]).not.toHaveProperty("keep")
    expect(form.entries["room"]).toMatchObject({ group: "family", marker: "info" })
    expect((await audit(fromJson(form), suite.driver)).summary).toEqual({})
  })

  it("finds entities that expire, and leaves those plain of which only some do", async () => {
    const some = (name: string, ttl: (n: number) => string[]) =>
      numbers(20).flatMap((n) => [
        ["SET", `${name}:${n}`, JSON.stringify({ id: n, owner: `o${n % 3}` }), ...ttl(n)],
        ["SADD", `${name}:list`, String(n)],
      ])
    await fill([
      ...some("order", () => []),
      ...some("offer", () => ["PX", "3000000"]),
      ...some("draft", (n) => (n % 2 ? ["PX", "3000000"] : [])),
    ])
    const { form } = await infer(suite.driver)
    expect(form.entries).toMatchObject({
      order: { kind: "entity" },
      offer: { kind: "entity", ttl: "1h" },
      draft: { kind: "string" },
    })
    expect((await audit(fromJson(form), suite.driver)).summary).toEqual({})
  })

  it("relates entities in a database among others, also to documents that nothing else belongs to", async () => {
    await fill([
      ...numbers(12).flatMap((n): Command[] => [
        ["SET", `order:${n}`, JSON.stringify({ id: n, userId: 101 + (n % 4), shopId: 7001 + (n % 5) })],
        ["SADD", "order:list", String(n)],
        ["SADD", `user:${101 + (n % 4)}:orders`, String(n)],
      ]),
      ...numbers(4).flatMap((n): Command[] => [
        ["SET", `user:${100 + n}`, JSON.stringify({ id: 100 + n, name: `User ${n}` })],
        ["SADD", "user:list", String(100 + n)],
      ]),
      ...numbers(5).map((n) => ["SET", `shop:${7000 + n}`, JSON.stringify({ id: 7000 + n, title: `Shop ${n}` })]),
    ])
    await fill([["SET", "hits", "7"]], 4)
    const { form } = await infer(suite.driver)
    expect(form.relations).toEqual({
      "db0.order": {
        user: { one: "db0.user", from: "userId", inverse: "orders" },
        shop: { one: "db0.shop", from: "shopId" },
      },
    })
    expect((await audit(fromJson(form), suite.driver)).summary).toEqual({})
  })

  it("counts Keywright's own keys apart, and learns from those that only look like them", async () => {
    await fill([
      ...shop,
      ["SET", "keywright:op:7b1f", "x", "PX", "50000"],
      ["SET", "keywright:lease:sweep", "me", "PX", "900000"],
      ["LPUSH", "keywright:lease:other", "a list"],
      ...numbers(6).map((n) => ["SET", `keywright:app:seen:${n}`, "x"]),
    ])
    const { form, toolkit, patterns, unexplained } = await infer(suite.driver)
    expect(toolkit.map(({ pattern, keys }) => [pattern, keys]).sort()).toEqual([
      ["keywright:lease:{job}", 1],
      ["keywright:op:{operation}", 1],
    ])
    const own = patterns.map(({ pattern }) => pattern).filter((pattern) => pattern.startsWith("keywright:"))
    expect(own.sort()).toEqual(["keywright:app:seen:{seen}", "keywright:lease:other"])
    expect(unexplained).toEqual([])
    expect((await audit(fromJson(form), suite.driver)).summary).toEqual({})
  })

  it("describes the entries of streams", async () => {
    const fields = (n: number) => ["kind", n % 2 ? "view" : "buy", "user", String(n), ...(n % 3 ? ["note", "x"] : [])]
    await fill(numbers(240).map((n) => ["XADD", `events:${n % 3}`, "*", ...fields(n)]))
    const { form } = await infer(suite.driver)
    expect(form.entries["events"]).toMatchObject({
      kind: "stream",
      shape: { fields: { kind: { codec: "oneOf", values: ["buy", "view"] }, note: { codec: "optional" } } },
    })
    expect((await audit(fromJson(form), suite.driver)).summary).toEqual({})
  })

  it("does not take for an index what is out of step with the records", async () => {
    await fill([...shop, ...numbers(20).map((n) => ["SET", `user:index:email:u${n}@example.com`, String(n + 1)])])
    const { form } = await infer(suite.driver)
    expect(form.entries["user"]).not.toHaveProperty("unique")
  })

  it("says of a file what it says of the server", async () => {
    await fill(shop)
    await fill(oddities, 3)
    await suite.driver.send(["SAVE"])
    const [live, file] = [await infer(suite.driver), await infer({ rdb: join(suite.redis.directory, "dump.rdb") })]
    expect(shown(file)).toEqual(shown(live))
    expect(file.form).toEqual(live.form)
    expect(file.server).toEqual({ rdb: join(suite.redis.directory, "dump.rdb") })
  })

  it("says the same of long values, long collections and long streams", async () => {
    const random = (n: number, size: number) =>
      Buffer.from(Array.from({ length: size }, (_, i) => (i * 31 + n * 7) % 251))
    const long = (n: number, size: number) =>
      JSON.stringify({ n, rows: Array.from({ length: size }, (_, i) => `é ${i}`) })
    await fill([
      ...numbers(6).flatMap((n): string[][] => [
        ["SET", `page:${n}`, long(n, 3000)],
        ["SET", `huge:${n}`, long(n, 150_000)],
        ["SADD", `fans:${n}`, ...numbers(700).map((i) => `fan-${i}`)],
        ["RPUSH", `feed:${n}`, ...numbers(700).map((i) => String(i))],
        ["ZADD", `board:${n}`, ...numbers(700).flatMap((i) => [String(i / 10), `player ${i}`])],
        ["XADD", `wide:${n}`, "*", "body", "x".repeat(20_000), "n", "1"],
      ]),
      ...numbers(900).map((n) => ["XADD", `long:${n % 2}`, "*", "at", String(n), ...(n < 850 ? ["kind", "a"] : [])]),
      ["XADD", "long:0", "*", "at", "1"],
      ["XGROUP", "CREATE", "long:0", "readers", "0"],
      ["XREADGROUP", "GROUP", "readers", "ann", "COUNT", "300", "STREAMS", "long:0", ">"],
    ])
    await suite.driver.batch(
      numbers(6).flatMap((n): Command[] => [
        ["SET", `noise:${n}`, random(n, 50_000)],
        ["SET", `film:${n}`, random(n, 1_500_000)],
        ["SET", `note:${n}`, Buffer.from(`${"é".repeat(8192)}${"x".repeat(n)}`)],
      ]),
    )
    await suite.driver.send(["SAVE"])
    const [live, file] = [await infer(suite.driver), await infer({ rdb: join(suite.redis.directory, "dump.rdb") })]
    expect(shown(file)).toEqual(shown(live))
    expect(file.form).toEqual(live.form)
    const { fields } = (file.form.entries["long"] as unknown as { shape: { fields: object } }).shape
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(["at"]))
    expect((await audit(fromJson(file.form), suite.driver)).summary).toEqual({})
  })

  it("lists a stray key, and does not declare it", async () => {
    await fill([...numbers(120).map((n) => ["SET", `page:${n}`, `text ${n}`]), ["SET", "foo:bar", "baz"]])
    const { form, unexplained } = await infer(suite.driver)
    expect(Object.keys(form.entries)).toEqual(["page"])
    expect(unexplained).toMatchObject([{ reason: "no pattern", pattern: "foo:bar", keys: 1 }])
  })

  it("says of an old file when keys would have gone away", async () => {
    await fill(numbers(9).map((n) => ["SET", `b:${n}`, "x", "PX", String(299_000 - n)]))
    await suite.driver.send(["SAVE"])
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 })
    try {
      const { patterns, keys } = await infer({ rdb: join(suite.redis.directory, "dump.rdb") })
      expect(keys).toBe(9)
      expect(patterns).toMatchObject([{ ttl: { class: "fixed", rule: "5m" } }])
    } finally {
      vi.useRealTimers()
    }
  })

  it("looks at all databases that have keys, or at those that are named", async () => {
    await fill(shop)
    await fill(
      [
        ["LPUSH", "log-2026-01-01", "10.0.0.1#a#b"],
        ["LPUSH", "log-2026-01-02", "10.0.0.1#a#b"],
      ],
      5,
    )
    const all = await infer(suite.driver)
    expect(Object.keys(all.form.entries)).toEqual(["db0", "db5"])
    expect(all.form.entries["db5"]).toMatchObject({ group: "database", db: 5 })
    expect((await audit(fromJson(all.form), suite.driver)).summary).toEqual({})
    const one = await infer(suite.driver, { databases: [5] })
    expect(shown(one)).toEqual(["log-{day} list"])
  })

  it("reads a replica, which takes no writes", async () => {
    await fill(shop)
    const replica = await startRedis({ args: ["--replicaof", "127.0.0.1", String(suite.redis.port)] })
    const reader = openResp(replica.url)
    try {
      await expect
        .poll(() => reader.send(["DBSIZE"]), { timeout: 20_000 })
        .toBe(Number(await suite.driver.send(["DBSIZE"])))
      const { server, ...found } = await infer(reader)
      expect(server).toMatchObject({ role: "replica" })
      expect(found.form).toEqual((await infer(suite.driver)).form)
    } finally {
      await reader.close()
      await replica.stop()
    }
  })

  it("tells TTLs apart: none, some, mixed", async () => {
    await fill([
      ...numbers(9).map((n) => ["SET", `a:${n}`, "x"]),
      ...numbers(9).map((n) => ["SET", `b:${n}`, "x", "PX", String(299_000 - n)]),
      ...numbers(9).map((n) => (n % 3 ? ["SET", `c:${n}`, "x", "PX", String(29_000 - n)] : ["SET", `c:${n}`, "x"])),
    ])
    const { patterns } = await infer(suite.driver)
    const ttls = Object.fromEntries(patterns.map(({ pattern, ttl }) => [pattern[0], [ttl.class, ttl.rule]]))
    expect(ttls).toEqual({ a: ["none", undefined], b: ["fixed", "5m"], c: ["mixed", { either: ["30s", "never"] }] })
  })

  it("reports keys of another type than most of their pattern, and audit says the same", async () => {
    await fill([...numbers(60).map((n) => ["SET", `page:${n}`, "x"]), ["LPUSH", "page:61", "x"]])
    const { unexplained, explained, keys, form } = await infer(suite.driver)
    expect(unexplained).toMatchObject([{ reason: "another type", pattern: "page:{page}", keys: 1, type: "list" }])
    expect([explained, keys]).toEqual([60, 61])
    expect((await audit(fromJson(form), suite.driver)).summary).toEqual({ "KEY.TYPE": 1 })
  })

  it("shows what a given schema lacks", async () => {
    await fill([
      ...numbers(9).map((n) => ["HSET", `user:${n}`, "name", "x", "age", "7"]),
      ...numbers(9).map((n) => ["LPUSH", `log-2026-01-0${n}`, "x"]),
      ...numbers(9).map((n) => ["SET", `cache:${n}`, "x", "EX", "50"]),
      ...numbers(9).map((n) => ["SADD", `tag:${n}`, "x"]),
    ])
    const given = keyspace(
      {
        user: hash("user:{id}", { name: text }),
        log: string("log-{day}", text, { params: { day } }),
        cache: string("cache:{id}", text),
        empty: list("empty:{id}", text),
      },
      { ttl: "never" },
    ) as unknown as Keyspace
    const { lacks, form } = await infer(suite.driver, { against: given })
    expect(lacks?.map(({ what, name, pattern }) => [what, name ?? pattern]).sort()).toEqual([
      ["fields", "user"],
      ["keys", "empty"],
      ["pattern", "tag:{tag}"],
      ["ttl", "cache"],
      ["type", "log"],
    ])
    expect(Object.keys(form.entries)).toEqual(["tag"])
  })

  it("takes a sample, and says so", async () => {
    await fill(numbers(2000).map((n) => ["SET", `page:${n}`, "x"]))
    const { sample, keys } = await infer(suite.driver, { sample: 0.2 })
    expect(sample).toBe(0.2)
    expect(keys).toBeGreaterThan(200)
    expect(keys).toBeLessThan(800)
  })

  it("learns what comes late, and keeps counting when nothing is alike", async () => {
    await fill(numbers(7000).map((n) => ["SET", `early:${n}`, "x"]))
    await fill(numbers(50).map((n) => ["SET", `late:${n}:x`, "x"]))
    const { patterns, keys } = await infer(suite.driver)
    expect(keys).toBe(7050)
    expect(patterns.map(({ pattern, keys: count }) => [pattern, count])).toEqual([
      ["early:{early}", 7000],
      ["late:{late}:x", 50],
    ])
  })

  it("stops when it is told to, with what it has", async () => {
    await fill(numbers(3000).map((n) => ["SET", `page:${n}`, "x"]))
    const stopping = new AbortController()
    const work = infer(suite.driver, {
      signal: stopping.signal,
      onProgress: () => stopping.abort(new Error("enough")),
      rate: 5000,
    })
    const error = (await work.catch((reason: unknown) => reason)) as { code: string; partial: Inference }
    expect(error.code).toBe("INSPECT.INTERRUPTED")
    expect(error.partial.patterns[0]!.pattern).toBe("page:{page}")
  })

  it("finds nothing on an empty server", async () => {
    const { keys, form, patterns } = await infer(suite.driver)
    expect([keys, patterns, Object.keys(form.entries)]).toEqual([0, [], []])
  })
})
