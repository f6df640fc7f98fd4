/* What stats counts in a file is what it counts on the server that wrote it. */

import { expect, it } from "vitest"
import type { Keyspace } from "../../schema/keyspace.ts"
import { fillPlaza, plaza } from "../audit/plaza.cases.ts"
import { stats, type PatternStats, type StatsResult } from "../stats/stats.ts"
import { onSavingServers } from "./saving-servers.cases.ts"

const schema = plaza as unknown as Keyspace

/* Everything but bytes: those of a file are not those of memory. */
const counts = ({ keys, databases }: StatsResult) => ({
  keys,
  databases: databases.map(({ db, patterns, toolkit, unknown }) => ({
    db,
    patterns: patterns.map(countsOf),
    toolkit: toolkit.map(countsOf),
    unknown: unknown.map(countsOf).sort((a, b) => (a.pattern < b.pattern ? -1 : 1)),
  })),
})
const countsOf = ({ name, pattern, keys, types, ttl }: PatternStats) => ({
  ...{ name, pattern, keys, ttl },
  types: Object.fromEntries(Object.entries(types).sort()),
})

onSavingServers("stats of a file", (server) => {
  it.each([
    ["of everything", {}],
    ["of a database", { databases: [1] }],
    ["of keys that match", { match: "t:p?:C[h]*" }],
    ["of a share of the keys", { sample: 0.4 }],
  ])("%s are those of the server", async (_, options) => {
    const { driver, save } = server()
    await fillPlaza(driver, 60)
    await driver.batch([
      ["SET", "lock:17:a", "1"],
      ["SET", Buffer.from([255, 0, 254]), "1"],
      ["SET", "keywright:lease:sweep", "1", "PX", "500000"],
    ])
    const rdb = await save()
    const saved = await stats(schema, { rdb }, options)
    expect(saved.keys).toBeGreaterThan(10)
    expect(counts(saved)).toEqual(counts(await stats(schema, driver, options)))
  })

  it("stop when told, with what was counted", async () => {
    const { driver, save } = server()
    await fillPlaza(driver, 5)
    const stopping = new AbortController()
    stopping.abort(new Error("enough"))
    await expect(stats(schema, { rdb: await save() }, { signal: stopping.signal })).rejects.toMatchObject({
      code: "INSPECT.INTERRUPTED",
      partial: { keys: 0 },
      fix: expect.stringContaining("Run it again"),
    })
  })
})
