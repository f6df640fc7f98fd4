/* What is refused, with which status, and that nothing was written. */

import { connect } from "node:net"
import { afterEach, beforeEach, expect, test } from "vitest"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { dump } from "../platform/testing/stored.ts"
import { cookieIn, open, PASSWORD, type Person, type Restaurant } from "./restaurant.cases.ts"

onAnyServerAndInFullOnCluster("the restaurant refuses", (server) => {
  let served: Restaurant
  let ann: Person
  let dishId: string
  const raw = (...words: (string | number)[]) => server().raw(...words)

  beforeEach(async () => {
    served = await open(server())
    dishId = await served.dish({ stock: 5 })
    ann = await served.person("ann")
  })
  afterEach(() => served.close())

  /** Each request is answered with this status, and changes nothing. */
  const refused = async (status: number, requests: readonly [string, unknown?][], token: string) => {
    const before = await dump(raw)
    for (const [request, body] of requests) {
      const reply = await served.call(request, { token, ...(body !== undefined && { body }) })
      expect([request, JSON.stringify(body), reply.status]).toEqual([request, JSON.stringify(body), status])
      expect(reply.body).toMatchObject({ error: expect.any(String), message: expect.any(String) })
    }
    expect(await dump(raw)).toEqual(before)
  }

  test("what is not valid input, with 400 (ALL-4, ALL-12, RST-13, RST-16 to RST-18, RST-21)", async () => {
    const category = { name: "x", price: 1, categoryId: "1" }
    await refused(
      400,
      [
        ["POST /cart/add-dish", { dishId, quantity: 0 }],
        ["POST /cart/add-dish", { dishId, quantity: 1000 }],
        ["POST /cart/add-dish", { dishId, quantity: 1.5 }],
        ["POST /cart/add-dish", { dishId, quantity: "2" }],
        ["POST /cart/add-dish", { dishId, quantity: -1 }],
        ["POST /cart/add-dish", { quantity: 1 }],
        ["POST /cart/add-dish", { dishId: "", quantity: 1 }],
        ["POST /cart/add-dish", { dishId: "list", quantity: 1 }],
        ["POST /cart/add-dish", { dishId: "counter", quantity: 1 }],
        ["POST /cart/add-dish", { dishId: "index", quantity: 1 }],
        ["POST /cart/add-dish", { dishId: "1:x", quantity: 1 }],
        ["POST /cart/add-dish", { dishId: "a".repeat(65), quantity: 1 }],
        ["POST /cart/add-dish", { dishId, quantity: 1, gift: true }],
        ["POST /cart/add-dish", "{"],
        ["PUT /cart/update-dish", { cartItemId: "1", quantity: 0 }],
        ["POST /cart/checkout", { paymentMethod: "BITCOIN" }],
        ["POST /cart/checkout", {}],
        ["GET /api/orders/index"],
        ["GET /api/orders/mine?page=0"],
        ["GET /api/orders/mine?pageSize=x"],
      ],
      ann.token,
    )
    await refused(
      400,
      [
        ["POST /api/dishes", { ...category, price: -1 }],
        ["POST /api/dishes", '{"name":"x","price":1e999,"categoryId":"1"}'],
        ["POST /api/dishes", { ...category, price: "1" }],
        ["POST /api/dishes", { ...category, stock: -1 }],
        ["POST /api/dishes", { ...category, stock: 1.5 }],
        ["POST /api/dishes", { ...category, categoryId: "99" }],
        ["POST /api/dishes", { ...category, imageUrl: "javascript:alert(1)" }],
        ["POST /api/dishes", { ...category, imageUrl: "//evil.example/x" }],
        ["POST /api/dishes", { ...category, name: "  " }],
        ["PUT /api/dishes/1", { id: "2", name: "x" }],
        ["PUT /api/dishes/1", { categoryId: "99" }],
        ["POST /api/dishes/1/stock", { delta: 1, stock: 2 }],
        ["POST /api/dishes/1/stock", {}],
        ["POST /api/users", { username: "x", email: "x@y.z", password: PASSWORD, roleId: "99" }],
        ["POST /api/users", { username: "x", email: "a b@y.z", password: PASSWORD }],
        ["POST /api/users", { username: "x", email: "no-address", password: PASSWORD }],
        ["POST /api/roles", { name: "with space" }],
        ["PUT /api/roles/1/permissions", { permissionIds: ["999"] }],
        ["POST /api/permissions", { name: "x", apiPath: "api", method: "GET", module: "X" }],
        ["POST /api/permissions", { name: "x", apiPath: "/api", method: "PATCH", module: "X" }],
        ["POST /api/orders", { items: [] }],
        ["POST /api/orders", { items: [{ dishId, quantity: 1 }] }],
        ["POST /api/orders", { userId: "99", items: [{ dishId, quantity: 1 }] }],
      ],
      served.boss,
    )
  })

  test("what is not there, with 404", async () => {
    await refused(
      404,
      [
        ["POST /cart/add-dish", { dishId: "99", quantity: 1 }],
        ["PUT /cart/update-dish", { cartItemId: "9", quantity: 1 }],
        ["DELETE /cart/delete-dish/9"],
        ["GET /api/orders/9"],
        ["GET /api/dishes/9"],
        ["GET /api/categories/9"],
        ["GET /api/categories/9/dishes"],
        ["POST /payment/vnpay/order/9"],
      ],
      ann.token,
    )
    await refused(
      404,
      [
        ...["users", "roles", "permissions", "categories", "dishes"].flatMap((many): [string, unknown?][] => [
          [`GET /api/${many}/999`],
          [`PUT /api/${many}/999`, many === "users" ? { username: "x" } : { name: "x" }],
          [`DELETE /api/${many}/999`],
        ]),
        ["PUT /api/roles/999/permissions", { permissionIds: [] }],
        ["POST /api/dishes/999/stock", { stock: 1 }],
        ["PUT /api/orders/9/status", { status: "CONFIRMED" }],
        ["DELETE /api/orders/9"],
        ["POST /payment/cash/confirm/9"],
        ["POST /api/orders", { userId: ann.id, items: [{ dishId: "99", quantity: 1 }] }],
      ],
      served.boss,
    )
  })

  test("what does not go together, with 409 (RST-7, RST-17, RST-23, RST-33)", async () => {
    await served.call("POST /cart/add-dish", { token: ann.token, body: { dishId, quantity: 5 } })
    const sold = await served.dish({ available: false })
    await refused(
      409,
      [
        ["POST /cart/add-dish", { dishId, quantity: 1 }],
        ["POST /cart/add-dish", { dishId: sold, quantity: 1 }],
        ["PUT /cart/update-dish", { cartItemId: "1", quantity: 6 }],
      ],
      ann.token,
    )
    await served.call(`POST /api/dishes/${dishId}/stock`, { token: served.boss, body: { stock: 4 } })
    await refused(409, [["POST /cart/checkout", {}]], ann.token)
    const short = await served.call("POST /cart/checkout", { token: ann.token })
    expect(short.body).toMatchObject({
      error: "insufficient_stock",
      details: { dishes: [{ dishId, stock: 4, wanted: 5 }] },
    })
    await served.call(`POST /api/dishes/${dishId}/stock`, { token: served.boss, body: { delta: 1 } })
    expect((await served.call("POST /cart/checkout", { token: ann.token })).status).toBe(201)
    const userRole = (JSON.parse((await raw("GET", `user:${ann.id}`)) as string) as { roleId: string }).roleId
    await refused(
      409,
      [
        [`POST /api/dishes/${dishId}/stock`, { delta: -1 }],
        [`POST /api/dishes/${sold}/stock`, { delta: 1 }],
        ["DELETE /api/categories/1"],
        [`DELETE /api/roles/${userRole}`],
        [`DELETE /api/users/${ann.id}`],
        ["POST /api/roles", { name: "ADMIN" }],
        ["PUT /api/roles/2", { name: "ADMIN" }],
        ["POST /api/users", { username: "x", email: ann.email, password: PASSWORD }],
        [`PUT /api/users/${ann.id}`, { email: "ADMIN@example.com" }],
        ["PUT /api/orders/1/status", { status: "DELIVERED" }],
        ["PUT /api/orders/1/status", { status: "PENDING" }],
      ],
      served.boss,
    )
  })

  test("other media types with 415 and large bodies with 413", async () => {
    const before = await dump(raw)
    const token = ann.token
    const headers = { "content-type": "text/plain" }
    expect((await served.call("POST /cart/add-dish", { token, body: "x", headers })).status).toBe(415)
    const large = await served.call("POST /cart/add-dish", { token, body: `{"x":"${"x".repeat(2_000_000)}"}` })
    expect(large.status).toBe(413)
    expect(await dump(raw)).toEqual(before)
  })

  test("wrong passwords and unknown people alike, with 401, and spent refresh tokens (RST-9)", async () => {
    const login = (username: string, password: string) => served.call("POST /login", { body: { username, password } })
    const [wrong, unknown] = [await login(ann.email, "wrong"), await login("who@example.com", PASSWORD)]
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(wrong.body).toEqual(unknown.body)
    expect((await login("  ANN@example.com", PASSWORD)).status).toBe(200)

    const refresh = (cookie: string) => served.call("POST /refresh", { headers: { cookie: `refresh_token=${cookie}` } })
    expect((await refresh(ann.cookie)).status).toBe(401)
    const { headers } = await login(ann.email, PASSWORD)
    expect(headers.get("set-cookie")).toMatch(/HttpOnly/)
    const cookie = cookieIn(headers)
    const both = await Promise.all([refresh(cookie), refresh(cookie)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    const next = cookieIn(both.find(({ status }) => status === 200)!.headers)
    expect((await refresh(next)).status).toBe(200)
    expect((await served.call("POST /refresh")).status).toBe(401)

    const last = cookieIn((await login(ann.email, PASSWORD)).headers)
    const logout = await served.call("POST /logout", { headers: { cookie: `refresh_token=${last}` } })
    expect(logout.status).toBe(204)
    expect((await refresh(last)).status).toBe(401)
    expect(JSON.parse((await raw("GET", `user:${ann.id}`)) as string)).toMatchObject({ refreshToken: null })
  })

  test("a report of a payment that breaks off, without an error of ours in the log", async () => {
    const { hostname, port } = new URL(served.url)
    const head = "POST /payment/vnpay/callback HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
    const socket = connect(Number(port), hostname, () => socket.write(`${head}vnp_Amount=1`, () => socket.destroy()))
    await expect.poll(() => served.logged()).toContain('"POST","route":"/payment/vnpay/callback","status":400')
    expect(served.logged()).not.toContain('"level":"error"')
  })

  test("nothing that belongs to the server takes effect: roleId, price, soldToday, stamps, ids (RST-4)", async () => {
    const made = await served.call("POST /register", {
      body: { username: "eve", email: "eve@example.com", password: PASSWORD, roleId: "1", id: "77", createdAt: "x" },
    })
    const role = (JSON.parse((await raw("GET", `user:${ann.id}`)) as string) as { roleId: string }).roleId
    expect(made).toMatchObject({ status: 201, body: { id: "3", roleId: role } })
    const added = await served.call("POST /cart/add-dish", {
      token: ann.token,
      body: { dishId, quantity: 1, price: 1, total: 1, cartId: "9" },
    })
    expect(added).toMatchObject({ status: 201, body: { price: 50_000, total: 50_000, cartId: "1" } })
    const dish = await served.call(`PUT /api/dishes/${dishId}`, {
      token: served.boss,
      body: { soldToday: 99, createdAt: "2000-01-01T00:00:00Z", id: dishId },
    })
    expect(dish).toMatchObject({ status: 200, body: { soldToday: 0 } })
    expect((dish.body as { createdAt: string }).createdAt).not.toMatch(/^2000/)
    const order = await served.call("POST /api/orders", {
      token: served.boss,
      body: { userId: ann.id, items: [{ dishId, quantity: 1, price: 1 }], totalPrice: 1, status: "DELIVERED" },
    })
    expect(order).toMatchObject({ status: 201, body: { totalPrice: 50_000, status: "PENDING" } })
    const { orderId } = order.body as { orderId: string }
    const set = (request: string, body: object) => served.call(request, { token: served.boss, body })
    const cancel = { status: "CANCELLED", paymentStatus: "PAID", totalPrice: 1 }
    expect((await set(`PUT /api/orders/${orderId}/status`, { ...cancel, id: "77" })).status).toBe(400)
    expect(await set(`PUT /api/orders/${orderId}/status`, { ...cancel, id: orderId })).toMatchObject({
      status: 200,
      body: { status: "CANCELLED", paymentStatus: "PAYMENT_UNPAID", totalPrice: 50_000 },
    })
    expect((await set(`POST /api/dishes/${dishId}/stock`, { delta: 1, id: "77" })).status).toBe(400)
    expect(await set(`POST /api/dishes/${dishId}/stock`, { delta: 1, id: dishId, soldToday: 9 })).toMatchObject({
      status: 200,
      body: { stock: 6, soldToday: 0 },
    })
    expect((await set("PUT /api/roles/3/permissions", { permissionIds: [], id: "1" })).status).toBe(400)
  })
})
