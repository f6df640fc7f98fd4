/* Every route of the router against every role, and secrets that must not be seen. */

import { afterEach, beforeEach, expect, test } from "vitest"
import { allows } from "./services/access.ts"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { cookieIn, login, open, PASSWORD, result, SECRET, signed, type Restaurant } from "./restaurant.cases.ts"

const users = [
  "GET /cart",
  "GET /cart/get-all-dish",
  "DELETE /cart",
  "POST /cart/add-dish",
  "PUT /cart/update-dish",
  "DELETE /cart/delete-dish/{id}",
  "POST /cart/checkout",
  "GET /api/orders/mine",
  "GET /api/orders/{id}",
  "POST /payment/vnpay/order/{id}",
]
const staff = [
  ...users,
  "GET /api/orders",
  "POST /api/orders",
  "PUT /api/orders/{id}/status",
  "POST /payment/cash/confirm/{id}",
  "PUT /api/dishes/{id}",
  "POST /api/dishes/{id}/stock",
]
const open_ = [
  "POST /register",
  "POST /login",
  "POST /refresh",
  "POST /logout",
  "GET /api/categories",
  "GET /api/categories/{id}",
  "GET /api/categories/{id}/dishes",
  "GET /api/dishes",
  "GET /api/dishes/{id}",
  "GET /payment/vnpay/callback",
  "POST /payment/vnpay/callback",
  "GET /payment/vnpay/ipn",
  "GET /health",
  "GET /metrics",
  "GET /openapi.json",
]

onAnyServerAndInFullOnCluster("access", (server) => {
  let served: Restaurant
  beforeEach(async () => {
    served = await open(server())
  })
  afterEach(() => served.close())

  const routes = async () => {
    const { body } = await send(served.url, "GET /openapi.json")
    const { paths } = body as { paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>> }
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({
        request: `${method.toUpperCase()} ${path}`,
        scheme: Object.keys(security?.[0] ?? {})[0],
      })),
    )
  }

  test("each role may call what it is to, and nothing else (RST-10)", async () => {
    const ann = await served.person("ann")
    const roleId = (await roleOf("STAFF")).id
    const body = { username: "sam", email: "sam@example.com", password: PASSWORD, roleId }
    await served.call("POST /api/users", { token: served.boss, body })
    const sam = await login(served, "sam@example.com")
    const all = await routes()
    expect(
      all
        .filter(({ scheme }) => scheme === undefined)
        .map(({ request }) => request)
        .sort(),
    ).toEqual([...open_].sort())
    expect(all.length).toBeGreaterThan(40)
    for (const { request, scheme } of all) {
      const url = request.replaceAll(/\{\w+\}/g, "999")
      const status = async (token?: string) => {
        const needsBody = /^(POST|PUT)/.test(url)
        return (await send(served.url, url, { token, ...(needsBody && { body: "[]" }) })).status
      }
      const allowed = [400, 404, 200, 204, 409, 302]
      if (scheme === undefined) {
        if (!request.includes("/refresh")) expect([...allowed, 201], request).toContain(await status())
      } else if (scheme === "admin") {
        expect([request, await status(), await status(served.boss)]).toEqual([request, 401, 401])
      } else {
        expect([request, await status()]).toEqual([request, 401])
        expect(allowed, `${request} as ADMIN`).toContain(await status(served.boss))
        if (staff.includes(request)) expect(allowed, `${request} as STAFF`).toContain(await status(sam.token))
        else expect([request, "STAFF", await status(sam.token)]).toEqual([request, "STAFF", 403])
        if (users.includes(request)) expect(allowed, `${request} as USER`).toContain(await status(ann.token))
        else expect([request, "USER", await status(ann.token)]).toEqual([request, "USER", 403])
      }
    }
  })

  const roleOf = async (name: string) => {
    const { body } = await served.call("GET /api/roles", { token: served.boss })
    return (body as { result: { id: string; name: string }[] }).result.find((role) => role.name === name)!
  }

  test("a permission that is taken, changed or deleted counts no more at the next request", async () => {
    const ann = await served.person("ann")
    const cart = async () => (await served.call("GET /cart", { token: ann.token })).status
    expect(await cart()).toBe(200)
    expect(await cart()).toBe(200)
    const role = await roleOf("USER")
    const all = await served.call("GET /api/permissions?pageSize=100", { token: served.boss })
    const { result: permissions } = all.body as { result: { id: string; apiPath: string; method: string }[] }
    const mine = permissions.find(({ apiPath, method }) => apiPath === "/cart" && method === "GET")!
    const change = (body: object) => served.call(`PUT /api/permissions/${mine.id}`, { token: served.boss, body })
    await change({ method: "POST" })
    expect(await cart()).toBe(403)
    await change({ method: "GET", apiPath: "/cart" })
    expect(await cart()).toBe(200)
    await served.call(`PUT /api/roles/${role.id}/permissions`, { token: served.boss, body: { permissionIds: [] } })
    expect(await cart()).toBe(403)
    await served.call(`PUT /api/roles/${role.id}/permissions`, {
      token: served.boss,
      body: { permissionIds: [mine.id] },
    })
    expect(await cart()).toBe(200)
    expect((await served.call(`DELETE /api/permissions/${mine.id}`, { token: served.boss })).status).toBe(204)
    expect(await server().raw("SISMEMBER", `role:${role.id}:permissions`, mine.id)).toBe(0)
    expect(await cart()).toBe(403)
    expect((await served.call(`DELETE /api/users/${ann.id}`, { token: served.boss })).status).toBe(204)
    expect(await cart()).toBe(401)
  })

  test("no secret is in any answer, log or error", async () => {
    const secrets = [PASSWORD, SECRET, "canary-jwt-secret-0123456789"]
    const seen: string[] = []
    const call: typeof served.call = async (request, options) => {
      const reply = await served.call(request, options)
      seen.push(JSON.stringify(reply.body))
      if (!/login|refresh/.test(request)) seen.push(JSON.stringify([...reply.headers]))
      return reply
    }
    const ann = await served.person("ann")
    secrets.push(ann.cookie)
    const dishId = await served.dish()
    const logged = await call("POST /login", { body: { username: ann.email, password: PASSWORD } })
    secrets.push(cookieIn(logged.headers))
    const token = (logged.body as { accessToken: string }).accessToken
    const cookie = `refresh_token=${cookieIn(logged.headers)}`
    const again = await call("POST /refresh", { headers: { cookie } })
    secrets.push(cookieIn(again.headers))
    await call("POST /refresh", { headers: { cookie } })
    await call("POST /login", { body: { username: PASSWORD, password: ann.cookie } })
    await call("POST /login", { body: { username: ann.email, password: `${PASSWORD}x` } })
    await call("POST /register", { body: { username: "x", email: ann.email, password: PASSWORD } })
    await call("POST /register", { body: { username: "x", email: "bad", password: PASSWORD } })
    for (const request of ["GET /api/users", `GET /api/users/${ann.id}`, "GET /api/orders"])
      await call(request, { token: served.boss })
    await call(`PUT /api/users/${ann.id}`, { token: served.boss, body: { phone: "1", password: PASSWORD } })
    await call("POST /cart/add-dish", { token, body: { dishId, quantity: 1 } })
    await call("POST /cart/checkout", { token, body: { paymentMethod: "VNPAY" } })
    await call(`GET /payment/vnpay/callback?${signed(result("VNPAY1", 5_000_000))}`)
    await call(`GET /payment/vnpay/ipn?${signed(result("VNPAY1", 5), "wrong")}`)
    const admin = async (request: string, body?: unknown, headers = {}) => {
      const { status } = await call(request, { token: ADMIN, body, headers })
      return status
    }
    const ndjson = { "content-type": "application/x-ndjson" }
    const copy = await served.call("GET /admin/export", { token: ADMIN })
    expect(copy.status).toBe(200)
    // A copy has the digests that logins need: of passwords, and of refresh tokens.
    seen.push(String(copy.body).replaceAll("argon2id$", "…"))
    expect(await admin("POST /admin/import?mode=skip", copy.body, ndjson)).toBe(200)
    expect(await admin("POST /admin/import", `{"password":"${PASSWORD}"}\n`, ndjson)).toBe(400)
    expect(await admin("POST /admin/import", { password: PASSWORD })).toBe(415)
    await server().raw("SET", `user:${ann.id}`, `{"password":"${PASSWORD}"`)
    for (const request of ["GET /admin/integrity", "GET /admin/stats", "POST /admin/backup"])
      expect(await admin(request), request).toBe(200)
    for (const body of [undefined, { apply: true }, { apply: PASSWORD }]) await admin("POST /admin/repair", body)
    expect(await admin(`GET /admin/export?entity=${PASSWORD}`)).toBe(400)
    await call("GET /admin/integrity", { token: PASSWORD })
    await call("GET /cart", { token })
    await call(`GET /api/users/${ann.id}`, { token: served.boss })
    await call("GET /api/users", { token: served.boss })
    const health = await send(served.url, "GET /health")
    const metrics = await send(served.url, "GET /metrics")
    const document = await send(served.url, "GET /openapi.json")
    const text = [...seen, health, metrics, document].map((one) => JSON.stringify(one)).join("\n") + served.logged()
    for (const secret of secrets) expect(text.includes(secret), secret).toBe(false)
    expect(text).not.toContain("argon2id$")
  })
})

test("a permission's path fits the template of a route, and parameters only parameters (RST-10)", () => {
  const fits = (apiPath: string, path: string, params: Record<string, string> = {}, method = "GET") =>
    allows({ apiPath, method } as never, { method: "GET", path, params })
  expect(fits("/api/users/{id}", "/api/users/{id}", { id: "7" })).toBe(true)
  expect(fits("/api/users/{user}", "/api/users/{id}", { id: "7" })).toBe(true)
  expect(fits("/api/users/7", "/api/users/{id}", { id: "7" })).toBe(true)
  expect(fits("/api/users/7", "/api/users/{id}", { id: "8" })).toBe(false)
  expect(fits("/api/users/7", "/api/users/{id}", { id: "8#/7" })).toBe(false)
  expect(fits("/api/orders/{id}", "/api/orders/mine")).toBe(false)
  expect(fits("/api/users", "/api/users/{id}", { id: "7" })).toBe(false)
  expect(fits("/api/users/{id}", "/api/users/{id}", { id: "7" }, "PUT")).toBe(false)
})
