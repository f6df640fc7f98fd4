/* Audit sees all that the five documents forbid, and nothing else: every violation is
 * planted into data that the systems made, found, and repaired as far as repair may. */

import { start, type Engine } from "@keywright/embedded"
import { connect, type Keyspace } from "keywright"
import { applyRepair, audit, type AuditRule, type Deletion, type Finding, planRepair } from "keywright/operate"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshBundle, runCli } from "../test/keywright-cli.ts"
import { catalog, known } from "./catalog.ts"
import { demoArgs, placesOfDemo, type DemoAccess } from "./demo/access.ts"
import { fillSystems } from "./demo/demo.ts"
import { TEAMS } from "./demo/messaging.ts"
import { NAMES } from "./demo/people.ts"
import { openLog } from "./platform/log.ts"
import { readOptions } from "./platform/options.ts"
import { startServer } from "./platform/server.ts"
import { send } from "./platform/testing/serve.ts"
import { carto } from "./violations/carto.cases.ts"
import { messaging } from "./violations/messaging.cases.ts"
import { recommender } from "./violations/recommender.cases.ts"
import { restaurant } from "./violations/restaurant.cases.ts"
import { shop } from "./violations/shop.cases.ts"
import type { Violation, Violations } from "./violations/violation.cases.ts"

const violations: Readonly<Record<string, Violations>> = { shop, recommender, carto, messaging, restaurant }
const access: DemoAccess = {
  adminToken: "admin",
  boss: { email: "boss@example.com", password: "demo-boss-2024" },
  vnpaySecret: "vnpay-secret-of-the-demo",
}
const names = Object.keys(violations)
const log = openLog(() => undefined)
type Driver = ReturnType<Awaited<ReturnType<typeof connect>>["$driver"]>

/** A system's keyspace, with its settings; what is planted in it, and found. */
interface Subject {
  readonly schema: Keyspace
  readonly rules: readonly AuditRule[]
  readonly driver: Driver
  close(): Promise<void>
  planted: readonly Violation[]
  findings: readonly Finding[]
}

let engine: Engine
const subjects = new Map<string, Subject>()

beforeAll(async () => {
  engine = await start({ port: 0 })
  const plan = await readOptions([names.join(), "--port", "0", ...demoArgs(names, access, "http://127.0.0.1")], catalog)
  // Here, a busy machine does not count as an outage of Redis.
  const server = await startServer({ ...plan, known, engine, log, timeoutMs: 20_000 })
  const people = await fillSystems(names, { url: server.url, ...access, log })
  // Channels are cached when somebody reads them.
  for (let i = 0; i < 60; i++) await people[names.indexOf("messaging")]!.act()
  await readAsSubscribers(`${server.url}/messaging`)
  await server.close() // Nobody repairs what is planted.
  for (const { name, schema: schemaOf, rules } of plan.systems) {
    const settings = hasty(plan.settings[name]!) as never
    const schema = schemaOf(settings)
    const db = await connect(
      schema as Keyspace<{}, {}, {}, {}>,
      { engine },
      { db: placesOfDemo[name]!, timeoutMs: 20_000 },
    )
    subjects.set(name, {
      schema,
      rules: rules?.(settings) ?? [],
      driver: db.$driver(placesOfDemo[name]!),
      close: () => db.$close(),
      planted: [],
      findings: [],
    })
  }
}, 180_000)
afterAll(async () => {
  for (const { close } of subjects.values()) await close()
  await engine?.stop()
})

/** Subscribers are cached when they ask for themselves, channels when somebody reads them. */
async function readAsSubscribers(url: string): Promise<void> {
  for (const user of NAMES.slice(0, 2)) {
    const grant = { ...TEAMS[0], serviceId: TEAMS[0]!.service, service: "roc", user }
    const first = await send(url, "POST /v1/saas/tokens", { token: access.adminToken, body: grant })
    const { refreshToken } = first.body as { refreshToken: string }
    const pair = await send(url, "POST /v1/auth/token", { body: { refreshToken } })
    const { accessToken: token } = pair.body as { accessToken: string }
    for (const path of ["/v1/roc/me", "/v1/roc/channels/general", "/v1/roc/contacts"])
      expect((await send(url, `GET ${path}`, { token })).status).toBe(200)
  }
}

/** Nobody needs to be waited for. */
const hasty = (settings: object) => ({ ...settings, sweepEvery: 0.05, settlesIn: 0.1 })

/** `planted` says where a finding may be at one of several keys. */
const keysOf = (findings: readonly Pick<Finding, "code" | "key">[], planted: readonly Violation[] = []) => {
  const choices = planted.flatMap(({ finds }) => finds).filter((one) => one.includes(" or "))
  return findings
    .map(({ code, key }) => `${code} ${key}`)
    .map((one) => choices.find((choice) => choice.split(" or ").includes(one)) ?? one)
    .sort()
}
const expectedOf = (planted: readonly Violation[]) => planted.flatMap(({ finds }) => finds).sort()
const look = async ({ schema, rules, driver }: Subject) => (await audit(schema, driver, { rules })).findings
const plant = async (driver: Driver, { commands, db }: Violation) => {
  for (const reply of await (db === undefined ? driver : await driver.database(db)).batch(commands))
    expect(reply).not.toBeInstanceOf(Error)
}

describe.each(names)("%s", (name) => {
  it("is clean as it comes", async () => {
    expect(keysOf(await look(subjects.get(name)!))).toEqual([])
  })

  it("audit finds exactly what its document forbids, and says what repair can set right", async () => {
    const subject = subjects.get(name)!
    const { driver } = subject
    const all = await violations[name]!((...command) => driver.send(command))
    for (const violation of all.filter(({ isAlone }) => isAlone)) {
      const undo = await copies(driver, violation)
      await plant(driver, violation)
      expect([violation.says, keysOf(await look(subject))]).toEqual([violation.says, expectedOf([violation])])
      await undo()
    }

    const planted = all.filter(({ isAlone }) => !isAlone)
    for (const violation of planted) await plant(driver, violation)
    const findings = await look(subject)
    expect(keysOf(findings, planted)).toEqual(expectedOf(planted))
    const isFixable = new Map(planted.flatMap(({ finds, repair }) => finds.map((one) => [one, repair === "always"])))
    for (const one of findings) {
      const [name] = keysOf([one], planted) as [string]
      expect([name, one.fixable]).toEqual([name, isFixable.get(name)])
    }
    Object.assign(subject, { planted, findings })
  })
})

/** Keeps what the keys of a violation hold, to put it back later. */
async function copies(driver: Driver, { commands }: Violation): Promise<() => Promise<void>> {
  const spare = await driver.database(15)
  const keys = [...new Set(commands.map(([, key]) => key!))]
  const copy = (from: Driver, to: Driver, key: string) => from.send(["COPY", key, key, "DB", String(to.db), "REPLACE"])
  const isThere = await Promise.all(keys.map(async (key) => (await copy(driver, spare, key)) === 1))
  return async () => {
    for (const [i, key] of keys.entries()) await (isThere[i] ? copy(spare, driver, key) : driver.send(["UNLINK", key]))
  }
}

it("keywright audit prints the same, with the config of each system", async () => {
  await freshBundle()
  await Promise.all(
    names.map(async (name) => {
      const place = ["--config", `systems/${name}`, "--url", `${engine.url}/${placesOfDemo[name]}`]
      // Each in a process of its own: they wait out what the sweepers of the systems are given.
      const { code, stdout, stderr } = await runCli(["audit", ...place, "--json"], { alone: true })
      expect([code, stderr.includes("Error")]).toEqual([1, false])
      const { findings } = JSON.parse(stdout) as { findings: Finding[] }
      const { planted } = subjects.get(name)!
      expect([name, keysOf(findings, planted)]).toEqual([name, expectedOf(planted)])
    }),
  )
}, 240_000)

it.each(names)("repair of %s sets right what it can, and deletes only what it is told to", async (name) => {
  const subject = subjects.get(name)!
  const { schema, driver, planted, findings } = subject
  const careful = await planRepair(findings, schema, driver)
  expect(careful.actions.length).toBe(findings.filter(({ fixable }) => fixable).length)
  expect(await applyRepair(careful, driver)).toMatchObject({ done: careful.actions.length, refused: 0 })
  const left = planted.filter(({ repair }) => repair !== "always")
  expect(keysOf(await look(subject), planted)).toEqual(expectedOf(left))

  // What is deleted may be the key of something else, which the next look finds.
  const wanted = [...new Set(left.map(({ repair }) => repair))].filter((one) => one !== "never") as Deletion[]
  for (let round = 0; round < 3; round++)
    await applyRepair(await planRepair(await look(subject), schema, driver, { delete: wanted }), driver)
  const rest = new Set(expectedOf(left.filter(({ repair }) => repair === "never")))
  for (const one of keysOf(await look(subject), planted)) expect(rest).toContain(one)
})
