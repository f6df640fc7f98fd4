/* The systems' data in an RDB file, filled through their HTTP APIs and somewhat damaged:
 * what audit, stats and export say of the file is what they say of the server. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start, type Engine } from "@keywright/embedded"
import { connect, type Keyspace } from "keywright"
import { audit, exportKeys, stats, type AuditResult, type AuditRule, type StatsResult } from "keywright/operate"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { catalog, known } from "./catalog.ts"
import { type DemoAccess, demoArgs, placesOfDemo } from "./demo/access.ts"
import { doDamage } from "./demo/damage.ts"
import { fillSystems } from "./demo/demo.ts"
import { openLog } from "./platform/log.ts"
import { readOptions } from "./platform/options.ts"
import { startServer, type Server } from "./platform/server.ts"

const access: DemoAccess = {
  adminToken: "admin",
  boss: { email: "boss@example.com", password: "demo-boss-2024" },
  vnpaySecret: "vnpay-secret-of-the-demo",
}
const names = Object.keys(catalog)
const directory = mkdtempSync(join(tmpdir(), "keywright-systems-rdb-"))
const rdb = join(directory, "dump.rdb")

let engine: Engine
let server: Server | undefined
const schemas = new Map<string, Keyspace>()

type Client = Awaited<ReturnType<typeof open>>
const open = (name: string) =>
  connect(schemas.get(name)! as Keyspace<{}, {}, {}, {}>, { engine }, { db: placesOfDemo[name]! })

beforeAll(async () => {
  engine = await start({ directory })
  const plan = await readOptions([names.join(), "--port", "0", ...demoArgs(names, access, "http://127.0.0.1")], catalog)
  for (const system of plan.systems) schemas.set(system.name, system.schema(plan.settings[system.name] as never))
  const log = openLog(() => undefined)
  server = await startServer({ ...plan, known, engine, log })
  await fillSystems(names, { url: server.url, ...access, log })
  await server.close()
  server = undefined
  await doDamage({ engine }, placesOfDemo)
  const db = await open(names[0]!)
  await db.$driver(placesOfDemo[names[0]!]!).send(["SAVE"])
  await db.$close()
}, 60_000)
afterAll(async () => {
  await server?.close()
  await engine?.stop()
  rmSync(directory, { recursive: true })
})

/** In any order; the server's clock has gone on. */
const findings = ({ keys, summary, findings }: AuditResult) => ({
  keys,
  summary,
  findings: findings.map((one) => JSON.stringify(one).replace(/a TTL of \d+ s/, "a TTL")).sort(),
})

/** Bytes in a file are not those in memory. */
const counts = ({ databases }: StatsResult, places: readonly number[]) =>
  databases
    .filter(({ db }) => places.includes(db))
    .map(({ db, patterns }) => [db, patterns.map(({ name, keys, types, ttl }) => ({ name, keys, types, ttl }))])

describe.each(names)("the data of %s in a file", (name) => {
  const compare = async <T>(work: (db: Client, place: number) => Promise<T>): Promise<T> => {
    const db = await open(name)
    try {
      return await work(db, placesOfDemo[name]!)
    } finally {
      await db.$close()
    }
  }

  it("has the findings that it has on the server", () =>
    compare(async (db, place) => {
      const config = (await import(`./${name}/keywright.config.ts`)) as { default: { rules?: readonly AuditRule[] } }
      const { rules = [] } = config.default
      const live = await audit(db.$keyspace, db.$driver(place), { rules })
      const saved = await audit(db.$keyspace, { rdb, db: place }, { rules })
      expect(findings(saved)).toEqual(findings(live))
      expect(saved.keys).toBeGreaterThan(10)
      expect(saved.findings).not.toEqual([])
    }))

  it("is counted and exported as on the server", () =>
    compare(async (db, place) => {
      const live = await stats(db.$keyspace, db.$driver(place))
      const places = live.databases.map((one) => one.db)
      expect(counts(await stats(db.$keyspace, { rdb, db: place }), places)).toEqual(counts(live, places))
      const options = { databases: places, secrets: true }
      const exported = await exportKeys(db.$keyspace, db.$driver(place), () => undefined, options)
      expect(await exportKeys(db.$keyspace, { rdb, db: place }, () => undefined, options)).toEqual(exported)
    }))
})
