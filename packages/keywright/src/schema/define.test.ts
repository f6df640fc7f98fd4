import { describe, expect, test } from "vitest"
import * as z from "zod"
import {
  bitmap,
  counter,
  day,
  entity,
  float,
  geo,
  hash,
  hyperloglog,
  id,
  int,
  keyspace,
  layout,
  list,
  map,
  set,
  stream,
  string,
  text,
  zset,
} from "../index.ts"
import { redisTypes } from "./define.ts"

const declared = {
  string: string("a:string", text),
  counter: counter("a:counter"),
  hash: hash("a:hash", { n: int }),
  map: map("a:map", text, int),
  list: list("a:list", text),
  set: set("a:set", text),
  zset: zset("a:zset", text),
  stream: stream("a:stream", { n: int }),
  bitmap: bitmap("a:bitmap"),
  hyperloglog: hyperloglog("a:hyperloglog", text),
  geo: geo("a:geo", text),
}

describe("definitions", () => {
  test.each(Object.entries(declared))("%s is plain frozen data of its kind", (kind, def) => {
    expect(def).toMatchObject({ kind, pattern: `a:${kind}`, params: {} })
    expect(Object.isFrozen(def)).toBe(true)
    expect(redisTypes).toHaveProperty(kind)
  })

  test("there is one for every Redis type", () => {
    expect(Object.keys(declared)).toEqual(Object.keys(redisTypes))
    expect(new Set(Object.values(redisTypes))).toEqual(new Set(["string", "hash", "list", "set", "zset", "stream"]))
  })

  test("by default counters count whole numbers and scores are floats", () => {
    expect(counter("a").shape.value).toBe(int)
    expect(counter("a", { value: float }).shape.value).toBe(float)
    expect(zset("a", text).shape.score).toBe(float)
    expect(zset("a", text, { score: int }).shape.score).toBe(int)
  })

  test("keep notes as they were given", () => {
    const notes = { doc: "A.", ttl: "10m", deprecated: "old", secret: ["x"], evictable: true, when: "on" } as const
    expect(string("a", text, { ...notes, writes: ["w"], reads: ["r"] })).toMatchObject({
      ...notes,
      writes: ["w"],
      reads: ["r"],
    })
  })

  test.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 53])("keep: %d is refused", (keep) => {
    const code = expect.objectContaining({ code: "DEFINE.REFUSED" })
    expect(() => list("a", text, { keep })).toThrow(code)
    expect(() => zset("a", text, { keep })).toThrow(code)
    expect(() => stream("a", { n: int }, { keep })).toThrow(code)
  })

  test.each([
    ["no codec", () => string("a", undefined as never)],
    ["a type's name", () => string("a", "text" as never)],
    ["no fields", () => hash("a", undefined as never)],
    ["a field without a codec", () => hash("a", { n: undefined } as never)],
    ["a number as a field's codec", () => hash("a", { n: 1 } as never)],
    ["a member without a codec", () => set("a", null as never)],
    ["a parameter without a codec", () => string("a:{x}", text, { params: { x: undefined } as never })],
    ["a parameter of a constructor", () => string("a:{x}", text, { params: { x: "int" } as never })],
  ])("%s is refused where it is written", (_, declare) => {
    expect(declare).toThrow(expect.objectContaining({ code: "DEFINE.REFUSED" }))
  })

  test("a hash may have fields of any name", () => {
    const fields = { ["__proto__"]: text, constructor: int, "": text }
    expect(Object.keys(hash("a", fields).shape.fields)).toEqual(["__proto__", "constructor", ""])
  })
})

describe("a schema where a codec is expected", () => {
  const User = z.object({ id: z.string() }) as never
  const record = layout({ key: "{entity}:{id}" })
  test.each([
    ["string", () => string("a", User)],
    ["map", () => map("a", text, User)],
    ["list", () => list("a", User)],
    ["hash", () => hash("a", { user: User })],
    ["entity", () => entity("a:{id}", User)],
    ["entity of fields", () => entity("a:{id}", { id: text, user: User })],
    ["layout", () => record("a", User)],
  ])("is refused with what to do: %s", (_, make) => {
    expect(make).toThrow("a schema is not a codec: wrap it in json()")
  })
})

describe("parameters", () => {
  const params = (pattern: string, own?: object, options = {}) =>
    keyspace({ a: string(pattern as "a:{x}", text, own as never) }, options).keys[0]!.params

  test("are text, unless the key or the keyspace knows a codec", () => {
    expect(params("a:{x}:{y}")).toEqual({ x: text, y: text })
    expect(params("a:{x}:{y}", { params: { x: int } })).toEqual({ x: int, y: text })
    expect(params("a:{x}:{y}", { params: { x: int } }, { params: { x: day, y: day, z: day } })).toEqual({
      x: int,
      y: day,
    })
  })

  test("that the pattern does not have are refused", () => {
    expect(() => params("a:{x}", { params: { z: int } })).toThrow(
      expect.objectContaining({ code: "DEFINE.UNKNOWN_PARAM", pattern: "a:{x}" }),
    )
  })

  test("may not have names that every object has", () => {
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      expect(() => params(`a:{${name}}`)).toThrow(expect.objectContaining({ code: "PATTERN.PARAM_NAME" }))
    }
  })

  test("carry the names of ids", () => {
    expect(params("a:{x}", { params: { x: id("token") } })["x"]!.id).toBe("token")
  })
})
