/* kill -9 of the serving process at every step of what concerns several databases: a
 * proxy stops before a request to Redis gets there, or before its reply comes back, and
 * the process is killed then. The same request to another process completes it, and what
 * is stored then is, key by key and row by row, what an uninterrupted run leaves. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { isFull } from "../../test/full.ts"
import { startHoldingProxy, type HoldingProxy } from "../../test/holding-proxy.ts"
import { openSource, type Source } from "../platform/source.ts"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { serveProcess, type ServeProcess } from "../platform/testing/serve-process.ts"
import { rawIn } from "../platform/testing/cluster-server.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { allMisfits, CLOCK, DATABASE, dumpAll, inDatabase, PLACES } from "./carto.cases.ts"
import { inPlace } from "./in-place.cases.ts"
import type { CartoTables } from "./tables.ts"

/** Every step when all are asked for, else a few of them. */
const strideOf = (steps: number) => (isFull ? 1 : Math.max(1, Math.floor(steps / 2)))

/** On one server the keys of a cluster's placement are in one place, and each step of a rename goes through one proxy. */
const placements = [
  ["kill -9 of carto", undefined],
  ["kill -9 of carto, keys placed for a cluster", inPlace],
] as const

for (const [title, placement] of placements)
  onRealServer(title, (server) => {
    const folder = mkdtempSync(join(tmpdir(), "keywright-carto-"))
    const database = `sqlite:${join(folder, "catalogue.db")}`
    const inServer =
      placement === undefined
        ? (...command: (string | number)[]) => server().raw(...command)
        : rawIn(placement, (words) => server().raw(...words))
    const raw = inDatabase(() => inServer)
    let proxy: HoldingProxy
    let app: ServeProcess
    beforeAll(async () => {
      proxy = await startHoldingProxy(server().process!.port)
      app = await serve()
    })
    afterAll(async () => {
      await app.kill9()
      await proxy.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const serve = () =>
      serveProcess(
        ...["carto", "--port", "0", "--redis", proxy.url, "--database", database, "--admin-token", ADMIN],
        ...[...CLOCK, "--set", "carto.jobs=false"],
        ...Object.entries(placement?.settings ?? {}).flatMap(([name, value]) => ["--set", `carto.${name}=${value}`]),
      )
    const admin = async (request: string, body?: object) =>
      (await send(app.url, request, { token: ADMIN, ...(body && { body }) })).status

    /** Two users with something in each database. */
    async function prepare(): Promise<void> {
      for (let db = 0; db < 6; db++) await raw(db, "FLUSHDB")
      await admin("DELETE /users/eva")
      for (const username of ["dev", "devo", "ana"]) await admin(`DELETE /users/${username}`)
      for (const [id, username] of [
        [1, "dev"],
        [2, "ana"],
      ] as const) {
        const database_name = id === 1 ? DATABASE : `cartodb_dev_user_${id}_db`
        expect(await admin("POST /users", { id, username, database_name, map_key: `key-${id}` })).toBe(201)
        for (const table of ["places", "rivers"])
          expect(await admin(`PUT /tables/${database_name}/${table}`, { ...PLACES, user_id: id })).toBe(201)
        await admin("POST /queries", { user_id: id, sql: "select 1; delete from t", time: 0.5 })
        await raw(3, "HSET", `rails:oauth_tokens:token-${id}`, "user_id", id, "time", "2011-10-03T12:00:00.000Z")
        for (const visualization_id of ["v1", "v2"])
          await admin(`POST /users/${username}/mapviews`, { visualization_id })
      }
    }

    async function catalogue(): Promise<unknown> {
      const source = openSource(database, () => {}) as unknown as Source<CartoTables> & { close(): Promise<void> }
      const found = await source.ask(async (sql) => [
        await sql.selectFrom("carto_users").selectAll().orderBy("id").execute(),
        await sql.selectFrom("carto_tables").selectAll().orderBy("database_name").orderBy("table_name").execute(),
      ])
      await source.close()
      return found
    }
    const stored = async () => ({ redis: await dumpAll(inServer), catalogue: await catalogue() })

    /** What is left when nobody interrupts, and how many requests to Redis that takes. */
    async function uninterrupted(begin: () => Promise<void>, work: () => Promise<number>) {
      await prepare()
      await begin()
      proxy.count()
      expect(await work()).toBeLessThan(300)
      return { requests: proxy.counted, left: await stored() }
    }

    async function killedAt(step: number, when: "request" | "reply", work: () => Promise<number>): Promise<boolean> {
      const held = proxy.hold(step, when)
      const answer = work().catch(() => undefined)
      const isHeld = await Promise.race([held.then(() => true), answer.then(() => false)])
      if (isHeld) {
        await app.kill9()
        await answer
      }
      proxy.release()
      if (isHeld) app = await serve()
      return isHeld
    }

    const nothing = () => Promise.resolve()
    const empty = async () => void (await raw(0, "FLUSHDB"), await raw(5, "FLUSHDB"))
    const rename = () => admin("POST /users/dev/rename", { username: "devo" })
    const eva = { id: 3, username: "eva", database_name: "d", map_key: "key-3" }
    const operations = [
      ["CDB-3: a creation", nothing, () => admin("POST /users", eva)],
      [
        "CDB-8: a rename of a table",
        nothing,
        () => admin(`POST /tables/${DATABASE}/places/rename`, { table: "cities" }),
      ],
      ["CDB-6: a rename", nothing, rename],
      ["CDB-7: a deletion", nothing, () => admin("DELETE /users/dev")],
      ["CDB-21: a restore", empty, () => admin("POST /jobs/restore/run")],
    ] as const

    const concerned = placement === undefined || isFull ? operations : operations.slice(2, 3)
    it.each(concerned)("%s is completed by the same request again", async (_, begin, work) => {
      const { requests, left } = await uninterrupted(begin, work)
      const stride = strideOf(2 * requests)
      let kills = 0
      for (let step = 1; step <= requests; step++) {
        for (const [i, when] of (["request", "reply"] as const).entries()) {
          if ((2 * step + i) % stride !== 0) continue
          await prepare()
          await begin()
          if (!(await killedAt(step, when, work))) continue
          kills += 1
          const status = await work()
          // Killed after all was done: then the new one is there already, and the old one no more.
          expect([step, when, [200, 201, 204, 404, 409].includes(status)]).toEqual([step, when, true])
          expect({ step, when, ...(await stored()) }).toEqual({ step, when, ...left })
        }
      }
      expect(kills).toBeGreaterThanOrEqual(Math.floor((2 * requests) / stride) - 1)
      expect(await allMisfits(inServer)).toEqual([])
    })

    it("CDB-6 CDB-21: a rename is completed, or has not been, when a restore comes first", async () => {
      const { requests, left } = await uninterrupted(nothing, rename)
      await prepare()
      const before = await stored()
      for (let step = 1; step <= requests; step += strideOf(requests)) {
        await prepare()
        if (!(await killedAt(step, "reply", rename))) continue
        expect(await admin("POST /jobs/restore/run")).toBe(200)
        expect([before, left]).toContainEqual(await stored())
      }
    })

    it("CDB-6: a rename that was cut short does not keep the user from being renamed again, by the name that they have", async () => {
      const again = (from: string) => admin(`POST /users/${from}/rename`, { username: "eva" })
      const { left } = await uninterrupted(nothing, () => again("dev"))
      await prepare()
      proxy.count()
      expect(await rename()).toBe(200)
      const requests = proxy.counted
      for (let step = 1; step <= requests; step += strideOf(requests)) {
        await prepare()
        if (!(await killedAt(step, "reply", rename))) continue
        // By their old name they may not be found any more because of this: it completes the first rename before.
        let status = 404
        for (const name of ["devo", "dev", "devo"]) if (status === 404) status = await again(name)
        expect([step, status]).toEqual([step, 200])
        expect({ step, ...(await stored()) }).toEqual({ step, ...left })
      }
    })
  })
