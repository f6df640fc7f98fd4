/* cartodb-redis, the origin's own reader of this layout, reads what we wrote, and counts
 * what we read. It is old and keeps its connections, so it runs in a separate process. */

import { createRequire } from "node:module"
import { afterEach, expect, it } from "vitest"
import { runProgram } from "../../test/child-program.ts"
import { onAnyServer } from "../platform/testing/servers.ts"
import { cartoForTest, DATABASE, inDatabase, type Carto } from "./carto.cases.ts"

const require = createRequire(import.meta.url)
const program = `
  import { promisify } from "node:util"
  import open from ${JSON.stringify(require.resolve("cartodb-redis"))}
  const [port, calls] = process.argv.slice(-2)
  const metadata = open({ host: "127.0.0.1", port: Number(port) })
  const answers = []
  for (const [name, ...args] of JSON.parse(calls))
    answers.push(await promisify(metadata[name].bind(metadata))(...args).catch((error) => error.message))
  console.log(JSON.stringify(answers))
  process.exit(0)`

onAnyServer("the origin's own reader", (server) => {
  let app: Carto
  afterEach(() => app?.close())
  const raw = inDatabase(() => server().raw)

  /** Its methods, one after another. */
  async function ask(...calls: string[][]): Promise<unknown[]> {
    const port = server().process?.port ?? server().engine!.port!
    const { ended, lines, errors } = runProgram(program, [String(port), JSON.stringify(calls)])
    expect([await ended, errors()]).toEqual([0, ""])
    return JSON.parse(lines[0]!) as unknown[]
  }

  it("finds users and tables that we wrote, and misses what we deleted", async () => {
    app = await cartoForTest(server())
    const key = await app.user()
    await app.table("places", { privacy: 1 })
    const tables = ["getTablePrivacy", "getTableGeometryType", "getTableInfowindow"]
    const users = ["getUserId", "getUserDBName", "getUserMapKey"]
    const calls = [...users.map((name) => [name, "dev"]), ...tables.map((name) => [name, DATABASE, "places"])]
    expect(await ask(...calls)).toEqual(["1", DATABASE, key, "1", "point", "id, name, description"])

    await app.admin("POST /users/dev/rename", { username: "devo" })
    await app.admin(`POST /tables/${DATABASE}/places/rename`, { table: "cities" })
    expect(await ask(["getUserDBName", "devo"], ["getTablePrivacy", DATABASE, "cities"])).toEqual([DATABASE, "1"])
    await app.admin("DELETE /users/devo")
    expect(await ask(["getUserDBName", "devo"], ["getTablePrivacy", DATABASE, "cities"])).toEqual([
      expect.stringContaining("restore_redis"),
      null,
    ])
  })

  it("counts map views that we read", async () => {
    app = await cartoForTest(server(), "--clock", new Date().toISOString())
    await app.user()
    const counted = await ask(["incMapviewCount", "dev", ""], ["incMapviewCount", "dev", "v1"])
    expect(counted).toHaveLength(2)
    const [day] = (await raw(5, "ZRANGE", "user:dev:mapviews:global", 0, -1)) as string[]
    const stats = async (more = "") => (await app.admin(`GET /users/dev/mapviews?from=${day}&to=${day}${more}`)).body
    expect(await stats()).toEqual({ days: { [day!]: 2 }, total: 2 })
    expect(await stats("&visualization=v1")).toEqual({ days: { [day!]: 1 }, total: 1 })
  })
})
