import { describe, expect, test } from "vitest"
import { anyOf } from "./any-of.ts"
import { csv, delimited, many } from "./delimited.ts"
import { id, tagged } from "./id.ts"
import { keyOf } from "./key-of.ts"
import { float, int } from "./number.ts"
import { oneOf } from "./one-of.ts"
import { text } from "./text.ts"
import { optional, secret } from "./wrap.ts"

describe("codecs that contradict themselves are refused where they are declared", () => {
  test.each([
    ["two values with one text", () => oneOf(1, "1")],
    ["no values", () => oneOf(...([] as unknown as ["a"]))],
    ["a value without bytes", () => oneOf("\ud800")],
    ["a value without JSON", () => oneOf(Infinity)],
    ["columns without a separator", () => delimited("", { a: text })],
    ["no columns", () => delimited(",", {})],
    ["a column that may be absent", () => csv({ a: text, b: optional(text) })],
    ["a list without a separator", () => many(text, "")],
    ["a list of length 0", () => many(text, ",", { length: 0 })],
    ["a list of half a length", () => many(text, ",", { length: 1.5 })],
    ["no bounds", () => int({})],
    ["a bound of half a number", () => int({ min: 0.5 })],
    ["a bound without end", () => float({ max: Infinity })],
    ["bounds that leave nothing", () => int({ min: 2, max: 1 })],
    ["bounds by another name", () => int({ minimum: 1, min: 0 } as { min: number })],
    ["a choice of one", () => anyOf(...([int] as unknown as [typeof int, typeof int]))],
    ["a choice that the first always wins", () => anyOf(text, int)],
    ["a choice of something that may be absent", () => anyOf(int, optional(text))],
    ["no tags", () => tagged({})],
    ["no keys", () => keyOf({})],
    ["an id with flags", () => id("token", { matching: /a/i })],
    ["an id whose expression needs the absence of flag u", () => id("token", { matching: new RegExp("\\_") })],
  ])("%s", (_, declare) => {
    expect(declare).toThrow(expect.objectContaining({ code: "DEFINE.REFUSED" }))
  })

  test("an example that the id refuses", () => {
    expect(() => id("token", { matching: /\d+/, example: "abc" })).toThrow(
      expect.objectContaining({ code: "CODEC.ID" }),
    )
  })
})

test("bounds: what they say in a key, in docs and of an example", () => {
  expect(int({ min: 1, max: 5 })).toMatchObject({ name: "int from 1 to 5", example: "5", mask: ["#+"], numeric: true })
  expect(int({ max: 5 })).toMatchObject({ name: "int up to 5", example: "5", mask: ["#+", "-#+"] })
  expect(float({ min: 0 })).toMatchObject({ name: "float from 0", example: "1.5" })
  expect(int.name).toBe("int")
  expect(Object.isFrozen(int)).toBe(true)
})

describe("id", () => {
  test("must match as a whole, whatever alternatives its expression has", () => {
    const either = id("x", { matching: /a|b/ })
    expect(either.decode("a")).toBe("a")
    for (const raw of ["ab", "xa", "b\n", "a|b"]) expect(() => either.decode(raw)).toThrow()
  })

  test("has an example that is known, or none", () => {
    expect(id("token").example).toBe("abc")
    expect(id("token", { matching: /\d+/ }).example).toBe("…")
    expect(id("token", { matching: /\d+/, example: "42" }).example).toBe("42")
    expect(id("post", int).example).toBe("42")
  })

  test("inherits what its base can do", () => {
    expect(id("post", int)).toMatchObject({ numeric: true, mask: int.mask, id: "post" })
    expect(id("token", secret(text)).secret).toBe(true)
    expect(secret(id("token")).id).toBe("token")
    expect(optional(id("token")).id).toBe("token")
  })
})

test("tagged allows in segments what its ids allow", () => {
  expect(tagged({ u_: id("user", { allow: "/" }), c_: id("channel", { allow: ":" }) }).allow).toBe("/:")
})
