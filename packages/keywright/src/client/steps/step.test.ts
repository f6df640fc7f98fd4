import { arrayOf, connect, keyspace, SchemaError, step, string, text } from "keywright"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { Conflict, WrongType } from "../../errors/outcome.ts"
import { onBothServers } from "../servers.cases.ts"
import { shop, twoDatabases } from "./step.cases.ts"

const head = "-- KEYS  as declared\n-- ARGV  as declared\n"
const refusal = (make: () => unknown) => {
  try {
    make()
  } catch (error) {
    return error
  }
  throw new Error("it was accepted")
}

onBothServers("a step", (server) => {
  let db: Awaited<ReturnType<typeof open>>
  const open = () => connect(shop, server().target)
  beforeEach(async () => {
    db = await open()
  })
  afterEach(() => db.$close())

  it("gets the keys in their order, how many there are of each, and the arguments", async () => {
    const tokens = ["a", "b", "c"]
    for (const [i, token] of tokens.entries()) {
      await server().raw("HSET", "login:", token, "u")
      await server().raw("ZADD", "recent:", String(i), token)
      await server().raw("ZADD", `viewed:${token}`, "1", "item")
      await server().raw("HSET", `cart:${token}`, "item", "1")
    }
    const keys = tokens.map((token) => ({ token }))
    expect(await db.$steps.clean({ viewed: keys, cart: keys, limit: 1, tokens })).toEqual(["a", "b"])
    expect(await server().keys()).toEqual(["cart:c", "login:", "recent:", "viewed:c"])
    expect(await db.$steps.clean({ viewed: [], cart: [], limit: 1, tokens: [] })).toEqual([])
  })

  it("shares the parameters of its single keys with those that come in numbers", async () => {
    await server().raw("SET", "P:1:St:u2", "x")
    const status = [{ user: "u1" }, { user: "u2" }, { user: "u3" }]
    expect(await db.$steps.online({ project: "1", status })).toEqual([1, 3])
  })

  it("returns nothing where the script returns nothing", async () => {
    expect(await db.$steps.getRow({ row: "1" })).toBeUndefined()
    await server().raw("SET", "inv:1", "")
    expect(await db.$steps.getRow({ row: "1" })).toBe("")
  })

  it("returns integers, texts, tuples, pairs and bytes", async () => {
    const shapes = [1, "two", [["a", 1.5], ["b", -2]], Buffer.from([255, 0]), undefined] // oxfmt-ignore
    expect(await db.$steps.shapes()).toEqual(shapes)
  })

  it("names the step when the result is not as declared, and does not show it", async () => {
    const error = (await db.$steps.wrong().catch((caught: unknown) => caught)) as Error
    expect(error).toMatchObject({ code: "STEP.RESULT", message: "the step wrong did not return int" })
    expect(error.message).not.toContain("no number")
  })

  it("turns an error with a code into a Conflict, and leaves the server's own errors alone", async () => {
    await server().raw("ZADD", "delay:", "1", "r")
    const refused = await db.$steps.refuse({ how: "code" }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Conflict)
    expect(refused).toMatchObject({ code: "STOCK.SOLD_OUT", message: "only 2 left", details: { step: "refuse" } })
    const wrongType = await db.$steps.refuse({ how: "write" }).catch((error: unknown) => error)
    expect(wrongType).toBeInstanceOf(WrongType)
    const inBatch = await db.$batch((db) => [db.$steps.refuse({ how: "code" }).catch((error: unknown) => error)])
    expect(inBatch[0]).toMatchObject({ code: "STOCK.SOLD_OUT" })
  })

  it("names the key that holds another type than its schema says", async () => {
    await server().raw("SET", "delay:", "x")
    const wrongType = await db.$steps.refuse({ how: "write" }).catch((error: unknown) => error)
    expect(wrongType).toBeInstanceOf(WrongType)
    expect(wrongType).toMatchObject({ code: "SERVER.WRONGTYPE", pattern: "delay:", key: "delay:" })
  })

  it("is carried out once for an operation id, and answers the same each time", async () => {
    const operationId = "pay-17"
    const answers = await Promise.all(Array.from({ length: 20 }, () => db.$steps.hit({ by: 5 }, { operationId })))
    expect(new Set(answers)).toEqual(new Set([5]))
    expect(await db.$steps.hit({ by: 5 })).toBe(10)
    const remembered = (await server().keys()).find((key) => key.startsWith("keywright:op:pay-17:"))
    expect(await server().raw("PTTL", remembered!)).toBeGreaterThan(0)
  })

  it("is told apart from other steps and keys with the same operation id", async () => {
    const operationId = "request-1"
    await server().raw("ZADD", "delay:", "1", "7")
    await db.$steps.setRow({ row: "1", value: "v" }, { operationId })
    await db.$steps.setRow({ row: "2", value: "v" }, { operationId })
    expect(await db.$steps.hit({ by: 5 }, { operationId })).toBe(5)
    expect(await server().raw("MGET", "inv:1", "inv:2")).toEqual(["v", "v"])
    await expect(db.$steps.hit({ by: 5 }, { operationId: "a b" })).rejects.toMatchObject({ code: "CALL.OPERATION_ID" })
  })

  it("does not remember a refusal: the same operation may succeed later", async () => {
    const call = () => db.$steps.setRow({ row: "7", value: "v" }, { operationId: "x" })
    await expect(call()).rejects.toMatchObject({ code: "ROW.UNSCHEDULED" })
    expect(await server().keys()).toEqual([])
    await server().raw("ZADD", "delay:", "1", "7")
    expect(await call()).toBeUndefined()
    expect(await call()).toBeUndefined()
    expect(await server().raw("GET", "inv:7")).toBe("v")
  })

  it("goes into a batch and a MULTI with other calls", async () => {
    const both = await db.$multi((db) => [db.hits().set(1), db.$steps.hit({ by: 1 }), db.hits().get()])
    expect(both).toEqual([undefined, 2, 2])
    expect(await db.$batch((db) => [db.$steps.hit({ by: 1 }), db.$steps.getRow({ row: "1" })])).toEqual([3, undefined])
  })

  it("works while all scripts are forgotten again and again", async () => {
    const flusher = setInterval(() => void server().raw("SCRIPT", "FLUSH"), 20)
    let sum = 0
    for (let round = 0; round < 40; round++) {
      await Promise.all(Array.from({ length: 25 }, () => db.$steps.hit({ by: 1 })))
      await db.$multi((db) => [db.$steps.hit({ by: 1 }), db.row({ row: "1" }).set("x")])
      sum += 26
    }
    clearInterval(flusher)
    expect(await server().raw("GET", "hits")).toBe(String(sum))
  })

  it("refuses what it does not know or lacks, before anything is sent", async () => {
    const steps = db.$steps as unknown as Record<string, (input: object) => Promise<unknown>>
    const code = (input: object, name = "setRow") => steps[name]!(input).catch((error: SchemaError) => error.code)
    expect(await code({ row: "1", value: "v", vlaue: "v" })).toBe("STEP.UNKNOWN_NAME")
    expect(await code({ row: "1" })).toBe("STEP.MISSING")
    expect(await code({ value: "v" })).toMatch(/^KEY\./)
    expect(await code({ row: "a:b", value: "v" })).toMatch(/^KEY\./)
    expect(await code({ project: "1" }, "online")).toBe("STEP.MISSING")
    expect(await code({ by: 1.5 }, "hit")).toMatch(/^CODEC\./)
    expect(await server().keys()).toEqual([])
  })
})

describe("a step that cannot work", () => {
  const entries = { one: string("one:{a}", text), other: string("other:{b}", text) }

  it("is refused when its keys live in two databases", () => {
    expect(refusal(() => twoDatabases(["a.x", "b.y"]))).toMatchObject({ code: "STEP.DATABASES" })
    expect(twoDatabases(["b.y"]).keys).toHaveLength(2)
  })

  it("is refused when it names a key that does not exist", () => {
    const steps = { bad: step({ script: head, keys: ["three" as "one"] }) }
    expect(refusal(() => keyspace(entries, { steps }))).toMatchObject({ code: "KEYSPACE.REFERENCE" })
  })

  it("is refused when a name means two things", () => {
    const make = (keys: ("one" | "other[]" | "one[]")[], args: Record<string, typeof text>) =>
      refusal(() => keyspace(entries, { steps: { bad: step({ script: head, keys, args }) } }))
    expect(make(["one"], { a: text })).toMatchObject({ code: "STEP.NAMES" })
    expect(make(["other[]"], { other: text })).toMatchObject({ code: "STEP.NAMES" })
    expect(make(["one[]", "one[]"], {})).toMatchObject({ code: "STEP.NAMES" })
  })

  it("is refused when its script does not say what it gets", async () => {
    const make = (script: string | URL) => keyspace(entries, { steps: { bad: step({ script, keys: ["one"] }) } })
    expect(refusal(() => make("return 1"))).toMatchObject({ code: "STEP.HEADER" })
    expect(refusal(() => make("-- nothing\nlocal x = KEYS[1]"))).toMatchObject({ code: "STEP.HEADER" })
    const error = await connect(make(new URL(import.meta.url)), "memory:").catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: "STEP.HEADER" })
  })

  it("is refused on connect when its file is not there", async () => {
    const script = new URL("../missing.lua", import.meta.url)
    const made = keyspace(entries, { steps: { bad: step({ script, keys: ["one"], args: { list: arrayOf(text) } }) } })
    await expect(connect(made, "memory:")).rejects.toMatchObject({ code: "STEP.SCRIPT" })
  })
})
