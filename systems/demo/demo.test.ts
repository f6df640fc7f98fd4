/* The demonstration on the embedded engine: what it fills, and what audit then says. */

import { start, type Engine } from "@keywright/embedded"
import { connect, type Keyspace } from "keywright"
import { audit, type AuditResult } from "keywright/operate"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { catalog, known } from "../catalog.ts"
import { openLog } from "../platform/log.ts"
import { readOptions } from "../platform/options.ts"
import { startServer, type Server } from "../platform/server.ts"
import { doDamage } from "./damage.ts"
import { demoArgs, placesOfDemo, type DemoAccess } from "./access.ts"
import { fillSystems } from "./demo.ts"
import { NAMES, type People } from "./people.ts"

const access: DemoAccess = {
  adminToken: "admin",
  boss: { email: "boss@example.com", password: "demo-boss-2024" },
  vnpaySecret: "vnpay-secret-of-the-demo",
}
const names = Object.keys(catalog)
const log = openLog(() => undefined)

let engine: Engine
let server: Server
let people: People[]
const schemas = new Map<string, Keyspace>()

const auditOf = async (name: string): Promise<AuditResult> => {
  const db = await connect(schemas.get(name)! as Keyspace<{}, {}, {}, {}>, { engine }, { db: placesOfDemo[name]! })
  try {
    return await audit(db.$keyspace, db.$driver(placesOfDemo[name]!))
  } finally {
    await db.$close()
  }
}

beforeAll(async () => {
  engine = await start()
  const plan = await readOptions([names.join(), "--port", "0", ...demoArgs(names, access, "http://127.0.0.1")], catalog)
  for (const system of plan.systems) schemas.set(system.name, system.schema(plan.settings[system.name] as never))
  server = await startServer({ ...plan, known, engine, log })
  people = await fillSystems(names, { url: server.url, ...access, log })
}, 180_000)
afterAll(async () => {
  await server?.close()
  await engine?.stop()
})

describe("the demonstration", () => {
  it("fills every system, and somebody keeps using it", async () => {
    expect(people).toHaveLength(names.length)
    for (const one of people) for (let i = 0; i < 20; i++) await one.act()
  })

  it("continues when the tokens of its people have ended", async () => {
    const messengers = people[names.indexOf("messaging")]!
    for (const user of NAMES.slice(0, 10))
      await fetch(`${server.url}/messaging/v1/saas/tokens?project=456&service=789&user=${user}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${access.adminToken}` },
      })
    for (let i = 0; i < 20; i++) await messengers.act()
  })

  it("leaves data that fits its schema", async () => {
    for (const name of names) {
      const { keys, summary } = await auditOf(name)
      expect([name, summary]).toEqual([name, {}])
      expect(keys).toBeGreaterThan(10)
    }
  })

  it("does damage in every system, and audit finds it", async () => {
    await doDamage({ engine }, placesOfDemo)
    const found = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, (await auditOf(name)).summary])),
    )
    expect(found).toMatchInlineSnapshot(`
      {
        "carto": {
          "KEY.TYPE": 1,
        },
        "messaging": {
          "KEY.UNKNOWN": 1,
          "TTL.MISSING": 1,
        },
        "recommender": {
          "KEY.UNKNOWN": 1,
        },
        "restaurant": {
          "COUNTER.BEHIND": 1,
          "INDEX.DANGLING": 1,
          "INDEX.MISSING": 1,
          "INDEX.STALE": 1,
          "KEY.UNKNOWN": 1,
          "MIRROR.MISSING": 2,
          "MIRROR.STALE": 1,
          "TTL.MISSING": 1,
          "UNIQUE.DANGLING": 1,
        },
        "shop": {
          "KEY.UNKNOWN": 1,
          "REFERS.ORPHAN": 2,
          "SAME.EXTRA": 1,
        },
      }
    `)
  })
})
