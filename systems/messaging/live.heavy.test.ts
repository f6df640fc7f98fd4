/* MSG-31 under load: a thousand streams, readers that do not read, and kill -9. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { isFull } from "../../test/full.ts"
import { listenTo, type Ear } from "../platform/testing/listen-to.ts"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { serveProcess, type ServeProcess } from "../platform/testing/serve-process.ts"
import { onRealServer } from "../platform/testing/servers.ts"

const EVENTS = "keywright:messaging:events:456:789"
const STREAMS = 1000
const PER_USER = 10

onRealServer("many streams of events", (server) => {
  let folder: string
  const running: ServeProcess[] = []
  const ears: Ear[] = []
  const start = async (...args: string[]) => {
    const source = `sqlite:${join(folder, "source.db")}`
    const where = ["--port", "0", "--redis", server().redis!, "--database", source, "--admin-token", ADMIN]
    const served = await serveProcess("messaging", ...where, ...args)
    running.push(served)
    return served
  }
  const login = async (url: string, user: string): Promise<string> => {
    const grant = { tenant: "1", account: "1", project: "456", serviceId: "789", service: "roc", user }
    const issued = await send(url, "POST /v1/saas/tokens", { token: ADMIN, body: grant })
    const { refreshToken } = issued.body as { refreshToken: string }
    const pair = await send(url, "POST /v1/auth/token", { body: { refreshToken } })
    return (pair.body as { accessToken: string }).accessToken
  }
  const listen = async (url: string, token: string, after?: string): Promise<Ear> => {
    const headers = { authorization: `Token ${token}`, ...(after !== undefined && { "last-event-id": after }) }
    const ear = await listenTo(url, "/v1/roc/events", headers)
    expect(ear.status).toBe(200)
    ears.push(ear)
    return ear
  }
  const memory = ({ process }: ServeProcess) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, "utf8"))![1]) / 1024
  const metric = async (url: string, name: string) =>
    Number(
      new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, "m").exec(String((await send(url, "GET /metrics")).body))?.[1] ?? 0,
    )

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "messenger-"))
  })
  afterEach(async () => {
    for (const ear of ears.splice(0)) ear.close()
    await Promise.all(running.splice(0).map((one) => one.stop()))
    rmSync(folder, { recursive: true, force: true })
  })

  it("MSG-31: a thousand take less than 100 MB and one connection to Redis, and all hear the same", async () => {
    const app = await start()
    const tokens = await Promise.all(Array.from({ length: STREAMS / PER_USER }, (_, i) => login(app.url, `u${i}`)))
    const warm = await listen(app.url, tokens[0]!)
    warm.close()
    const connections = async () =>
      Number(/connected_clients:(\d+)/.exec(String(await server().raw("INFO", "clients")))![1])
    const [before, clients] = [memory(app), await connections()]
    const all = await Promise.all(
      Array.from({ length: STREAMS }, (_, i) => listen(app.url, tokens[Math.floor(i / PER_USER)]!)),
    )
    await Promise.all(all.map((ear) => ear.until(({ event }) => event === "ready")))
    const added = memory(app) - before
    console.log(`${STREAMS} streams: ${added.toFixed(1)} MB`)
    expect(added).toBeLessThan(100)
    expect(await connections()).toBe(clients)
    const users = Array.from({ length: STREAMS / PER_USER }, (_, i) => `u${i}`).join(",")
    for (let i = 0; i < 20; i++)
      await server().raw(
        "XADD",
        EVENTS,
        "*",
        "kind",
        "message",
        "to",
        `u:${users}`,
        "data",
        JSON.stringify({ body: `m${i}` }),
      )
    await server().raw("PUBLISH", EVENTS, "x")
    await Promise.all(all.map((ear) => ear.until(({ data }) => (data as { body?: string }).body === "m19")))
    const bodies = Array.from({ length: 20 }, (_, i) => `m${i}`)
    for (const ear of all)
      expect(ear.heard.flatMap(({ event, data }) => (event === "message" ? [data["body"]] : []))).toEqual(bodies)
    expect(memory(app) - before).toBeLessThan(100)
  })

  it("MSG-31: readers that do not read are cut, and are not buffered for without end", async () => {
    const app = await start()
    const token = await login(app.url, "u1")
    const good = await listen(app.url, token)
    const lazy = await Promise.all(Array.from({ length: 8 }, () => listen(app.url, token)))
    for (const ear of lazy) ear.pause()
    const before = memory(app)
    const data = JSON.stringify({ body: "x".repeat(50_000) })
    for (let i = 0; i < 400; i++) await server().raw("XADD", EVENTS, "*", "kind", "message", "to", "u:u1", "data", data)
    await server().raw("XADD", EVENTS, "*", "kind", "message", "to", "u:u1", "data", '{"body":"last"}')
    await good.until(({ data }) => (data as { body?: string }).body === "last")
    while ((await metric(app.url, "messaging_streams")) > 1) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await metric(app.url, "messaging_streams_cut_total")).toBe(lazy.length)
    expect(memory(app) - before).toBeLessThan(100)
  })

  it("MSG-31: after kill -9 of the process that sent them, all messages that are stored are announced", async () => {
    const rounds = isFull ? 20 : 3
    const other = await start("--set", "messaging.sweepEvery=1")
    for (const [user, contact] of [
      ["u1", "u2"],
      ["u2", "u1"],
    ])
      await send(other.url, `PUT /source/456/789/users/${user}`, { token: ADMIN, body: { contacts: [contact] } })
    const [u1, u2] = [await login(other.url, "u1"), await login(other.url, "u2")]
    const ear = await listen(other.url, u2)
    for (let round = 0; round < rounds; round++) {
      const app = await start("--set", "messaging.jobs=false")
      let enough = () => {}
      const areSent = new Promise<void>((resolve) => (enough = resolve))
      const sending = Array.from({ length: 4 }, async (_, i) => {
        for (let n = 0; ; n++) {
          const body = { receiver: "u2", body: `r${round} s${i} n${n}` }
          await send(app.url, "POST /v1/roc/messages", { token: u1, body })
          if (n === 1) enough()
        }
      })
      const isOver = Promise.allSettled(sending)
      await areSent
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
      await app.kill9()
      running.splice(running.indexOf(app), 1)
      await isOver
    }
    const stored = new Set<string>()
    for (let cursor = ""; ;) {
      const page = await send(other.url, `GET /v1/roc/messages?subscriber=u1&limit=200${cursor}`, { token: u2 })
      const { messages, next } = page.body as { messages: { id: string }[]; next?: string }
      for (const { id } of messages) stored.add(id)
      if (next === undefined) break
      cursor = `&cursor=${next}`
    }
    const heard = () =>
      new Set(ear.heard.flatMap(({ event, data }) => (event === "message" ? [data["id"] as string] : [])))
    await ear.until(() => heard().size >= stored.size)
    expect(heard()).toEqual(stored)
    expect(stored.size).toBeGreaterThan(rounds)
  })
})
