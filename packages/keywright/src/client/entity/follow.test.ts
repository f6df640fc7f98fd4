import { expect, test } from "vitest"
import { json } from "../../schema/codec/json.ts"
import { set } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { record } from "./common.cases.ts"
import * as z from "zod"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"

const menu = keyspace(
  {
    cart: record("cart", json(z.object({ id: z.string(), user: z.string() })), { unique: { user: "user" } }),
    line: record(
      "line",
      json(z.object({ id: z.string(), cart: z.string(), dish: z.string(), tags: z.array(z.string()) })),
      { index: { cart: "cart" } },
    ),
    dish: record("dish", json(z.object({ id: z.string(), name: z.string() }))),
    label: record("label", json(z.object({ id: z.string() }))),
    dishLabels: set("dish:{dish}:labels", { ...json(z.string()), encode: (v: string) => v, decode: (v: string) => v }),
  },
  {
    ttl: "never",
    relations: {
      line: {
        ofCart: { one: "cart", from: "cart", inverse: "lines" },
        food: { one: "dish", from: "dish" },
      },
      dish: { labels: { many: "label", through: "dishLabels" } },
    },
  },
)

onBothServers("a transaction reads relations ahead", (server) => {
  const open = () => connect(menu, server().target)
  const filled = async () => {
    const db = await open()
    const cart = await db.cart.create({ user: "u1" })
    for (const name of ["pho", "bun", "com"]) {
      const dish = await db.dish.create({ name })
      await db.label.create({ id: `hot-${dish.id}` })
      await db.dishLabels({ dish: dish.id }).add(`hot-${dish.id}`)
      await db.line.create({ cart: cart.id, dish: dish.id, tags: [] })
    }
    return db
  }
  const reads = async () =>
    Number(/total_reads_processed:(\d+)/.exec((await server().raw("INFO", "stats")) as string)?.[1])

  test("a record, its lines, their dishes and the labels of those come in one round trip", async () => {
    const db = await filled()
    const look = () =>
      db.$transaction((db) => db.cart.find("user", { user: "u1" }, { with: { lines: { food: { labels: true } } } }))
    await look()
    const before = await reads()
    const cart = await look()
    if (server().driver.kind === "resp") expect((await reads()) - before - 1).toBe(1)
    expect(cart).toMatchObject({ id: "1", user: "u1" })
    expect(cart!.lines.map((line) => [line.id, line.food?.name, line.food?.labels.map(({ id }) => id)])).toEqual([
      ["1", "pho", ["hot-1"]],
      ["2", "bun", ["hot-2"]],
      ["3", "com", ["hot-3"]],
    ])
    expect(await db.$transaction((db) => db.cart.get("1", { with: { lines: true } }))).toMatchObject({
      lines: [{ id: "1" }, { id: "2" }, { id: "3" }],
    })
    await db.$close()
  })

  test("what was read ahead is compared at the commit, a set that grew as well as a record that changed", async () => {
    const db = await filled()
    for (const meddle of [
      () => db.line.create({ cart: "1", dish: "1", tags: ["late"] }),
      () => db.dish.update("2", { name: "bun cha" }),
      () => db.dishLabels({ dish: "3" }).add("other"),
    ]) {
      const seen: number[] = []
      await db.$transaction(async (tx) => {
        const cart = await tx.cart.find("user", { user: "u1" }, { with: { lines: { food: { labels: true } } } })
        seen.push(cart!.lines.length)
        if (seen.length === 1) await meddle()
        await tx.cart.update("1", { user: "u1" })
      })
      expect(seen.length).toBe(2)
    }
    await db.$close()
  })

  test("what another program left in a wrong shape is read the usual way", async () => {
    const db = await filled()
    await server().raw("SET", "dish:1", "no json")
    await server().raw("SADD", "line:index:cart:1", "77")
    await server().raw("DEL", "dish:3:labels")
    await server().raw("SET", "dish:3:labels", "a string")
    const cart = await db.$transaction((db) => db.cart.find("user", { user: "u1" }, { with: { lines: true } }))
    expect(cart!.lines.map(({ id }) => id)).toEqual(["1", "2", "3"])
    const ids = await db.$transaction(async (db) => {
      await db.cart.find("user", { user: "u1" }, { with: { lines: true } })
      return db.line.listIds("cart", { cart: "1" })
    })
    expect(ids, "as outside of a transaction, with the one that leads nowhere").toEqual(["1", "2", "3", "77"])
    const deep = db.$transaction((db) =>
      db.cart.find("user", { user: "u1" }, { with: { lines: { food: { labels: true } } } }),
    )
    await expect(deep).rejects.toThrow(/WRONGTYPE|dish/)
    await db.$close()
  })

  test("there is nothing to follow where there is no record", async () => {
    const db = await filled()
    expect(
      await db.$transaction((db) => db.cart.find("user", { user: "u2" }, { with: { lines: true } })),
    ).toBeUndefined()
    expect(await db.$transaction((db) => db.cart.get("9", { with: { lines: true } }))).toBeUndefined()
    await db.$close()
  })

  test("a record of another type is an error, not one that is missing", async () => {
    const db = await filled()
    await server().raw("DEL", "line:2")
    await server().raw("LPUSH", "line:2", "x")
    let attempts = 0
    const work = db.$transaction(async (t) => {
      attempts++
      const cart = await t.cart.find("user", { user: "u1" }, { with: { lines: true } })
      await t.dish.create({ name: String(cart?.lines.length) })
    })
    await expect(work).rejects.toMatchObject({ code: "SERVER.WRONGTYPE", key: "line:2" })
    expect(attempts).toBeLessThanOrEqual(2)
    await db.$close()
  })
})
