/* A text that is read again is not parsed and validated again, and nobody can tell. */

import type { StandardSchemaV1 } from "@standard-schema/spec"
import { afterEach, beforeEach, expect, it } from "vitest"
import * as z from "zod"
import { Undecodable } from "../../errors/outcome.ts"
import { json } from "../../schema/codec/json.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"
import { versionOf } from "./handed-out.ts"

const Dish = z.object({ id: z.string(), name: z.string(), stock: z.number() })
let validations = 0
/** The same schema, which counts. */
const counting: StandardSchemaV1<z.infer<typeof Dish>> = {
  "~standard": {
    ...Dish["~standard"],
    validate(value) {
      validations++
      return Dish["~standard"].validate(value)
    },
  },
}
const Order = z.object({ id: z.string(), lines: z.array(z.string()), at: z.coerce.date() })
const record = layout({ key: "{entity}:{id}", index: "{entity}:index:{index}:{value}" })
const menu = keyspace(
  {
    dish: record("dish", json(counting), { index: { name: "name" }, ids: "given" }),
    order: record("order", json(Order), { ids: "given" }),
  },
  { ttl: "never" },
)

onBothServers("texts that are read again", (server) => {
  const opened = () => connect(menu, server().target)
  let db: Awaited<ReturnType<typeof opened>>
  const raw = (...command: string[]) => server().raw(...command)
  const text = (stock: number, more = "") => `{"id":"1","name":"soup","stock":${stock}${more}}`
  beforeEach(async () => {
    db = await opened()
    await raw("SET", "dish:1", text(4))
    await raw("SADD", "dish:index:name:soup", "1")
    validations = 0
  })
  afterEach(() => db.$close())

  it("are validated once more, and then not again", async () => {
    for (let i = 0; i < 3; i++) {
      await db.dish.get("1")
      await db.dish.list("name", { name: "soup" })
      await db.dish.getMany(["1"])
    }
    expect(validations).toBe(2)
  })

  it("are compared with what is there now: a change by anybody counts at once", async () => {
    for (let stock = 5; stock < 9; stock++)
      for (let i = 0; i < 3; i++) {
        await raw("SET", "dish:1", text(stock))
        expect(await db.dish.get("1")).toEqual({ id: "1", name: "soup", stock })
        expect(await db.dish.list("name", { name: "soup" })).toEqual([{ id: "1", name: "soup", stock }])
      }
    await raw("SET", "dish:1", text(9).replace("9", '"many"'))
    for (let i = 0; i < 3; i++) await expect(db.dish.get("1")).rejects.toBeInstanceOf(Undecodable)
    await raw("DEL", "dish:1")
    for (let i = 0; i < 3; i++) expect(await db.dish.get("1")).toBeUndefined()
  })

  it("give each reader a record of its own, which can be updated", async () => {
    for (let i = 0; i < 4; i++) {
      const dish = (await db.dish.get("1"))!
      expect(dish.stock).toBe(4 + i)
      expect(versionOf(dish)).toBe(versionOf((await db.dish.get("1"))!))
      dish.stock += 1
      const [listed] = await db.dish.list("name", { name: "soup" })
      expect(listed!.stock).toBe(4 + i)
      listed!.stock = 99
      await db.dish.update(dish, { stock: 5 + i })
    }
    expect(await raw("GET", "dish:1")).toBe(text(8))
  })

  it("keep fields that the schema does not know, whatever they are called", async () => {
    await raw("SET", "dish:1", text(4, ',"__proto__":"x","constructor":1,"note":"hot"'))
    for (let i = 0; i < 4; i++) {
      const dish = (await db.dish.get("1"))!
      expect(Object.entries(dish).slice(3)).toEqual([
        ["__proto__", "x"],
        ["constructor", 1],
        ["note", "hot"],
      ])
    }
  })

  it("are read again where a record has parts of its own", async () => {
    await raw("SET", "order:1", '{"id":"1","lines":["a"],"at":"2026-01-01T00:00:00.000Z"}')
    for (let i = 0; i < 4; i++) {
      const order = (await db.order.get("1"))!
      expect([order.lines, order.at]).toEqual([["a"], new Date("2026-01-01")])
      order.lines.push("b")
      order.at.setFullYear(1999)
    }
  })

  it("are those of one id: others at the same place replace them", async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `${i}x1`)
    for (const id of ids) await raw("SET", `dish:${id}`, text(4).replace('"1"', `"${id}"`))
    for (let i = 0; i < 3; i++)
      for (const id of ids) expect(await db.dish.get(id)).toEqual({ id, name: "soup", stock: 4 })
  })
})
