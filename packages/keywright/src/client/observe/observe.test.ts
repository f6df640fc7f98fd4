import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { connect } from "keywright"
import { afterEach, beforeEach, expect, it } from "vitest"
import { messenger } from "../kinds/family.cases.ts"
import type { Operation } from "./observe.ts"
import { onBothServers } from "../servers.cases.ts"
import { shop } from "../steps/step.cases.ts"

onBothServers("what is published of operations", (server) => {
  const seen: Operation[] = []
  const listener = (message: unknown) => void seen.push(message as Operation)
  beforeEach(() => {
    seen.length = 0
    subscribe("keywright:operation", listener)
  })
  afterEach(() => void unsubscribe("keywright:operation", listener))

  it("names pattern, command and outcome, never a key or a value", async () => {
    const db = await connect(shop, server().target)
    await db.cart({ token: "tok3n" }).set("1tem", 7777)
    await db.login().get("tok3n")
    await db.$steps.getRow({ row: "r0w" })
    await server().raw("SET", "cart:tok3n", "x")
    await db
      .cart({ token: "tok3n" })
      .all()
      .catch(() => undefined)
    await db.$steps.refuse({ how: "code" }).catch(() => undefined)
    await db.$batch((db) => [db.row({ row: "r0w" }).get(), db.cart({ token: "other" }).size()])
    await db.$close()
    expect(seen.map(({ pattern, command, outcome }) => [pattern, command, outcome])).toEqual([
      ["cart:{token}", "HSET", "ok"],
      ["login:", "HGET", "ok"],
      ["$steps.getRow", "EVALSHA", "ok"],
      ["cart:{token}", "HGETALL", "SERVER.WRONGTYPE"],
      ["$steps.refuse", "EVALSHA", "STOCK.SOLD_OUT"],
      ["inv:{row}", "GET", "ok"],
      ["cart:{token}", "HLEN", "ok"],
    ])
    for (const { ms } of seen) expect(ms).toBeGreaterThanOrEqual(0)
    expect(JSON.stringify(seen)).not.toMatch(/tok3n|1tem|7777|r0w|other/)
  })

  it("covers families as a whole", async () => {
    const db = await connect(messenger, server().target)
    await db.channel({ channel: "1" }).$load(async () => ({ info: { name: "n" } }))
    await db.channel({ channel: "1" }).$drop()
    await db.$close()
    expect(seen.map(({ pattern, command }) => `${command} ${pattern}`)).toEqual([
      "$read Ch:{channel}",
      "$fill Ch:{channel}",
      "$drop Ch:{channel}",
    ])
  })
})
