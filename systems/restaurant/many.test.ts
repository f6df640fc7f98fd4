/* Many restaurants in one process and on one server: each has data, users and jobs of its own,
 * and nothing that one gives out opens another. Keys are looked at as they are stored. */

import { afterEach, beforeEach, expect, test } from "vitest"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { onAnyServerAndCluster } from "../platform/testing/cluster-server.ts"
import { allKeys } from "../platform/testing/stored.ts"
import { ADMIN_EMAIL, open, PASSWORD, profile, result, signed, type Restaurant } from "./restaurant.cases.ts"

const NAMES = ["pho", "banh-mi"]
const many = ["--set", `restaurant.restaurants=${NAMES.join(",")}`, "--set", "restaurant.domain=eat.example"]

/** At the plain routes, and at each name. */
const PLACES = ["", ...NAMES.map((name) => `/r/${name}`)]

onAnyServerAndCluster("many restaurants", (server) => {
  let served: Restaurant
  const plain = (...words: (string | number)[]) => server().plain(...words)
  /** What is stored before the keys of a place. */
  const beforeKeys = (place: string): string => {
    const tag = place === "" ? server().settings?.["tag"] : place.slice("/r/".length)
    return tag === undefined ? "" : `{${tag}}:`
  }
  const stored = async (place: string, key: string) =>
    JSON.parse((await plain("GET", beforeKeys(place) + key)) as string) as Record<string, unknown>
  const at = (place: string, request: string, options: Parameters<Restaurant["call"]>[1] = {}) =>
    served.call(request.replace(" ", ` ${place}`), options)
  const login = async (place: string, username = ADMIN_EMAIL) => {
    const { status, body, headers } = await at(place, "POST /login", { body: { username, password: PASSWORD } })
    expect(status).toBe(200)
    const cookie = /^([^=]+)=([^;]*)/.exec(headers.get("set-cookie")!)!
    return { token: (body as { accessToken: string }).accessToken, name: cookie[1]!, cookie: cookie[2]! }
  }
  const fill = async (place: string) => {
    const { token } = await login(place)
    await at(place, "POST /api/categories", { token, body: { name: "Món" } })
    const dish = { name: `Mon ${place}`, price: 1000, categoryId: "1", stock: 5 }
    expect((await at(place, "POST /api/dishes", { token, body: dish })).status).toBe(201)
    const ann = { username: "ann", email: "ann@example.com", password: PASSWORD, ...profile }
    expect((await at(place, "POST /register", { body: ann })).status).toBe(201)
    return (await login(place, ann.email)).token
  }
  const buy = async (place: string, token: string, quantity: number) => {
    await at(place, "POST /cart/add-dish", { token, body: { dishId: "1", quantity } })
    const { status, body } = await at(place, "POST /cart/checkout", { token, body: { paymentMethod: "VNPAY" } })
    expect(status, JSON.stringify(body)).toBe(201)
    return body as { orderId: string; paymentUrl: string }
  }

  beforeEach(async () => {
    served = await open(server(), ...many)
  })
  afterEach(() => served.close())

  test("each has its own records under its own tag, the same ids, and a clean check", async () => {
    for (const [i, place] of PLACES.entries()) {
      const token = await fill(place)
      await buy(place, token, i + 1)
    }
    for (const [i, place] of PLACES.entries()) {
      expect(await stored(place, "dish:1")).toMatchObject({ name: `Mon ${place}`, stock: 4 - i, soldToday: i + 1 })
      expect(await stored(place, "order:1")).toMatchObject({ totalPrice: 1000 * (i + 1), paymentRef: "VNPAY1" })
      const { body } = await at(place, "GET /admin/integrity", { token: ADMIN })
      expect(body).toMatchObject({ findings: [] })
      expect((await at(place, "GET /admin/stats", { token: ADMIN })).body).toMatchObject({
        counts: { user: 2, dish: 1, order: 1 },
      })
    }
    const known = PLACES.map(beforeKeys)
    const keys = (await allKeys(plain)).filter((key) => !key.startsWith("keywright:"))
    expect(
      keys.filter((key) => key.startsWith("{") && !known.some((tag) => tag !== "" && key.startsWith(tag))),
    ).toEqual([])
    const health = await send(served.url, "GET /health", { token: ADMIN })
    expect(health.body).toMatchObject({ systems: { restaurant: { restaurants: { pho: {}, "banh-mi": {} } } } })
  })

  test("each lists its own orders, to its customers and to its staff", async () => {
    for (const [i, place] of PLACES.entries()) {
      const token = await fill(place)
      await buy(place, token, i + 1)
      const boss = (await login(place)).token
      for (const [request, by] of [
        ["GET /api/orders/mine", token],
        ["GET /api/orders", boss],
      ] as const)
        expect(await at(place, request, { token: by }), `${request} at ${place}`).toMatchObject({
          status: 200,
          body: { meta: { total: 1 }, result: [{ totalPrice: 1000 * (i + 1) }] },
        })
    }
  })

  test("strangers are not told which there are", async () => {
    for (const path of ["/health", "/metrics", "/openapi.json", "/r/nope/api/dishes"])
      for (const token of [undefined, "wrong"]) {
        const { body } = await send(served.url, `GET ${path}`, token === undefined ? {} : { token })
        const text = typeof body === "string" ? body : JSON.stringify(body)
        expect([path, text.length > 0, /\bpho\b|banh-mi/.exec(text)]).toEqual([path, true, null])
      }
  })

  test("are not more chances to guess: attempts and registrations count together", async () => {
    await served.close()
    const limits = ["failuresPerAccount=4", "failuresPerAddress=9", "registrationsPerMinute=3"]
    served = await open(server(), ...many, ...limits.flatMap((one) => ["--set", `restaurant.${one}`]))
    const statusAt = async (i: number, request: string, body: object) =>
      (await at(PLACES[i % PLACES.length]!, request, { body })).status
    const guess = (username: string) => (i: number) => statusAt(i, "POST /login", { username, password: `wrong ${i}` })
    const inARow = async (n: number, work: (i: number) => Promise<number>) => {
      const found: number[] = []
      for (let i = 0; i < n; i++) found.push(await work(i))
      return found
    }
    // The administrator whom they share; the right password at another one forgets nothing.
    expect(await inARow(3, guess(ADMIN_EMAIL))).toEqual([401, 401, 401])
    expect(await statusAt(1, "POST /login", { username: ADMIN_EMAIL, password: PASSWORD })).toBe(200)
    expect(await inARow(4, guess(ADMIN_EMAIL))).toEqual([401, 429, 429, 429])
    // An account of one is not that of another with the same name.
    const ann = { username: "ann", email: "ann@example.com", password: PASSWORD, ...profile }
    expect(await inARow(5, (i) => statusAt(i, "POST /register", { ...ann, email: `a${i}@example.com` }))).toEqual([
      201, 201, 201, 429, 429,
    ])
    expect(await inARow(3, guess("a0@example.com"))).toEqual([401, 401, 401])
    expect(await statusAt(0, "POST /login", { username: "a0@example.com", password: PASSWORD })).toBe(200)
    // And the address, whosever passwords it tries, wherever.
    expect(await inARow(4, (i) => guess(`b${i}@example.com`)(i))).toEqual([401, 401, 429, 429])
  })

  test("no token of one opens another: access tokens, refresh tokens, logouts", async () => {
    const admins = new Map<string, Awaited<ReturnType<typeof login>>>()
    for (const place of PLACES) admins.set(place, await login(place))
    for (const [from, { token, cookie }] of admins) {
      for (const [to, { name }] of admins) {
        const status = from === to ? 200 : 401
        expect((await at(to, "GET /api/users", { token })).status, `${from} at ${to}`).toBe(status)
        if (from === to) continue
        // Under the name that the other one's cookie has.
        const renamed = await at(to, "POST /refresh", { headers: { cookie: `${name}=${cookie}` } })
        expect(renamed.status).toBe(401)
        await at(to, "POST /logout", { token, headers: { cookie: `${name}=${cookie}` } })
      }
    }
    // Sessions that others tried to end are as they were.
    for (const [place, { token, name, cookie }] of admins) {
      expect((await at(place, "GET /api/users", { token })).status).toBe(200)
      expect((await at(place, "POST /refresh", { headers: { cookie: `${name}=${cookie}` } })).status).toBe(200)
    }
    expect(new Set([...admins.values()].map(({ name }) => name)).size).toBe(PLACES.length)
  })

  test("a payment counts where it was made: replayed at others it is unknown there", async () => {
    const tokens = new Map<string, string>()
    for (const place of PLACES) {
      tokens.set(place, await fill(place))
      const { paymentUrl } = await buy(place, tokens.get(place)!, 1)
      const ref = new URL(paymentUrl).searchParams.get("vnp_TxnRef")
      expect(ref).toBe(place === "" ? "VNPAY1" : `${place.slice(3)}_VNPAY1`)
    }
    const report = `GET /payment/vnpay/ipn?${signed(result("pho_VNPAY1", 100_000))}`
    expect((await at("/r/banh-mi", report)).body).toMatchObject({ RspCode: "01" })
    expect((await at("/r/pho", `GET /payment/vnpay/ipn?${signed(result("VNPAY1", 100_000))}`)).body).toMatchObject({
      RspCode: "01",
    })
    for (const place of PLACES)
      expect(await stored(place, "order:1")).toMatchObject({ paymentStatus: "PAYMENT_UNPAID" })
    // VNPay knows one address, and reports there.
    const back = await at("", `GET /payment/vnpay/callback?${signed(result("pho_VNPAY1", 100_000))}`)
    expect(back.status).toBe(302)
    expect(back.headers.get("location")).toContain("restaurant=pho")
    expect(await stored("/r/pho", "order:1")).toMatchObject({ paymentStatus: "PAID" })
    expect(await stored("", "order:1")).toMatchObject({ paymentStatus: "PAYMENT_UNPAID" })
    expect(await stored("/r/banh-mi", "order:1")).toMatchObject({ paymentStatus: "PAYMENT_UNPAID" })
    expect((await at("/r/pho", report)).body).toMatchObject({ RspCode: "02" })
  })

  test("what is not a restaurant is 404, whatever it is called, and nothing is written for it", async () => {
    const before = await allKeys(plain)
    const body = { username: "x", email: "x@example.com", password: PASSWORD, ...profile }
    const names = [
      "nope",
      "__proto__",
      "constructor",
      "main",
      "tests",
      "PHO",
      "pho%20",
      "%7Bpho%7D",
      "pho%3Auser",
      "x".repeat(300),
    ]
    for (const name of names) {
      for (const [request, token] of [
        ["POST /register", undefined],
        ["GET /api/users", served.boss],
        ["GET /admin/export", ADMIN],
      ] as const) {
        const given = { ...(token && { token }), ...(request.startsWith("POST") && { body }) }
        const { status } = await send(served.url, request.replace(" ", ` /r/${name}`), given)
        expect([400, 404], `${request} at ${name}`).toContain(status)
      }
    }
    expect(await allKeys(plain)).toEqual(before)
  })

  test("a check sees one restaurant, and a repair that deletes what is unknown leaves the others alone", async () => {
    for (const place of PLACES) await fill(place)
    const keysOf = async (place: string) => {
      const own = beforeKeys(place)
      const isOwn = (key: string) => (own === "" ? !key.startsWith("{") : key.startsWith(own))
      return (await allKeys(plain)).filter((key) => isOwn(key) && !key.startsWith("keywright:"))
    }
    const others = { pho: await keysOf("/r/pho"), main: await keysOf("") }
    await plain("SET", "{banh-mi}:stray:1", "x")
    await plain("SET", "{pho}:stray:1", "x")
    const repaired = await at("/r/banh-mi", "POST /admin/repair", {
      token: ADMIN,
      body: { apply: true, delete: ["unknown", "broken", "orphans"] },
    })
    expect(repaired.body).toMatchObject({ applied: { done: 1 } })
    expect(await plain("EXISTS", "{banh-mi}:stray:1")).toBe(0)
    expect(await keysOf("/r/pho")).toEqual([...others.pho, "{pho}:stray:1"].sort())
    await at("", "POST /admin/repair", { token: ADMIN, body: { apply: true, delete: ["unknown"] } })
    expect(await keysOf("/r/pho")).toEqual([...others.pho, "{pho}:stray:1"].sort())
    expect(await keysOf("")).toEqual(others.main)
  })

  test("an export is of one restaurant, and goes back into that one only", async () => {
    for (const place of PLACES) await fill(place)
    const exported = await send(served.url, "GET /r/pho/admin/export", { token: ADMIN })
    const keys = String(exported.body)
      .trim()
      .split("\n")
      .flatMap((line) => (JSON.parse(line) as { key?: string }).key ?? [])
    expect(keys.length).toBeGreaterThan(50)
    expect(keys.filter((key) => !key.startsWith("{pho}:"))).toEqual([])
    const imported = (place: string) =>
      send(served.url, `POST ${place}/admin/import?mode=overwrite`, {
        token: ADMIN,
        body: exported.body,
        headers: { "content-type": "application/x-ndjson" },
      })
    const before = await plain("GET", "{pho}:dish:1")
    await plain("DEL", "{pho}:dish:1")
    expect((await imported("/r/banh-mi")).status).toBe(400)
    expect((await imported("")).status).toBe(400)
    expect(await plain("EXISTS", "{pho}:dish:1")).toBe(0)
    expect((await imported("/r/pho")).status).toBe(200)
    expect(await plain("GET", "{pho}:dish:1")).toBe(before)
    const main = await send(served.url, "GET /admin/export", { token: ADMIN })
    expect(String(main.body)).not.toContain("{pho}:user")
    const again = await send(served.url, "POST /admin/import?mode=overwrite", {
      token: ADMIN,
      body: main.body,
      headers: { "content-type": "application/x-ndjson" },
    })
    expect(again.status, JSON.stringify(again.body)).toBe(200)
    for (const [place, key] of [
      ["/r/banh-mi", "{pho}:user:1"],
      ["", "{pho}:user:1"],
      ["/r/pho", `${beforeKeys("")}user:1`],
    ] as const)
      expect((await at(place, `GET /admin/keys/${encodeURIComponent(key)}`, { token: ADMIN })).status).toBe(404)
  })

  test("a restaurant has a host name below the domain, and a name that no restaurant has is refused", async () => {
    await fill("/r/pho")
    const dishes = async (host: string) => {
      const { request } = await import("node:http")
      return new Promise<{ status: number; text: string }>((resolve, reject) => {
        const sent = request(`${served.url}/api/dishes`, { headers: { host } }, async (answer) => {
          let text = ""
          for await (const chunk of answer) text += String(chunk)
          resolve({ status: answer.statusCode!, text })
        })
        sent.on("error", reject)
        sent.end()
      })
    }
    expect((await dishes("pho.eat.example")).text).toContain("Mon /r/pho")
    expect((await dishes("PHO.eat.example.:80")).text).toContain("Mon /r/pho")
    for (const host of ["eat.example", "pho.other.example", "pho.eat.example.evil.example", "127.0.0.1"])
      expect(await dishes(host), host).toMatchObject({ status: 200, text: expect.not.stringContaining("Mon") })
    expect(await dishes("nope.eat.example")).toMatchObject({ status: 404 })
  })
})
