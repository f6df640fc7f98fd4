import { expect, it } from "vitest"
import * as z from "zod"
import { Undecodable, WrongType } from "../../errors/outcome.ts"
import { bytes, compressed } from "../../schema/codec/bytes.ts"
import { json } from "../../schema/codec/json.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { id } from "../../schema/codec/id.ts"
import { secret } from "../../schema/codec/wrap.ts"
import { string } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { either, fixed, sliding } from "../../schema/ttl.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const document = json(z.object({ name: z.string(), tags: z.array(z.string()) }))

const strings = keyspace({
  note: string("note:{id}", text),
  count: string("count:{id}", int, { ttl: "never" }),
  page: string("page:{id}", text, { ttl: "5m" }),
  session: string("session:{id}", text, { ttl: sliding("5m") }),
  window: string("window:{id}", int, { ttl: fixed("5m") }),
  link: string("link:{id}", text, { ttl: either("30s", "never") }),
  doc: string("doc:{id}", document),
  blob: string("blob:{id}", bytes),
  packed: string("packed:{id}", compressed(document)),
  token: string("token:{token}", secret(int), { params: { token: secret(id("token")) } }),
})

onEveryDriver(strings, (on) => {
  it("gets what was set, and undefined where nothing is", async () => {
    const note = on.db.note({ id: "1" })
    expect(await note.get()).toBeUndefined()
    await note.set("grüße")
    expect(await note.get()).toBe("grüße")
    expect(await on.raw("GET", "note:1")).toBe("grüße")
    expect(await note.length()).toBe(7)
    await note.set("")
    expect(await note.get()).toBe("")
  })

  it("stores documents, bytes and compressed documents", async () => {
    const value = { name: "a", tags: [] }
    await on.db.doc({ id: "1" }).set(value)
    expect(await on.raw("GET", "doc:1")).toBe('{"name":"a","tags":[]}')
    expect(await on.db.doc({ id: "1" }).get()).toEqual(value)
    const raw = Uint8Array.from({ length: 256 }, (_, i) => i)
    await on.db.blob({ id: "1" }).set(raw)
    expect(Uint8Array.from((await on.db.blob({ id: "1" }).get())!)).toEqual(raw)
    expect(Uint8Array.from((await on.db.blob({ id: "1" }).getAndSet(Uint8Array.of(1)))!)).toEqual(raw)
    expect(Uint8Array.from((await on.db.blob({ id: "1" }).take())!)).toEqual(Uint8Array.of(1))
    await on.db.packed({ id: "1" }).set(value)
    expect(await on.db.packed({ id: "1" }).get()).toEqual(value)
  })

  it("sets on condition", async () => {
    const note = on.db.note({ id: "1" })
    expect(await note.setIfPresent("no")).toBe(false)
    expect(await note.setIfAbsent("a")).toBe(true)
    expect(await note.setIfAbsent("b")).toBe(false)
    expect(await note.setIfPresent("c")).toBe(true)
    expect(await note.getAndSet("d")).toBe("c")
    expect(await note.take()).toBe("d")
    expect(await note.take()).toBeUndefined()
    expect(await note.exists()).toBe(false)
  })

  it("answers a repeated call with the first answer when it has an operation id", async () => {
    const note = on.db.note({ id: "1" })
    for (let i = 0; i < 2; i++) expect(await note.setIfAbsent("a", { operationId: "x" })).toBe(true)
    for (let i = 0; i < 2; i++) expect(await note.getAndSet("b", { operationId: "y" })).toBe("a")
    for (let i = 0; i < 2; i++) expect(await note.take({ operationId: "z" })).toBe("b")
    for (let i = 0; i < 2; i++) expect(await note.take({ operationId: "zz" })).toBeUndefined()
    const blob = on.db.blob({ id: "1" })
    const raw = Uint8Array.from({ length: 256 }, (_, i) => i)
    await blob.set(raw)
    for (let i = 0; i < 2; i++) expect(Uint8Array.from((await blob.take({ operationId: "b" }))!)).toEqual(raw)
  })

  it("starts a TTL again with each write, and removes one that was set by hand where there is none", async () => {
    const page = on.db.page({ id: "1" })
    await page.set("a")
    await on.raw("PEXPIRE", "page:1", "1000")
    await page.get()
    expect(await page.ttl()).toBeLessThanOrEqual(1000)
    await page.set("b")
    expect(await page.ttl()).toBeGreaterThan(290_000)
    await on.raw("PERSIST", "page:1")
    await page.getAndSet("c")
    expect(await page.ttl()).toBeGreaterThan(290_000)
    await on.raw("SET", "count:1", "1", "EX", "5")
    await on.db.count({ id: "1" }).set(2)
    expect(await on.db.count({ id: "1" }).ttl()).toBe("never")
  })

  it("moves a sliding TTL with each read", async () => {
    const session = on.db.session({ id: "1" })
    expect(await session.get()).toBeUndefined()
    await session.set("a")
    for (const read of [() => session.get(), () => session.length(), () => session.exists()]) {
      await on.raw("PEXPIRE", "session:1", "1000")
      await read()
      expect(await session.ttl()).toBeGreaterThan(290_000)
    }
  })

  it("keeps a TTL that is fixed from creation", async () => {
    const window = on.db.window({ id: "1" })
    await window.set(1)
    expect(await window.ttl()).toBeGreaterThan(290_000)
    await on.raw("PEXPIRE", "window:1", "1000")
    await window.set(2)
    expect(await window.get()).toBe(2)
    expect(await window.ttl()).toBeLessThanOrEqual(1000)
    expect(await window.setIfAbsent(3)).toBe(false)
    expect(await window.ttl()).toBeLessThanOrEqual(1000)
  })

  it("leaves the choice of a TTL to the writer, and refuses what was not offered", async () => {
    const link = on.db.link({ id: "1" })
    await link.set("a", { ttl: "30s" })
    expect(await link.ttl()).toBeGreaterThan(29_000)
    await link.set("a", { ttl: "never" })
    expect(await link.ttl()).toBe("never")
    await expect(link.set("a")).rejects.toMatchObject({ code: "TTL.CHOICE", pattern: "link:{id}" })
    await expect(link.set("a", { ttl: "31s" })).rejects.toMatchObject({ code: "TTL.CHOICE" })
    await expect(on.db.page({ id: "1" }).set("a", { ttl: "30s" })).rejects.toMatchObject({ code: "TTL.DECIDED" })
    await expect(on.db.window({ id: "1" }).set(1, { ttl: "30s" })).rejects.toMatchObject({ code: "TTL.DECIDED" })
    expect(await on.db.page({ id: "1" }).exists()).toBe(false)
  })

  it("rejects a bad value before anything is sent, and never throws", async () => {
    const refused = on.db.doc({ id: "1" }).set({ name: 1 } as never)
    await expect(refused).rejects.toMatchObject({ code: "CODEC.JSON_SCHEMA", pattern: "doc:{id}", key: "doc:1" })
    await expect(on.db.count({ id: "1" }).set(1.5)).rejects.toMatchObject({ name: "SchemaError" })
    expect(await on.raw("DBSIZE")).toBe(0)
  })

  it("says which value of which key does not decode, without its secrets", async () => {
    await on.raw("SET", "doc:1", "{")
    const error = await on.db
      .doc({ id: "1" })
      .get()
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Undecodable)
    expect(error).toMatchObject({ code: "VALUE.UNDECODABLE", pattern: "doc:{id}", key: "doc:1" })
    expect(error).toMatchObject({ details: { part: "value", codec: "json" } })
    await on.raw("SET", "token:geheim", "auchgeheim")
    const hidden = await on.db
      .token({ token: "geheim" as never })
      .get()
      .catch((caught: unknown) => caught)
    expect(hidden).toMatchObject({ key: "token:…" })
    expect(JSON.stringify(hidden) + String(hidden)).not.toContain("geheim")
  })

  it("refuses a key of another type, with pattern and key", async () => {
    await on.raw("LPUSH", "note:1", "a")
    const error = await on.db
      .note({ id: "1" })
      .get()
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(WrongType)
    expect(error).toMatchObject({ code: "SERVER.WRONGTYPE", pattern: "note:{id}", key: "note:1" })
  })

  it("has what every key has", async () => {
    const note = on.db.note({ id: "1" })
    expect([await note.ttl(), await note.type(), await note.memory()]).toEqual(["missing", "none", undefined])
    expect([await note.expire("1m"), await note.persist(), await note.delete()]).toEqual([false, false, false])
    await note.set("a")
    expect([await note.exists(), await note.ttl(), await note.type()]).toEqual([true, "never", "string"])
    expect(await note.memory()).toBeGreaterThan(0)
    expect(await note.expire("1m")).toBe(true)
    expect(await note.ttl()).toBeGreaterThan(59_000)
    expect(await note.persist()).toBe(true)
    expect(await note.delete()).toBe(true)
    expect([note.key, String(note)]).toEqual(["note:1", "note:1"])
    expect(String(on.db.token({ token: "geheim" as never }))).toBe("token:…")
    await expect(note.expire("1 minute" as never)).rejects.toMatchObject({ code: "DEFINE.DURATION" })
  })

  it("rejects with an aborted signal and with a deadline", async () => {
    const signal = AbortSignal.abort(new Error("no"))
    await expect(on.db.note({ id: "1" }).get({ signal })).rejects.toMatchObject({ code: "DRIVER.ABORTED" })
    await expect(on.db.note({ id: "1" }).set("a", { signal })).rejects.toMatchObject({ code: "DRIVER.ABORTED" })
    expect(await on.db.note({ id: "1" }).get({ timeoutMs: 5000 })).toBeUndefined()
  })

  it("finds its keys by scan, and their parameters", async () => {
    await Promise.all(["1", "2", "3"].map((id) => on.db.note({ id }).set(id)))
    await on.db.page({ id: "1" }).set("")
    const found: string[] = []
    for await (const { key, params, handle } of on.db.note.scan())
      found.push(`${key} ${params.id} ${await handle.get()}`)
    expect(found.sort()).toEqual(["note:1 1 1", "note:2 2 2", "note:3 3 3"])
    expect([on.db.note.pattern, on.db.note.parse("note:7"), on.db.note.parse("page:7")]).toEqual([
      "note:{id}",
      { id: "7" },
      undefined,
    ])
  })
})
