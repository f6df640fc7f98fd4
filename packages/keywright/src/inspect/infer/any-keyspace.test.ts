/* Whatever is on a server: infer returns a consistent schema, and audit by it finds
 * exactly what the report says, key by key; printed, it is a program that says the same;
 * and so does the file that the server saves. Keyspaces at random, by a seed. */

import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { compile, folderOf } from "../../../../../test/examples-run.ts"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import { inferSource } from "../../render/source/infer-source.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { audit } from "../audit/audit.ts"
import { comparable, found, isDrift, reported } from "./exact.cases.ts"
import { infer } from "./infer.ts"
import { sourceFolder, withoutDocuments } from "./load-source.cases.ts"
import { manyKeys, randomKeyspace } from "./random-keyspace.cases.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"

const LIBRARIES = ["zod", "valibot", "arktype"] as const

describe.runIf(needs("redis-server"))("any keyspace", { timeout: 1_800_000 }, () => {
  const server = redisForSuite()
  let folder: Awaited<ReturnType<typeof sourceFolder>>
  beforeAll(async () => {
    folder = await sourceFolder()
  })
  afterAll(async () => {
    await folder?.remove()
  })

  const filled = async (seed: number) => {
    await server.driver.send(["FLUSHALL"])
    for (const [db, commands] of randomKeyspace(seed)) await (await server.driver.database(db)).batch(commands)
  }
  const seeds = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

  it("gets a schema by which audit finds exactly what was reported", async () => {
    for (const seed of [...seeds(isFull ? 400 : 16), 1087]) {
      await filled(seed)
      const inference = await infer(server.driver)
      const { findings } = await audit(fromJson(inference.form), server.driver)
      expect(found(findings), `seed ${seed}`).toEqual(reported(inference))
      expect(
        inference.deviations?.filter(({ code }) => !isDrift(code)),
        `seed ${seed}`,
      ).toEqual([])
    }
  })

  it("gets a program that compiles and loads, and says what the JSON form says", async () => {
    const programs: Parameters<typeof folderOf>[0][number][] = []
    for (const seed of seeds(isFull ? 300 : 4)) {
      await filled(seed)
      const inference = await infer(server.driver)
      const library = LIBRARIES[seed % 3]!
      const text = inferSource(inference, { library, day: "2026-01-01" })
      programs.push({ file: `seed-${seed}.ts`, text, line: 0, runs: false, prints: "", refused: new Map() })
      const loaded = await folder.load(text)
      expect(withoutDocuments(loaded), `seed ${seed}, ${library}`).toEqual(withoutDocuments(fromJson(inference.form)))
      const { findings } = await audit(loaded, server.driver)
      expect(found(findings), `seed ${seed}, ${library}`).toEqual(reported(inference))
    }
    const place = await folderOf(programs)
    try {
      expect(Object.fromEntries(await compile(place.folder))).toEqual({})
    } finally {
      await place.remove()
    }
  })

  it("gets the same schema from its file", async () => {
    for (const seed of seeds(isFull ? 300 : 4)) {
      await filled(seed)
      await server.driver.send(["SAVE"])
      const [live, file] = [await infer(server.driver), await infer({ rdb: join(server.redis.directory, "dump.rdb") })]
      expect(comparable(file), `seed ${seed}`).toEqual(comparable(live))
    }
  })

  it("is not held up by very long keys", async () => {
    await server.driver.send(["FLUSHALL"])
    const long = ["a.", "1_", "page:1-a/", "{a}", "2026-01-01:"].map((text) => text.repeat(30_000))
    await server.driver.batch(
      long.flatMap((key) => [
        ["SET", key, "1"],
        ["HSET", "fields", key, key],
        ["SET", `page:${key.length}`, key],
      ]),
    )
    const inference = await infer(server.driver)
    const { findings } = await audit(fromJson(inference.form), server.driver)
    expect(found(findings)).toEqual(reported(inference))
  })

  it("keeps what it counted when patterns come late, and says how sure it is of values", async () => {
    await server.driver.send(["FLUSHALL"])
    await server.driver.batch(manyKeys(isFull ? 60_000 : 12_000))
    const inference = await infer(server.driver)
    const { findings } = await audit(fromJson(inference.form), server.driver)
    const doubtful = new Set(inference.patterns.filter(({ doubt }) => doubt > 0).map(({ pattern }) => pattern))
    const certain = findings.filter(({ code, pattern }) => !(code.startsWith("VALUE.") && doubtful.has(pattern)))
    expect(found(certain)).toEqual(reported({ ...inference, deviations: [] }))
    expect(inference.explained).toBeGreaterThanOrEqual(0.95 * inference.keys)
  })
})
