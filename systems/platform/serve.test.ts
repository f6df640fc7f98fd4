/* `npm run serve` as a process: what it prints, how it ends, what it refuses. */

import { request } from "node:http"
import { describe, expect, it } from "vitest"
import { needs } from "../../test/needs.ts"
import { startPrimaries } from "../../test/redis-cluster.ts"
import { ADMIN, send } from "./testing/serve.ts"
import { runServe, serveProcess } from "./testing/serve-process.ts"
import { onRealServer } from "./testing/servers.ts"

describe("npm run serve", () => {
  it("prints one line when it is ready, on the embedded engine whatever REDIS_URL says, and ends in good order", async () => {
    const shop = await serveProcess("shop", "--port", "0", "--set", "shop.openLogin=true")
    expect(shop.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await send(shop.url, "GET /health")).body).toEqual({ status: "ok" })
    expect((await send(shop.url, "POST /login", { body: { user: "a" } })).status).toBe(201)
    expect(await shop.stop()).toBe(0)
    expect(shop.stdout()).toBe(`ready ${shop.url}\n`)
    expect(shop.stderr()).toContain('"event":"request"')
  })

  it("answers the requests that are under way when it is stopped", async () => {
    const shop = await serveProcess("shop", "--port", "0", "--set", "shop.openLogin=true", "--admin-token", ADMIN)
    const requests = await Promise.all(
      Array.from({ length: 16 }, (_, i) => beginPut(`${shop.url}/source/customers/c${i}`)),
    )
    const ended = shop.stop()
    for (const status of await Promise.all(requests.map((end) => end({ password: "p" })))) expect(status).toBe(204)
    expect(await ended).toBe(0)
    await expect(send(shop.url, "GET /health")).rejects.toThrow("fetch failed")
  })

  const refused: readonly (readonly [args: string[], says: RegExp])[] = [
    [["shpo"], /no system "shpo"[^]*systems: .*shop/],
    [["shop", "--set", "shop.pageTll=1"], /no setting "shop\.pageTll"[^]*shop\.pageTtl \(300\)/],
    [["shop", "--redis", "http://a:canary@b"], /not an address of a Redis server/],
    [["shop", "--database", "mysql://a:canary-password@b/c"], /--database takes/],
  ]
  it.each(refused)("refuses %j with status 2 and says what it knows", async (args, says) => {
    const run = runServe(...args)
    expect(await run.ended).toBe(2)
    expect(run.stderr()).toMatch(says)
    expect(run.stderr()).not.toContain("canary")
    expect(run.stdout()).toBe("")
  })
})

/** Resolves when the server has read the head of the request and asks for its body; then how to send that. */
function beginPut(url: string): Promise<(body: object) => Promise<number>> {
  const headers = { authorization: `Bearer ${ADMIN}`, "content-type": "application/json", expect: "100-continue" }
  const outgoing = request(url, { method: "PUT", headers })
  const status = new Promise<number>((resolve, reject) => {
    outgoing.once("error", reject).once("response", (incoming) => resolve(incoming.resume().statusCode!))
  })
  outgoing.flushHeaders()
  return new Promise((resolve, reject) => {
    outgoing.once("error", reject).once("continue", () =>
      resolve((body) => {
        outgoing.end(JSON.stringify(body))
        return status
      }),
    )
  })
}

describe.runIf(needs("redis-server"))("npm run serve on a cluster", () => {
  it("says which setting puts a system into one slot, and serves it then", async () => {
    const cluster = await startPrimaries(1)
    try {
      const { url } = cluster.nodes[0]!
      for (const [system, says] of [
        ["shop", /--set shop\.tag=main/],
        ["messaging", /--set messaging\.shards=64/],
      ] as const) {
        const run = runServe(system, "--port", "0", "--redis", url)
        expect(await run.ended).toBe(2)
        expect(run.stderr()).toMatch(says)
      }
      const shop = await serveProcess("shop", "--port", "0", "--redis", url, "--set", "shop.tag=main")
      expect((await send(shop.url, "GET /health")).body).toEqual({ status: "ok" })
      expect(await shop.stop()).toBe(0)
    } finally {
      await cluster.stop()
    }
  })
})

onRealServer("npm run serve", (server) => {
  it("ALL-1: is not started on a database that has another system's keys, unless it is forced", async () => {
    const args = ["shop", "--port", "0", "--redis", server().redis!]
    await server().raw("SET", "user:index:email:a@b.c", "1")
    const run = runServe(...args)
    expect(await run.ended).toBe(2)
    expect(run.stderr()).toMatch(/database 0 has keys of restaurant \("user:index:email:{email}"\)/)
    const forced = await serveProcess(...args, "--force")
    expect(await forced.stop()).toBe(0)
    await server().raw("DEL", "user:index:email:a@b.c")
    await server().raw("SET", "nobody's", "1")
    const shop = await serveProcess(...args)
    expect(await shop.stop()).toBe(0)
  })

  it("uses the database that the address names, and the setting before that", async () => {
    const where = async (...args: string[]) => {
      const shop = await serveProcess("shop", "--port", "0", "--set", "shop.openLogin=true", ...args)
      await send(shop.url, "POST /login", { body: { user: "a" } })
      await shop.stop()
      const info = (await server().raw("INFO", "keyspace")) as string
      await server().raw("FLUSHALL")
      return [...info.matchAll(/^db(\d+):/gm)].map((found) => Number(found[1]))
    }
    expect(await where("--redis", `${server().redis}/3`)).toEqual([3])
    expect(await where("--redis", `${server().redis}/3`, "--set", "shop.db=5")).toEqual([5])
  })

  it("says no password, token or secret, whatever happens", async () => {
    await server().raw("CONFIG", "SET", "requirepass", "canary-redis")
    const address = server().redis!.replace("redis://", "redis://:canary-redis@")
    const shop = await serveProcess("shop", "--port", "0", "--redis", address, "--admin-token", "canary-admin")
    const call = (request: string, options?: Parameters<typeof send>[2]) => send(shop.url, request, options)
    const answers = [
      await call("PUT /source/customers/ann", { token: "canary-admin", body: { password: "canary-password" } }),
      await call("POST /login", { body: { user: "ann", password: "canary-wrong" } }),
      await call("POST /views", { token: "canary-token", body: { item: "i" } }),
      await call("POST /views?token=canary-query", { token: "canary/token", body: { item: "i" } }),
      await call("POST /login", { body: '{"password":"canary-malformed' }),
      await call("GET /canary-path?token=canary-query"),
      await call("GET /session", { headers: { cookie: "session=canary-cookie" } }),
      await call("GET /metrics"),
    ]
    expect(answers.map(({ status }) => status)).toEqual([204, 401, 401, 401, 400, 404, 401, 200])
    const login = await call("POST /login", { body: { user: "ann", password: "canary-password" } })
    const { token } = login.body as { token: string }
    await call("POST /views", { token, body: { item: "i" } })
    const metrics = (await call("GET /metrics")).body as string
    await server().raw("AUTH", "canary-redis")
    await server().raw("CONFIG", "SET", "requirepass", "")
    expect(await shop.stop()).toBe(0)
    const said = shop.stderr() + shop.stdout() + JSON.stringify(answers.map(({ body }) => body)) + metrics
    expect(said).not.toMatch(/canary/)
    expect(said).not.toContain(token)
  })
})
