import { describe, expect, it } from "vitest"
import { SchemaError } from "../errors/error.ts"
import { day, month } from "./codec/date.ts"
import { id } from "./codec/id.ts"
import { text } from "./codec/text.ts"
import { set, string } from "./define.ts"
import { entity } from "./entity.ts"
import { database, scope } from "./group.ts"
import { keyBuilder } from "./key-builder.ts"
import type { Key } from "./key.ts"
import { keyspace } from "./keyspace.ts"

const cart = entity(
  "cart:{id}",
  { id: text, userId: text },
  { all: "cart:list", ids: "given", index: { user: ["cart:index:user:{userId}", "user:{userId}:cart"] } },
)

function builderOf(keys: readonly Key[], name: string) {
  return keyBuilder(
    keys.find((key) => key.name === name)!,
    keys,
  )
}

function refused(run: () => unknown): { code: string; owner: unknown } {
  try {
    run()
  } catch (error) {
    if (error instanceof SchemaError) return { code: error.code, owner: error.details?.["owner"] }
    throw error
  }
  throw new Error("nothing was refused")
}

describe("an id that would be another key", () => {
  it("is refused where a literal pattern owns the key", () => {
    const { keys } = keyspace({ cart: string("cart:{token}", text), all: set("cart:list", text) })
    const build = builderOf(keys, "cart")
    expect(build({ token: "lists" })).toBe("cart:lists")
    expect(refused(() => build({ token: "list" }))).toEqual({ code: "KEY.RESERVED", owner: "cart:list" })
    expect(builderOf(keys, "all")({})).toBe("cart:list")
  })

  it("is refused where a more literal pattern with parameters owns the key", () => {
    const { keys } = keyspace({
      any: string("log:{name}", text),
      daily: string("log:{day}_errors", text, { params: { day } }),
    })
    const build = builderOf(keys, "any")
    expect(refused(() => build({ name: "2011-10-03_errors" })).owner).toBe("log:{day}_errors")
    expect(build({ name: "2011-10-33_errors" })).toBe("log:2011-10-33_errors")
  })

  it("is refused by both where only the codecs can tell and they do not", () => {
    const params = (matching: RegExp) => ({ params: { x: id("x", { matching }) } })
    const { keys } = keyspace({
      one: string("a:{x}", text, params(/[ab]+/)),
      other: string("a:{x}", text, params(/[bc]+/)),
    })
    expect(builderOf(keys, "one")({ x: "a" })).toBe("a:a")
    expect(refused(() => builderOf(keys, "one")({ x: "b" })).code).toBe("KEY.RESERVED")
    expect(refused(() => builderOf(keys, "other")({ x: "b" })).code).toBe("KEY.RESERVED")
  })

  it("is taken where it is another key of another database only", () => {
    const { keys } = keyspace({
      one: database(0, "one", { cart: string("cart:{token}", text) }),
      two: database(1, "two", { all: set("cart:list", text) }),
    })
    expect(builderOf(keys, "one.cart")({ token: "list" })).toBe("cart:list")
  })

  it("is taken where the codecs tell the patterns apart", () => {
    const { keys } = keyspace({
      daily: string("queries:{day}", text, { params: { day } }),
      monthly: string("queries:{month}", text, { params: { month } }),
    })
    expect(builderOf(keys, "daily")({ day: "2011-10-03" })).toBe("queries:2011-10-03")
    expect(builderOf(keys, "monthly")({ month: "2011-10" })).toBe("queries:2011-10")
  })
})

describe("the id of a record", () => {
  it("may not be a word that is in its place in another pattern", () => {
    const { keys } = keyspace({ cart, lock: string("cart:lock:now:{x}", text) })
    const build = builderOf(keys, "cart")
    expect(build({ id: "7" })).toBe("cart:7")
    expect(build({ id: "user" })).toBe("cart:user")
    expect(refused(() => build({ id: "list" })).owner).toBe("cart:list")
    expect(refused(() => build({ id: "index" }))).toEqual({ code: "KEY.RESERVED", owner: "cart:index:user:{userId}" })
    expect(refused(() => build({ id: "lock" })).owner).toBe("cart:lock:now:{x}")
  })

  it("may not be one under a prefix with parameters either", () => {
    const { keys } = keyspace({ shop: scope("shop:{shop}:", { cart }), other: string("shop:{name}:cart:$:{x}", text) })
    const build = builderOf(keys, "shop.cart")
    expect(build({ shop: "index", id: "7" })).toBe("shop:index:cart:7")
    expect(refused(() => build({ shop: "a", id: "list" })).owner).toBe("shop:{shop}:cart:list")
    expect(refused(() => build({ shop: "a", id: "index" })).owner).toBe("shop:{shop}:cart:index:user:{userId}")
    expect(refused(() => build({ shop: "a", id: "$" })).owner).toBe("shop:{name}:cart:$:{x}")
  })

  it("is the only parameter that this holds for", () => {
    const { keys } = keyspace({ cart })
    expect(builderOf(keys, "cart#user")({ userId: "index" })).toBe("cart:index:user:index")
    expect(builderOf(keys, "cart#user~1")({ userId: "list" })).toBe("user:list:cart")
  })
})
