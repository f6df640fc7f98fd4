/* The embedded engine is a real server: the same random commands, sent to it and to
 * redis-server, get the same answers, errors included.
 *
 *   KEYWRIGHT_SEED=123 npx vitest run test/differential     the same sequence again
 *   KEYWRIGHT_FULL=1                                        twenty times as many */

import { start, type Engine } from "@keywright/embedded"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../full.ts"
import { needs } from "../needs.ts"
import { type RealRedis, startRedis } from "../real-redis.ts"
import { RespClient } from "../resp-client.ts"
import { commands } from "./commands.ts"
import { Comparison, type Difference } from "./comparison.ts"
import { knownDifferences } from "./known-differences.ts"
import { Random } from "../random.ts"
import { SeveralConnections } from "./several-connections.ts"

const OPERATIONS = isFull ? 1_000_000 : 50_000
const SEED = Number(process.env["KEYWRIGHT_SEED"] ?? Date.now() % 2 ** 31)
const BATCH = 100
const CONNECTIONS = 5
/** Batches after which all keys are removed. */
const EPISODE = 40

describe.runIf(needs("redis-server"))("the embedded engine and redis-server", () => {
  let engine: Engine
  let redis: RealRedis
  let comparison: Comparison

  beforeAll(async () => {
    console.info(`differential seed: KEYWRIGHT_SEED=${SEED}`)
    engine = await start({ port: 0 })
    redis = await startRedis()
    comparison = new Comparison(await RespClient.connect(engine.port ?? 0), await RespClient.connect(redis.port))
  })
  afterAll(async () => {
    await engine.stop()
    await redis.stop()
  })

  it(`answer ${OPERATIONS} random commands alike`, async () => {
    const sequence = commands(new Random(SEED))
    let done = 0
    for (let round = 1; done < OPERATIONS; round++) {
      const batch = Array.from({ length: BATCH }, () => sequence.next().value).flat()
      const found = (await comparison.run(batch)) ?? (round % 10 === 0 ? await comparison.runState() : undefined)
      if (found) throw unlike(found, done)
      if (round % EPISODE === 0) await comparison.run([["FLUSHALL"]])
      done += batch.length
    }
    console.info("known differences met:", Object.fromEntries(comparison.met))
  })

  const mixed = OPERATIONS / 10
  it(`answer ${mixed} random commands alike, written to ${CONNECTIONS} connections of one in the same tick`, async () => {
    const pairs = Array.from({ length: CONNECTIONS }, async () => ({
      embedded: new RespClient(engine.connect()),
      real: await RespClient.connect(redis.port),
    }))
    const several = new SeveralConnections(await Promise.all(pairs))
    const random = new Random(SEED + 1)
    const sequence = commands(random)
    await comparison.run([["FLUSHALL"]])
    let done = 0
    for (let round = 1; done < mixed; round++) {
      const groups = Array.from({ length: BATCH }, () => sequence.next().value)
      const found = (await several.run(groups, random)) ?? (round % 10 === 0 ? await comparison.runState() : undefined)
      if (found) throw unlike(found, done)
      if (round % EPISODE === 0) await comparison.run([["FLUSHALL"]])
      done += groups.flat().length
    }
  })

  it.each(knownDifferences.map((one) => [one.name, one.reason, one] as const))(
    "differ in this: %s. %s",
    async (name, _, { example, matches }) => {
      await comparison.run([["FLUSHALL"]])
      comparison.met.clear()
      const found = await comparison.run(example)
      if (matches) expect([found, ...comparison.met.keys()]).toEqual([undefined, name])
      else expect(found).toMatchObject({ command: example.at(-1) })
    },
  )
})

function unlike({ command, embedded, real }: Difference, done: number): Error {
  const where = `KEYWRIGHT_SEED=${SEED}, after ${done} commands`
  return new Error(`${JSON.stringify(command)}\n  embedded ${embedded}\n  real     ${real}\n  (${where})`)
}
