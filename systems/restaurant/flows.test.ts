/* Orders on their way, the menu's rules, the end of the day, and Redis going away. */

import { afterEach, beforeEach, expect, test } from "vitest"
import { isFull } from "../../test/full.ts"
import { serveForTest } from "../platform/testing/serve.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { ADMIN_EMAIL, login, open, PASSWORD, result, signed, type Person, type Restaurant } from "./restaurant.cases.ts"
import { type Values, violations } from "./raw-check.cases.ts"

/** Values as Jackson stores them are the same restaurant: in the full run. */
const FORMS: readonly Values[] = isFull ? ["plain", "jackson"] : ["plain"]

for (const values of FORMS)
  onAnyServerAndInFullOnCluster(`flows, ${values} values`, (server) => {
    const as = ["--set", `restaurant.values=${values}`]
    let served: Restaurant
    let ann: Person
    let dishId: string
    const raw = (...words: (string | number)[]) => server().raw(...words)
    const get = async (key: string) => JSON.parse((await raw("GET", key)) as string) as Record<string, unknown>

    beforeEach(async () => {
      served = await open(server(), ...as)
      dishId = await served.dish({ stock: 20 })
      ann = await served.person("ann")
    })
    afterEach(async () => {
      expect(await violations(raw, values)).toEqual([])
      await served.close()
    })

    const order = async (paymentMethod = "CASH", quantity = 2) => {
      await served.call("POST /cart/add-dish", { token: ann.token, body: { dishId, quantity } })
      const done = await served.call("POST /cart/checkout", { token: ann.token, body: { paymentMethod } })
      return (done.body as { orderId: string }).orderId
    }
    const setStatus = (id: string, status: string) =>
      served.call(`PUT /api/orders/${id}/status`, { token: served.boss, body: { status } })

    test("an order goes from state to state, and no other way (RST-33)", async () => {
      const id = await order()
      for (const status of ["CONFIRMED", "DELIVERING", "DELIVERED"])
        expect((await setStatus(id, status)).body).toMatchObject({ status, paymentStatus: "PAID" })
      expect((await setStatus(id, "CANCELLED")).status).toBe(409)
      const other = await order("VNPAY")
      expect((await setStatus(other, "CONFIRMED")).body).toMatchObject({ paymentStatus: "PAYMENT_UNPAID" })
      const cash = (order: string) => served.call(`POST /payment/cash/confirm/${order}`, { token: served.boss })
      expect((await cash(other)).status).toBe(409)
      expect((await cash(id)).status).toBe(409)
      const third = await order()
      expect((await cash(third)).body).toMatchObject({ paymentStatus: "PAID", status: "CONFIRMED" })
    })

    test("cancelling gives the stock back once, also when many cancel at once (RST-33)", async () => {
      const id = await order("CASH", 5)
      expect(await get(`dish:${dishId}`)).toMatchObject({ stock: 15, soldToday: 5 })
      const done = await Promise.all(Array.from({ length: 5 }, () => setStatus(id, "CANCELLED")))
      expect(done.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
      expect(await get(`dish:${dishId}`)).toMatchObject({ stock: 20, soldToday: 0 })
    })

    test("a payment after the cancellation is PAID, and listed as to be refunded (RST-28)", async () => {
      const id = await order("VNPAY")
      await setStatus(id, "CANCELLED")
      const { body } = await served.call(`GET /payment/vnpay/ipn?${signed(result(`VNPAY${id}`, 10_000_000))}`)
      expect(body).toMatchObject({ RspCode: "00" })
      expect(await get(`order:${id}`)).toMatchObject({ status: "CANCELLED", paymentStatus: "PAID" })
      expect(await get(`order:${id}`)).not.toHaveProperty("toRefund")
      const due = await served.call("GET /api/orders?toRefund=true", { token: served.boss })
      expect(due.body).toMatchObject({ meta: { total: 1 }, result: [{ id, toRefund: true }] })
    })

    test("a second payment of an order, under another reference, is 02, noted, and listed as to be refunded (RST-28)", async () => {
      const id = await order("VNPAY")
      await served.call(`POST /payment/vnpay/order/${id}`, { token: ann.token })
      const pay = async (ref: string, transactionNo: string) => {
        const params = result(ref, 10_000_000, { vnp_TransactionNo: transactionNo })
        return ((await served.call(`GET /payment/vnpay/ipn?${signed(params)}`)).body as { RspCode: string }).RspCode
      }
      const toRefund = async () =>
        (await served.call("GET /api/orders?toRefund=true", { token: served.boss })).body as { result: object[] }
      const fields = Object.keys(await get(`order:${id}`))
      expect([await pay(`VNPAY${id}`, "111"), await pay(`VNPAY${id}`, "111")]).toEqual(["00", "02"])
      const paid = await raw("GET", `order:${id}`)
      expect(await toRefund()).toMatchObject({ result: [] })
      expect(await raw("HKEYS", `keywright:restaurant:payments:${id}`)).toEqual([`VNPAY${id}`])
      const failed = result(`VNPAY${id}-2`, 10_000_000, { vnp_ResponseCode: "24", vnp_TransactionStatus: "02" })
      await served.call(`GET /payment/vnpay/ipn?${signed(failed)}`)
      expect(await toRefund()).toMatchObject({ result: [] })

      const again = await Promise.all([pay(`VNPAY${id}-2`, "222"), pay(`VNPAY${id}-2`, "222")])
      expect(again).toEqual(["02", "02"])
      expect(await toRefund()).toMatchObject({ result: [{ id, status: "CONFIRMED", toRefund: true }] })
      expect((await served.call("GET /api/orders/mine", { token: ann.token })).body).toMatchObject({
        result: [{ id, toRefund: true }],
      })
      const payDate = "20260301120000"
      expect((await served.call(`GET /api/orders/${id}`, { token: served.boss })).body).toMatchObject({
        toRefund: true,
        payments: [
          { paymentRef: `VNPAY${id}`, transactionNo: "111", payDate },
          { paymentRef: `VNPAY${id}-2`, transactionNo: "222", payDate },
        ],
      })
      expect(await raw("GET", `order:${id}`)).toBe(paid)
      expect(Object.keys(await get(`order:${id}`))).toEqual(fields)
      expect(served.logged().split("an order was paid again")).toHaveLength(2)
      expect((await setStatus(id, "CANCELLED")).body).toMatchObject({ toRefund: true })
      await served.call(`DELETE /api/orders/${id}`, { token: served.boss })
      expect(await raw("KEYS", "keywright:restaurant:pa*")).toEqual([])
    })

    test("two payments of one order at once are one payment and one to be refunded", async () => {
      const id = await order("VNPAY")
      await served.call(`POST /payment/vnpay/order/${id}`, { token: ann.token })
      const pay = async (ref: string) =>
        (await served.call(`GET /payment/vnpay/ipn?${signed(result(ref, 10_000_000))}`)).body as { RspCode: string }
      const codes = await Promise.all([pay(`VNPAY${id}`), pay(`VNPAY${id}-2`)])
      expect(codes.map(({ RspCode }) => RspCode).sort()).toEqual(["00", "02"])
      expect(await raw("SMEMBERS", "keywright:restaurant:paid-twice")).toEqual([id])
    })

    test("own orders come newest first and in pages; those of others are not there (RST-12, RST-32)", async () => {
      const ids = [await order(), await order(), await order()]
      const mine = await served.call("GET /api/orders/mine?pageSize=2", { token: ann.token })
      expect(mine.body).toMatchObject({
        meta: { page: 1, pageSize: 2, pages: 2, total: 3 },
        result: [{ id: ids[2] }, { id: ids[1] }],
      })
      const bob = await served.person("bob")
      expect((await served.call(`GET /api/orders/${ids[0]}`, { token: bob.token })).status).toBe(404)
      await served.call(`DELETE /api/dishes/${dishId}`, { token: served.boss })
      const one = await served.call(`GET /api/orders/${ids[0]}`, { token: ann.token })
      expect(one.body).toMatchObject({
        id: ids[0],
        orderItems: [{ dishId, quantity: 2, price: 50_000, dishName: null }],
      })
      expect((await served.call(`GET /api/orders/${ids[0]}`, { token: served.boss })).status).toBe(200)
    })

    test("staff order for a user, and for somebody who only has a name (RST-34)", async () => {
      const place = (body: object) => served.call("POST /api/orders", { token: served.boss, body })
      const items = [
        { dishId, quantity: 2 },
        { dishId, quantity: 3 },
      ]
      expect(await place({ userId: ann.id, items })).toMatchObject({ status: 201, body: { totalPrice: 250_000 } })
      expect(await get("order:1")).toMatchObject({ userId: ann.id, receiverName: "ann", receiverAddress: "1 Le Loi" })
      const receiver = { receiverName: "Khách", receiverPhone: "1", receiverAddress: "Bàn 5" }
      expect((await place({ ...receiver, items })).status).toBe(201)
      expect(await get("order:2")).toMatchObject({ userId: null, receiverEmail: null })
      expect(await get(`dish:${dishId}`)).toMatchObject({ stock: 10, soldToday: 10 })
      expect((await place({ ...receiver, items: [{ dishId, quantity: 11 }] })).status).toBe(409)
    })

    test("the cart of a deleted user is deleted too, a deleted dish leaves its line (RST-7)", async () => {
      await served.call("POST /cart/add-dish", { token: ann.token, body: { dishId, quantity: 2 } })
      const other = await served.dish()
      await served.call("POST /cart/add-dish", { token: ann.token, body: { dishId: other, quantity: 1 } })
      await served.call(`DELETE /api/dishes/${other}`, { token: served.boss })
      const cart = await served.call("GET /cart", { token: ann.token })
      expect(cart.body).toMatchObject({ items: [{ available: true }, { name: null, available: false, total: 50_000 }] })
      expect((await served.call("POST /cart/checkout", { token: ann.token })).body).toMatchObject({
        error: "dish_unavailable",
        details: { dishes: [{ dishId: other }] },
      })
      expect((await served.call("DELETE /cart/delete-dish/2", { token: ann.token })).status).toBe(204)
      expect((await served.call("DELETE /cart", { token: ann.token })).status).toBe(204)
      expect(await raw("EXISTS", "cart:1", `cart:index:user:${ann.id}`)).toBe(2)
      await served.call("POST /cart/add-dish", { token: ann.token, body: { dishId, quantity: 2 } })
      await served.call("GET /cart", { token: ann.token })
      expect((await served.call(`DELETE /api/users/${ann.id}`, { token: served.boss })).status).toBe(204)
      const left = ((await raw("KEYS", "*cart*")) as string[]).filter((key) => !key.endsWith(":counter"))
      expect(left).toEqual([])
    })

    test("the menu is read by anybody, in pages, by category, availability and name (RST-5, RST-13)", async () => {
      await served.dish({ name: "Bún chả", available: false })
      await served.dish({ name: "Chả giò" })
      const ids = async (query: string) => {
        const { body } = await served.call(`GET /api/dishes${query}`)
        return (body as { result: { id: string }[] }).result.map(({ id }) => id)
      }
      expect(await ids("")).toEqual(["1", "2", "3"])
      expect(await ids("?page=2&pageSize=2")).toEqual(["3"])
      expect(await ids("?available=true")).toEqual(["1", "3"])
      expect(await ids("?search=CH%E1%BA%A2")).toEqual(["2", "3"])
      expect(await ids("?categoryId=2")).toEqual(["2"])
      const inCategory = await served.call("GET /api/categories/3/dishes")
      expect(inCategory.body).toMatchObject({ meta: { total: 1 }, result: [{ id: "3" }] })
      await order("CASH", 15)
      expect(await ids("?lowStock=true")).toEqual(["1"])
      expect(served.logged()).toContain('"event":"low stock","dish":"1"')
      const held = values === "plain" ? "999" : '"999"'
      await raw("SADD", "dish:list", held)
      expect((await served.call("GET /api/dishes")).body).toMatchObject({ meta: { total: 3 } })
      await raw("SREM", "dish:list", held)
    })

    test("a line for each add where lines are not merged (RST-C6)", async () => {
      const apart = await open(server(), ...as, "--set", "restaurant.mergeCartLines=false")
      const add = (quantity: number) =>
        apart.call("POST /cart/add-dish", { token: ann.token, body: { dishId, quantity } })
      expect((await add(12)).status).toBe(201)
      expect((await add(8)).status).toBe(201)
      expect((await add(1)).status).toBe(409)
      expect((await apart.call("POST /cart/checkout", { token: ann.token })).body).toMatchObject({
        totalPrice: 1_000_000,
      })
      await apart.close()
    })

    test("a cart has a limited number of lines, however often a buyer adds", async () => {
      const small = ["--set", "restaurant.mergeCartLines=false", "--set", "restaurant.cartLines=3"]
      const apart = await open(server(), ...as, ...small)
      const add = () => apart.call("POST /cart/add-dish", { token: ann.token, body: { dishId, quantity: 1 } })
      const statuses: number[] = []
      for (let i = 0; i < 5; i++) statuses.push((await add()).status)
      expect(statuses).toEqual([201, 201, 201, 409, 409])
      expect((await add()).body).toMatchObject({ error: "cart_full" })
      expect((await apart.call("GET /cart", { token: ann.token })).body).toMatchObject({ total: 150_000 })
      await apart.close()
    })

    test("a customer has a limited number of orders that are neither paid nor confirmed", async () => {
      const few = await open(server(), ...as, "--set", "restaurant.mostOpenOrders=3")
      const token = ann.token
      const place = async (at = few) => {
        await at.call("POST /cart/add-dish", { token, body: { dishId, quantity: 1 } })
        const { status, body } = await at.call("POST /cart/checkout", { token, body: { paymentMethod: "VNPAY" } })
        return status === 201 ? (body as { orderId: string }).orderId : (body as { error: string }).error
      }
      const ids = [await place(), await place(), await place()]
      expect([await place(), await place()]).toEqual(["too_many", "too_many"])
      expect(await raw("SCARD", `user:${ann.id}:orders`)).toBe(3)
      // The cart is still there, and nothing was taken from the stock.
      expect((await few.call("GET /cart", { token })).body).toMatchObject({ items: [{ quantity: 2 }] })
      expect(await get(`dish:${dishId}`)).toMatchObject({ stock: 17 })
      // Staff order for others without a bound, and others are not concerned.
      const body = { userId: ann.id, items: [{ dishId, quantity: 1 }] }
      expect((await few.call("POST /api/orders", { token: few.boss, body })).status).toBe(201)
      const bob = await few.person("bob")
      await few.call("POST /cart/add-dish", { token: bob.token, body: { dishId, quantity: 1 } })
      expect((await few.call("POST /cart/checkout", { token: bob.token })).status).toBe(201)
      await setStatus(ids[0]!, "CANCELLED")
      expect(await place()).toBe("too_many")
      const { body: paid } = await few.call(`GET /payment/vnpay/ipn?${signed(result(`VNPAY${ids[1]}`, 5_000_000))}`)
      expect(paid).toMatchObject({ RspCode: "00" })
      expect(await place()).toMatch(/^\d+$/)
      expect(await place()).toBe("too_many")
      const any = await open(server(), ...as, "--set", "restaurant.mostOpenOrders=0")
      expect(await place(any)).toMatch(/^\d+$/)
      await Promise.all([few.close(), any.close()])
    })

    test("an order has a limited number of attempts to pay it", async () => {
      const id = await order("VNPAY")
      const again = () => served.call(`POST /payment/vnpay/order/${id}`, { token: ann.token })
      for (let attempt = 2; attempt <= 100; attempt++) expect((await again()).status).toBe(200)
      const refused = await again()
      expect([refused.status, (refused.body as { error: string }).error]).toEqual([409, "too_many_attempts"])
      const late = await served.call(`GET /payment/vnpay/ipn?${signed(result(`VNPAY${id}-99`, 10_000_000))}`)
      expect(late.body).toMatchObject({ RspCode: "00" })
    })

    test("at local midnight nothing has been sold today (RST-15, RST-C8)", async () => {
      await order("CASH", 3)
      expect((await served.admin("POST /jobs/reset-sold-today/run")).body).toEqual({ reset: 1 })
      expect((await served.admin("POST /jobs/reset-sold-today/run")).body).toEqual({ reset: 0 })
      await order("CASH", 4)
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
      const next = await serveForTest(
        server(),
        "restaurant",
        ...as,
        "--clock",
        tomorrow,
        "--set",
        "restaurant.jobs=true",
      )
      await expect.poll(async () => (await get(`dish:${dishId}`))["soldToday"]).toBe(0)
      await next.close()
      const late = await open(server(), ...as, "--clock", tomorrow)
      expect(await get(`dish:${dishId}`)).toMatchObject({ stock: 13 })
      const cancelled = await late.call("PUT /api/orders/1/status", { token: late.boss, body: { status: "CANCELLED" } })
      expect(cancelled.status).toBe(200)
      expect(await get(`dish:${dishId}`)).toMatchObject({ stock: 16, soldToday: 0 })
      await late.close()
    })

    test("without a password there is no administrator, and without VNPay nothing is paid there (RST-11, RST-21)", async () => {
      await raw("FLUSHALL")
      const bare = await serveForTest(server(), "restaurant", ...as)
      expect(bare.logged()).toContain("there is no administrator")
      expect(bare.logged()).toContain("no restaurant.jwtSecret")
      expect(await raw("SCARD", "role:list")).toBe(3)
      expect(await raw("EXISTS", "user:list")).toBe(0)
      const body = { username: "x", email: "x@example.com", password: PASSWORD }
      await bare.call("POST /register", { body })
      const { token } = await login(bare, "x@example.com")
      const refused = await bare.call("POST /cart/checkout", { token, body: { paymentMethod: "VNPAY" } })
      expect([refused.status, (refused.body as { error: string }).error]).toEqual([503, "vnpay_not_configured"])
      const ipn = await bare.call(`GET /payment/vnpay/ipn?${signed(result("VNPAY1", 1))}`)
      expect(ipn.body).toMatchObject({ RspCode: "97" })
      await bare.close()
    })

    test("strangers who register before there is an administrator do not keep the restaurant without one (RST-11)", async () => {
      await raw("FLUSHALL")
      const bare = await serveForTest(server(), "restaurant", ...as)
      const body = { username: "x", email: ADMIN_EMAIL, password: "the password of a stranger" }
      expect((await bare.call("POST /register", { body })).status).toBe(201)
      await bare.close()
      const startFor = (email: string) =>
        serveForTest(
          server(),
          "restaurant",
          ...as,
          ...["--set", `restaurant.adminEmail=${email}`, "--set", `restaurant.adminPassword=${PASSWORD}`],
        )
      const taken = await startFor(ADMIN_EMAIL)
      expect(taken.logged()).toContain("somebody has registered with restaurant.adminEmail")
      const { token: stranger } = await login(taken, ADMIN_EMAIL, body.password)
      expect((await taken.call("GET /api/users", { token: stranger })).status).toBe(403)
      await taken.close()
      const set = await startFor("boss@example.com")
      const { token: boss } = await login(set, "boss@example.com")
      expect((await set.call("GET /api/users", { token: boss })).status).toBe(200)
      await set.close()
      const again = await startFor("other@example.com")
      expect(again.logged()).not.toContain("there is no administrator")
      expect(await raw("SCARD", "user:list")).toBe(2)
      await again.close()
    })
  })

onRealServer("the restaurant without Redis", (server) => {
  test("answers 503 and recovers (ALL-10, RST-C20)", async () => {
    const served = await open(server())
    const ann = await served.person("ann")
    server().process!.pause()
    const away = await served.call("GET /cart", { token: ann.token })
    expect([away.status, (away.body as { error: string }).error]).toEqual([503, "redis_unavailable"])
    expect(away.headers.get("retry-after")).toBe("1")
    server().process!.resume()
    await expect.poll(async () => (await served.call("GET /cart", { token: ann.token })).status).toBe(200)
    await served.close()
  })
})
