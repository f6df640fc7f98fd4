/* The acceptance scenarios, over HTTP, looked at with plain commands. */

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { isFull } from "../../test/full.ts"
import { misfits, roundTrips } from "../platform/testing/stored.ts"
import { onServersAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { FRONTEND, open, PASSWORD, result, signed, type Restaurant } from "./restaurant.cases.ts"
import { restaurant } from "./schema.ts"

onServersAndInFullOnCluster("the restaurant", (server) => {
  let served: Restaurant
  const raw = (...words: (string | number)[]) => server().raw(...words)
  const get = async (key: string) => JSON.parse((await raw("GET", key)) as string) as Record<string, unknown>
  const members = async (key: string) => ((await raw("SMEMBERS", key)) as string[]).sort()

  beforeEach(async () => {
    served = await open(server())
  })
  afterEach(() => served.close())

  test("1: a user is stored with counter, list and index, and an e-mail has one owner (RST-1, RST-C19)", async () => {
    expect(await raw("GET", "user:counter")).toBe("1")
    const { id } = await served.person("user")
    expect(id).toBe("2")
    expect(await raw("GET", "user:counter")).toBe("2")
    expect(await raw("GET", "user:index:email:user@example.com")).toBe("2")
    expect(await raw("SISMEMBER", "user:list", "2")).toBe(1)
    const stored = await get("user:2")
    expect(Object.keys(stored).sort()).toEqual(
      ["id username email password phone address refreshToken gender roleId", "createdAt updatedAt createdBy updatedBy"]
        .join(" ")
        .split(" ")
        .sort(),
    )
    expect(stored["password"]).toMatch(/^\$argon2id\$/)
    const again = await served.call("POST /register", {
      body: { username: "other", email: "  USER@Example.com ", password: PASSWORD },
    })
    expect(again.status).toBe(409)
    expect(await raw("GET", "user:counter")).toBe("2")
  })

  test("2: a dish that moves leaves both sets of its old category (RST-2, RST-6)", async () => {
    await served.dish()
    await served.call("POST /api/categories", { token: served.boss, body: { name: "Nước" } })
    expect(await members("category:1:dishes")).toEqual(["1"])
    expect(await members("dish:index:category:1")).toEqual(["1"])
    const moved = await served.call("PUT /api/dishes/1", { token: served.boss, body: { categoryId: "2" } })
    expect(moved).toMatchObject({ status: 200, body: { categoryId: "2", price: 50_000 } })
    expect(await raw("EXISTS", "category:1:dishes", "dish:index:category:1")).toBe(0)
    expect(await members("category:2:dishes")).toEqual(["1"])
    expect(await members("dish:index:category:2")).toEqual(["1"])
  })

  test("3: adding a dish makes the cart with all its indexes, and the same dish again one line (RST-17, RST-C6)", async () => {
    const dishId = await served.dish()
    const { id, token } = await served.person("ann")
    const added = await served.call("POST /cart/add-dish", { token, body: { dishId, quantity: 2 } })
    const line = { id: "1", cartId: "1", dishId: "1", quantity: 2, price: 50_000, total: 100_000 }
    expect(added).toMatchObject({ status: 201, body: line })
    expect(await get("cartDetail:1")).toEqual(line)
    expect(await get("cart:1")).toMatchObject({ id: "1", userId: id, createdBy: "ann@example.com" })
    expect(await raw("GET", `cart:index:user:${id}`)).toBe("1")
    expect(await raw("GET", `user:${id}:cart`)).toBe("1")
    for (const key of ["cart:list", "cart:1:items", "cartDetail:index:cart:1", "cartDetail:list"])
      expect(await members(key), key).toEqual(["1"])
    const again = await served.call("POST /cart/add-dish", { token, body: { dishId, quantity: 1 } })
    expect(again.body).toMatchObject({ id: "1", quantity: 3, total: 150_000 })
    expect(await members("cartDetail:list")).toEqual(["1"])
    expect(await misfits(raw, restaurant.keys)).toEqual([])
  })

  test("4: a checkout is an order, and nothing of the cart is left (RST-22, RST-C4)", async () => {
    const [one, two] = [await served.dish({ stock: 9 }), await served.dish({ price: 7000 })]
    const { id, token } = await served.person("ann")
    await served.call("POST /cart/add-dish", { token, body: { dishId: one, quantity: 2 } })
    await served.call("POST /cart/add-dish", { token, body: { dishId: two, quantity: 3 } })
    await served.call("GET /cart", { token })
    expect(await raw("EXISTS", `cache:cart:${id}`)).toBe(1)
    const done = await served.call("POST /cart/checkout", { token, body: { paymentMethod: "CASH" } })
    expect(done).toMatchObject({
      status: 201,
      body: {
        orderId: "1",
        status: "PENDING",
        paymentMethod: "CASH",
        paymentStatus: "PAYMENT_UNPAID",
        totalPrice: 121_000,
      },
    })
    expect(await get("order:1")).toMatchObject({ status: "PENDING", totalPrice: 121_000, receiverPhone: "0901" })
    expect(await members("order:1:details")).toEqual(["1", "2"])
    expect(await members("orderDetail:index:order:1")).toEqual(["1", "2"])
    expect(await members(`order:index:user:${id}`)).toEqual(["1"])
    expect(await members(`user:${id}:orders`)).toEqual(["1"])
    const gone = ["cart:1", `cart:index:user:${id}`, `user:${id}:cart`, "cart:1:items", "cartDetail:index:cart:1"]
    expect(await raw("EXISTS", ...gone, "cartDetail:1", "cartDetail:2", `cache:cart:${id}`)).toBe(0)
    expect(await members("cart:list")).toEqual([])
    expect(await members("cartDetail:list")).toEqual([])
    expect(await get(`dish:${one}`)).toMatchObject({ stock: 7, soldToday: 2 })
    expect(await get(`dish:${two}`)).toMatchObject({ stock: null, soldToday: 3 })
    expect((await served.call("POST /cart/checkout", { token })).body).toMatchObject({ error: "cart_empty" })
    expect(await misfits(raw, restaurant.keys)).toEqual([])
  })

  test("add-dish takes at most three round trips and checkout of five lines at most four, with authentication one more each", async () => {
    const dishIds = await Promise.all([1, 2, 3, 4, 5].map(() => served.dish({ stock: 100 })))
    const { token } = await served.person("ann")
    const add = (dishId: string) => served.call("POST /cart/add-dish", { token, body: { dishId, quantity: 1 } })
    const order = () => served.call("POST /cart/checkout", { token })
    // Twice: what is written may happen to be split at the end of a buffer.
    const least = async (call: () => Promise<unknown>, before: () => Promise<unknown>) => {
      const counts: number[] = []
      for (let i = 0; i < 2; i++) {
        await before()
        counts.push(await roundTrips(raw, call))
      }
      return Math.min(...counts)
    }
    const fill = async () => {
      for (const dishId of dishIds) await add(dishId)
    }
    await add(dishIds[0]!)
    await order()
    if (server().redis === undefined) return
    expect(
      await least(
        () => add(dishIds[0]!),
        async () => undefined,
      ),
    ).toBeLessThanOrEqual(3)
    expect(await least(order, fill)).toBeLessThanOrEqual(3)
  })

  describe("5: VNPay", () => {
    const checkout = async (token: string, quantity = 2) => {
      const dishId = await served.dish()
      await served.call("POST /cart/add-dish", { token, body: { dishId, quantity } })
      const { body } = await served.call("POST /cart/checkout", { token, body: { paymentMethod: "VNPAY" } })
      return body as { orderId: string; paymentUrl: string; totalPrice: number }
    }

    test("the payment page's address is signed, and its reference leads to the order (RST-26)", async () => {
      const { token } = await served.person("ann")
      const { orderId, paymentUrl } = await checkout(token)
      expect(await raw("GET", `order:index:paymentRef:VNPAY${orderId}`)).toBe(orderId)
      const url = new URL(paymentUrl)
      expect(`${url.origin}${url.pathname}`).toBe("https://pay.example/vpcpay.html")
      const { vnp_SecureHash, ...params } = Object.fromEntries(url.searchParams)
      expect(signed(params).get("vnp_SecureHash")).toBe(vnp_SecureHash)
      expect(params).toMatchObject({
        vnp_Version: "2.1.0",
        vnp_Amount: "10000000",
        vnp_TxnRef: `VNPAY${orderId}`,
        vnp_IpAddr: "127.0.0.1",
      })
      const at = (text: string) =>
        Date.parse(text.replace(/(....)(..)(..)(..)(..)(..)/, "$1-$2-$3T$4:$5:$6") + "+07:00")
      expect(at(params["vnp_ExpireDate"]!) - at(params["vnp_CreateDate"]!)).toBe(900_000)
      expect(Math.abs(at(params["vnp_CreateDate"]!) - Date.now())).toBeLessThan(60_000)
    })

    test("a signed success is PAID and CONFIRMED once, and a replay changes no byte (RST-28, RST-29)", async () => {
      const { token } = await served.person("ann")
      const { orderId } = await checkout(token)
      const success = signed(result("VNPAY1", 10_000_000))
      const forged = new URLSearchParams(success)
      const hash = forged.get("vnp_SecureHash")!
      forged.set("vnp_SecureHash", hash.slice(0, -1) + (hash.endsWith("0") ? "1" : "0"))
      const before = await raw("GET", "order:1")
      const ipn = (params: URLSearchParams) => served.call(`GET /payment/vnpay/ipn?${params}`)
      expect((await ipn(forged)).body).toMatchObject({ RspCode: "97" })
      expect((await served.call(`GET /payment/vnpay/callback?${forged}`)).status).toBe(400)
      expect((await ipn(signed(result("VNPAY1", 10_000_001)))).body).toMatchObject({ RspCode: "04" })
      expect((await ipn(signed(result("VNPAY1", 9_999_999)))).body).toMatchObject({ RspCode: "04" })
      expect((await ipn(signed(result("VNPAY99", 10_000_000)))).body).toMatchObject({ RspCode: "01" })
      expect((await ipn(signed(result("VNPAY1", 10_000_000, { vnp_TmnCode: "TMN2" })))).body).toMatchObject({
        RspCode: "97",
      })
      expect(await raw("GET", "order:1")).toBe(before)

      const back = await served.call(`GET /payment/vnpay/callback?${success}`)
      expect(back.status).toBe(302)
      expect(back.headers.get("location")).toBe(`${FRONTEND}&orderId=${orderId}&status=PAID&code=00`)
      const paid = await raw("GET", "order:1")
      expect(JSON.parse(paid as string)).toMatchObject({ status: "CONFIRMED", paymentStatus: "PAID" })
      expect((await served.call(`GET /payment/vnpay/callback?${success}`)).status).toBe(302)
      expect((await ipn(success)).body).toMatchObject({ RspCode: "02" })
      const failure = signed(result("VNPAY1", 10_000_000, { vnp_ResponseCode: "24", vnp_TransactionStatus: "02" }))
      expect((await ipn(failure)).body).toMatchObject({ RspCode: "02" })
      expect(await raw("GET", "order:1")).toBe(paid)
    })

    test("what we signed ourselves, for the payment page, is not VNPay's word, whatever way it comes back (RST-27)", async () => {
      const { token } = await served.person("ann")
      const { orderId, paymentUrl } = await checkout(token)
      const before = await raw("GET", `order:${orderId}`)
      const own = Object.fromEntries(new URL(paymentUrl).searchParams)
      const { vnp_Command, vnp_SecureHash: _, ...rest } = own
      const partly = { vnp_TransactionStatus: "00", vnp_TransactionNo: "14" }
      const given = [
        new URL(paymentUrl).searchParams,
        new URLSearchParams({ ...own, ...partly, vnp_ResponseCode: "00" }),
        signed({ ...rest, vnp_Command: vnp_Command!, ...partly, vnp_ResponseCode: "00" }),
        signed(rest),
        signed({ ...rest, ...partly }),
        signed({ ...rest, ...partly, vnp_ResponseCode: "" }),
        signed({ ...rest, vnp_ResponseCode: "00", vnp_TransactionNo: "14" }),
        signed({ ...rest, vnp_ResponseCode: "00", vnp_TransactionStatus: "00" }),
      ]
      for (const params of given) {
        const answer = await served.call(`GET /payment/vnpay/ipn?${params}`)
        expect([String(params), (answer.body as { RspCode: string }).RspCode]).toEqual([String(params), "97"])
        expect((await served.call(`GET /payment/vnpay/callback?${params}`)).status).toBe(400)
        const headers = { "content-type": "application/x-www-form-urlencoded" }
        const body = String(params)
        expect((await served.call("POST /payment/vnpay/callback", { body, headers })).status).toBe(400)
      }
      expect(await raw("GET", `order:${orderId}`)).toBe(before)
    })

    test("a payment of an order that cannot be read is 99, and changes nothing (RST-28, ALL-11)", async () => {
      const { token } = await served.person("ann")
      await checkout(token)
      const success = signed(result("VNPAY1", 10_000_000))
      await raw("SET", "order:1", "{")
      expect((await served.call(`GET /payment/vnpay/ipn?${success}`)).body).toMatchObject({ RspCode: "99" })
      const back = await served.call(`GET /payment/vnpay/callback?${success}`)
      expect([back.status, back.headers.get("location")]).toEqual([302, `${FRONTEND}&status=ERROR&code=99`])
      expect(await raw("GET", "order:1")).toBe("{")
      await expect.poll(() => served.logged()).toContain("order:1")
    })

    test("a form, JSON and a query are taken, an unsigned reference is not (RST-C11)", async () => {
      const { token } = await served.person("ann")
      await checkout(token)
      const failure = signed(result("VNPAY1", 10_000_000, { vnp_ResponseCode: "24", vnp_TransactionStatus: "02" }))
      const success = signed(result("VNPAY1", 10_000_000))
      const post = (body: unknown, type: string) =>
        served.call("POST /payment/vnpay/callback", { body, headers: { "content-type": type } })
      expect((await post({ paymentRef: "VNPAY1" }, "application/json")).status).toBe(400)
      expect((await post({ vnp_TxnRef: "VNPAY1" }, "application/json")).status).toBe(400)
      expect((await post("x", "text/plain")).status).toBe(415)
      expect((await post("x".repeat(20_000), "application/x-www-form-urlencoded")).status).toBe(413)
      expect((await post(`${failure}`, "application/x-www-form-urlencoded")).headers.get("location")).toContain(
        "status=FAILED",
      )
      expect((await get("order:1"))["status"]).toBe("PENDING")
      const repeat = await served.call(`GET /payment/vnpay/ipn?${failure}`)
      expect(repeat.body).toMatchObject({ RspCode: "02" })
      expect((await post(Object.fromEntries(success), "application/json")).headers.get("location")).toContain(
        "status=PAID",
      )
      const third = await checkout(token)
      const inQuery = await served.call(`POST /payment/vnpay/callback?${signed(result("VNPAY2", 10_000_000))}`)
      expect(inQuery.headers.get("location")).toContain(`orderId=${third.orderId}&status=PAID`)
    })

    test("another attempt has a new reference, and a late payment of the first finds its order (RST-31, RST-C17)", async () => {
      const [ann, bob] = [await served.person("ann"), await served.person("bob")]
      await checkout(ann.token)
      const retry = (token: string) => served.call("POST /payment/vnpay/order/1", { token })
      expect((await retry(bob.token)).status).toBe(404)
      const { paymentUrl } = (await retry(ann.token)).body as { paymentUrl: string }
      expect(new URL(paymentUrl).searchParams.get("vnp_TxnRef")).toBe("VNPAY1-2")
      expect((await retry(served.boss)).status).toBe(200)
      expect((await get("order:1"))["paymentRef"]).toBe("VNPAY1-3")
      for (const ref of ["VNPAY1", "VNPAY1-2", "VNPAY1-3"])
        expect(await raw("GET", `order:index:paymentRef:${ref}`)).toBe("1")
      const late = await served.call(`GET /payment/vnpay/ipn?${signed(result("VNPAY1", 10_000_000))}`)
      expect(late.body).toMatchObject({ RspCode: "00" })
      expect((await retry(ann.token)).status).toBe(409)
      expect((await served.call("DELETE /api/orders/1", { token: served.boss })).status).toBe(204)
      const left = ((await raw("KEYS", "order*")) as string[]).sort()
      expect(left).toEqual(["order:counter", "orderDetail:counter"])
    })

    test("success and failure at once end as PAID, every time (RST-29)", async () => {
      const { token } = await served.person("ann")
      const rounds = isFull ? 100 : 15
      for (let i = 1; i <= rounds; i++) {
        await checkout(token)
        const success = signed(result(`VNPAY${i}`, 10_000_000))
        const failure = signed(result(`VNPAY${i}`, 10_000_000, { vnp_ResponseCode: "24", vnp_TransactionStatus: "02" }))
        const told = await Promise.all(
          [failure, success, success, failure].map((params, n) =>
            served.call(`GET /payment/vnpay/${n === 2 ? "callback" : "ipn"}?${params}`),
          ),
        )
        expect(told.every(({ status }) => status === 200 || status === 302)).toBe(true)
        expect(await get(`order:${i}`)).toMatchObject({ paymentStatus: "PAID", status: "CONFIRMED" })
      }
    })

    test("no mutated callback is accepted (RST-27)", async () => {
      const { token } = await served.person("ann")
      await checkout(token)
      const before = await raw("GET", "order:1")
      const genuine = signed(result("VNPAY1", 10_000_000))
      const count = isFull ? 1000 : 150
      for (let i = 0; i < count; i++) {
        const params = mutated(genuine, i)
        const { body } = await served.call(`GET /payment/vnpay/ipn?${params}`)
        expect(body, `${params}`).toMatchObject({ RspCode: "97" })
      }
      expect(await raw("GET", "order:1")).toBe(before)
    })
  })

  test("7: roles decide, on the template of the route, at the next request (RST-10, RST-12)", async () => {
    const [ann, bob] = [await served.person("ann"), await served.person("bob")]
    const users = (token?: string) => served.call("GET /api/users", { token })
    expect((await users()).status).toBe(401)
    expect((await users("x.y.z")).status).toBe(401)
    expect((await users(ann.token)).status).toBe(403)
    const role = (await get(`user:${ann.id}`))["roleId"] as string
    const all = (await raw("SMEMBERS", "permission:list")) as string[]
    const permissions = await Promise.all(all.map((id) => get(`permission:${id}`)))
    const reading = permissions.find((one) => one["apiPath"] === "/api/users" && one["method"] === "GET")!
    await raw("SADD", `role:${role}:permissions`, reading["id"] as string)
    const listed = await users(ann.token)
    expect(listed.status).toBe(200)
    expect(JSON.stringify(listed.body)).not.toMatch(/password|refreshToken|argon2/)
    expect((await served.call(`GET /api/users/${bob.id}`, { token: ann.token })).status).toBe(403)
    await raw("SREM", `role:${role}:permissions`, reading["id"] as string)
    expect((await users(ann.token)).status).toBe(403)

    const dishId = await served.dish()
    await served.call("POST /cart/add-dish", { token: bob.token, body: { dishId, quantity: 1 } })
    const body = { cartItemId: "1", quantity: 5 }
    expect((await served.call("PUT /cart/update-dish", { token: ann.token, body })).status).toBe(404)
    expect((await served.call("DELETE /cart/delete-dish/1", { token: ann.token })).status).toBe(404)
    expect((await served.call("PUT /cart/update-dish", { token: bob.token, body })).body).toMatchObject({
      quantity: 5,
      total: 250_000,
    })
  })
})

/** One change of a genuine callback that makes it another. */
function mutated(genuine: URLSearchParams, seed: number): URLSearchParams {
  const params = new URLSearchParams(genuine)
  const names = [...params.keys()]
  const name = names[seed % names.length]!
  const value = params.get(name)!
  const at = Math.floor(seed / names.length) % value.length
  const kind = Math.floor(seed / 7) % 5
  if (kind === 0) params.set(name, value.slice(0, at) + flip(value[at]!) + value.slice(at + 1))
  else if (kind === 1) params.delete(name)
  else if (kind === 2) params.set(name, `${value}${seed % 10}`)
  else if (kind === 3) params.append(name, value)
  else params.set(`vnp_Extra${seed}`, "1")
  return params
}

const flip = (char: string): string => (char === "0" ? "1" : char >= "a" && char <= "z" ? char.toUpperCase() : "0")
