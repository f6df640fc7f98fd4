/* Ids that are held in quotes, in the studio: shown, followed and edited as the ids that they are. */

import { afterEach, expect, test } from "vitest"
import * as z from "zod"
import { connect } from "../../client/connect.ts"
import { onAnyServer } from "../../client/servers.cases.ts"
import { json } from "../../schema/codec/json.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import { startStudio, type RunningStudio } from "./start-studio.ts"
import { enter } from "./studio-client.cases.ts"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
  quoted: true,
})
const menu = keyspace(
  {
    dish: record("dish", json(z.object({ id: z.string(), name: z.string(), categoryId: z.string() })), {
      unique: { name: "name" },
      index: { category: ["categoryId", "category:{categoryId}:dishes"] },
    }),
    category: record("category", json(z.object({ id: z.string(), name: z.string() }))),
  },
  {
    name: "menu",
    ttl: "never",
    relations: { dish: { category: { one: "category", from: "categoryId", inverse: "dishes" } } },
  },
)

let studio: RunningStudio
afterEach(() => studio?.close())

onAnyServer("ids in quotes", (server) => {
  test("are followed both ways, and an edit keeps their quotes", async () => {
    const db = await connect(menu, server().target)
    for (const name of ["Soups", "Rice"]) await db.category.create({ name })
    for (const name of ["pho", "bun"]) await db.dish.create({ name, categoryId: "1" })
    await db.$close()
    studio = await startStudio({ systems: [{ keyspace: menu, server: server().target as string }], write: true })
    const page = await enter(studio)
    await page.event("scan", ({ state }) => state === "done")
    const open = async (text: string) => {
      const { hits } = await page.call("GET /api/search", { query: { q: text, system: "menu" } })
      const hit = hits.find((one) => one.what === "key")
      if (hit?.what !== "key") throw new Error(`no key ${text}`)
      const { db: at, ref } = hit.link
      return page.call("GET /api/systems/:system/key", { system: "menu", query: { db: at, ref } })
    }

    const category = await open("category:1")
    const dishes = category.relations.find(({ name }) => name === "dishes")
    expect(dishes?.links.map(({ key, exists }) => [key, exists]).sort()).toEqual([
      ["dish:1", true],
      ["dish:2", true],
    ])
    const dish = await open("dish:1")
    const links = dish.relations.flatMap(({ links }) => links.map(({ key, exists }) => [key, exists]))
    expect(links.sort()).toEqual([
      ["category:1", true],
      ["category:1:dishes", true],
      ["dish:index:category:1", true],
      ["dish:index:name:pho", true],
    ])

    const change = { op: "change", db: dish.db, ref: dish.ref, fields: { categoryId: "2" }, seen: dish.seen }
    await page.call("POST /api/systems/:system/edit", { system: "menu", body: { ...change, confirm: "dish:1" } })
    expect(await server().raw("SMEMBERS", "category:1:dishes")).toEqual(['"2"'])
    expect(await server().raw("SMEMBERS", "dish:index:category:2")).toEqual(['"1"'])
    expect(await server().raw("GET", "dish:index:name:pho")).toBe('"1"')
  })
})
