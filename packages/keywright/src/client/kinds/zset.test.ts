import { expect, it } from "vitest"
import { SchemaError } from "../../errors/error.ts"
import { WrongType } from "../../errors/outcome.ts"
import { bytes } from "../../schema/codec/bytes.ts"
import { unixSeconds } from "../../schema/codec/date.ts"
import { bigint, int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { zset } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { fixed, sliding } from "../../schema/ttl.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const zsets = keyspace({
  best: zset("best:{game}", text),
  posts: zset("posts", int, { score: int }),
  recent: zset("recent", text, { score: unixSeconds }),
  top: zset("top", text, { keep: 3 }),
  page: zset("page", text, { ttl: "1m", keep: 2 }),
  seen: zset("seen", text, { ttl: sliding("1m") }),
  window: zset("window", text, { ttl: fixed("1m") }),
  exact: zset("exact", text, { score: bigint }),
  blobs: zset("blobs", bytes),
})

onEveryDriver(zsets, (on) => {
  it("adds members and tells their scores", async () => {
    const best = on.db.best({ game: "go" })
    expect([await best.score("a"), await best.scores(["a"]), await best.size()]).toEqual([undefined, [undefined], 0])
    expect(await best.add("a", 1.5)).toBe(true)
    expect(await best.add("a", 2.5)).toBe(false)
    expect(
      await best.addMany([
        ["b", -1],
        ["c", Infinity],
        ["d", 0.1],
      ]),
    ).toBe(3)
    expect(await best.addMany([])).toBe(0)
    expect(await best.score("a")).toBe(2.5)
    expect(await best.scores(["d", "x", "c", "b"])).toEqual([0.1, undefined, Infinity, -1])
    expect(await best.scores([])).toEqual([])
    expect(await on.raw("ZRANGE", "best:go", "0", "-1")).toEqual(["b", "d", "a", "c"])
    expect(await best.size()).toBe(4)
  })

  it("adds on condition", async () => {
    const best = on.db.best({ game: "go" })
    expect(await best.add("a", 1, { only: "present" })).toBe(false)
    expect(await best.add("a", 5, { only: "absent" })).toBe(true)
    expect(await best.add("a", 6, { only: "absent" })).toBe(false)
    expect(await best.add("a", 4, { only: "higher" })).toBe(false)
    expect(await best.add("a", 7, { only: "higher" })).toBe(true)
    expect(await best.add("a", 8, { only: "lower" })).toBe(false)
    expect(
      await best.addMany(
        [
          ["a", 3],
          ["b", 1],
        ],
        { only: "lower" },
      ),
    ).toBe(2)
    expect(await best.score("a")).toBe(3)
  })

  it("ranges by rank, by score and by bytes", async () => {
    const posts = on.db.posts()
    await posts.addMany([
      [1, 10],
      [2, 20],
      [3, 30],
      [4, 40],
    ])
    expect(await posts.range(0, 1)).toEqual([1, 2])
    expect(await posts.range(0, 1, { reverse: true })).toEqual([4, 3])
    expect(await posts.rangeWithScores(-2, -1)).toEqual([
      [3, 30],
      [4, 40],
    ])
    expect(await posts.rangeWithScores(0, 0, { reverse: true })).toEqual([[4, 40]])
    expect(await posts.between(20, 30)).toEqual([
      [2, 20],
      [3, 30],
    ])
    expect(await posts.between({ above: 20 }, "+inf")).toEqual([
      [3, 30],
      [4, 40],
    ])
    expect(await posts.between("-inf", { below: 20 })).toEqual([[1, 10]])
    expect(await posts.between("-inf", "+inf", { reverse: true, offset: 1, limit: 2 })).toEqual([
      [3, 30],
      [2, 20],
    ])
    expect(await posts.between("-inf", "+inf", { offset: 3 })).toEqual([[4, 40]])
    expect(await posts.countBetween({ above: 10 }, 30)).toBe(2)
    expect([await posts.rank(1), await posts.reverseRank(1), await posts.rank(9)]).toEqual([0, 3, undefined])
    const best = on.db.best({ game: "lex" })
    await best.addMany(["a", "b", "c", "d"].map((name) => [name, 0] as const))
    expect(await best.betweenLex({ from: "b" }, { below: "d" })).toEqual(["b", "c"])
    expect(await best.betweenLex("-", { to: "b" }, { reverse: true })).toEqual(["b", "a"])
    expect(await best.betweenLex({ above: "b" }, "+", { limit: 1 })).toEqual(["c"])
    expect(await on.db.best({ game: "none" }).rangeWithScores(0, -1)).toEqual([])
  })

  it("takes dates as scores", async () => {
    const [early, late] = [new Date("2024-01-01T00:00:00Z"), new Date("2024-01-02T00:00:00Z")]
    const recent = on.db.recent()
    await recent.add("a", early)
    await recent.add("b", late)
    expect(await on.raw("ZSCORE", "recent", "a")).toBe("1704067200")
    expect(await recent.score("a")).toEqual(early)
    expect(await recent.between("-inf", early)).toEqual([["a", early]])
    expect(await recent.between({ above: early }, late)).toEqual([["b", late]])
    expect(await recent.increment("a", 3600)).toEqual(new Date("2024-01-01T01:00:00Z"))
  })

  it("increments and removes, once with an operation id", async () => {
    const best = on.db.best({ game: "go" })
    expect(await best.increment("a")).toBe(1)
    expect(await best.increment("a", 0.1)).toBe(1.1)
    for (let i = 0; i < 2; i++) expect(await best.increment("a", 0.2, { operationId: "a" })).toBe(1.3)
    await best.addMany([
      ["b", 2],
      ["c", 3],
      ["d", 4],
      ["e", 5],
    ])
    expect(await best.remove("a", "x")).toBe(1)
    expect(await best.remove()).toBe(0)
    for (let i = 0; i < 2; i++) expect(await best.removeMany(["b"], { operationId: "b" })).toBe(1)
    for (let i = 0; i < 2; i++) expect(await best.removeBetween(3, 3, { operationId: "c" })).toBe(1)
    for (let i = 0; i < 2; i++) expect(await best.removeRange(0, 0, { operationId: "d" })).toBe(1)
    expect(await best.range(0, -1)).toEqual(["e"])
    await best.replace([
      ["x", 1],
      ["y", 2],
    ])
    expect(await best.range(0, -1)).toEqual(["x", "y"])
    await best.replace([])
    expect(await best.exists()).toBe(false)
  })

  it("pops the lowest and the highest", async () => {
    const posts = on.db.posts()
    expect([await posts.popMin(), await posts.popMax(), await posts.popMinMany(2)]).toEqual([undefined, undefined, []])
    await posts.addMany([
      [1, 10],
      [2, 20],
      [3, 30],
      [4, 40],
      [5, 50],
    ])
    expect(await posts.popMin()).toEqual([1, 10])
    expect(await posts.popMax()).toEqual([5, 50])
    for (let i = 0; i < 2; i++)
      expect(await posts.popMaxMany(2, { operationId: "a" })).toEqual([
        [4, 40],
        [3, 30],
      ])
    for (let i = 0; i < 2; i++) expect(await posts.popMin({ operationId: "b" })).toEqual([2, 20])
    for (let i = 0; i < 2; i++) expect(await posts.popMin({ operationId: "c" })).toBeUndefined()
  })

  it("keeps the highest scores only, in the same step", async () => {
    const top = on.db.top()
    for (const [i, name] of ["a", "b", "c", "d"].entries()) await top.add(name, i)
    expect(await top.range(0, -1)).toEqual(["b", "c", "d"])
    await top.addMany([
      ["e", 9],
      ["f", 8],
    ])
    expect(await top.range(0, -1)).toEqual(["d", "f", "e"])
    await top.increment("g", 100)
    expect(await top.range(0, -1)).toEqual(["f", "e", "g"])
    for (let i = 0; i < 2; i++) expect(await top.increment("h", 50, { operationId: "a" })).toBe(50)
    expect(await top.range(0, -1)).toEqual(["e", "h", "g"])
    await top.replace([
      ["a", 1],
      ["b", 2],
      ["c", 3],
      ["d", 4],
    ])
    expect(await top.range(0, -1)).toEqual(["b", "c", "d"])
  })

  it("walks members and scores in pages, each once", async () => {
    const posts = on.db.posts()
    await posts.addMany(Array.from({ length: 2000 }, (_, i) => [i, i * 2] as const))
    const found = new Map<number, number>()
    for await (const [member, score] of posts.scan({ pageSize: 100 })) {
      expect(found.has(member)).toBe(false)
      found.set(member, score)
    }
    expect([found.size, found.get(999)]).toEqual([2000, 1998])
  })

  it("keeps bytes as members, beside scores", async () => {
    const raw = Uint8Array.from({ length: 256 }, (_, i) => i)
    const blobs = on.db.blobs()
    await blobs.add(raw, 0.5)
    expect(await blobs.score(raw)).toBe(0.5)
    const plain = (entries: [Uint8Array, number][]) =>
      entries.map(([member, score]) => [Uint8Array.from(member), score])
    expect(plain(await blobs.rangeWithScores(0, -1))).toEqual([[raw, 0.5]])
    expect(plain(await blobs.between(0, 1))).toEqual([[raw, 0.5]])
    expect((await blobs.betweenLex({ from: raw }, "+")).length).toBe(1)
    for await (const [member, score] of blobs.scan()) expect([Uint8Array.from(member), score]).toEqual([raw, 0.5])
    expect(plain(await blobs.popMaxMany(1))).toEqual([[raw, 0.5]])
  })

  it("follows the TTL of the schema", async () => {
    const page = on.db.page()
    await page.addMany([
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ])
    expect(await page.range(0, -1)).toEqual(["b", "c"])
    await on.raw("PEXPIRE", "page", "1000")
    await page.range(0, -1)
    expect(await page.ttl()).toBeLessThanOrEqual(1000)
    await page.remove("b")
    expect(await page.ttl()).toBeGreaterThan(59_000)
    await on.db.seen().add("a", 1)
    await on.raw("PEXPIRE", "seen", "1000")
    expect(await on.db.seen().rangeWithScores(0, -1)).toEqual([["a", 1]])
    expect(await on.db.seen().ttl()).toBeGreaterThan(59_000)
    await on.db.window().add("a", 1)
    await on.raw("PEXPIRE", "window", "1000")
    await on.db.window().increment("a", 1)
    await on.db.window().popMin({ operationId: "a" })
    expect(await on.db.window().exists()).toBe(false)
  })

  it("rejects bad members and scores, and says what does not decode", async () => {
    await expect(on.db.posts().add(1, 0.5)).rejects.toBeInstanceOf(SchemaError)
    await expect(on.db.best({ game: "a" }).add("a", NaN)).rejects.toBeInstanceOf(SchemaError)
    await expect(
      on.db.posts().addMany([
        [1, 1],
        [0.5, 1],
      ]),
    ).rejects.toBeInstanceOf(SchemaError)
    await expect(on.db.posts().between(0.5, 1)).rejects.toBeInstanceOf(SchemaError)
    await expect(on.db.posts().increment(1, 0.5)).rejects.toMatchObject({ code: "CALL.ARGUMENT", key: "posts" })
    await expect(on.db.posts().between(0, 1, { limit: -1 })).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    expect(await on.raw("DBSIZE")).toBe(0)
    await on.raw("ZADD", "posts", "0.5", "1")
    await expect(on.db.posts().score(1)).rejects.toMatchObject({ details: { part: "a score", codec: "int" } })
    await on.raw("ZADD", "posts", "1", "x")
    await expect(on.db.posts().range(0, -1)).rejects.toMatchObject({ details: { part: "a member", codec: "int" } })
    await on.raw("SET", "top", "1")
    await expect(on.db.top().add("a", 1)).rejects.toBeInstanceOf(WrongType)
    await expect(on.db.top().range(0, -1)).rejects.toMatchObject({ key: "top" })
  })

  it("refuses a score that Redis would round", async () => {
    await on.db.exact().add("a", 9_007_199_254_740_991n)
    expect(await on.db.exact().score("a")).toBe(9_007_199_254_740_991n)
    await expect(on.db.exact().add("a", 9_007_199_254_740_993n)).rejects.toMatchObject({ code: "VALUE.SCORE_ROUNDED" })
  })
})
