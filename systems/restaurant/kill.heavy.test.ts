/* kill -9 of the serving process, and of the server, under load: nothing is half done,
 * and what was acknowledged is there. Looked at by plain commands alone. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../test/full.ts"
import { needs } from "../../test/needs.ts"
import { startRedis, type RealRedis } from "../../test/real-redis.ts"
import { RespClient } from "../../test/resp-client.ts"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { serveProcess, type ServeProcess } from "../platform/testing/serve-process.ts"
import { misfits } from "../platform/testing/stored.ts"
import { ADMIN_EMAIL, PASSWORD, result, signed, vnpaySettings } from "./restaurant.cases.ts"
import { violations } from "./raw-check.cases.ts"
import { restaurant } from "./schema.ts"

const ROUNDS = isFull ? 40 : 2
const BUYERS = 10

describe.runIf(needs("redis-server"))("kill -9 of the restaurant and of its server", () => {
  let redis: RealRedis
  beforeAll(async () => {
    redis = await startRedis({ args: ["--appendonly", "yes", "--appendfsync", "always"] })
  })
  afterAll(() => redis?.stop())

  const serve = () =>
    serveProcess(
      ...["restaurant", "--port", "0", "--redis", redis.url, "--admin-token", ADMIN, ...vnpaySettings],
      ...["--set", `restaurant.adminEmail=${ADMIN_EMAIL}`, "--set", `restaurant.adminPassword=${PASSWORD}`],
      ...["--set", "restaurant.jwtSecret=a-secret-that-outlives-the-process"],
    )
  const login = async (url: string, username: string) => {
    const { body } = await send(url, "POST /login", { body: { username, password: PASSWORD } })
    return (body as { accessToken: string }).accessToken
  }

  /** Buys until the process is gone; notes what was acknowledged. */
  async function buy(url: string, token: string, orders: Map<string, number>, isOver: () => boolean): Promise<void> {
    const call = (request: string, body?: object) => send(url, request, { token, ...(body && { body }) })
    while (!isOver()) {
      try {
        for (const dishId of ["1", "2", "3"]) await call("POST /cart/add-dish", { dishId, quantity: 1 })
        if (Math.random() < 0.2) await call("DELETE /cart")
        await call("GET /cart")
        const paymentMethod = Math.random() < 0.5 ? "VNPAY" : "CASH"
        const { status, body } = await call("POST /cart/checkout", { paymentMethod })
        if (status !== 201) continue
        const { orderId, totalPrice } = body as { orderId: string; totalPrice: number }
        orders.set(orderId, totalPrice)
        if (paymentMethod === "VNPAY")
          await call(`GET /payment/vnpay/ipn?${signed(result(`VNPAY${orderId}`, totalPrice * 100))}`)
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError) // fetch failed: the process is gone.
        return
      }
    }
  }

  test(`${ROUNDS} times: no index is wrong, no acknowledged order is lost (ALL-5, RST-22)`, async () => {
    const orders = new Map<string, number>()
    let app: ServeProcess = await serve()
    const boss = await login(app.url, ADMIN_EMAIL)
    await send(app.url, "POST /api/categories", { token: boss, body: { name: "Món" } })
    for (const name of ["a", "b", "c"])
      await send(app.url, "POST /api/dishes", {
        token: boss,
        body: { name, price: 1000, categoryId: "1", stock: 1_000_000 },
      })
    const emails = Array.from({ length: BUYERS }, (_, i) => `buyer${i}@example.com`)
    for (const email of emails)
      await send(app.url, "POST /register", {
        body: { username: email, email, password: PASSWORD, phone: "1", address: "x" },
      })

    for (let round = 0; round < ROUNDS; round++) {
      const tokens = await Promise.all(emails.map((email) => login(app.url, email)))
      let isOver = false
      const buying = tokens.map((token) => buy(app.url, token, orders, () => isOver))
      await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 500))
      if (round % 2 === 0) {
        await app.kill9()
        await Promise.all(buying)
        app = await serve()
      } else {
        await redis.kill9()
        await redis.restart()
        await new Promise((resolve) => setTimeout(resolve, 300))
        isOver = true
        await Promise.all(buying)
      }
      const client = await RespClient.connect(redis.port)
      const raw = (...words: (string | number)[]) => client.send(...words)
      expect(await violations(raw)).toEqual([])
      expect(await misfits(raw, restaurant.keys)).toEqual([])
      for (const [id, total] of orders)
        expect(JSON.parse((await raw("GET", `order:${id}`)) as string)).toMatchObject({ id, totalPrice: total })
      const documents = async (keys: string[]) =>
        ((await raw("MGET", ...keys)) as string[]).map((text) => JSON.parse(text) as Record<string, number>)
      const lines = (await raw("SMEMBERS", "orderDetail:list")) as string[]
      const ordered = await documents(["dish:1", ...lines.map((id) => `orderDetail:${id}`)])
      const dishes = await documents(["dish:1", "dish:2", "dish:3"])
      const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
      const sold = sum(ordered.slice(1).map((line) => line["quantity"]!))
      expect(sum(dishes.map((dish) => 1_000_000 - dish["stock"]!))).toBe(sold)
      expect(sum(dishes.map((dish) => dish["soldToday"]!))).toBe(sold)
      client.close()
    }
    const report = await send(app.url, "GET /admin/integrity", { token: ADMIN })
    expect(report.body).toMatchObject({ findings: [] })
    expect(orders.size).toBeGreaterThan(ROUNDS)
    await app.stop()
  })
})
