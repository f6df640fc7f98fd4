/* infer on the five systems' own data: made through their HTTP APIs, read without their
 * schemas, and compared with them. With KEYWRIGHT_FULL=1 for several lives. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start, type Engine } from "@keywright/embedded"
import { connect, fromJson, keyspace, type Keyspace } from "keywright"
import { audit, infer, type Inference, stats } from "keywright/operate"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../test/full.ts"
import { carto } from "./carto/schema.ts"
import { placesOfDemo } from "./demo/access.ts"
import { access, livedIn } from "./infer.cases.ts"
import { compare, type Driver, type Score, type Scores, together } from "./inferred.cases.ts"
import { messaging } from "./messaging/schema.ts"
import type { Server } from "./platform/server.ts"
import { recommender } from "./recommender/schema.ts"
import { restaurant } from "./restaurant/schema.ts"
import { shop } from "./shop/schema.ts"

const schemas: Readonly<Record<string, Keyspace>> = { shop, messaging, carto, recommender, restaurant }
const names = Object.keys(schemas)
const databases = (name: string) => (name === "carto" ? [0, 1, 2, 3, 4, 5] : [placesOfDemo[name]!])

/** What the systems keep for themselves is there while something is under way: it is compared as far as it is there. */
async function underWay(schema: Keyspace, home: Driver): Promise<string[]> {
  const counted = await stats(schema, home)
  const empty = counted.databases.flatMap(({ patterns }) => patterns.filter(({ keys }) => keys === 0))
  return empty.map(({ pattern }) => pattern).filter((pattern) => pattern.startsWith("keywright:"))
}

const SEEDS = isFull ? [7, 1, 2, 3] : [7]

describe.each(SEEDS)("with the seed %i", (seed) => {
  const directory = mkdtempSync(join(tmpdir(), "keywright-systems-infer-"))
  let engine: Engine
  let server: Server
  let client: { $close(): Promise<void>; $driver(db?: number): Driver }
  const found = new Map<string, Inference>()
  const scores = new Map<string, Scores>()
  const driverOf = async (db: number): Promise<Driver> => (await client.$driver(0).database(db)) as Driver

  beforeAll(async () => {
    // The clock is stopped, so that every key has all of its time left, however slow the machine is.
    engine = await start({ directory, clock: { still: true } })
    server = await livedIn(engine, seed)
    client = (await connect(keyspace({}), { engine })) as unknown as typeof client
    for (const name of names) {
      const home = await driverOf(placesOfDemo[name]!)
      const inference = await infer(home, { databases: databases(name), name })
      found.set(name, inference)
      scores.set(name, compare(schemas[name]!, fromJson(inference.form), await underWay(schemas[name]!, home)))
    }
  }, 300_000)
  afterAll(async () => {
    await client?.$close()
    await server?.close()
    await engine?.stop()
    rmSync(directory, { recursive: true })
  })

  const shown = ({ missed, invented }: Score) => JSON.stringify({ missed, invented }, undefined, 1)

  describe.each(names)("infer on %s", (name) => {
    it("finds every pattern with its type and the places of its parameters, and no other", () => {
      const { patterns } = scores.get(name)!
      expect(patterns.missed).toEqual([])
      expect(patterns.invented).toEqual([])
      expect(found.get(name)!.explained).toBe(found.get(name)!.keys)
    })

    it("finds when keys go away", () => {
      const { ttls } = scores.get(name)!
      expect(ttls.missed).toEqual([])
    })

    it("finds references and indexes: F1 of at least 0.95", () => {
      const { references, indexes } = scores.get(name)!
      expect.soft(references.f1, shown(references)).toBeGreaterThanOrEqual(0.95)
      expect.soft(indexes.f1, shown(indexes)).toBeGreaterThanOrEqual(0.95)
    })

    it("says of the file what it says of the server", async () => {
      const home = await driverOf(placesOfDemo[name]!)
      const shown = ({ patterns }: Inference) =>
        patterns.map(({ db, pattern, type, kind, keys, ttl }) => ({ db, pattern, type, kind, keys, ttl: ttl.class }))
      await home.send(["SAVE"])
      const file = await infer({ rdb: join(directory, "dump.rdb") }, { databases: databases(name), name })
      expect(shown(file)).toEqual(shown(found.get(name)!))
    })

    it("does not tell secrets", async () => {
      const messenger = await driverOf(placesOfDemo["messaging"]!)
      const visitors = await driverOf(placesOfDemo["shop"]!)
      const tokens = [
        ...((await messenger.send(["HKEYS", "TokensKeys"])) as string[]),
        ...((await visitors.send(["HKEYS", "login:"])) as string[]),
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

  it("says what the five are worth together", () => {
    const rows = [...scores].map(([name, own]) => [name, own.references, own.indexes] as const)
    const all = ["all", together(rows.map(([, one]) => one)), together(rows.map(([, , one]) => one))] as const
    const cells = ({ precision, recall, f1, declared }: Score) =>
      `${precision.toFixed(3)}  ${recall.toFixed(3)}  ${f1.toFixed(3)}  of ${String(declared).padEnd(5)}`
    const lines = [...rows, all].map(
      ([name, references, indexes]) => `${name.padEnd(12)} ${cells(references)} | ${cells(indexes)}`,
    )
    process.stdout.write(`references: precision, recall, F1 | indexes: the same\n${lines.join("\n")}\n`)
    for (const one of all.slice(1) as Score[]) expect(one.f1, shown(one)).toBeGreaterThanOrEqual(0.95)
  })
})
