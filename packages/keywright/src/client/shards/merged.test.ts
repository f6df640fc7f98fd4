/* Reads over all shards, held against one key with the same elements. */

import fc from "fast-check"
import { expect, it } from "vitest"
import { counter, int, keyspace, map, oneOf, set, sharded, text, zset } from "../../index.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"

const schema = (shards: number) =>
  keyspace(
    {
      session: sharded(shards, "token", {
        recent: zset("recent:", text),
        login: map("login:", text, int),
        tags: set("tags:{day}", text),
        total: counter("total:"),
        cart: map("cart:{token}", text, int),
      }),
      whole: zset("whole:", text),
    },
    { ttl: "never" },
  )

onBothServers("keys over all shards", (server) => {
  const open = (shards: number) => connect(schema(shards), server().target)

  for (const shards of [0, 1, 7, 64])
    it(`are read as one key would be, with ${shards} shards`, async () => {
      const db = await open(shards)
      const scores = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(-Infinity, Infinity, 0.1))
      const member = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("a", "b", "ab", "\u{10000}", "\uffff"))
      const members = fc.uniqueArray(fc.tuple(member, scores), { selector: ([name]) => name, maxLength: 40 })
      await fc.assert(
        fc.asyncProperty(members, fc.nat(45), fc.nat(10), fc.boolean(), async (entries, count, offset, reverse) => {
          await server().raw("FLUSHALL")
          const word = (score: number) => (score === Infinity ? "inf" : score === -Infinity ? "-inf" : String(score))
          for (const [name, score] of entries) {
            await server().raw("ZADD", db.session({ token: name }).recent().key, word(score), name)
            await server().raw("ZADD", "whole:", word(score), name)
          }
          const finite = entries.every(([, score]) => Number.isFinite(score))
          const read = { reverse, onUndecodable: () => undefined }
          const expected = await db.whole().rangeWithScores(offset, offset + count - 1, read)
          const wanted = count === 0 ? [] : expected
          expect(await db.session.merged.recent().top(count, { ...read, offset })).toEqual(wanted)
          expect(await db.session.merged.recent().size()).toBe(entries.length)
          expect(await db.session.merged.recent().countBetween(-1, 2)).toBe(await db.whole().countBetween(-1, 2))
          if (!finite) return
          const found = new Map<string, number>()
          for await (const [name, score] of db.session.merged.recent().scan()) found.set(name, score)
          expect(found).toEqual(new Map(entries))
        }),
        { numRuns: 15 },
      )
      await db.$close()
    })

  it("are summed up and joined, whatever their kind", async () => {
    const db = await open(16)
    const tokens = Array.from({ length: 50 }, (_, i) => `t${i}`)
    for (const [i, token] of tokens.entries()) {
      const session = db.session({ token })
      await session.login().set(token, i)
      await session.tags({ day: "monday" }).add(token)
      await session.total().increment(i)
    }
    const { login, tags, total } = db.session.merged
    expect(await login().size()).toBe(50)
    const entries: [string, number][] = []
    for await (const entry of login().entries()) entries.push(entry)
    expect(entries.sort(([, a], [, b]) => a - b)).toEqual(tokens.map((token, i) => [token, i]))
    expect(await tags({ day: "monday" }).size()).toBe(50)
    expect(await tags({ day: "friday" }).size()).toBe(0)
    const members: string[] = []
    for await (const member of tags({ day: "monday" }).scan()) members.push(member)
    expect(members.sort()).toEqual([...tokens].sort())
    expect(await total().sum()).toBe(1225)
    expect(Object.getOwnPropertyNames(db.session.merged).sort()).toEqual(["login", "recent", "tags", "total"])
    await db.$close()
  })

  it("leave out what cannot be decoded, and still count it as a place", async () => {
    const numbers = keyspace({ all: sharded(4, "n", { list: zset("list:", oneOf("a", "b", "c")) }) }, { ttl: "never" })
    const db = await connect(numbers, server().target)
    const keys = db.all.shards().map((shard) => shard.list().key)
    await server().raw("ZADD", keys[0]!, "1", "what is this", "4", "a")
    await server().raw("ZADD", keys[1]!, "2", "b", "3", "c")
    const skipped: unknown[] = []
    const top = db.all.merged.list().top(2, { onUndecodable: (error) => skipped.push(error.code) })
    expect(await top).toEqual([["b", 2]])
    expect(skipped).toEqual(["VALUE.UNDECODABLE"])
    await expect(db.all.merged.list().top(2)).rejects.toMatchObject({ code: "VALUE.UNDECODABLE" })
    await db.$close()
  })

  it("ask a few of each shard, and more only of those that may have more", async () => {
    const db = await open(64)
    const { key } = db.session({ token: "t" }).recent()
    await server().raw("ZADD", key, ...Array.from({ length: 100 }, (_, i) => [String(i), `m${i}`]).flat())
    const before = Number(
      /cmdstat_zrange:calls=(\d+)/.exec(String(await server().raw("INFO", "commandstats")))?.[1] ?? 0,
    )
    expect((await db.session.merged.recent().top(100)).map(([, score]) => score)).toEqual([...Array(100).keys()])
    const after = Number(/cmdstat_zrange:calls=(\d+)/.exec(String(await server().raw("INFO", "commandstats")))![1])
    expect(after - before).toBe(65)
    await db.$close()
  })
})
