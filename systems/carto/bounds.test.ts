/* What users of CartoDB may add with their API key has a bound. */

import { afterEach, expect, it } from "vitest"
import { onRealServer } from "../platform/testing/servers.ts"
import { cartoForTest, DATABASE, inDatabase, PLACES, type Carto } from "./carto-for-test.ts"

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
