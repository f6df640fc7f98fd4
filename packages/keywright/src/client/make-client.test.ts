import { expect, it } from "vitest"
import { int } from "../schema/codec/number.ts"
import { text } from "../schema/codec/text.ts"
import { counter, set, string } from "../schema/define.ts"
import { database, scope } from "../schema/group.ts"
import { keyspace } from "../schema/keyspace.ts"
import { onEveryDriver } from "./on-every-driver.cases.ts"

const schema = keyspace(
  {
    all: string("user:list", text),
    user: string("user:{id}", text),
    service: scope("P:{project}:S:{service}:", {
      online: set("On", int),
      subscribers: set("Ch:{channel}:Sub", int),
      inner: scope("in:{room}:", { seats: counter("seats:{seat}") }),
    }),
    flat: scope("flat:", { name: string("name", text), length: string("length:{x}", text) }),
    archive: database(2, "archive", { note: string("note:{id}", text, { params: { id: int } }) }),
  },
  { params: { project: int } },
)

onEveryDriver(schema, (on) => {
  it("joins the parameters of scopes, or takes them once", async () => {
    const bound = on.db.service({ project: 1, service: "s" })
    expect(bound.subscribers({ channel: "c" }).key).toBe("P:1:S:s:Ch:c:Sub")
    expect(on.db.service.subscribers({ project: 1, service: "s", channel: "c" }).key).toBe("P:1:S:s:Ch:c:Sub")
    expect(bound.online().key).toBe("P:1:S:s:On")
    expect(bound.inner({ room: "r" }).seats({ seat: "7" }).key).toBe("P:1:S:s:in:r:seats:7")
    expect(bound.inner.seats({ room: "r", seat: "7" }).key).toBe("P:1:S:s:in:r:seats:7")
    expect(on.db.service.inner({ project: 1, service: "s", room: "r" }).seats({ seat: "7" }).key).toBe(
      "P:1:S:s:in:r:seats:7",
    )
    expect(on.db.service({ project: 2, service: "s" }).online().key).toBe("P:2:S:s:On")
    expect([on.db.flat.name().key, on.db.flat.length({ x: "1" }).key]).toEqual(["flat:name", "flat:length:1"])
    expect(Object.keys(schema.entries).every((name) => name in on.db)).toBe(true)
  })

  it("keeps what a scope was bound to, whatever object comes as parameters", async () => {
    const bound = on.db.service({ project: 1, service: "s" })
    const hostile = JSON.parse('{"project":2,"channel":"c","room":"r"}') as never
    const refusedWith = { code: "KEY.BOUND_PARAM" }
    expect(() => bound.subscribers(hostile)).toThrow(expect.objectContaining(refusedWith))
    expect(() => bound.inner(hostile)).toThrow(expect.objectContaining(refusedWith))
    expect(() => bound.inner({ room: "r" }).seats({ seat: "7", room: "q" } as never)).toThrow(
      expect.objectContaining(refusedWith),
    )
    await expect(bound.subscribers.scan(hostile)[Symbol.asyncIterator]().next()).rejects.toMatchObject(refusedWith)
    const sly = { channel: "c", service: { valueOf: "s", toString: () => "s" } } as never
    expect(() => bound.subscribers(sly)).toThrow(expect.objectContaining(refusedWith))
    // What was taken from a key may be used for its own scope again.
    const all = { project: 1, service: "s", channel: "c" } as never
    expect(bound.subscribers(all).key).toBe("P:1:S:s:Ch:c:Sub")
  })

  it("walks the keys of a bound scope only", async () => {
    await on.db.service({ project: 1, service: "s" }).subscribers({ channel: "a" }).add(1)
    await on.db.service({ project: 2, service: "s" }).subscribers({ channel: "b" }).add(2)
    const found: unknown[] = []
    for await (const { key, params } of on.db.service({ project: 2, service: "s" }).subscribers.scan())
      found.push([key, params])
    expect(found).toEqual([["P:2:S:s:Ch:b:Sub", { project: 2, service: "s", channel: "b" }]])
    const all: string[] = []
    for await (const { key } of on.db.service.subscribers.scan({ service: "s" })) all.push(key)
    expect(all.sort()).toEqual(["P:1:S:s:Ch:a:Sub", "P:2:S:s:Ch:b:Sub"])
  })

  it("refuses bad and reserved parameters at once, before there is a call", () => {
    expect(() => on.db.user({ id: "" })).toThrow("is empty")
    expect(() => on.db.user({ id: "a:b" })).toThrow("contains")
    expect(() => on.db.user({ id: "list" })).toThrow("reserved")
    expect(() => on.db.user({ id: "1", x: "2" } as never)).toThrow("has no {x}")
    expect(() => on.db.archive.note({ id: "x" as never })).toThrow("whole number")
  })

  it("puts keys where their database is", async () => {
    await on.db.archive.note({ id: 1 }).set("a")
    expect(await on.raw("EXISTS", "note:1")).toBe(0)
    expect(await on.db.$driver(2).send(["GET", "note:1"])).toBe("a")
    const found: number[] = []
    for await (const { params } of on.db.archive.note.scan()) found.push(params.id)
    expect(found).toEqual([1])
  })
})
