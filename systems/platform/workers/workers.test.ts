/* `npm run serve -- … --workers 2` as processes: what they share, and what becomes of one that dies. */

import { Agent, request } from "node:http"
import { describe, expect, it } from "vitest"
import { ADMIN } from "../testing/serve.ts"
import { runServe, serveProcess, type ServeProcess } from "../testing/serve-process.ts"

interface WorkerAnswer {
  readonly status: number
  readonly body: never
  readonly id: string
}

/** Over a connection of its own each time: connections are dealt out in turn. */
const call = (
  url: string,
  line: string,
  { body, token }: { body?: unknown; token?: string } = {},
): Promise<WorkerAnswer> =>
  new Promise((resolve, reject) => {
    const [method, path] = line.split(" ")
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    }
    const sent = request(
      url + path,
      { method: method!, headers, agent: new Agent({ keepAlive: false }) },
      (response) => {
        let text = ""
        response.on("data", (part: Buffer) => (text += part.toString()))
        response.on("end", () => {
          const isJson = response.headers["content-type"]?.startsWith("application/json")
          const id = String(response.headers["x-request-id"]).split("-")[0]!
          resolve({ status: response.statusCode!, body: (isJson ? JSON.parse(text) : text) as never, id })
        })
      },
    )
    sent.on("error", reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })

/** As the log of the primary says. */
const workersOf = ({ stderr }: ServeProcess): number[] =>
  [...stderr().matchAll(/"event":"a worker starts","worker":\d+,"pid":(\d+)/g)].map(([, pid]) => Number(pid))

const SHOP = ["shop", "--port", "0", "--workers", "2", "--set", "shop.openLogin=true", "--admin-token", ADMIN]

describe("two workers", () => {
  it("serve one port, share engine, source and counts, and end in good order", async () => {
    const shop = await serveProcess(...SHOP)
    try {
      const put = await call(shop.url, "PUT /source/rows/i1", { token: ADMIN, body: { qty: 5, name: "A" } })
      expect(put.status).toBe(204)
      const rows = await Promise.all([1, 2, 3, 4].map(() => call(shop.url, "GET /inventory/i1")))
      expect(rows.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const { token } = (await call(shop.url, "POST /login", { body: { user: "a" } })).body as { token: string }
      const views = await Promise.all(
        Array.from({ length: 20 }, () => call(shop.url, "POST /views", { token, body: { item: "i1" } })),
      )
      expect(views.map(({ status }) => status)).toEqual(views.map(() => 204))
      expect(new Set(views.map(({ id }) => id)).size).toBe(2)
      for (let i = 0; i < 2; i++) {
        const text = (await call(shop.url, "GET /metrics")).body as string
        expect(text).toMatch(/http_requests_total\{system="shop",method="POST",route="\/views",status="204"\} 20\n/)
        expect(text.match(/^# TYPE http_requests_total /gm)).toHaveLength(1)
      }
    } finally {
      expect(await shop.stop()).toBe(0)
    }
    expect(shop.stdout()).toBe(`ready ${shop.url}\n`)
    for (const line of shop.stderr().trimEnd().split("\n")) expect(() => JSON.parse(line) as unknown).not.toThrow()
  })

  it("know the same secrets: who logs in at one is known to the other", async () => {
    const admin = ["adminEmail=boss@example.com", "adminPassword=secret-of-the-boss"]
    const settings = admin.flatMap((setting) => ["--set", `restaurant.${setting}`])
    const restaurant = await serveProcess("restaurant", "--port", "0", "--workers", "2", ...settings)
    try {
      const login = { username: "boss@example.com", password: "secret-of-the-boss" }
      const { accessToken } = (await call(restaurant.url, "POST /login", { body: login })).body as {
        accessToken: string
      }
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => call(restaurant.url, "GET /api/users", { token: accessToken })),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(new Set(answers.map(({ id }) => id)).size).toBe(2)
    } finally {
      expect(await restaurant.stop()).toBe(0)
    }
  })

  it("are replaced when they die, with no connection kept waiting, and are gone with the primary, however it ends", async () => {
    const shop = await serveProcess(...SHOP)
    await expect.poll(() => workersOf(shop).length).toBe(2)
    // One that is paused is handed a connection all the same, and does not get to take it over.
    process.kill(workersOf(shop)[0]!, "SIGSTOP")
    let settled = 0
    const calls = Array.from({ length: 4 }, async () => {
      await call(shop.url, "GET /health").catch(() => undefined)
      settled++
    })
    await expect.poll(() => settled, { timeout: 20_000 }).toBe(3)
    process.kill(workersOf(shop)[0]!, "SIGKILL")
    await Promise.all(calls)
    await expect.poll(() => workersOf(shop).length).toBe(3)
    const [killed, ...others] = workersOf(shop)
    expect(isAlive(killed!)).toBe(false)
    // Connections are dealt out in turn: both serve again.
    const ids = new Set<string>()
    await expect
      .poll(async () => ids.add((await call(shop.url, "GET /health").catch(() => ({ id: "" }))).id).size)
      .toBeGreaterThan(1)
    await shop.kill9()
    await expect.poll(() => others.filter(isAlive)).toEqual([])
  })

  it("are not started where the first one is refused", async () => {
    const run = runServe("shop", "--port", "0", "--workers", "2", "--redis", "http://a:canary@b")
    expect(await run.ended).toBe(2)
    expect(run.stderr()).toMatch(/not an address of a Redis server/)
    expect(run.stderr()).not.toContain("canary")
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
