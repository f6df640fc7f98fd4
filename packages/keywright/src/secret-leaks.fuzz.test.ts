/* Random schemas with secrets in random places, and data full of canaries: nothing that is printed shows one. */

import { inspect } from "node:util"
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Engine, start } from "@keywright/embedded"
import { isFull } from "../../../test/full.ts"
import { fuzzing } from "../../../test/fuzz.ts"
import { exportKeys } from "./change/copy/export-keys.ts"
import { connect } from "./client/connect.ts"
import type { Driver } from "./driver/driver.ts"
import { embeddedDriver } from "./driver/embedded.ts"
import { audit } from "./inspect/audit/audit.ts"
import { inspectKey } from "./inspect/model/inspect-key.ts"
import { stats } from "./inspect/stats/stats.ts"
import { randomSecrets, type RandomSecrets } from "./schema/random-secrets.cases.ts"
import type { KeysPage } from "./studio/api.ts"
import { startStudio } from "./studio/server/start-studio.ts"
import { enter } from "./studio/server/studio-client.cases.ts"

let engine: Engine
let driver: Driver
beforeAll(async () => {
  engine = await start()
  driver = embeddedDriver(engine)
})
afterAll(async () => {
  await driver?.close()
  await engine?.stop()
})

/** What it was asked, and what it said. */
type Said = [what: string, text: string]

async function looking({ keyspace }: RandomSecrets, keys: readonly string[]): Promise<Said[]> {
  const lines: string[] = []
  await exportKeys(keyspace, driver, (text) => void lines.push(text))
  const said: Said[] = [
    ["audit", inspect(await audit(keyspace, driver), { depth: 9 })],
    ["stats", inspect(await stats(keyspace, driver), { depth: 9 })],
    ["export", lines.join("")],
  ]
  for (const key of keys) said.push([`inspect ${key}`, inspect(await inspectKey(keyspace, driver, key), { depth: 9 })])
  return said
}

async function studio({ keyspace }: RandomSecrets): Promise<Said[]> {
  const running = await startStudio({ systems: [{ name: "s", keyspace, server: { engine } }], reveal: false })
  const said: Said[] = []
  try {
    const page = await enter(running)
    await page.event("scan", ({ state }) => state === "done")
    const get = async (path: string, query: Record<string, string | number> = {}): Promise<string> => {
      const { text } = await page.raw(`GET /api/systems/:system/${path}`, { system: "s", query })
      // What is behind an encoding counts, too.
      const words = [...text.matchAll(/[\w-]{12,}/g)].map(([one]) => Buffer.from(one.slice(1), "base64url").toString())
      said.push([`studio ${path} ${JSON.stringify(query)}`, [text, ...words].join("\n")])
      return text
    }
    for (const { name } of keyspace.keys) {
      const { keys } = JSON.parse(await get("keys", { pattern: name, limit: 500 })) as KeysPage
      for (const { db, ref } of keys) for (const path of ["key", "elements", "bytes"]) await get(path, { db, ref })
    }
  } finally {
    await running.close()
  }
  return said
}

async function calling({ keyspace, records }: RandomSecrets): Promise<Said[]> {
  const said: Said[] = []
  const db = (await connect(keyspace, { engine } as never, {
    onSent: (sent) => void said.push(["onSent", inspect(sent, { depth: 9 })]),
  })) as unknown as Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>> & {
    $close(): Promise<void>
  }
  for (const [name, record] of records)
    for (const call of [
      async () => db[name]!["create"]!(record),
      async () => db[name]!["create"]!({ ...record, id: `${String(record["id"])}2` }),
      async () => db[name]!["get"]!(record["id"]),
      async () => db[name]!["update"]!(record["id"], { rank: record["rank"] }),
      async () => db[name]!["list"]!("both", record),
      async () => db[name]!["all"]!(),
    ])
      await call().catch((error: unknown) => said.push([`error of ${name}`, inspect(error, { depth: 9 })]))
  await db.$close()
  return said
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

it("no canary is shown: by functions, the studio, reports of calls, and errors", { timeout: 120_000 }, async () => {
  const property = fc.asyncProperty(fc.noShrink(fc.noBias(fc.nat())), async (seed) => {
    const made = randomSecrets(randomFrom(seed))
    await driver.send(["FLUSHALL"])
    for (const command of made.commands) await driver.send(command).catch(() => undefined)
    const keys = (await driver.send(["KEYS", "*"])) as string[]
    const said = [...(await looking(made, keys)), ...(await studio(made)), ...(await calling(made))]
    const shown = said.filter(([, text]) => made.canaries.some((canary) => text.includes(canary)))
    expect(shown.slice(0, 3)).toEqual([])
  })
  // One takes a second.
  await fc.assert(property, { ...fuzzing(3), interruptAfterTimeLimit: isFull ? 60_000 : 20_000 })
})
