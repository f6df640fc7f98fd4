import { describe, expect, test } from "vitest"
import { database, day, family, int, keyspace, scope, set, string, text } from "../index.ts"

const rows = (made: { keys: readonly { name: string; pattern: string; db: number }[] }) =>
  made.keys.map(({ name, pattern, db }) => [name, pattern, db])

describe("scope", () => {
  test("puts its prefix before every key, parameters and all", () => {
    const made = keyspace({
      service: scope("P:{project}:", {
        status: string("St:{user}", text),
        inner: scope("S:{service}:", { online: set("OnSub", text) }),
      }),
    })
    expect(rows(made)).toEqual([
      ["service.status", "P:{project}:St:{user}", 0],
      ["service.inner.online", "P:{project}:S:{service}:OnSub", 0],
    ])
  })

  test("gives its codecs to all keys in it; the nearest one counts", () => {
    const made = keyspace({
      a: scope(
        "{x}:",
        { own: set("{y}", text, { params: { y: day } }), inner: scope("{y}:", { k: set("k", text) }) },
        {
          params: { x: int, y: int },
        },
      ),
    })
    expect(made.keys.map(({ params }) => params)).toEqual([
      { x: int, y: day },
      { x: int, y: int },
    ])
  })

  test("hands its notes down, where a key says nothing itself", () => {
    const made = keyspace({
      a: scope(
        "a:",
        { own: set("own", text, { deprecated: "mine", evictable: false }), other: set("other", text) },
        {
          deprecated: "all",
          evictable: true,
          when: "on",
          writes: ["w"],
          reads: ["r"],
          doc: "The group's own.",
        },
      ),
    })
    expect(made.keys[0]).toMatchObject({
      deprecated: "mine",
      evictable: false,
      when: "on",
      writes: ["w"],
      reads: ["r"],
    })
    expect(made.keys[1]).toMatchObject({ deprecated: "all", evictable: true })
    expect(made.keys[1]).not.toHaveProperty("doc")
  })

  test("may hold a key that is the prefix itself, but no key is empty", () => {
    expect(rows(keyspace({ a: scope("a:{x}", { self: set("", text) }) }))).toEqual([["a.self", "a:{x}", 0]])
    expect(() => keyspace({ a: scope("", { self: set("", text) }) })).toThrow(
      expect.objectContaining({ code: "DEFINE.REFUSED", message: expect.stringContaining("a.self") }),
    )
  })

  test("is refused when prefix and key make a bad pattern together", () => {
    const code = (name: string) => expect.objectContaining({ code: `PATTERN.${name}` })
    expect(() => keyspace({ a: scope("a:{x}", { b: set("{y}", text) }) })).toThrow(code("TOUCHING_PARAMS"))
    expect(() => keyspace({ a: scope("a:{x}:", { b: set("{x}", text) }) })).toThrow(code("DUPLICATE_PARAM"))
  })

  test("cannot hold itself: groups are frozen when they are made", () => {
    const entries: Record<string, ReturnType<typeof set>> = { a: set("a", text) as never }
    const made = scope("a:", entries)
    expect(() => Object.assign(entries, { self: made })).toThrow(TypeError)
  })

  test("that answers with itself by a trick is refused, not followed for ever", () => {
    const entries = {
      get self() {
        return group
      },
    } as object as Record<string, never>
    let group: unknown
    group = scope("a:", entries)
    expect(() => keyspace({ group: group as never })).toThrow(expect.objectContaining({ code: "KEYSPACE.ENTRY" }))
  })
})

describe("database", () => {
  test("is a prefix where there is only one", () => {
    const made = keyspace({
      users: database(5, "users", { user: string("user:{{name}}", text, { ttl: "never" }) }, { as: "prefix" }),
    })
    expect(rows(made)).toEqual([["users.user", "db5:user:{{name}}", 0]])
  })

  test("places keys, and may be empty", () => {
    const made = keyspace({
      zero: set("a", text),
      one: database(1, "first", { a: set("a", text), s: scope("s:", { b: set("b", text) }) }),
      spare: database(4, "spare", {}, { doc: "Reserved." }),
    })
    expect(rows(made)).toEqual([
      ["zero", "a", 0],
      ["one.a", "a", 1],
      ["one.s.b", "s:b", 1],
    ])
    expect(made.entries.spare).toMatchObject({ db: 4, name: "spare", doc: "Reserved." })
  })

  test("keys of different databases never meet", () => {
    expect(() =>
      keyspace({ a: database(0, "a", { k: set("k:{x}", text) }), b: database(1, "b", { k: set("k:{y}", text) }) }),
    ).not.toThrow()
    expect(() =>
      keyspace({ a: database(1, "a", { k: set("k:{x}", text) }), b: database(1, "b", { k: set("k:{y}", text) }) }),
    ).toThrow(expect.objectContaining({ code: "KEYSPACE.AMBIGUOUS" }))
  })

  test.each([-1, 1.5, Number.NaN, "0"])("has no number %j", (db) => {
    expect(() => database(db as number, "x", {})).toThrow(
      expect.objectContaining({ code: "DEFINE.DATABASE", fix: expect.any(String) }),
    )
  })

  test.each([
    ["a database", () => database(0, "x", { inner: database(1, "y", {}) })],
    ["a scope", () => scope("a:", { inner: database(1, "y", {}) })],
    ["a family", () => family("a:", { ttl: "1m" }, { inner: database(1, "y", {}) })],
  ])("does not stand inside %s", (_, declare) => {
    expect(declare).toThrow(
      expect.objectContaining({ code: "DEFINE.DATABASE", message: expect.stringContaining("inner") }),
    )
  })
})
