/* Several systems in one server, and what the platform does for all of them: here with
 * a system of a few lines beside the shop. */

import { job, keyspace, list, text } from "keywright"
import { afterEach, expect, it } from "vitest"
import * as z from "zod"
import { shopSystem } from "../shop/index.ts"
import { known } from "../catalog.ts"
import { conflict } from "./http/problem.ts"
import { route } from "./http/route.ts"
import { openLog } from "./log.ts"
import { warnIfVolatile } from "./server-info.ts"
import { startServer, type Server } from "./server.ts"
import { databaseNumber, flag, readSettings, secretWords } from "./settings.ts"
import { system } from "./system.ts"
import { ADMIN, send } from "./testing/serve.ts"
import { onAnyServer } from "./testing/servers.ts"

const notes = system()({
  name: "notes",
  doc: "Notes.",
  databases: [12],
  settings: { db: databaseNumber(), jobs: flag(true, "Whether."), key: secretWords("A secret.") },
  schema: () => keyspace({ notes: list("notes", text, { doc: "All notes." }) }, { ttl: "never" }),
  refusals: { "NOTE.TAKEN": [409, "taken", "there is such a note"] },
  async start({ db, log, settings }) {
    await warnIfVolatile(db.$driver(), "notes", log)
    const Note = z.strictObject({ note: z.string(), wanted: z.literal(["conflict", "crash", "log"]).optional() })
    const add = route("POST /notes", {
      summary: "Adds a note.",
      body: Note,
      ignored: ["id"],
      answer: z.object({ notes: z.int() }),
      status: 201,
      errors: [409],
      async handle({ body }) {
        if (body.wanted === "conflict") throw conflict("taken", "there is such a note")
        if (body.wanted === "crash") throw new Error("unexpected")
        if (body.wanted === "log") log.info("told", { key: settings.key })
        return { notes: await db.notes().pushRight(body.note) }
      },
    })
    const count = job({ name: "notes.count", every: "1h", run: async () => ({ notes: await db.notes().length() }) })
    return {
      routes: [add],
      jobs: [count],
      health: async () => ((await db.notes().length()) > 2 ? { notes: "too many" } : undefined),
    }
  },
})

onAnyServer("several systems", (server) => {
  let running: Server | undefined
  let logged = ""
  const open = async (...set: string[]) => {
    logged = ""
    const systems = [shopSystem, notes]
    running = await startServer({
      systems,
      settings: readSettings(Object.fromEntries(systems.map((one) => [one.name, one.settings])), [
        "shop.openLogin=true",
        ...set,
      ]),
      port: 0,
      host: "127.0.0.1",
      hosts: [],
      behindProxy: false,
      redis: server().redis,
      ...(server().engine && { engine: server().engine! }),
      database: undefined,
      adminToken: ADMIN,
      clock: new Date("2031-01-01T00:00:00Z"),
      demo: true,
      force: false,
      known,
      log: openLog((text) => (logged += text)),
    })
    return (request: string, options?: Parameters<typeof send>[2]) => send(running!.url, request, options)
  }
  afterEach(async () => {
    await running?.close()
    running = undefined
  })

  it("are served under their names, each in its own database, with one health, metrics and document", async () => {
    const call = await open()
    expect((await call("POST /shop/login", { body: { user: "a" } })).status).toBe(201)
    expect((await call("POST /notes/notes", { body: { note: "n", id: 5 } })).body).toEqual({ notes: 1 })
    expect((await call("POST /login", { body: { user: "a" } })).status).toBe(404)
    expect((await call("GET /shop/inventory/273")).body).toMatchObject({ qty: 629 })
    const info = (await server().raw("INFO", "keyspace")) as string
    expect([...info.matchAll(/^db(\d+):/gm)].map((found) => found[1])).toEqual(["10", "12"])
    expect((await call("GET /health")).body).toEqual({ status: "ok" })
    const metrics = (await call("GET /metrics")).body as string
    expect(metrics).toContain("shop_sessions 1")
    expect(metrics).toContain('keywright_operations_total{pattern="notes",command="RPUSH",outcome="ok"} 1')
    const document = (await call("GET /openapi.json")).body as {
      paths: object
      components: { securitySchemes: object }
    }
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(["/shop/views", "/notes/notes", "/health", "/metrics", "/openapi.json"]),
    )
    expect(Object.keys(document.components.securitySchemes).sort()).toEqual(["admin", "shop-session"])
  })

  it("ALL-9: share the clock that they were given", async () => {
    const call = await open()
    const { token } = (await call("POST /shop/login", { body: { user: "a" } })).body as { token: string }
    await server().raw("SELECT", 10)
    const score = Number(await server().raw("ZSCORE", "recent:", token))
    expect(Math.abs(score - Date.parse("2031-01-01T00:00:00Z") / 1000)).toBeLessThan(5)
  })

  it("report what is wrong with one of them", async () => {
    const call = await open()
    for (const note of ["a", "b", "c"]) await call("POST /notes/notes", { body: { note } })
    await new Promise((resolve) => setTimeout(resolve, 150))
    const health = await call("GET /health")
    expect([health.status, health.body]).toEqual([
      503,
      { status: "degraded", systems: { notes: { notes: "too many" } } },
    ])
  })

  it("answer errors in one shape, without a stack; the log has it, without secrets", async () => {
    const call = await open("notes.key=canary-setting")
    const crash = await call("POST /notes/notes", { body: { note: "n", wanted: "crash" } })
    expect([crash.status, crash.body]).toEqual([500, { error: "internal", message: "internal error; see the log" }])
    expect((await call("POST /notes/notes", { body: { note: "n", wanted: "conflict" } })).body).toMatchObject({
      error: "taken",
    })
    await call("POST /notes/notes", { body: { note: "n", wanted: "log" } })
    await running!.close()
    expect(logged).toMatch(/"message":"unexpected","stack":"Error: unexpected/)
    expect(logged).toContain('"event":"told","key":"…"')
    expect(logged).not.toContain("canary")
  })

  it("ALL-15: warn when the server keeps nothing on disk", async () => {
    await server().raw("CONFIG", "SET", "save", "")
    await open()
    await running!.close()
    expect(logged).toContain("loses its data on a restart")
    await server().raw("CONFIG", "SET", "save", "3600 1")
    await open()
    await running!.close()
    expect(logged).not.toContain("loses its data on a restart")
  })

  it("ALL-1: do not share a database", async () => {
    await expect(open("notes.db=10")).rejects.toThrow("shop and notes would share database 10")
  })
})
