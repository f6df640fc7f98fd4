import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import { classifier } from "./classify.ts"
import { day, isoInstant, month } from "../codec/date.ts"
import { id } from "../codec/id.ts"
import { int } from "../codec/number.ts"
import { oneOf } from "../codec/one-of.ts"
import { text } from "../codec/text.ts"
import { string } from "../define.ts"
import type { Entries } from "../group.ts"
import { keyspace } from "../keyspace.ts"
import type { ParamCodecsOf } from "../locate.ts"

const spaceOf = (patterns: readonly string[], params: ParamCodecsOf = {}) =>
  keyspace(Object.fromEntries(patterns.map((pattern, i) => [`k${i}`, string(pattern as "a", text)])) as Entries, {
    params,
  })

describe.each([true, false])("the classifier, with generated code: %s", (codegen) => {
  /** `"cart:{id}"` and parameters of the key's owner. */
  function owners(patterns: readonly string[], params?: ParamCodecsOf) {
    const made = classifier(spaceOf(patterns, params).keys, { codegen })
    expect(made.codegen).toBe(codegen)
    return (key: string) => {
      const owner = made.owner(key)
      return owner && [owner.key.pattern, ...Object.values(owner.params)]
    }
  }

  it("names the pattern and its parameters", () => {
    const owner = owners(["viewed:", "viewed:{token}", "P:{project}:S:{service}:Ch:{channel}:Sub", "P:{project}:PGSK"])
    expect(owner("viewed:")).toEqual(["viewed:"])
    expect(owner("viewed:EB93")).toEqual(["viewed:{token}", "EB93"])
    expect(owner("P:a:S:b:Ch:c:Sub")).toEqual(["P:{project}:S:{service}:Ch:{channel}:Sub", "a", "b", "c"])
    expect(owner("P:S:PGSK")).toEqual(["P:{project}:PGSK", "S"])
    for (const key of ["", "view", "viewed", "viewed:a:b", "viewed: a", "P:a:S:b:Ch:c:Subs", "P::PGSK", "P:a:PGS"]) {
      expect(owner(key)).toBeUndefined()
    }
  })

  it("finds no owner where nothing is declared", () => {
    const { classify, owner } = classifier([], { codegen })
    for (const key of ["", "cart:1"]) expect([classify(key), owner(key)]).toEqual([-1, undefined])
  })

  it("takes parameters that stand first, and hash tags", () => {
    const owner = owners(["{user}_liked_posts", "{user}_clgs_preference", "{{user}}:cart:{item}", "recent{category}"], {
      category: int,
    })
    expect(owner("a-b_liked_posts")).toEqual(["{user}_liked_posts", "a-b"])
    expect(owner("7_clgs_preference")).toEqual(["{user}_clgs_preference", "7"])
    expect(owner("{7}:cart:x_y")).toEqual(["{{user}}:cart:{item}", "7", "x_y"])
    expect(owner("7_x_liked_posts")).toBeUndefined()
    expect(owner("recent12")).toEqual(["recent{category}", "12"])
    expect(owner("recent12_liked_posts")).toEqual(["{user}_liked_posts", "recent12"])
  })

  it("gives a key to the more literal pattern, and comes back from a literal that leads nowhere", () => {
    const owner = owners(["cart:{id}", "cart:list", "cart:index:user:{user}", "cart:{id}:items", "cart:{id}-{n}:x"])
    expect(owner("cart:list")).toEqual(["cart:list"])
    expect(owner("cart:lists")).toEqual(["cart:{id}", "lists"])
    expect(owner("cart:index")).toEqual(["cart:{id}", "index"])
    expect(owner("cart:index:items")).toEqual(["cart:{id}:items", "index"])
    expect(owner("cart:a-b:x")).toEqual(["cart:{id}-{n}:x", "a", "b"])
    expect(owner("cart:a-b")).toEqual(["cart:{id}", "a-b"])
  })

  it("asks the codecs where several patterns are left", () => {
    const params = {
      day,
      month,
      verb: oneOf("get", "set"),
      hex: id("hex", { matching: /[0-9a-f]+/ }),
      word: id("word", { matching: /[g-z]+/ }),
    }
    const owner = owners(
      ["q:{day}", "q:{month}", "q:total", "q:{month}:time", "q:{day}:time", "q:{month}:{verb}", "w:{hex}", "w:{word}"],
      params,
    )
    expect(owner("q:2011-10")).toEqual(["q:{month}", "2011-10"])
    expect(owner("q:2011-10-03")).toEqual(["q:{day}", "2011-10-03"])
    expect(owner("q:total")).toEqual(["q:total"])
    expect(owner("q:2011-10:time")).toEqual(["q:{month}:time", "2011-10"])
    expect(owner("q:2011-10:get")).toEqual(["q:{month}:{verb}", "2011-10", "get"])
    expect(owner("w:beef")).toEqual(["w:{hex}", "beef"])
    expect(owner("w:ghost")).toEqual(["w:{word}", "ghost"])
    for (const key of ["q:2011", "q:x", "w:X", "q:2011:time"]) expect(owner(key)).toBeUndefined()
  })

  it("leaves a segment that its codec will refuse to the one pattern that it can be of", () => {
    expect(owners(["log-{day}", "q:{day}", "q:{month}"], { day, month })("log-2011-10-3")).toEqual([
      "log-{day}",
      "2011-10-3",
    ])
    expect(owners(["q:{day}", "q:{month}"], { day, month })("q:2011-99")).toEqual(["q:{month}", "2011-99"])
  })

  it("takes characters that a codec allows, beside patterns that do not", () => {
    const params = { path: id("path", { allow: ":" }), at: isoInstant }
    const owner = owners(["f:{path}", "f:{x}:y", "at:{at}", "é{x}ü"], params)
    expect(owner("f:a:b")).toEqual(["f:{path}", "a:b"])
    expect(owner("f:a:y")).toEqual(["f:{x}:y", "a"])
    expect(owner("f:a:b:y")).toEqual(["f:{path}", "a:b:y"])
    expect(owner("at:2011-10-03T13:30:00Z")).toEqual(["at:{at}", "2011-10-03T13:30:00Z"])
    expect(owner("é🙂ü")).toEqual(["é{x}ü", "🙂"])
    expect(owner("é\ud83dü")).toBeUndefined()
    expect(owner("é\u2028ü")).toBeUndefined()
  })

  it("works for one pattern and for five hundred", () => {
    expect(owners(["a"])("a")).toEqual(["a"])
    expect(owners(["{x}"])("a")).toEqual(["{x}", "a"])
    const many = Array.from({ length: 500 }, (_, i) => `app:{tenant}:thing${i}:{id}${i % 2 ? ":items" : ""}`)
    const owner = owners(many)
    many.forEach((pattern, i) => {
      expect(owner(`app:t:thing${i}:7${i % 2 ? ":items" : ""}`)).toEqual([pattern, "t", "7"])
      expect(owner(`app:t:thing${i}:7${i % 2 ? "" : ":items"}`)).toBeUndefined()
    })
  })

  it("knows the keys of one logical database", () => {
    const { keys } = spaceOf(["a", "b"])
    const two = keys.map((key, i) => ({ ...key, db: i }))
    expect(classifier(two, { codegen }).owner("b")).toBeUndefined()
    expect(classifier(two, { codegen, db: 1 }).owner("b")?.key.pattern).toBe("b")
    expect(classifier(two, { codegen, db: 2 }).classify("b")).toBe(-1)
    expect(classifier([], { codegen }).classify("b")).toBe(-1)
  })
})

it("does without generated code where it is not allowed", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { classifier, keyspace, string, text } from "../index.ts"
        const made = classifier(keyspace({ a: string("cart:{id}", text) }).keys)
        console.log(made.codegen, made.owner("cart:7").params.id)`,
      resolveDir: fileURLToPath(new URL("..", import.meta.url)),
    },
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    external: ["@keywright/embedded"],
    conditions: ["@keywright/source"],
  })
  const run = (...flags: string[]) =>
    execFileSync(process.execPath, [...flags, "-e", outputFiles[0]!.text], { encoding: "utf8" }).trim()
  expect(run()).toBe("true 7")
  expect(run("--disallow-code-generation-from-strings")).toBe("false 7")
})

it("patterns that branch at each of many parameters are written out once each", () => {
  const names = Array.from({ length: 18 }, (_, i) => `{p${i}}`)
  const ends = ["!", "/first", "/second", "#third", "@fourth"]
  const patterns = names.flatMap((_, i) => ends.map((end) => `x-${names.slice(0, i + 1).join("-")}${end}`))
  const made = classifier(spaceOf(patterns).keys)
  const key = `x-${names.map((_, i) => i).join("-")}/second`
  expect(made.owner(key)?.key.pattern).toBe(`x-${names.join("-")}/second`)
})
