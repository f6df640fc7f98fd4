/* Promise: a transaction that only reads a few short records, one after another, needs no round
 * trip of its own to compare them; whatever else it reads is compared at the end. */

import { setImmediate } from "node:timers/promises"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import * as z from "zod"
import { json } from "../../schema/codec/json.ts"
import { text } from "../../schema/codec/text.ts"
import { string } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"

const menu = keyspace(
  { dish: entity("dish:{id}", json(z.object({ id: z.string(), name: z.string() }))), note: string("note", text) },
  { ttl: "never" },
)
type Menu = ClientOf<typeof menu>

onBothServers("records that a transaction reads one after another", (server) => {
  let db: Menu
  let sent: string[] = []
  beforeAll(async () => {
    db = await connect(menu, server().target, {
      onSent: ({ as, commands }) => sent.push(commands.map(({ words }) => words.join(" ")).join("; ") || as),
    })
  })
  beforeEach(async () => {
    for (const id of ["1", "2", "3"]) await db.dish.create({ id, name: id })
    sent = []
  })
  afterAll(() => db?.$close())

  /** Their names, and what `between` the second and the third. */
  const names = (ids: readonly string[], between: (t: Menu) => unknown = () => undefined) =>
    db.$transaction(async (t) => {
      const found: (string | undefined)[] = []
      for (const id of ids) {
        if (found.length === 2) await between(t as unknown as Menu)
        found.push((await t.dish.get(id))?.name)
      }
      return found.join()
    })

  test("are asked for again with the next one, and compared by that", async () => {
    expect(await names(["1", "2", "3"])).toBe("1,2,3")
    expect(sent).toEqual(["GET dish:1", "MGET dish:1 dish:2", "MGET dish:1 dish:2 dish:3"])
  })

  test.each([
    ["the last was read", () => undefined],
    ["something else was read", (t: Menu) => t.note().get()],
  ])("are read again when one was changed before %s", async (_, between) => {
    await db.note().set("note")
    let isFirst = true
    const result = await names(["1", "2", "3"], async (t) => {
      if (isFirst) await server().raw("SET", "dish:1", '{"id":"1","name":"changed"}')
      isFirst = false
      await between(t)
    })
    expect(result).toBe("changed,2,3")
  })

  test.each([
    ["one is missing", ["1", "2", "none"], "1,2,"],
    ["one is long", ["1", "long", "3"], `1,${"x".repeat(2000)},3`],
    ["there are more than a few", ["1", "2", "3", "4", "5", "6"], "1,2,3,4,5,6"],
  ])("are compared at the end when %s", async (_, ids, result) => {
    for (const id of ids)
      if (!["1", "2", "3", "none"].includes(id))
        await db.dish.create({ id, name: id === "long" ? "x".repeat(2000) : id })
    sent = []
    expect(await names(ids)).toBe(result)
    expect(sent.at(-1)).toBe(`MGET ${ids.map((id) => `dish:${id}`).join(" ")}`)
    expect(sent.length).toBeGreaterThan(ids.length)
  })

  test("and that are not answered yet are compared at the end", async () => {
    await db.$transaction(async (t) => {
      const first = t.dish.get("1")
      await setImmediate()
      await Promise.all([first, t.dish.get("2")])
      await t.dish.get("3")
    })
    expect(sent).toEqual(["GET dish:1", "GET dish:2", "GET dish:3", "MGET dish:1 dish:2 dish:3"])
  })

  test("and of which one is of another type are an error, as without a transaction", async () => {
    await server().raw("RPUSH", "dish:4", "1")
    await expect(names(["1", "2", "4"])).rejects.toMatchObject({ code: "SERVER.WRONGTYPE" })
  })
})
