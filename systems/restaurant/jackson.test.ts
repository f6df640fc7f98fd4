/* RST-C9: documents as Spring's GenericJackson2JsonRedisSerializer writes them, under the same API. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startJvm, type Jvm } from "../../test/jvm.ts"
import { needs } from "../../test/needs.ts"
import { onBothServers, onRealServer, type TestServer } from "../platform/testing/servers.ts"
import { allKeys } from "../platform/testing/stored.ts"
import { open, type Restaurant } from "./restaurant.cases.ts"
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

onBothServers("a restaurant with documents of Jackson's", (server) => {
  test("names classes, writes doubles as Java does, and is whole: ids and counters stay bare", async () => {
    const { served, token } = await busy(server(), ...JACKSON, "--set", "restaurant.javaPackage=vn.pho")
    const stored = Object.fromEntries(await documents(server()))
    expect(stored["order:1"]).toMatch(/^\{"@class":"vn\.pho\.Order",.*"totalPrice":100000\.0/)
    expect(Object.values(stored).every((text) => text.startsWith('{"@class":"vn.pho.'))).toBe(true)
    expect(await server().raw("GET", "order:counter")).toBe("1")
    expect(await server().raw("SMEMBERS", "order:list")).toEqual(["1"])
    expect(await violations(server().raw)).toEqual([])
    expect((await served.admin("GET /admin/integrity")).body).toMatchObject({ findings: [] })
    expect((await served.call("GET /api/orders/1", { token })).body).not.toHaveProperty("@class")
    await served.close()
  })

  test("documents that were plain are read, and stored with their class when they change", async () => {
    const before = await busy(server())
    await before.served.close()
    const served = await open(server(), ...JACKSON)
    expect((await served.admin("GET /admin/integrity")).body).toMatchObject({ findings: [] })
    const { body } = await served.call(`GET /api/dishes/${before.dishId}`)
    expect(body).toMatchObject({ price: 50_000, stock: 18 })
    await served.call(`POST /api/dishes/${before.dishId}/stock`, { token: served.boss, body: { delta: 1 } })
    expect(await server().raw("GET", `dish:${before.dishId}`)).toContain('"@class":"com.restaurant.model.Dish"')
    expect(await violations(server().raw)).toEqual([])
    await served.close()
  })

  test("integrity finds damage in them, and repair sets it right", async () => {
    const { served, dishId } = await busy(server(), ...JACKSON)
    await server().raw("SREM", "dish:list", dishId)
    await server().raw("SADD", "dish:index:category:1", "999")
    const { body } = await served.admin("GET /admin/integrity")
    expect((body as { findings: unknown[] }).findings.length).toBeGreaterThanOrEqual(2)
    await served.admin("POST /admin/repair", { apply: true })
    expect((await served.admin("GET /admin/integrity")).body).toMatchObject({ findings: [] })
    await served.close()
  })
})

if (process.env["KEYWRIGHT_FULL"] === "1")
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
        await served.close()
      })
    })
  })
