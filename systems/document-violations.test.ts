/* Audit sees all that the five documents forbid, and nothing else: every violation is
 * planted into data that the systems made, found, and repaired as far as repair may. */

import { start, type Engine } from "@keywright/embedded"
import { connect, type Keyspace } from "keywright"
import { applyRepair, audit, type AuditRule, type Deletion, type Finding, planRepair } from "keywright/operate"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { catalog, known } from "./catalog.ts"
import { demoArgs, placesOfDemo, type DemoAccess } from "./demo/access.ts"
import { fillSystems } from "./demo/demo.ts"
import { TEAMS } from "./demo/messaging.ts"
import { NAMES } from "./demo/people.ts"
import { type Violation, violations } from "./document-violations.cases.ts"
import { openLog } from "./platform/log.ts"
import { readOptions } from "./platform/options.ts"
import { startServer } from "./platform/server.ts"
import { send } from "./platform/testing/serve-for-test.ts"

const access: DemoAccess = {
  adminToken: "admin",
  boss: { email: "boss@example.com", password: "demo-boss-2024" },
  vnpaySecret: "vnpay-secret-of-the-demo",
}
const names = Object.keys(violations)
const log = openLog(() => undefined)
type Driver = ReturnType<Awaited<ReturnType<typeof connect>>["$driver"]>

let engine: Engine
const schemas = new Map<string, Keyspace>()
const rules = new Map<string, readonly AuditRule[]>()

beforeAll(async () => {
  engine = await start()
  const plan = await readOptions([names.join(), "--port", "0", ...demoArgs(names, access, "http://127.0.0.1")], catalog)
  for (const { name, schema, rules: rulesOf } of plan.systems) {
    const settings = hasty(plan.settings[name]!) as never
    schemas.set(name, schema(settings))
    rules.set(name, rulesOf?.(settings) ?? [])
  }
  const server = await startServer({ ...plan, known, engine, log })
  const people = await fillSystems(names, { url: server.url, ...access, log })
  // Channels are cached when somebody reads them.
  for (let i = 0; i < 60; i++) await people[names.indexOf("messaging")]!.act()
  await readAsSubscribers(`${server.url}/messaging`)
  await server.close() // Nobody repairs what is planted.
}, 180_000)
afterAll(() => engine?.stop())

/** Subscribers are cached when they ask for themselves, channels when somebody reads them. */
async function readAsSubscribers(url: string): Promise<void> {
  for (const user of NAMES.slice(0, 2)) {
    const grant = { ...TEAMS[0], serviceId: TEAMS[0]!.service, service: "roc", user }
    const first = await send(url, "POST /v1/saas/tokens", { token: access.adminToken, body: grant })
    const { refreshToken } = first.body as { refreshToken: string }
    const pair = await send(url, "POST /v1/auth/token", { body: { refreshToken } })
    const { accessToken: token } = pair.body as { accessToken: string }
    for (const path of ["/v1/roc/me", "/v1/roc/channels/general"])
      expect((await send(url, `GET ${path}`, { token })).status).toBe(200)
  }
}

/** Nobody needs to be waited for. */
const hasty = (settings: object) => ({ ...settings, sweepEvery: 0.05, settlesIn: 0.1 })

const keysOf = (findings: readonly Finding[]) => findings.map(({ code, key }) => `${code} ${key}`).sort()
const expectedOf = (planted: readonly Violation[]) => planted.flatMap(({ finds }) => finds).sort()

describe.each(names)("%s", (name) => {
  const withDriver = async <T>(work: (driver: Driver, schema: Keyspace) => Promise<T>): Promise<T> => {
    const schema = schemas.get(name)!
    const db = await connect(schema as Keyspace<{}, {}, {}, {}>, { engine }, { db: placesOfDemo[name]! })
    try {
      return await work(db.$driver(placesOfDemo[name]!), schema)
    } finally {
      await db.$close()
    }
  }

  it("is clean as it comes, and audit finds exactly what its document forbids; repair deletes only what it is told to", () =>
    withDriver(async (driver, schema) => {
      const found = async () => (await audit(schema, driver, { rules: rules.get(name)! })).findings
      expect(keysOf(await found())).toEqual([])

      const planted = await violations[name]!((...command) => driver.send(command))
      for (const { commands, db } of planted)
        await (db === undefined ? driver : await driver.database(db)).batch(commands)
      const findings = await found()
      expect(keysOf(findings)).toEqual(expectedOf(planted))

      const isFixable = new Map(planted.flatMap(({ finds, repair }) => finds.map((one) => [one, repair === "always"])))
      for (const { code, key, fixable } of findings)
        expect([code, key, fixable]).toEqual([code, key, isFixable.get(`${code} ${key}`)])

      const careful = await planRepair(findings, schema, driver)
      expect(careful.actions.length).toBe(findings.filter(({ fixable }) => fixable).length)
      expect(await applyRepair(careful, driver)).toMatchObject({ done: careful.actions.length, refused: 0 })
      const left = planted.filter(({ repair }) => repair !== "always")
      expect(keysOf(await found())).toEqual(expectedOf(left))

      // What is deleted may be the key of something else, which the next look finds.
      const wanted = [...new Set(left.map(({ repair }) => repair))].filter((one) => one !== "never") as Deletion[]
      for (let round = 0; round < 3; round++)
        await applyRepair(await planRepair(await found(), schema, driver, { delete: wanted }), driver)
      const rest = new Set(expectedOf(left.filter(({ repair }) => repair === "never")))
      for (const one of keysOf(await found())) expect(rest).toContain(one)
    }))
})
