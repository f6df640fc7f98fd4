import { describe, expect, it } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { onBothServers } from "../../client/servers.cases.ts"
import { audit } from "./audit.ts"
import { bistroClients } from "./bistro-clients.cases.ts"
import { bistro, CANARY, damageBistro, fillBistro, writeBistro } from "./bistro.cases.ts"
import { totalOf } from "./damage.cases.ts"
import { findingCodes } from "./finding-codes.ts"
import type { Keyspace } from "../../schema/keyspace.ts"

const seeds = Array.from({ length: isFull ? 10 : 2 }, (_, i) => i + 1)

onBothServers("the audit of entities", (server) => {
  const open = bistroClients(server)

  it("finds nothing in what the client wrote", async () => {
    const db = await open()
    await fillBistro(db, 60)
    const { findings, summary, keys } = await audit(bistro as unknown as Keyspace, server().driver)
    expect(findings).toEqual([])
    expect(summary).toEqual({})
    expect(keys).toBe((await server().keys()).length)
  })

  it.each(seeds)("finds all damage and nothing else while writers run, seed %i", async (seed) => {
    const db = await open()
    await fillBistro(db, isFull ? 2000 : 310)
    const planted = await damageBistro((...command) => server().driver.send(command), seed)
    let over = false
    const writers = [1000, 2_000_000].map((from) => writeBistro(db, () => over, from))
    const { findings, summary, ...rest } = await audit(bistro as unknown as Keyspace, server().driver, { page: 50 })
    over = true
    const writes = await Promise.all(writers)
    expect(summary, JSON.stringify(findings, undefined, 1)).toEqual(totalOf(planted))
    expect(writes.every((count) => count > 0)).toBe(true)
    expect(findings.length).toBe(Object.values(summary).reduce((sum, count) => sum + count, 0))
    expect(JSON.stringify({ findings, summary, ...rest })).not.toContain(CANARY)
    for (const { code, target, fixable } of findings) {
      expect(Object.keys(findingCodes)).toContain(code)
      expect(fixable).toBe(target.fix !== undefined && target.fix.destroys !== true)
    }
  })
})

describe("the codes of findings", () => {
  it("are stable and told apart", () => {
    for (const [code, { title, why, fix }] of Object.entries(findingCodes)) {
      expect(code).toMatch(/^[A-Z]+\.[A-Z_]+$/)
      for (const text of [title, why, fix]) expect(text).not.toBe("")
    }
  })
})
