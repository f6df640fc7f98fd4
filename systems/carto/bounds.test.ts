/* What users of CartoDB may add with their API key has a bound, and so has what strangers add to them. */

import { afterEach, expect, it } from "vitest"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { serveProcess } from "../platform/testing/serve-process.ts"
import { onBothServers, onRealServer } from "../platform/testing/servers.ts"
import { commandsDuring } from "../platform/testing/stored.ts"
import { cartoForTest, DATABASE, inDatabase, PLACES, type Carto } from "./carto.cases.ts"

onRealServer("users of CartoDB", (server) => {
  let app: Carto
  afterEach(() => app?.close())
  const raw = inDatabase(() => server().raw)
  const open = async (...args: string[]) => (app = await cartoForTest(server(), "--set", "carto.mostTables=3", ...args))
  const put = async (key: string, table: string) =>
    (await app.call(`PUT /tables/${DATABASE}/${table}?api_key=${key}`, { body: PLACES })).status

  it("add only a limited number of tables, also at once; known ones are replaced, and removed ones make room", async () => {
    await open()
    const key = await app.user()
    const tables = Array.from({ length: 12 }, (_, n) => `t${n}`)
    const added = await Promise.all(tables.map((table) => put(key, table)))
    expect(added.toSorted()).toEqual([201, 201, 201, ...Array.from({ length: 9 }, () => 409)])
    const isAdded = await Promise.all(tables.map((table) => raw(0, "EXISTS", `rails:${DATABASE}:${table}`)))
    expect(isAdded).toEqual(added.map((status) => (status === 201 ? 1 : 0)))
    const known = tables.find((_, n) => added[n] === 201)!
    expect(await put(key, known)).toBe(201)
    expect((await app.call(`DELETE /tables/${DATABASE}/${known}?api_key=${key}`)).status).toBe(204)
    expect([await put(key, "new"), await put(key, "newer")]).toEqual([201, 409])
  })

  it("fill their tables only up to a number of bytes, whether they add or change them; what is made shorter makes room", async () => {
    await open("--set", "carto.mostTableBytes=100")
    const key = await app.user()
    const send = async (method: "PUT" | "PATCH", table: string, infowindow: string) => {
      const body = { ...PLACES, infowindow }
      return (await app.call(`${method} /tables/${DATABASE}/${table}?api_key=${key}`, { body })).status
    }
    const wide = "\u4e00" // Three bytes in Redis, one in JavaScript.
    expect([await send("PUT", "a", wide.repeat(20)), await send("PUT", "b", wide.repeat(14))]).toEqual([201, 409])
    expect([await send("PUT", "b", wide.repeat(13)), await send("PATCH", "b", wide.repeat(14))]).toEqual([201, 409])
    expect([await send("PUT", "a", wide.repeat(21)), await send("PATCH", "a", wide)]).toEqual([409, 200])
    expect(await send("PATCH", "b", wide.repeat(32))).toBe(200)
    expect(await raw(0, "HSTRLEN", `rails:${DATABASE}:b`, "infowindow")).toBe(96)
    await app.table("c", { infowindow: "x".repeat(200) })
    expect([await send("PATCH", "c", "x".repeat(201)), await send("PATCH", "c", "x".repeat(199))]).toEqual([409, 200])
  })

  it("share a walk over all tables when they list theirs many times at once", async () => {
    await open()
    const [key, others] = [await app.user(), Array.from({ length: 5000 }, (_, n) => `rails:theirs:t${n}`)]
    await put(key, "mine")
    await raw(0, "MSET", ...others.flatMap((name) => [name, "x"]))
    const list = async () => (await app.call(`GET /tables/${DATABASE}?api_key=${key}`)).body as unknown
    const scans = async (times: number) => {
      const sent = await commandsDuring(server(), async () => {
        const lists = await Promise.all(Array.from({ length: times }, list))
        expect(lists).toEqual(lists.map(() => ({ tables: ["mine"] })))
      })
      return sent.filter(([command]) => command!.toUpperCase() === "SCAN").length
    }
    const once = await scans(1)
    expect(once).toBeGreaterThan(0)
    expect(await scans(40)).toBeLessThan(20 * once)
    await put(key, "new")
    expect(await list()).toEqual({ tables: ["mine", "new"] })
  })

  it("are not limited in what the administrator adds, nor where limits are off", async () => {
    await open()
    const key = await app.user()
    for (const table of ["a", "b", "c", "d"]) await app.table(table)
    expect([await put(key, "a"), await put(key, "e")]).toEqual([201, 409])
    await app.close()
    await open("--set", "carto.limits=off")
    expect(await put(key, "e")).toBe(201)
  })
})

onBothServers("strangers who name visualizations of a user of CartoDB", (server) => {
  let app: Carto
  afterEach(() => app?.close())
  const raw = inDatabase(() => server().raw)
  const open = async (...settings: string[]) =>
    (app = await cartoForTest(server(), ...settings.flatMap((setting) => ["--set", `carto.${setting}`])))
  const view = async (user: string, visualization_id: string) =>
    (await app.call(`POST /users/${user}/mapviews`, { body: { visualization_id } })).status
  const rename = async (key: string, from: string, to: string) =>
    expect((await app.call(`POST /users/${from}/rename?api_key=${key}`, { body: { username: to } })).status).toBe(200)

  it("name no more of them today because the user has another name", async () => {
    await open("newVisualizations=3")
    const key = await app.user()
    for (const name of ["a", "b", "c"]) expect(await view("dev", name)).toBe(204)
    await rename(key, "dev", "eve")
    expect([await view("eve", "d"), await view("eve", "a")]).toEqual([429, 204])
    await rename(key, "eve", "dev")
    expect(await view("dev", "d")).toBe(429)
  })

  it("name only a limited number in all, under whichever names; known ones are still counted", async () => {
    await open("mostVisualizations=3")
    const key = await app.user()
    for (const name of ["a", "b", "c"]) expect(await view("dev", name)).toBe(204)
    expect([await view("dev", "d"), await view("dev", "a")]).toEqual([409, 204])
    await rename(key, "dev", "eve")
    expect([await view("eve", "d"), await view("eve", "a")]).toEqual([409, 204])
    expect(await raw(5, "EXISTS", "user:eve:mapviews:stat_tag:d")).toBe(0)
    await app.user("dev", 2)
    expect(await view("dev", "d")).toBe(204)
  })

  it("find those counted that were there before", async () => {
    await open()
    await app.user()
    for (const name of ["a", "b", "c"]) expect(await view("dev", name)).toBe(204)
    await app.close()
    await open("mostVisualizations=3")
    const all = await Promise.all(["d", "e", "a", "f"].map((name) => view("dev", name)))
    expect(all).toEqual([409, 409, 204, 409])
    await app.close()
    await open("mostVisualizations=0")
    for (const name of ["d", "e", "f", "g"]) expect(await view("dev", name)).toBe(204)
  })
})

onRealServer("strangers who name many visualizations of a user of CartoDB at once", (server) => {
  /** All are sent before Redis answers the first. */
  const atOnce = async <T>(send: () => Promise<T>[]): Promise<T[]> => {
    server().process!.pause()
    const all = send()
    await new Promise((resolve) => setTimeout(resolve, 300))
    server().process!.resume()
    return Promise.all(all)
  }

  it.each([
    ["today", "newVisualizations=3", 429],
    ["in all", "mostVisualizations=3", 409],
  ])("name no more of them %s", async (_, setting, status) => {
    const app = await cartoForTest(server(), "--patient", "--set", `carto.${setting}`)
    await app.user()
    const view = async (visualization_id: string) =>
      (await app.call("POST /users/dev/mapviews", { body: { visualization_id } })).status
    const all = await atOnce(() => Array.from({ length: 20 }, (_, n) => view(`v${n}`)))
    expect(all.toSorted()).toEqual([204, 204, 204, ...Array.from({ length: 17 }, () => status)])
    await app.close()
  })

  it("name no more of them at several workers", async () => {
    const most = ["--set", "carto.mostVisualizations=5", "--set", "carto.jobs=false"]
    const args = ["--port", "0", "--workers", "3", "--redis", server().redis!, "--admin-token", ADMIN]
    const { url, stop } = await serveProcess("carto", ...args, ...most)
    try {
      const user = { id: 1, username: "dev", database_name: DATABASE }
      expect((await send(url, "POST /users", { token: ADMIN, body: user })).status).toBe(201)
      // A connection of its own each time: workers take turns.
      const headers = { connection: "close" }
      const view = async (visualization_id: string) =>
        (await send(url, "POST /users/dev/mapviews", { headers, body: { visualization_id } })).status
      const stored = async () => {
        await server().raw("SELECT", 5)
        return ((await server().raw("KEYS", "user:dev:mapviews:stat_tag:*")) as string[]).length
      }
      for (let round = 0; round < 3; round++) {
        await atOnce(() => Array.from({ length: 60 }, (_, n) => view(`v${round}-${n}`)))
        expect(await stored()).toBeLessThanOrEqual(5)
      }
      for (let n = 0; n < 10; n++) await view(`last-${n}`)
      expect(await stored()).toBe(5)
    } finally {
      await stop()
    }
  })
})
