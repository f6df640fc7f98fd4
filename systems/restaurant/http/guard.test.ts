/* Lists of orders, a cart and an order take the longer the more there is in them: who asks for them many times at once
 * keeps nobody else waiting. */

import { setImmediate } from "node:timers/promises"
import { expect, it } from "vitest"
import { turnsOfAll } from "../../platform/few-at-once.ts"
import type { Caller } from "../services/access.ts"
import { cartRoutes } from "./carts.ts"
import { guard } from "./guard.ts"
import { orderRoutes } from "./orders.ts"

const redis = { isUp: true }
const addressOf = () => "192.0.2.1"
const { guarded } = guard({} as never, {} as never, { redis, addressOf } as never, { turns: turnsOfAll() })
const few = [orderRoutes, cartRoutes]
  .flatMap((routesOf) => routesOf(guarded, {} as never, {} as never, {} as never))
  .filter(({ auth }) => auth?.inTurn !== undefined)
const inTurn = (route: number, id: string, work: () => Promise<void>) =>
  few[route]!.auth!.inTurn!({ user: { id } } as Caller, work, {} as never)
const named = few.map(({ method, path }) => `${method} ${path}`)

it("lists of orders take turns, and an order with its lines", () => {
  expect(named.slice(0, 3)).toEqual(["GET /api/orders", "GET /api/orders/mine", "GET /api/orders/{id}"])
})

it("all routes take turns that read a whole cart", () => {
  expect(named.slice(3)).toEqual([
    "GET /cart",
    "GET /cart/get-all-dish",
    "DELETE /cart",
    "POST /cart/add-dish",
    "PUT /cart/update-dish",
    "DELETE /cart/delete-dish/{id}",
    "POST /cart/checkout",
  ])
})

it("of each user a few such requests are served at once, whichever they are", async () => {
  const begun: string[] = []
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const serve = (id: string, i: number) =>
    inTurn(i, id, async () => {
      begun.push(id)
      await isOver
    })
  const all = ["1", "1", "1", "1", "1", "1", "2"].map(serve)
  await setImmediate()
  expect(begun).toEqual(["1", "1", "1", "1", "2"])
  end()
  await Promise.all(all)
  expect(begun).toHaveLength(7)
})

it("of one client a few are, however many accounts it has", async () => {
  let begun = 0
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const serve = (_: unknown, id: number) =>
    inTurn(id % few.length, String(id), async () => {
      begun += 1
      await isOver
    })
  const all = Array.from({ length: 100 }, serve)
  await setImmediate()
  expect(begun).toBe(32)
  end()
  await Promise.all(all)
  expect(begun).toBe(100)
})

it("those who wait while Redis goes away hear so at once", async () => {
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const served = [0, 1, 2, 3, 4, 5].map((i) => inTurn(i, "1", () => isOver))
  const answers = Promise.allSettled(served)
  await setImmediate()
  redis.isUp = false
  end()
  expect((await answers).map(({ status }) => status).join()).toMatch(/^(fulfilled,){4}rejected,rejected$/)
})
