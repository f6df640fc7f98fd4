import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { NotApplied, OutcomeUnknown, Refused, WrongType } from "../../errors/outcome.ts"
import { bytes } from "../../schema/codec/bytes.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { optional } from "../../schema/codec/wrap.ts"
import { counter, hash, list, set, string, zset } from "../../schema/define.ts"
import { database, family, scope } from "../../schema/group.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { sliding } from "../../schema/ttl.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const things = keyspace({
  note: string("note:{id}", text),
  blob: string("blob:{id}", bytes),
  session: string("session:{id}", text, { ttl: sliding("1m") }),
  hits: counter("hits"),
  user: hash("user:{id}", { name: text, age: optional(int) }),
  guest: hash("guest:{id}", { name: text }, { ttl: sliding("1m") }),
  page: counter("page", { ttl: "1m" }),
  jobs: list("jobs", text),
  best: zset("best", text),
  tenant: scope("t:{tenant}:", { note: string("note:{id}", text), count: counter("count") }),
  channel: family("ch:{id}", { ttl: "1h" }, { subscribers: set(":sub", int) }),
  archive: database(1, "archive", { note: string("old:{id}", text) }),
})

const unhandled: unknown[] = []
const take = (reason: unknown) => unhandled.push(reason)
beforeAll(() => void process.on("unhandledRejection", take))
afterAll(async () => {
  await new Promise((done) => setTimeout(done, 20))
  process.off("unhandledRejection", take)
  expect(unhandled).toEqual([])
})

const caught = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

onEveryDriver(things, (on) => {
  describe("$batch", () => {
    it("makes calls of all kinds at once, and gives their results in order", async () => {
      const results = await on.db.$batch((db) => [
        db.note({ id: "1" }).set("a"),
        db.hits().increment(5),
        db.page().increment(),
        db.note({ id: "1" }).get(),
        db.best().add("x", 1),
        db.session({ id: "1" }).get(),
        db.tenant({ tenant: "a" }).count().increment(),
        db.tenant.note({ tenant: "a", id: "1" }).set("b"),
        db.archive.note({ id: "1" }).set("old"),
        db.archive.note({ id: "1" }).get(),
      ])
      expect(results).toEqual(
        [undefined, 5, 1, "a", true, undefined, undefined, undefined, undefined, "old"].with(6, 1),
      )
      expect(await on.raw("GET", "t:a:count")).toBe("1")
      expect(await on.db.page().ttl()).toBeGreaterThan(59_000)
    })

    it("keeps the order of calls, also of those that are several commands", async () => {
      const results = await on.db.$batch((db) => [
        db.page().increment(),
        db.page().get(),
        db.page().increment(),
        db.page().get(),
        db.hits().increment(1, { operationId: "a" }),
        db.hits().get(),
      ])
      expect(results).toEqual([1, 1, 2, 2, 1, 1])
    })

    it("reads bytes beside text", async () => {
      const raw = Uint8Array.from({ length: 256 }, (_, i) => i)
      await on.db.blob({ id: "1" }).set(raw)
      await on.db.note({ id: "1" }).set("ä")
      const [blob, note, type] = await on.db.$batch((db) => [
        db.blob({ id: "1" }).get(),
        db.note({ id: "1" }).get(),
        db.note({ id: "1" }).type(),
      ])
      expect([Uint8Array.from(blob!), note, type]).toEqual([raw, "ä", "string"])
    })

    it("fails for the calls that fail, each with its own pattern and key, and not for the others", async () => {
      await on.raw("LPUSH", "note:1", "x")
      const calls: Promise<unknown>[] = []
      const whole = on.db.$batch((db) => {
        calls.push(
          db.note({ id: "1" }).get(),
          db.hits().increment(),
          db.hits().increment(0.5),
          db.jobs().setAt(9, "x"),
          db.note({ id: "2" }).set("b"),
        )
        return calls
      })
      await expect(whole).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
      const settled = await Promise.all(calls.map(caught))
      expect(settled[0]).toBeInstanceOf(WrongType)
      expect(settled[0]).toMatchObject({ pattern: "note:{id}", key: "note:1" })
      expect(settled[1]).toBe(1)
      expect(settled[2]).toMatchObject({ code: "CALL.ARGUMENT", key: "hits" })
      expect(settled[3]).toMatchObject({ code: "SERVER.ERR", pattern: "jobs" })
      expect(settled[4]).toBeUndefined()
      expect(await on.raw("GET", "note:2")).toBe("b")
    })

    it("makes no unhandled rejection of calls that nobody waits for", async () => {
      await on.raw("LPUSH", "note:1", "x")
      await on.raw("LPUSH", "hits", "x")
      const results = await on.db.$batch((db) => {
        void db.note({ id: "1" }).get()
        void db.hits().increment(0.5)
        void db.hits().increment()
        return [db.note({ id: "2" }).get()]
      })
      expect(results).toEqual([undefined])
      await new Promise((done) => setTimeout(done, 5))
      expect(unhandled).toEqual([])
    })

    it("refuses calls that come too late, and a function that returns no list", async () => {
      let client!: typeof on.db
      await on.db.$batch((db) => {
        client = db as never
        return []
      })
      await expect(client.note({ id: "1" }).get()).rejects.toMatchObject({ code: "BATCH.TOO_LATE" })
      await expect(on.db.$batch((async () => []) as never)).rejects.toMatchObject({ code: "BATCH.CALLS" })
      const thrown = on.db.$batch((db) => {
        void db.note({ id: "1" }).set("never")
        throw new Error("mine")
      })
      await expect(thrown).rejects.toThrow("mine")
      expect(await on.raw("EXISTS", "note:1")).toBe(0)
    })
  })

  describe("$multi", () => {
    it("carries out all calls as one", async () => {
      const results = await on.db.$multi((db) => [
        db.note({ id: "1" }).set("a"),
        db.page().increment(),
        db.jobs().pushRight("x", "y"),
        db.jobs().popLeft({ operationId: "pop" }),
        db.note({ id: "1" }).get(),
        db.channel.subscribers({ id: "1" }).add(7),
      ])
      expect(results).toEqual([undefined, 1, 2, "x", "a", 0])
      expect(await on.db.$multi(() => [])).toEqual([])
    })

    it("sends nothing when one call is refused before", async () => {
      const calls: Promise<unknown>[] = []
      const whole = on.db.$multi((db) => {
        calls.push(db.note({ id: "1" }).set("a"), db.hits().increment(0.5), db.note({ id: "2" }).set("b"))
        return calls
      })
      await expect(whole).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
      const settled = await Promise.all(calls.map(caught))
      expect(settled[0]).toMatchObject({ code: "BATCH.REFUSED", key: "note:1" })
      expect(settled[1]).toMatchObject({ code: "CALL.ARGUMENT", key: "hits" })
      expect(settled[2]).toMatchObject({ code: "BATCH.REFUSED", key: "note:2" })
      expect(await on.raw("DBSIZE")).toBe(0)
    })

    it("refuses two databases before anything is sent", async () => {
      const whole = on.db.$multi((db) => [db.note({ id: "1" }).set("a"), db.archive.note({ id: "1" }).set("b")])
      await expect(whole).rejects.toMatchObject({ code: "BATCH.DATABASES" })
      await expect(whole).rejects.toThrow("databases 0 and 1")
      expect(await on.raw("DBSIZE")).toBe(0)
      expect(await on.db.$multi((db) => [db.archive.note({ id: "1" }).set("b")])).toEqual([undefined])
    })

    it("fails as a whole when the server discards it, each call with its own key", async () => {
      await on.raw("ACL", "SETUSER", "default", "-zadd")
      const calls: Promise<unknown>[] = []
      const whole = on.db.$multi((db) => {
        calls.push(db.note({ id: "1" }).set("a"), db.best().add("x", 1))
        return calls
      })
      await expect(whole).rejects.toBeInstanceOf(Refused)
      await on.raw("ACL", "SETUSER", "default", "+zadd")
      const settled = await Promise.all(calls.map(caught))
      expect(settled).toMatchObject([
        { code: "SERVER.EXECABORT", key: "note:1" },
        { code: "SERVER.EXECABORT", key: "best" },
      ])
      expect(await on.raw("DBSIZE")).toBe(0)
    })

    it("rejects the one call that fails while it is carried out, and does not say of the whole that nothing was written", async () => {
      await on.raw("LPUSH", "hits", "x")
      const calls: Promise<unknown>[] = []
      const whole = on.db.$multi((db) => {
        calls.push(db.note({ id: "1" }).set("a"), db.hits().increment())
        return calls
      })
      const error = await caught(whole)
      expect(error).toBeInstanceOf(OutcomeUnknown)
      expect(error).toMatchObject({ code: "PLAN.HALF_WRITTEN", cause: { code: "SERVER.WRONGTYPE" } })
      expect(await calls[0]).toBeUndefined()
      expect(await caught(calls[1]!)).toMatchObject({ code: "SERVER.WRONGTYPE", key: "hits" })
    })

    it("is refused where nothing was written beside the call that fails", async () => {
      await on.raw("LPUSH", "hits", "x")
      const whole = on.db.$multi((db) => [db.note({ id: "1" }).get(), db.hits().increment()])
      await expect(whole).rejects.toBeInstanceOf(WrongType)
    })

    it("makes no unhandled rejection of calls that nobody waits for", async () => {
      await on.raw("LPUSH", "hits", "x")
      await on.db.$multi((db) => {
        void db.hits().increment()
        return [db.note({ id: "2" }).get()]
      })
      await new Promise((done) => setTimeout(done, 5))
      expect(unhandled).toEqual([])
    })
  })

  describe("$getMany", () => {
    it("reads strings and counters of any definitions and databases", async () => {
      const raw = Uint8Array.from({ length: 256 }, (_, i) => i)
      await on.db.note({ id: "1" }).set("ä")
      await on.db.hits().set(7)
      await on.db.blob({ id: "1" }).set(raw)
      await on.db.archive.note({ id: "1" }).set("old")
      await on.db.session({ id: "1" }).set("s")
      await on.raw("PEXPIRE", "session:1", "1000")
      const [note, none, hits, page, blob, old, session] = await on.db.$getMany([
        on.db.note({ id: "1" }),
        on.db.note({ id: "2" }),
        on.db.hits(),
        on.db.page(),
        on.db.blob({ id: "1" }),
        on.db.archive.note({ id: "1" }),
        on.db.session({ id: "1" }),
      ])
      expect([note, none, hits, page, old, session]).toEqual(["ä", undefined, 7, 0, "old", "s"])
      expect(Uint8Array.from(blob!)).toEqual(raw)
      expect(await on.db.session({ id: "1" }).ttl()).toBeGreaterThan(59_000)
      expect(await on.db.$getMany([])).toEqual([])
      expect(await on.db.$getMany([on.db.note({ id: "1" })])).toEqual(["ä"])
    })

    it("reads hashes with them, and moves the deadline of those that slide", async () => {
      await on.db.user({ id: "1" }).set({ name: "Ann", age: 7 })
      await on.db.guest({ id: "1" }).set({ name: "Bob" })
      await on.db.note({ id: "9" }).set("n")
      await on.raw("PEXPIRE", "guest:1", "1000")
      const found = await on.db.$getMany([
        on.db.user({ id: "1" }),
        on.db.user({ id: "2" }),
        on.db.note({ id: "9" }),
        on.db.guest({ id: "1" }),
        on.db.user({ id: "1" }),
      ])
      expect(found).toEqual([{ name: "Ann", age: 7 }, undefined, "n", { name: "Bob" }, { name: "Ann", age: 7 }])
      expect(await on.db.guest({ id: "1" }).ttl()).toBeGreaterThan(59_000)
    })

    it("reports what does not decode with its place, where that is asked for", async () => {
      await on.db.user({ id: "3" }).set({ name: "Eve" })
      await on.raw("HSET", "user:4", "age", "old")
      const places: number[] = []
      const onUndecodable = (_: unknown, place: number) => void places.push(place)
      const all = [on.db.user({ id: "3" }), on.db.user({ id: "4" })] as const
      expect(await on.db.$getMany(all, { onUndecodable })).toEqual([{ name: "Eve" }, undefined])
      expect(places).toEqual([1])
      await expect(on.db.$getMany(all)).rejects.toMatchObject({ code: "VALUE.UNDECODABLE", key: "user:4" })
      await on.raw("DEL", "user:4")
      await on.raw("SET", "user:4", "x")
      expect(await on.db.$getMany(all, { onUndecodable })).toEqual([{ name: "Eve" }, undefined])
      expect(places).toEqual([1, 1])
      await expect(on.db.$getMany(all)).rejects.toBeInstanceOf(WrongType)
    })

    it("says which of them does not decode, and takes a signal", async () => {
      await on.raw("SET", "hits", "many")
      const all = on.db.$getMany([on.db.note({ id: "1" }), on.db.hits()])
      await expect(all).rejects.toMatchObject({ code: "VALUE.UNDECODABLE", key: "hits" })
      const signal = AbortSignal.abort()
      await expect(on.db.$getMany([on.db.note({ id: "1" })], { signal })).rejects.toBeInstanceOf(NotApplied)
    })
  })
})
