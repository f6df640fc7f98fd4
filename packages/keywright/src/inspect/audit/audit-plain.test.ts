import { expect, it } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { onBothServers } from "../../client/servers.cases.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { audit } from "./audit.ts"
import { totalOf } from "./damage.cases.ts"
import { CANARY, damagePlaza, fillPlaza, plaza, writePlaza } from "./plaza.cases.ts"

const seeds = Array.from({ length: isFull ? 10 : 2 }, (_, i) => i + 1)
const schema = plaza as unknown as Keyspace

onBothServers("the audit of plain keys", (server) => {
  it("finds nothing where there is nothing to find", async () => {
    await fillPlaza(server().driver, 50)
    const { findings, keys } = await audit(schema, server().driver)
    expect(findings).toEqual([])
    expect(keys).toBe((await server().keys()).length + 50)
  })

  it.each(seeds)("finds all damage and nothing else while writers run, seed %i", async (seed) => {
    const { driver } = server()
    await fillPlaza(driver, isFull ? 1000 : 100)
    const planted = await damagePlaza(driver, seed)
    let over = false
    const writers = [1000, 2_000_000].map((from) => writePlaza(driver, () => over, from))
    const { findings, summary, ...rest } = await audit(schema, driver, { page: 50 })
    over = true
    const writes = await Promise.all(writers)
    expect(summary, JSON.stringify(findings, undefined, 1)).toEqual(totalOf(planted))
    expect(writes.every((count) => count > 0)).toBe(true)
    expect(JSON.stringify({ findings, summary, ...rest })).not.toContain(CANARY)
  })
})
