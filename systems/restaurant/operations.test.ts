/* Integrity, repair, backup and monitoring over HTTP: RST-35 to RST-41. */

import { afterEach, beforeEach, expect, test } from "vitest"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { dump } from "../platform/testing/stored.ts"
import { open, type Restaurant } from "./restaurant.cases.ts"
import { violations } from "./raw-check.cases.ts"

onAnyServerAndInFullOnCluster("operations", (server) => {
  let served: Restaurant
  const raw = (...words: (string | number)[]) => server().raw(...words)

  beforeEach(async () => {
    served = await open(server())
  })
  afterEach(() => served.close())

  /** A cart of two lines, a paid order and an open one. */
  const busy = async () => {
    const [one, two] = [await served.dish({ stock: 50 }), await served.dish({ price: 12.5 })]
    const { token } = await served.person("ann")
    const add = (dishId: string) => served.call("POST /cart/add-dish", { token, body: { dishId, quantity: 3 } })
    for (const paymentMethod of ["CASH", "VNPAY"]) {
      await add(one)
      await add(two)
      await served.call("POST /cart/checkout", { token, body: { paymentMethod } })
    }
    await add(one)
    await add(two)
    await served.call("GET /cart", { token })
    return token
  }
  const findings = async () => {
    const { status, body } = await served.admin("GET /admin/integrity")
    expect(status).toBe(200)
    const found = (body as { findings: { code: string; key: string; place?: object }[] }).findings
    return found
      .map(({ code, key, place }) => [code, key, ...(place ? Object.values(place as object) : [])].join(" "))
      .sort()
  }
  const repair = async (body?: object) =>
    (await served.admin("POST /admin/repair", body)).body as {
      plan: { actions: unknown[] }
      applied?: { done: number; paymentRefs: number }
    }

  test("what the restaurant itself writes is clean (RST-35)", async () => {
    await busy()
    expect(await findings()).toEqual([])
    expect(await violations(raw)).toEqual([])
  })

  test("keys that the server refuses to read are not called clean", async () => {
    await busy()
    await raw("SADD", "dish:list", "999")
    await raw("ACL", "SETUSER", "default", "-sscan")
    try {
      const { body } = await served.admin("GET /admin/integrity")
      const refused = expect.objectContaining({ example: "dish:list", reason: expect.stringContaining("NOPERM") })
      expect(body).toMatchObject({ unreadable: expect.arrayContaining([refused]) })
      expect((await served.admin("POST /admin/repair")).body).toHaveProperty("unreadable")
      const { body: health } = await send(served.url, "GET /health")
      expect(health).toMatchObject({ systems: { restaurant: { integrity: { unreadable: expect.any(Number) } } } })
    } finally {
      await raw("ACL", "SETUSER", "default", "+sscan")
    }
    expect(await findings()).toEqual(["LIST.DANGLING dish:list 999"])
  })

  test("6: damages are listed one by one, the cart is still shown, and repair sets them right (RST-35, RST-36)", async () => {
    const token = await busy()
    const [line] = ((await raw("SMEMBERS", "cart:3:items")) as string[]).sort()
    await raw("DEL", `cartDetail:${line}`)
    await raw("SET", "cart:index:user:9", "77")
    await raw("SADD", "dish:list", "999")
    expect(await findings()).toEqual(
      [
        `INDEX.DANGLING cartDetail:index:cart:3 ${line}`,
        `LIST.DANGLING cartDetail:list ${line}`,
        "LIST.DANGLING dish:list 999",
        `MIRROR.DANGLING cart:3:items ${line}`,
        "MIRROR.MISSING user:9:cart",
        "UNIQUE.DANGLING cart:index:user:9",
      ].sort(),
    )
    expect((await served.call("GET /cart", { token })).status).toBe(200)
    expect((await served.call("POST /cart/checkout", { token })).body).toMatchObject({ error: "cart_damaged" })
    const planned = await repair()
    expect(planned.plan.actions).toHaveLength(5)
    expect(planned.applied).toBeUndefined()
    expect(await findings()).toHaveLength(6)
    expect((await repair({ apply: true })).applied).toMatchObject({ done: 5 })
    expect(await findings()).toEqual([])
    expect(await violations(raw)).toEqual([])
    const cart = await served.call("GET /cart", { token })
    expect((cart.body as { items: unknown[] }).items.length).toBeGreaterThan(0)
  })

  test("every kind of damage is found (RST-35)", async () => {
    await busy()
    const change = async (key: string, fields: object) =>
      raw("SET", key, JSON.stringify({ ...(JSON.parse((await raw("GET", key)) as string) as object), ...fields }))
    const damages: [string, () => Promise<unknown>][] = [
      ["VALUE.UNDECODABLE category:1", () => raw("SET", "category:1", "{")],
      ["ENTITY.ID", () => change("category:2", { id: "7" })],
      ["LIST.MISSING", () => raw("SREM", "dish:list", "2")],
      ["UNIQUE.STALE user:index:email:ann@example.com", () => raw("SET", "user:index:email:ann@example.com", "1")],
      ["INDEX.MISSING dish:index:category:2", () => raw("SREM", "dish:index:category:2", "2")],
      ["MIRROR.MISSING category:2:dishes", () => raw("SREM", "category:2:dishes", "2")],
      ["MIRROR.STALE user:1:orders", () => raw("SADD", "user:1:orders", "1")],
      ["REFERENCE.MISSING", () => change("cartDetail:5", { dishId: "77" })],
      ["COUNTER.BEHIND order:counter", () => raw("SET", "order:counter", "1")],
      ["TTL.UNEXPECTED role:2", () => raw("EXPIRE", "role:2", "1000")],
      ["KEY.UNKNOWN", () => raw("SET", "stray", "1")],
      ["KEY.TYPE", () => raw("HSET", "permission:900", "a", "b")],
      ["DISH.STOCK dish:1 stock", () => change("dish:1", { stock: -1 })],
      ["CART_DETAIL.TOTAL cartDetail:6 total", () => change("cartDetail:6", { total: 1 })],
      ["ORDER.TOTAL order:1 totalPrice", () => change("order:1", { totalPrice: 1 })],
      ["REFERS.DANGLING order:index:paymentRef:VNPAY99", () => raw("SET", "order:index:paymentRef:VNPAY99", "99")],
      ["PAYMENT_REF.STALE order:index:paymentRef:VNPAY98", () => raw("SET", "order:index:paymentRef:VNPAY98", "1")],
      ["PAYMENT_REF.MISSING order:2", () => raw("DEL", "order:index:paymentRef:VNPAY2")],
    ]
    for (const [, damage] of damages) await damage()
    const found = await findings()
    for (const [expected] of damages)
      expect(
        found.filter((one) => one.startsWith(expected)).length,
        `${expected} in\n${found.join("\n")}`,
      ).toBeGreaterThan(0)
    await repair({ apply: true })
    const left = await findings()
    expect(left.map((one) => one.split(" ")[0]).sort()).toEqual(
      [
        "CART_DETAIL.TOTAL",
        "DISH.STOCK",
        "ENTITY.ID",
        "KEY.TYPE",
        "KEY.UNKNOWN",
        "ORDER.TOTAL",
        "REFERENCE.MISSING",
        "VALUE.UNDECODABLE",
      ].sort(),
    )
    expect(await raw("GET", "order:index:paymentRef:VNPAY2")).toBe("2")
    expect(await raw("EXISTS", "order:index:paymentRef:VNPAY98", "order:index:paymentRef:VNPAY99")).toBe(0)
  })

  test("lists, indexes and counters of another type are rebuilt (RST-36)", async () => {
    const token = await busy()
    const before = await dump(raw)
    for (const key of ["dish:list", "cart:index:user:2", "cartDetail:index:cart:3", "order:counter"]) {
      await raw("DEL", key)
      await raw("HSET", key, "a", "b")
    }
    await raw("HSET", "permission:900", "a", "b")
    expect((await repair({ apply: true })).applied).toMatchObject({ done: 4, rebuilt: 6 })
    expect(await findings()).toEqual(["KEY.TYPE permission:900"])
    await raw("DEL", "permission:900")
    expect(await dump(raw)).toEqual(before)
    expect((await served.call("POST /cart/checkout", { token })).status).toBe(201)
  })

  test("what is wrong in one place is reported once (RST-35)", async () => {
    await busy()
    const own = { id: "9", userId: "2" }
    await raw("SET", "cart:9", JSON.stringify(own))
    await raw("SADD", "cart:list", "9")
    await raw("SET", "cart:counter", "9")
    await raw("SET", "user:index:email:ann@example.com", '"2"')
    expect(await findings()).toEqual(["UNIQUE.DANGLING user:index:email:ann@example.com", "UNIQUE.TAKEN cart:9 userId"])
  })

  test("a list with a corrupt record and one of another type has the others (ALL-11)", async () => {
    await busy()
    await served.dish()
    await raw("SET", "dish:1", "{")
    await raw("DEL", "dish:2")
    await raw("RPUSH", "dish:2", "x")
    const listed = await served.call("GET /api/dishes")
    expect((listed.body as { result: { id: string }[] }).result.map(({ id }) => id)).toEqual(["3"])
  })

  test.for(["dish:list", "dish:1", "category:counter"])(
    "%s of another type is named (ALL-11)",
    async (key, { expect }) => {
      await busy()
      await raw("DEL", key)
      await raw("RPUSH", key, "canary-value")
      const route = { "dish:list": "GET /api/dishes", "dish:1": "GET /api/dishes/1" }[key]
      const { status, body } = route
        ? await served.call(route)
        : await served.call("POST /api/categories", { token: served.boss, body: { name: "Mới" } })
      expect([status, body]).toEqual([500, expect.objectContaining({ error: "wrong_type", details: { key } })])
      expect(JSON.stringify(body) + served.logged()).not.toContain("canary-value")
    },
  )

  test.for(["string", "list"])(
    "a cached cart that is spoilt, as a %s, does not hide the cart (RST-20)",
    async (type) => {
      const token = await busy()
      await raw("DEL", "cache:cart:2")
      await (type === "list" ? raw("RPUSH", "cache:cart:2", "x") : raw("SET", "cache:cart:2", "x"))
      const { status, body } = await served.call("GET /cart", { token })
      expect([status, (body as { items: unknown[] }).items.length]).toEqual([200, 2])
    },
  )

  test("a cart's index of another type is named by whatever reads the cart (ALL-11)", async () => {
    const token = await busy()
    const key = "cartDetail:index:cart:3"
    await raw("DEL", key, "cache:cart:2")
    await raw("RPUSH", key, "x")
    for (const request of ["GET /cart", "DELETE /cart", "POST /cart/checkout", "DELETE /cart/delete-dish/5"]) {
      const { status, body } = await served.call(request, { token })
      expect([request, status, body]).toEqual([request, 500, expect.objectContaining({ details: { key } })])
    }
  })

  test("a counter that is not a number is named (ALL-11)", async () => {
    await raw("SET", "category:counter", "canary-value")
    const { status, body } = await served.call("POST /api/categories", { token: served.boss, body: { name: "Mới" } })
    expect([status, body]).toEqual([
      500,
      expect.objectContaining({ error: "undecodable_value", details: { key: "category:counter" } }),
    ])
    expect(await raw("EXISTS", "category:1", "category:list")).toBe(0)
  })

  test("no money is computed from a line whose total is wrong, until its quantity is set again (ALL-11)", async () => {
    const token = await busy()
    const line = JSON.parse((await raw("GET", "cartDetail:5")) as string) as object
    await raw("SET", "cartDetail:5", JSON.stringify({ ...line, total: 1 }))
    const { status, body } = await served.call("POST /cart/checkout", { token })
    expect([status, body]).toEqual([409, expect.objectContaining({ error: "cart_damaged", details: { wrong: ["5"] } })])
    expect(await raw("GET", "order:counter")).toBe("2")
    await served.call("PUT /cart/update-dish", { token, body: { cartItemId: "5", quantity: 3 } })
    expect((await served.call("POST /cart/checkout", { token })).status).toBe(201)
  })

  test("one corrupt record does not break a list, and its own answer names the key (ALL-11)", async () => {
    await busy()
    await raw("SET", "dish:2", '{"id":"2","secret":"canary-value"}')
    const listed = await served.call("GET /api/dishes")
    expect((listed.body as { result: { id: string }[] }).result.map(({ id }) => id)).toEqual(["1"])
    const one = await served.call("GET /api/dishes/2")
    expect([one.status, JSON.stringify(one.body)]).toEqual([500, expect.stringContaining("dish:2")])
    expect(JSON.stringify(one.body) + served.logged()).not.toContain("canary-value")
    // Logged once a minute, however often it is met.
    await served.call("GET /api/dishes")
    expect(served.logged().match(/corrupt element.*dish:2/g)).toHaveLength(1)
  })

  test("earlier references of a payment are not findings (RST-C17)", async () => {
    await busy()
    await served.call("POST /payment/vnpay/order/2", { token: served.boss })
    await served.call("POST /payment/vnpay/order/2", { token: served.boss })
    expect(await raw("GET", "order:index:paymentRef:VNPAY2-2")).toBe("2")
    expect(await findings()).toEqual([])
    await repair({ apply: true })
    expect(await raw("GET", "order:index:paymentRef:VNPAY2-2")).toBe("2")
  })

  test("earlier references that are lost are found, and lead to the order again (RST-C17, RST-36)", async () => {
    await busy()
    await served.call("POST /payment/vnpay/order/2", { token: served.boss })
    await served.call("POST /payment/vnpay/order/2", { token: served.boss })
    await raw("DEL", "order:index:paymentRef:VNPAY2", "order:index:paymentRef:VNPAY2-2")
    expect((await served.admin("GET /admin/integrity")).body).toMatchObject({ findings: [{ fixable: true }] })
    expect(await findings()).toEqual(["PAYMENT_REF.MISSING order:2"])
    expect((await repair({ apply: true })).applied).toMatchObject({ paymentRefs: 2 })
    await raw("SET", "order:index:paymentRef:VNPAY2", "1")
    await raw("SET", "order:index:paymentRef:VNPAY2-2", "77")
    expect(await findings()).toEqual([
      "PAYMENT_REF.STALE order:index:paymentRef:VNPAY2",
      "REFERS.DANGLING order:index:paymentRef:VNPAY2-2",
    ])
    expect((await repair({ apply: true })).applied).toMatchObject({ paymentRefs: 2 })
    expect(await raw("GET", "order:index:paymentRef:VNPAY2")).toBe("2")
    expect(await raw("GET", "order:index:paymentRef:VNPAY2-2")).toBe("2")
    expect(await findings()).toEqual([])
  })

  test("checkout removes the cart's sets whole, with members that only one of them has (RST-C4)", async () => {
    const token = await busy()
    await raw("SADD", "cart:3:items", "4711")
    expect((await served.call("POST /cart/checkout", { token })).status).toBe(201)
    expect(await raw("EXISTS", "cart:3", "cart:3:items", "cartDetail:index:cart:3", "cache:cart:2")).toBe(0)
    expect(await findings()).toEqual([])
  })

  test("the OpenAPI document tells what an export is", async () => {
    const { body } = await send(served.url, "GET /openapi.json")
    const { paths } = body as { paths: Record<string, { get: { responses: { 200: { content: object } } } }> }
    expect(Object.keys(paths["/admin/export"]!.get.responses[200].content)).toEqual(["application/x-ndjson"])
  })

  const exported = async (query = "") => {
    const response = await fetch(`${served.url}/admin/export${query}`, {
      headers: { authorization: `Bearer ${ADMIN}` },
    })
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson"])
    return response.text()
  }
  const imported = (body: string, mode = "") =>
    served.call(`POST /admin/import${mode}`, {
      token: ADMIN,
      body,
      headers: { "content-type": "application/x-ndjson" },
    })

  test("an export that is imported again is the same dump, and counts on (RST-37)", async () => {
    await busy()
    await raw("DEL", "cache:cart:2")
    const before = await dump(raw)
    const text = await exported()
    expect((await imported(text)).body).toMatchObject({ keys: Object.keys(before).length, skipped: 0 })
    expect(await dump(raw)).toEqual(before)
    await raw("FLUSHALL")
    expect((await imported(text)).body).toMatchObject({ written: Object.keys(before).length })
    expect(await dump(raw)).toEqual(before)
    const counter = Number(await raw("GET", "category:counter"))
    const next = await served.call("POST /api/categories", { token: served.boss, body: { name: "Mới" } })
    expect((next.body as { id: string }).id).toBe(String(counter + 1))
    expect(await findings()).toEqual([])
  })

  test("an import does not overwrite by default, lowers no counter, and refuses what is damaged (RST-37)", async () => {
    await busy()
    const text = await exported()
    await served.call("PUT /api/dishes/1", { token: served.boss, body: { name: "Other" } })
    await served.call("POST /api/categories", { token: served.boss, body: { name: "Mới" } })
    const changed = await dump(raw)
    expect((await imported(text)).status).toBe(409)
    expect((await imported(text.replace("Phở", "Phô"), "?mode=overwrite")).status).toBe(400)
    expect((await imported(text.slice(0, -100), "?mode=overwrite")).status).toBe(400)
    expect((await imported("nothing", "?mode=overwrite")).status).toBe(400)
    await raw("ACL", "SETUSER", "default", "-smembers", "-sscan")
    const lacking = await exported().finally(() => raw("ACL", "SETUSER", "default", "+@all"))
    expect((await imported(lacking, "?mode=overwrite")).body).toMatchObject({ error: "invalid_export" })
    expect((await served.call("POST /admin/import", { token: ADMIN, body: {} })).status).toBe(415)
    expect(await dump(raw)).toEqual(changed)
    expect((await imported(text, "?mode=skip")).status).toBe(200)
    expect(JSON.parse((await raw("GET", "dish:1")) as string)).toMatchObject({ name: "Other" })
    expect((await imported(text, "?mode=overwrite")).status).toBe(200)
    expect(Buffer.from((await raw("GET", "dish:1")) as string, "latin1").toString()).toContain("Phở")
    expect(await raw("GET", "category:counter")).toBe("3")
    expect(await findings()).toEqual([])
  })

  test.for(["skip", "overwrite"])(
    "an import that may %s leaves no cached view of another cart (RST-20, RST-37)",
    async (mode) => {
      const token = await busy()
      const shown = async () =>
        ((await served.call("GET /cart", { token })).body as { items: { quantity: number }[] }).items[0]!.quantity
      const set = (quantity: number) =>
        served.call("PUT /cart/update-dish", { token, body: { cartItemId: "5", quantity } })
      const cached = await exported()
      await set(7)
      const uncached = await exported()
      await set(9)
      expect(await shown()).toBe(9)
      for (const [text, quantity] of [
        [cached, 3],
        [uncached, 7],
      ] as const) {
        expect((await imported(text, `?mode=${mode}`)).status).toBe(200)
        expect(await shown()).toBe(mode === "skip" ? 9 : quantity)
      }
    },
  )

  test("an import takes what Spring's serializer wrote, and leaves other documents as they are (RST-C9, RST-37)", async () => {
    await raw("FLUSHALL")
    const plain = '{ "id": "2",  "name": "Other" }'
    await raw("SET", "category:1", '{"@class":"vn.example.Category","id":"1","name":"Phở"}')
    await raw("SET", "category:2", plain)
    await raw("SADD", "category:list", '"1"', '"2"')
    await raw("SET", "category:counter", "2")
    const text = await exported()
    await raw("FLUSHALL")
    expect((await imported(text)).status).toBe(200)
    const document = Buffer.from((await raw("GET", "category:1")) as string, "latin1").toString()
    expect(document).toBe('{"id":"1","name":"Phở"}')
    expect(await raw("GET", "category:2")).toBe(plain)
    expect(((await raw("SMEMBERS", "category:list")) as string[]).sort()).toEqual(["1", "2"])
    expect(await findings()).toEqual([])
  })

  test("one entity is exported with all its keys (RST-37)", async () => {
    await busy()
    const keys = (await exported("?entity=cart")).trim().split("\n").slice(1, -1)
    const named = keys.map((line) => (JSON.parse(line) as { key: string }).key.replace(/^\{tests\}:/, ""))
    expect(named.sort()).toEqual(["cart:3", "cart:counter", "cart:index:user:2", "cart:list", "user:2:cart"].sort())
  })

  test("a backup is a snapshot that is there (RST-38)", async () => {
    const { status, body } = await served.admin("POST /admin/backup")
    expect(status).toBe(200)
    const at = Date.parse((body as { lastSave: string }).lastSave)
    expect(Math.abs(at - Date.now())).toBeLessThan(60_000)
  })

  test("numbers, memory, the biggest keys and single keys, without secrets (RST-39)", async () => {
    await busy()
    const { body } = await served.admin("GET /admin/stats")
    const found = body as { keys: number; counts: object; biggest: unknown[]; memory: { usedBytes: number } }
    expect(found.keys).toBe(await raw("DBSIZE"))
    expect(found.counts).toMatchObject({ user: 2, dish: 2, cart: 1, cartDetail: 2, order: 2, orderDetail: 4 })
    expect(found.biggest.length).toBeGreaterThan(0)
    expect(found.memory.usedBytes).toBeGreaterThan(0)
    const before =
      server().settings?.["tag"] === undefined ? "" : encodeURIComponent(`{${server().settings?.["tag"]}}:`)
    const user = await served.admin(`GET /admin/keys/${before}user:2`)
    expect(user.body).toMatchObject({ type: "string", ttlMs: null, pattern: expect.stringMatching(/user:\{id\}$/) })
    expect(JSON.stringify(user.body)).not.toContain("argon2")
    expect((await served.admin(`GET /admin/keys/${before}cart:3:items`)).body).toMatchObject({ type: "set", length: 2 })
    expect((await served.admin(`GET /admin/keys/${before}nothing`)).body).toMatchObject({ type: "none" })
  })

  test("/health has the last check and its time (RST-40)", async () => {
    await served.admin("GET /admin/integrity")
    await new Promise((resolve) => setTimeout(resolve, 150))
    const { status, body } = await send(served.url, "GET /health")
    expect([status, body]).toEqual([
      200,
      {
        status: "ok",
        systems: { restaurant: { integrity: { at: expect.any(String), keys: expect.any(Number), findings: 0 } } },
      },
    ])
  })
})
