/* RST-C9: values as Spring's GenericJackson2JsonRedisSerializer writes them, under the same API. */

import { connect, type Keyspace } from "keywright"
import { audit } from "keywright/operate"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../test/full.ts"
import { startJvm, type Jvm } from "../../test/jvm.ts"
import { needs } from "../../test/needs.ts"
import { catalog } from "../catalog.ts"
import { readOptions } from "../platform/options.ts"
import { ADMIN } from "../platform/testing/serve.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { onRealServer, type TestServer } from "../platform/testing/servers.ts"
import { allKeys } from "../platform/testing/stored.ts"
import { auditRules } from "./audit-rules.ts"
import { open, result, signed, type Restaurant } from "./restaurant.cases.ts"
import { violations } from "./raw-check.cases.ts"

const JACKSON = ["--set", "restaurant.values=jackson"]
const ENTITIES = /^(user|role|permission|category|dish|cart|cartDetail|order|orderDetail):\d+$/

/** A restaurant in which somebody bought something and has a cart again. */
async function busy(
  server: TestServer,
  ...args: string[]
): Promise<{ served: Restaurant; dishId: string; token: string }> {
  const served = await open(server, ...args)
  const dishId = await served.dish({ price: 50_000, stock: 20 })
  const { token } = await served.person("ann")
  for (const checkout of [true, false]) {
    await served.call("POST /cart/add-dish", { token, body: { dishId, quantity: 2 } })
    if (checkout) expect((await served.call("POST /cart/checkout", { token, body: {} })).status).toBe(201)
  }
  return { served, dishId, token }
}

const documents = async (server: TestServer): Promise<[key: string, text: string][]> => {
  const keys = (await allKeys(server.raw)).filter((key) => ENTITIES.test(key))
  return Promise.all(
    keys.map(async (key) => [key, Buffer.from((await server.raw("GET", key)) as string, "latin1").toString()]),
  )
}

/** What holds ids or single texts, apart from documents and counters: by key, each as it is stored. */
async function held(server: TestServer): Promise<[key: string, texts: string[]][]> {
  const keys = (await allKeys(server.raw)).filter((key) =>
    /:(list|items|dishes|orders|details|cart|permissions)$|:index:/.test(key),
  )
  const read = async (key: string): Promise<[string, string[]]> => {
    const type = (await server.raw("TYPE", key)) as string
    return [
      key,
      type === "set"
        ? ((await server.raw("SMEMBERS", key)) as string[]).sort()
        : [(await server.raw("GET", key)) as string],
    ]
  }
  return Promise.all(keys.map(read))
}

const findingsOf = async (served: Restaurant) =>
  ((await served.admin("GET /admin/integrity")).body as { findings: { code: string; key: string }[] }).findings

onAnyServerAndInFullOnCluster("a restaurant with values of Jackson's", (server) => {
  test("names classes, writes doubles as Java does, quotes ids wherever they are held, and is whole; counters stay bare", async () => {
    const { served, token } = await busy(server(), ...JACKSON, "--set", "restaurant.javaPackage=vn.pho")
    const stored = Object.fromEntries(await documents(server()))
    expect(stored["order:1"]).toMatch(/^\{"@class":"vn\.pho\.Order",.*"totalPrice":100000\.0/)
    expect(Object.values(stored).every((text) => text.startsWith('{"@class":"vn.pho.'))).toBe(true)
    expect(await server().raw("GET", "order:counter")).toBe("1")
    expect(await server().raw("SMEMBERS", "order:list")).toEqual(['"1"'])
    expect(await server().raw("SMEMBERS", "cart:2:items")).toEqual(['"2"'])
    expect(await server().raw("GET", "user:index:email:ann@example.com")).toBe('"2"')
    expect(await server().raw("GET", "user:2:cart")).toBe('"2"')
    const all = await held(server())
    expect(all.length).toBeGreaterThan(25)
    expect(all.filter(([, texts]) => !texts.every((text) => /^"[^"]+"$/.test(text)))).toEqual([])
    expect(await violations(server().raw, "jackson")).toEqual([])
    expect(await findingsOf(served)).toEqual([])
    expect((await served.call("GET /api/orders/1", { token })).body).not.toHaveProperty("@class")
    await served.close()
  })

  test("audit's rules hold for it: clean as it comes, and what the document forbids is found", async () => {
    const { served, token } = await busy(server(), ...JACKSON)
    expect((await served.call("GET /cart", { token })).status).toBe(200)
    await served.close()
    const { redis, engine, raw, settings: placement } = server()
    const tag = placement?.["tag"]
    const placed = tag === undefined ? [] : ["--set", `restaurant.tag=${tag}`]
    const { systems, settings } = await readOptions(["restaurant", ...JACKSON, ...placed], catalog)
    const schema = systems[0]!.schema(settings["restaurant"] as never) as Keyspace<{}, {}, {}, {}>
    const db = await connect(schema, redis ?? { engine: engine! })
    const found = async () => {
      const { findings } = await audit(schema, db.$driver(), { rules: auditRules })
      return findings.map(({ code, key }) => `${code} ${key.replace(/^\{\w+\}:/, "")}`).sort()
    }
    expect(await found()).toEqual([])
    const change = async (key: string, from: string | RegExp, to: string) => {
      const before = (await raw("GET", key)) as string
      expect(before.replace(from, to)).not.toBe(before)
      await raw("SET", key, before.replace(from, to))
    }
    await change("permission:1", /\}$/, ',"colour":"red"}')
    await change("order:1", '"status":"PENDING"', '"status":"DELIVERED"')
    expect(await found()).toEqual(["ORDER.PAYMENT order:1", "RECORD.UNDECLARED permission:1"])
    await db.$close()
  })

  test("buys, pays, cancels, deletes: nothing is left behind in either form", async () => {
    const { served, dishId, token } = await busy(server(), ...JACKSON)
    const boss = served.boss
    const bought = await served.call("POST /cart/checkout", { token, body: { paymentMethod: "VNPAY" } })
    const { orderId } = bought.body as { orderId: string }
    expect(await server().raw("GET", `order:index:paymentRef:VNPAY${orderId}`)).toBe(`"${orderId}"`)
    const paid = await served.call(`GET /payment/vnpay/ipn?${signed(result(`VNPAY${orderId}`, 10_000_000))}`)
    expect(paid.body).toMatchObject({ RspCode: "00" })
    expect((await served.call("GET /api/orders/mine", { token })).status).toBeLessThan(500)
    await served.call(`PUT /api/orders/${orderId}/status`, { token: boss, body: { status: "CANCELLED" } })
    const permission = { name: "x", apiPath: "/x", method: "GET", module: "x" }
    const made = await served.call("POST /api/permissions", { token: boss, body: permission })
    const permissionId = (made.body as { id: string }).id
    const role = await served.call("POST /api/roles", { token: boss, body: { name: "COOK" } })
    const roleId = (role.body as { id: string }).id
    await served.call(`PUT /api/roles/${roleId}/permissions`, { token: boss, body: { permissionIds: [permissionId] } })
    expect(await server().raw("SMEMBERS", `role:${roleId}:permissions`)).toEqual([`"${permissionId}"`])
    expect((await served.call(`DELETE /api/permissions/${permissionId}`, { token: boss })).status).toBeLessThan(300)
    expect(await server().raw("EXISTS", `role:${roleId}:permissions`)).toBe(0)
    expect((await served.call(`DELETE /api/dishes/${dishId}`, { token: boss })).status).toBeLessThan(300)
    expect(await server().raw("SMEMBERS", "dish:list")).toEqual([])
    expect(await violations(server().raw, "jackson")).toEqual([])
    expect(await findingsOf(served)).toEqual([])
    await served.close()
  })

  test("what was plain is read; bare ids are found, and repair quotes each of them", async () => {
    const before = await busy(server())
    const bare = (await held(server())).flatMap(([, texts]) => texts).length
    await before.served.close()
    const served = await open(server(), ...JACKSON)
    const { body } = await served.call(`GET /api/dishes/${before.dishId}`)
    expect(body).toMatchObject({ price: 50_000, stock: 18 })
    expect((await served.call("GET /cart", { token: before.token })).body).toMatchObject({ total: 100_000 })
    await served.call(`POST /api/dishes/${before.dishId}/stock`, { token: served.boss, body: { delta: 1 } })
    expect(await server().raw("GET", `dish:${before.dishId}`)).toContain('"@class":"com.restaurant.model.Dish"')
    const findings = await findingsOf(served)
    expect(findings.filter(({ code }) => code !== "VALUE.BARE")).toEqual([])
    expect(findings).toHaveLength(bare)
    await served.admin("POST /admin/repair", { apply: true })
    expect(await findingsOf(served)).toEqual([])
    expect(await violations(server().raw, "jackson")).toEqual([])
    await served.close()
  })

  test("a record that moves leaves no bare id behind, and a unique value that it gives up is free", async () => {
    const before = await busy(server())
    await before.served.close()
    const served = await open(server(), ...JACKSON)
    const category = await served.call("POST /api/categories", { token: served.boss, body: { name: "Other" } })
    const categoryId = (category.body as { id: string }).id
    const moved = { name: "Pho", price: 50_000, categoryId, stock: 18 }
    await served.call(`PUT /api/dishes/${before.dishId}`, { token: served.boss, body: moved })
    expect(await server().raw("SMEMBERS", "dish:index:category:1")).toEqual([])
    expect(await server().raw("SMEMBERS", `dish:index:category:${categoryId}`)).toEqual([`"${before.dishId}"`])
    const renamed = await served.call("PUT /api/users/2", { token: served.boss, body: { email: "bea@example.com" } })
    expect(renamed.status).toBe(200)
    expect(await server().raw("EXISTS", "user:index:email:ann@example.com")).toBe(0)
    await served.person("ann")
    expect(await server().raw("GET", "user:index:email:ann@example.com")).toBe('"3"')
    await served.close()
  })

  test("integrity finds damage in either form, and repair sets it right", async () => {
    const { served, dishId } = await busy(server(), ...JACKSON)
    const { raw } = server()
    await raw("SREM", "dish:list", `"${dishId}"`)
    await raw("SADD", "dish:index:category:1", '"999"')
    await raw("SADD", "category:list", "1")
    await raw("SET", "user:index:email:ann@example.com", "2")
    await raw("SET", "cart:index:user:2", '"77"')
    await raw("SADD", "role:1:permissions", '"888"')
    const found = (await findingsOf(served)).map(({ code, key }) => `${code} ${key}`).sort()
    expect(found).toEqual([
      "INDEX.DANGLING dish:index:category:1",
      "LIST.MISSING dish:list",
      "THROUGH.DANGLING role:1:permissions",
      "UNIQUE.DANGLING cart:index:user:2",
      "VALUE.BARE category:list",
      "VALUE.BARE user:index:email:ann@example.com",
    ])
    await served.admin("POST /admin/repair", { apply: true })
    expect(await findingsOf(served)).toEqual([])
    expect(await violations(raw, "jackson")).toEqual([])
    await served.close()
  })

  test("an export comes back to the byte", async () => {
    const { served } = await busy(server(), ...JACKSON)
    const before = [await documents(server()), await held(server())]
    const exported = await fetch(`${served.url}/admin/export`, { headers: { authorization: `Bearer ${ADMIN}` } })
    const body = await exported.text()
    await server().raw("FLUSHALL")
    const headers = { "content-type": "application/x-ndjson" }
    const answer = await served.call("POST /admin/import", { token: ADMIN, body, headers })
    expect(answer.status).toBe(200)
    const sorted = (all: [string, unknown][]) => all.toSorted(([a], [b]) => (a < b ? -1 : 1))
    expect([sorted(await documents(server())), sorted(await held(server()))]).toEqual([
      sorted(before[0]!),
      sorted(before[1]!),
    ])
    await served.close()
  })
})

if (isFull)
  describe.runIf(needs("java"))("with a JVM", () => {
    let jvm: Jvm
    beforeAll(() => {
      jvm = startJvm()
    })
    afterAll(() => jvm?.close())

    onRealServer("the restaurant's documents, to a JVM and back", (server) => {
      test("Java reads every document as an object of its class; what Java writes is served", async () => {
        const { served, dishId, token } = await busy(server(), ...JACKSON)
        const stored = await documents(server())
        for (const typing of ["spring", "everything"] as const) {
          const echoed = jvm.echo(
            typing,
            stored.map(([, text]) => text),
          )
          for (const [i, { type, written }] of echoed.entries()) {
            const [key, text] = stored[i]!
            expect(type).toBe((JSON.parse(text) as Record<string, unknown>)["@class"])
            if (typing === "spring") expect(JSON.parse(written)).toMatchObject(JSON.parse(text) as object)
            await server().raw("SET", key, written)
          }
          expect((await served.admin("GET /admin/integrity")).body).toMatchObject({ findings: [] })
          expect((await served.call(`GET /api/dishes/${dishId}`)).body).toMatchObject({ price: 50_000, stock: 18 })
          expect((await served.call("GET /cart", { token })).body).toMatchObject({ total: 100_000 })
        }
        const texts = (await held(server())).flatMap(([, all]) => all)
        const spelled = jvm.echo("spring", texts)
        expect(new Set(spelled.map(({ type }) => type))).toEqual(new Set(["java.lang.String"]))
        expect(spelled.map(({ written }) => written)).toEqual(texts)
        await served.close()
      })
    })
  })
