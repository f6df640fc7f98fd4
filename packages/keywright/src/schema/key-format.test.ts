import { describe, expect, it, test } from "vitest"
import { SchemaError } from "../errors/error.ts"
import { day } from "./codec/date.ts"
import { id } from "./codec/id.ts"
import { int } from "./codec/number.ts"
import { oneOf } from "./codec/one-of.ts"
import { secret } from "./codec/wrap.ts"
import { escapeGlob, keyFormat } from "./key-format.ts"
import { maxSegment } from "./mask.ts"
import { goodPatterns } from "./pattern.cases.ts"

function refusal(run: () => unknown): SchemaError {
  try {
    run()
  } catch (error) {
    if (error instanceof SchemaError) return error
    throw error
  }
  throw new Error("nothing was refused")
}

const viewed = keyFormat("viewed:{token}")
const queries = keyFormat("rails:users:{id}:queries:{day}", { id: int, day })

describe("building a key", () => {
  test.each(goodPatterns)("$pattern → $key, and back", ({ pattern, params, key }) => {
    const given = Object.fromEntries(params.map((name) => [name, "x"]))
    expect(keyFormat(pattern).build(given)).toBe(key)
    expect(keyFormat(pattern).parse(key)).toEqual(given)
  })

  it("encodes parameters by their codecs, and decodes them", () => {
    const params = { id: 7, day: "2011-10-03" }
    expect(queries.build(params)).toBe("rails:users:7:queries:2011-10-03")
    expect(queries.parse("rails:users:7:queries:2011-10-03")).toEqual(params)
    expect(queries.locate("rails:users:7:queries:2011-10-03")).toEqual({ id: "7", day: "2011-10-03" })
  })

  it("takes letters of all languages", () => {
    expect(viewed.build({ token: "é日🙂" })).toBe("viewed:é日🙂")
    expect(viewed.parse("viewed:é日🙂")).toEqual({ token: "é日🙂" })
  })

  it("takes characters that the codec allows", () => {
    const path = keyFormat("file:{path}", { path: id("path", { allow: ": " }) })
    expect(path.build({ path: "a:b c" })).toBe("file:a:b c")
    expect(path.parse("file:a:b c")).toEqual({ path: "a:b c" })
  })
})

describe("a key that would be another one is refused when it is built:", () => {
  it("an empty segment", () => {
    const error = refusal(() => viewed.build({ token: "" }))
    expect(error).toMatchObject({ code: "KEY.EMPTY_SEGMENT", pattern: "viewed:{token}" })
    expect(error.message).toContain("{token}")
    expect(error.why).toContain("a different key")
  })

  test.each([
    ["the separator", "a:b"],
    ["an opening brace", "a{b"],
    ["a closing brace", "a}b"],
    ["*", "a*"],
    ["?", "a?"],
    ["[", "[a"],
    ["]", "a]"],
    ["a backslash", "a\\b"],
    ["a space", "a b"],
    ["a line break", "a\nb"],
    ["a null character", "a\0b"],
    ["DEL", "a\x7fb"],
    ["a control character beyond ASCII", "a\x85b"],
    ["a space beyond ASCII", "a\u3000b"],
    ["a line separator", "a\u2028b"],
  ])("%s", (_, token) => {
    const error = refusal(() => viewed.build({ token }))
    expect(error).toMatchObject({ code: "KEY.FORBIDDEN_CHARACTER", pattern: "viewed:{token}" })
    expect(error.why).toBeDefined()
    expect(error.fix).toContain("allow")
  })

  it("half of a surrogate pair, which has no bytes", () => {
    expect(refusal(() => viewed.build({ token: "a\ud800" })).code).toBe("CODEC.TEXT")
    const raw = keyFormat("a:{x}", { x: { ...id("x"), encode: (value: string) => value } })
    expect(refusal(() => raw.build({ x: "a\ud800" })).code).toBe("KEY.FORBIDDEN_CHARACTER")
  })

  it("the character that ends the segment, even one that is harmless elsewhere", () => {
    const liked = keyFormat("{userId}_liked_posts")
    expect(refusal(() => liked.build({ userId: "a_b" })).message).toContain('"_"')
    expect(refusal(() => keyFormat("a:{x}:b", { x: id("x", { allow: ":" }) }).build({ x: "a:b" })).code).toBe(
      "KEY.FORBIDDEN_CHARACTER",
    )
  })

  it("a segment of 10 kB", () => {
    const error = refusal(() => viewed.build({ token: "x".repeat(10_240) }))
    expect(error.code).toBe("KEY.SEGMENT_TOO_LONG")
    expect(error.message).toContain("10240")
    expect(error.fix).toContain("digest")
    expect(viewed.build({ token: "x".repeat(maxSegment) })).toHaveLength(7 + maxSegment)
  })

  test.each([
    ["missing", {}],
    ["undefined", { token: undefined }],
    ["null", { token: null }],
  ])("a parameter that is %s", (_, params) => {
    expect(refusal(() => viewed.build(params))).toMatchObject({
      code: "KEY.MISSING_PARAM",
      message: '"viewed:{token}" needs {token}',
      fix: "Pass { token: … }.",
    })
  })

  it("reads a parameter once: a getter that says something else the next time changes no later key", () => {
    const format = keyFormat("cart:{token}")
    let reads = 0
    const flips = {
      get token() {
        return reads++ === 0 ? "victim" : "attacker"
      },
    }
    expect(format.build(flips)).toBe("cart:victim")
    expect(format.build({ token: "victim" })).toBe("cart:victim")
  })

  it("a parameter that the pattern does not have", () => {
    expect(refusal(() => viewed.build({ token: "a", user: "b" }))).toMatchObject({
      code: "KEY.UNKNOWN_PARAM",
      fix: "Leave out user, or correct its name.",
    })
    expect(refusal(() => keyFormat("login:").build({ token: "a" })).code).toBe("KEY.UNKNOWN_PARAM")
    const tricky = JSON.parse('{"token":"a","__proto__":"b"}') as Record<string, unknown>
    expect(refusal(() => viewed.build(tricky)).code).toBe("KEY.UNKNOWN_PARAM")
  })

  test.each([
    ["a number where text is", viewed, { token: 7 }, "CODEC.TEXT"],
    ["an object where text is", viewed, { token: {} }, "CODEC.TEXT"],
    ["text where a number is", queries, { id: "7", day: "2011-10-03" }, "CODEC.INT"],
    ["a number beyond 2^53", queries, { id: 2 ** 53, day: "2011-10-03" }, "CODEC.INT"],
    ["a day that does not exist", queries, { id: 7, day: "2011-02-30" }, "CODEC.DAY"],
    ["a Date where a day's text is", queries, { id: 7, day: new Date(0) }, "CODEC.DAY"],
    [
      "a word that is not of the list",
      keyFormat("a:{verb}", { verb: oneOf("get", "set") }),
      { verb: "del" },
      "CODEC.ONE_OF",
    ],
    [
      "an id that does not look like one",
      keyFormat("a:{x}", { x: id("x", { matching: /\d+/ }) }),
      { x: "y" },
      "CODEC.ID",
    ],
  ])("%s", (_, format, params, code) => {
    expect(refusal(() => format.build(params)).code).toBe(code)
  })

  it("and a secret is not quoted", () => {
    const tokens = keyFormat("token:{token}", { token: secret(id("token", { matching: /[^!]+/ })) })
    for (const token of ["hunter2 hunter2", "hunter2!"]) {
      expect(refusal(() => tokens.build({ token })).message).not.toContain("hunter2")
    }
  })
})

describe("a key that is not of the pattern is not read:", () => {
  test.each([
    ["another head", "seen:a"],
    ["an empty segment", "viewed:"],
    ["a separator in the segment", "viewed:a:b"],
    ["white space", "viewed: a"],
    ["half of a surrogate pair", "viewed:a\udc00"],
  ])("%s", (_, key) => {
    expect(viewed.locate(key)).toBeUndefined()
    expect(viewed.parse(key)).toBeUndefined()
  })

  it("a tail that is missing, cut short or followed by more", () => {
    const subscribers = keyFormat("Ch:{channel}:Sub")
    for (const key of ["Ch:a", "Ch:a:", "Ch:a:Su", "Ch:a:Subs", "Ch::Sub"])
      expect(subscribers.parse(key)).toBeUndefined()
  })

  it("a segment that its codec refuses, though it is located", () => {
    expect(queries.parse("rails:users:07:queries:2011-10-03")).toBeUndefined()
    expect(queries.parse("rails:users:7:queries:2011-10-3")).toBeUndefined()
    expect(queries.locate("rails:users:7:queries:2011-10-3")).toEqual({ id: "7", day: "2011-10-3" })
  })
})

describe("the glob for MATCH", () => {
  it("has a star for what is not known, and known parameters escaped", () => {
    expect(queries.glob()).toBe("rails:users:*:queries:*")
    expect(queries.glob({ id: 7 })).toBe("rails:users:7:queries:*")
    expect(keyFormat("{{user}}:cart").glob()).toBe("{*}:cart")
    const free = keyFormat("[a]:{x}", { x: id("x", { allow: "*?[]\\" }) })
    expect(free.glob({ x: "*?[\\" })).toBe("\\[a\\]:\\*\\?\\[\\\\")
  })

  it("refuses known parameters that no key has", () => {
    expect(refusal(() => queries.glob({ id: "*" })).code).toBe("CODEC.INT")
  })

  it("escapes what a glob gives a meaning", () => {
    expect(escapeGlob("a*b?c[d]e\\f^g")).toBe("a\\*b\\?c\\[d\\]e\\\\f\\^g")
  })
})
