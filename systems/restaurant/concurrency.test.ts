/* Many at once: nothing is sold twice, lost or doubled. */

import { afterEach, beforeEach, expect, test } from "vitest"
import { isFull } from "../../test/full.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { open, PASSWORD, type Person, type Restaurant } from "./restaurant.cases.ts"
import { type Values, violations } from "./raw-check.cases.ts"

/** Values as Jackson stores them are the same restaurant: in the full run. */
const FORMS: readonly Values[] = isFull ? ["plain", "jackson"] : ["plain"]

for (const values of FORMS)
  onAnyServerAndInFullOnCluster(`at once, ${values} values`, (server) => {
    const as = ["--patient", "--set", `restaurant.values=${values}`]
    let served: Restaurant
    const raw = (...words: (string | number)[]) => server().raw(...words)
    const get = async (key: string) => JSON.parse((await raw("GET", key)) as string) as Record<string, number>

    beforeEach(async () => {
      served = await open(server(), ...as)
    })
    afterEach(async () => {
      expect(await violations(raw, values)).toEqual([])
      await served.close()
    })

    const people = async (count: number): Promise<Person[]> =>
      Promise.all(Array.from({ length: count }, (_, i) => served.person(`p${i}`)))
    const add = (token: string, dishId: string, quantity = 1) =>
      served.call("POST /cart/add-dish", { token, body: { dishId, quantity } })
    const checkout = (token: string) => served.call("POST /cart/checkout", { token })

    test("thirty buyers for a stock of ten: ten orders (RST-24)", async () => {
      const dishId = await served.dish({ stock: 10 })
      const buyers = await people(30)
      await Promise.all(buyers.map(({ token }) => add(token, dishId)))
      const done = await Promise.all(buyers.map(({ token }) => checkout(token)))
      expect(done.filter(({ status }) => status === 201)).toHaveLength(10)
      expect(done.filter(({ status }) => status === 409)).toHaveLength(20)
      expect(await get(`dish:${dishId}`)).toMatchObject({ stock: 0, soldToday: 10 })
      expect(await raw("SCARD", "order:list")).toBe(10)
      expect(await raw("GET", "order:counter")).toBe("10")
      const metrics = await (await fetch(`${served.url}/metrics`)).text()
      console.log(/^restaurant_retries_total.*$/m.exec(metrics)?.[0] ?? "no retries")
    })

    test("two checkouts of one cart: one order (RST-24)", async () => {
      const dishId = await served.dish({ stock: 100 })
      const { token } = (await people(1))[0]!
      for (let round = 1; round <= 10; round++) {
        await add(token, dishId, 2)
        const done = await Promise.all([checkout(token), checkout(token), checkout(token)])
        expect(done.map(({ status }) => status).sort()).toEqual([201, 400, 400])
        expect(await raw("SCARD", "order:list")).toBe(round)
      }
      expect(await get(`dish:${dishId}`)).toMatchObject({ stock: 80, soldToday: 20 })
    })

    test("a user who is deleted while they fill their first cart leaves none behind (RST-7)", async () => {
      const dishId = await served.dish()
      for (const { id, token } of await people(8)) {
        const [deleted] = await Promise.all([
          served.call(`DELETE /api/users/${id}`, { token: served.boss }),
          add(token, dishId),
        ])
        expect(deleted.status).toBe(204)
        expect(await raw("EXISTS", `cart:index:user:${id}`, `user:${id}:cart`)).toBe(0)
      }
      expect(await raw("SCARD", "cart:list")).toBe(0)
    })

    test("the first adds of one user: one cart, and each adds to the line (RST-17)", async () => {
      const dishId = await served.dish()
      const { token } = (await people(1))[0]!
      const done = await Promise.all(Array.from({ length: 12 }, () => add(token, dishId)))
      expect(done.map(({ status }) => status)).toEqual(done.map(() => 201))
      expect(await raw("SCARD", "cart:list")).toBe(1)
      expect(await get("cartDetail:1")).toMatchObject({ quantity: 12 })
      expect(await raw("GET", "cart:counter")).toBe("1")
    })

    test("an add beside a checkout is in the order or in the cart, never lost or doubled (RST-24)", async () => {
      const [one, two] = [await served.dish({ stock: 1000 }), await served.dish({ stock: 1000 })]
      const { token } = (await people(1))[0]!
      let wanted = 0
      for (let round = 0; round < 15; round++) {
        await add(token, one)
        const [done, added] = await Promise.all([checkout(token), add(token, two)])
        expect([done.status, added.status]).toEqual([201, 201])
        wanted += 2
      }
      await checkout(token)
      const held = (await raw("SMEMBERS", "orderDetail:list")) as string[]
      const lines = held.map((id) => id.replaceAll('"', ""))
      const quantities = await Promise.all(lines.map(async (id) => (await get(`orderDetail:${id}`))["quantity"]!))
      expect(quantities.reduce((sum, quantity) => sum + quantity, 0)).toBe(wanted)
      const [first, second] = [await get(`dish:${one}`), await get(`dish:${two}`)]
      expect(2000 - first["stock"]! - second["stock"]!).toBe(wanted)
      expect(first["soldToday"]! + second["soldToday"]!).toBe(wanted)
    })

    test("changes of the stock beside checkouts and a reset are not lost (RST-14, RST-15)", async () => {
      const dishId = await served.dish({ stock: 100 })
      const buyers = await people(6)
      await Promise.all(buyers.map(({ token }) => add(token, dishId, 2)))
      await Promise.all([
        ...buyers.map(({ token }) => checkout(token)),
        ...Array.from({ length: 6 }, () =>
          served.call(`POST /api/dishes/${dishId}/stock`, { token: served.boss, body: { delta: 5 } }),
        ),
        served.call(`PUT /api/dishes/${dishId}`, { token: served.boss, body: { price: 60_000 } }),
        served.admin("POST /jobs/reset-sold-today/run"),
      ])
      expect(await get(`dish:${dishId}`)).toMatchObject({ stock: 100 - 12 + 30, price: 60_000 })
    })

    test("one e-mail registered ten times at once has one owner (RST-C19)", async () => {
      const body = { username: "x", email: "same@example.com", password: PASSWORD }
      const done = await Promise.all(Array.from({ length: 10 }, () => served.call("POST /register", { body })))
      expect(done.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(done.filter(({ status }) => status === 409)).toHaveLength(9)
      expect(await raw("SCARD", "user:list")).toBe(2)
    })

    test("a cached cart is never older than the cart (RST-20)", async () => {
      const dishId = await served.dish()
      const { id, token } = (await people(1))[0]!
      await add(token, dishId)
      for (let quantity = 2; quantity < 25; quantity++) {
        const read = () => served.call("GET /cart", { token })
        await Promise.all([
          read(),
          read(),
          served.call("PUT /cart/update-dish", { token, body: { cartItemId: "1", quantity } }),
          read(),
          read(),
        ])
        expect((await read()).body).toMatchObject({ items: [{ quantity }], total: 50_000 * quantity })
      }
      expect(await raw("PTTL", `cache:cart:${id}`)).toBeGreaterThan(290_000)
      await served.call(`PUT /api/dishes/${dishId}`, {
        token: served.boss,
        body: { name: "Bún chả", available: false },
      })
      expect((await served.call("GET /cart", { token })).body).toMatchObject({
        items: [{ name: "Bún chả", available: false, price: 50_000 }],
      })
    })

    test("two starts at once prepare an empty database once (RST-11)", async () => {
      await raw("FLUSHALL")
      const more = await Promise.all([open(server(), ...as), open(server(), ...as), open(server(), ...as)])
      expect(await raw("SCARD", "role:list")).toBe(3)
      expect(await raw("GET", "user:counter")).toBe("1")
      expect(await raw("GET", "permission:counter")).toBe(String(await raw("SCARD", "permission:list")))
      await Promise.all(more.map((one) => one.close()))
    })
  })
