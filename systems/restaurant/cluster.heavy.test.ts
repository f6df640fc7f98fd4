/* Two restaurants on six nodes; the primary of one of them is killed while people buy. What
 * Redis lost is lost as whole orders: nothing is sold twice, no index is wrong. Looked at by
 * plain commands alone. */

import { connect, keyspace } from "keywright"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../test/full.ts"
import { needs } from "../../test/needs.ts"
import { startCluster, type RealCluster } from "../../test/redis-cluster.ts"
import { killPrimaryOf } from "../platform/testing/owner.ts"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { serveProcess } from "../platform/testing/serve-process.ts"
import { ADMIN_EMAIL, PASSWORD } from "./restaurant.cases.ts"
import { violations } from "./raw-check.cases.ts"

const ROUNDS = isFull ? 6 : 1
const BUYERS = 6
const STOCK = 60
const PLACES = ["", "/r/pho"] as const
const TAGS = { "": "main", "/r/pho": "pho" } as const
const DISHES = ["1", "2"]

describe.runIf(needs("redis-server"))("restaurants on a cluster, and kill -9 of a primary", () => {
  let cluster: RealCluster
  beforeAll(async () => {
    cluster = await startCluster([
      "--cluster-node-timeout",
      "1000",
      "--appendonly",
      "yes",
      "--repl-diskless-sync-delay",
      "0",
    ])
  })
  afterAll(() => cluster?.stop())

  test(`${ROUNDS} times: nothing is sold twice, and the other restaurant sells on (RST-22, RST-24)`, async () => {
    const app = await serveProcess(
      ...["restaurant", "--port", "0", "--redis", cluster.nodes[0]!.url, "--admin-token", ADMIN],
      ...["--set", "restaurant.tag=main", "--set", "restaurant.restaurants=pho"],
      ...["--set", `restaurant.adminEmail=${ADMIN_EMAIL}`, "--set", `restaurant.adminPassword=${PASSWORD}`],
    )
    const at = (place: string, request: string, token?: string, body?: object) =>
      send(app.url, request.replace(" ", ` ${place}`), { ...(token && { token }), ...(body && { body }) })
    const login = async (place: string, username: string) => {
      const { body } = await at(place, "POST /login", undefined, { username, password: PASSWORD })
      return (body as { accessToken: string }).accessToken
    }
    const emails = Array.from({ length: BUYERS }, (_, i) => `buyer${i}@example.com`)
    const bosses = new Map<string, string>()
    for (const place of PLACES) {
      bosses.set(place, await login(place, ADMIN_EMAIL))
      await at(place, "POST /api/categories", bosses.get(place), { name: "Mon" })
      for (const name of DISHES)
        await at(place, "POST /api/dishes", bosses.get(place), { name, price: 1000, categoryId: "1", stock: 0 })
      for (const email of emails)
        await at(place, "POST /register", undefined, {
          ...{ username: email, email, password: PASSWORD, phone: "1", address: "x" },
        })
    }

    const acknowledged = new Map<string, Set<string>>(PLACES.map((place) => [place, new Set()]))
    const state = { isOver: false, refused: 0 }
    const buy = async (place: string, token: string): Promise<void> => {
      while (!state.isOver) {
        for (const dishId of DISHES) await at(place, "POST /cart/add-dish", token, { dishId, quantity: 1 })
        const { status, body } = await at(place, "POST /cart/checkout", token, {})
        if (status === 201) acknowledged.get(place)!.add((body as { orderId: string }).orderId)
        else if (status >= 500) state.refused += 1
        else await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }

    let given = 0
    for (let round = 0; round < ROUNDS; round++) {
      given += STOCK
      for (const place of PLACES)
        for (const dish of DISHES)
          expect((await at(place, `POST /api/dishes/${dish}/stock`, bosses.get(place), { delta: STOCK })).status).toBe(
            200,
          )
      state.isOver = false
      const buying: Promise<void>[] = []
      for (const place of PLACES)
        for (const email of emails) buying.push(login(place, email).then((token) => buy(place, token)))
      await expect.poll(() => PLACES.every((place) => acknowledged.get(place)!.size > 0)).toBe(true)
      await killPrimaryOf(cluster, `{${TAGS[PLACES[round % 2 === 0 ? 1 : 0]]}}`)
      await new Promise((resolve) => setTimeout(resolve, 300))
      state.isOver = true
      await Promise.all(buying)

      const look = await connect(keyspace({}), cluster.nodes[0]!.url, { timeoutMs: 20_000 })
      for (const place of PLACES) {
        const raw = rawUnder(look.$driver(), TAGS[place])
        expect(await violations(raw)).toEqual([])
        const lines = (await raw("SMEMBERS", "orderDetail:list")) as string[]
        const sold = new Map<string, number>()
        for (const id of lines) {
          const line = JSON.parse((await raw("GET", `orderDetail:${id}`)) as string) as Record<string, string & number>
          sold.set(line["dishId"]!, (sold.get(line["dishId"]!) ?? 0) + line["quantity"]!)
        }
        for (const dish of DISHES) {
          const { stock } = JSON.parse((await raw("GET", `dish:${dish}`)) as string) as { stock: number }
          expect(stock).toBeGreaterThanOrEqual(0)
          expect(stock + (sold.get(dish) ?? 0), `${place} dish ${dish}`).toBe(given)
        }
        const stored = new Set((await raw("SMEMBERS", "order:list")) as string[])
        const lost = [...acknowledged.get(place)!].filter((id) => !stored.has(id))
        console.log(
          `${place || "/"}: ${stored.size} orders, ${lost.length} acknowledged ones lost, ${state.refused} refused`,
        )
        const report = await at(place, "GET /admin/integrity", ADMIN)
        expect(report.body).toMatchObject({ findings: [] })
      }
      await look.$close()
    }
    await app.stop()
  })
})

type Send = { send(words: string[]): Promise<unknown> }

/** Commands with the document's names, under a tag. */
const rawUnder =
  (driver: Send, tag: string) =>
  async (name: string | number, ...words: (string | number)[]): Promise<unknown> => {
    const before = `{${tag}}:`
    const isScan = name === "SCAN"
    const placed = words.map((word, i) => {
      if (isScan) return words[i - 1] === "MATCH" ? before + word : String(word)
      return i === 0 || name === "MGET" || name === "EXISTS" ? before + word : String(word)
    })
    const reply = await driver.send([String(name), ...placed])
    if (!isScan) return reply
    const [cursor, keys] = reply as [string, string[]]
    return [cursor, keys.map((key) => key.slice(before.length))]
  }
