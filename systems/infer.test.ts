/* infer on the five systems' own data: filled through their HTTP APIs, read without
 * their schemas, and compared with them. The keys that the systems keep beside those of
 * their documents ("keywright:…") come and go, and are not asked for. */

import { start, type Engine } from "@keywright/embedded"
import { connect, fromJson, keyspace, type Keyspace } from "keywright"
import { audit, infer, type Inference } from "keywright/operate"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { catalog, known } from "./catalog.ts"
import { demoArgs, placesOfDemo } from "./demo/access.ts"
import { fillSystems } from "./demo/demo.ts"
import { writeTheRest } from "./infer-for-test.ts"
import { compare, skeleton, type Driver } from "./inferred-for-test.ts"
import { openLog } from "./platform/log.ts"
import { readOptions } from "./platform/options.ts"
import { startServer, type Server } from "./platform/server.ts"

const access = { adminToken: "admin", boss: { email: "boss@example.com", password: "demo-boss-2024" } }
const names = Object.keys(catalog)
const log = openLog(() => undefined)
const types = { counter: "string", map: "hash", bitmap: "string", hyperloglog: "string", geo: "zset" } as const

let engine: Engine
let server: Server
let client: { $close(): Promise<void>; $driver(db?: number): Driver }
const schemas = new Map<string, Keyspace>()
const found = new Map<string, Inference>()
const driverOf = async (db: number): Promise<Driver> => (await client.$driver(0).database(db)) as Driver

beforeAll(async () => {
  engine = await start()
  const plan = await readOptions([names.join(), "--port", "0", ...demoArgs(access)], catalog)
  for (const system of plan.systems) schemas.set(system.name, system.schema(plan.settings[system.name] as never))
  server = await startServer({ ...plan, known, engine, log })
  const people = await fillSystems(names, { url: server.url, ...access, log })
  for (const one of people) for (let i = 0; i < 60; i++) await one.act()
  for (const user of ["ada", "ben", "cleo"]) {
    const body = { tenant: "123", account: "007", project: "456", serviceId: "789", service: "roc", user }
    await fetch(`${server.url}/messaging/v1/saas/tokens`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${access.adminToken}` },
      body: JSON.stringify(body),
    })
  }
  client = (await connect(keyspace({}), { engine })) as unknown as typeof client
  for (const name of names) {
    await writeTheRest(name, placesOfDemo[name]!, driverOf)
    const databases = name === "carto" ? [0, 1, 2, 3, 5] : [placesOfDemo[name]!]
    found.set(name, await infer(await driverOf(databases[0]!), { databases, name }))
  }
}, 120_000)
afterAll(async () => {
  await client?.$close()
  await server?.close()
  await engine?.stop()
})

const declared = (name: string) => schemas.get(name)!.keys.filter(({ pattern }) => !pattern.startsWith("keywright:"))

describe.each(names)("infer on %s", (name) => {
  it("finds every pattern, with its type and parameters", () => {
    const mine = new Set(found.get(name)!.patterns.map(({ db, pattern, type }) => `${db} ${skeleton(pattern)} ${type}`))
    const home = placesOfDemo[name]!
    const all = declared(name).map(({ db, pattern, kind }) => {
      const type = kind in types ? types[kind as keyof typeof types] : kind
      return `${name === "carto" ? db : home} ${skeleton(pattern)} ${type}`
    })
    expect(all.filter((one) => !mine.has(one))).toEqual([])
    expect(found.get(name)!.explained).toBe(found.get(name)!.keys)
  })

  it("finds when keys go away", () => {
    const home = placesOfDemo[name]!
    for (const key of declared(name)) {
      const one = found
        .get(name)!
        .patterns.find(
          ({ db, pattern }) => db === (name === "carto" ? key.db : home) && skeleton(pattern) === skeleton(key.pattern),
        )
      const expected = {
        never: ["none"],
        choice: ["mixed"],
        write: ["fixed", "sliding"],
        access: ["fixed", "sliding"],
        creation: ["fixed", "sliding"],
      }
      expect(expected[key.ttl!.on], key.pattern).toContain(one?.ttl.class)
    }
  })

  it("finds references and indexes: F1 of at least 0.95", () => {
    const inferred = fromJson(found.get(name)!.form)
    const { references, indexes } = compare(schemas.get(name)!, inferred)
    expect.soft(references.f1, JSON.stringify({ ...references }, undefined, 1)).toBeGreaterThanOrEqual(0.95)
    expect.soft(indexes.f1, JSON.stringify({ ...indexes }, undefined, 1)).toBeGreaterThanOrEqual(0.95)
  })

  it("does not tell secrets", async () => {
    const messenger = await driverOf(placesOfDemo["messaging"]!)
    const shop = await driverOf(placesOfDemo["shop"]!)
    const tokens = [
      ...((await messenger.send(["HKEYS", "TokensKeys"])) as string[]),
      ...((await shop.send(["HKEYS", "login:"])) as string[]),
      access.boss.password,
    ]
    const told = JSON.stringify(found.get(name))
    expect(tokens.length).toBeGreaterThan(20)
    expect(tokens.filter((token) => told.includes(token))).toEqual([])
  })

  it("proposes a schema by which audit finds nothing", async () => {
    const home = await driverOf(placesOfDemo[name]!)
    const { summary } = await audit(fromJson(found.get(name)!.form), home)
    expect(summary).toEqual({})
  })
})
