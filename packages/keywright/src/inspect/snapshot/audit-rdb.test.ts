/* What an audit finds in a file is what it finds on the server that wrote it. */

import { expect, it } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { audit, type AuditResult } from "../audit/audit.ts"
import { bistro, damageBistro, fillBistro, openBistro } from "../audit/bistro.cases.ts"
import { totalOf } from "../audit/damage.cases.ts"
import { damagePlaza, fillPlaza, plaza } from "../audit/plaza.cases.ts"
import { onSavingServers } from "./saving-servers.cases.ts"

const seeds = Array.from({ length: isFull ? 5 : 1 }, (_, i) => i + 1)

/* In any order; seconds that are left differ, since the server's clock went on. */
const comparable = ({ keys, summary, findings }: AuditResult) => ({
  keys,
  summary: Object.fromEntries(Object.entries(summary).sort()),
  findings: findings
    .map((finding) => ({ ...finding, found: finding.found.replace(/a TTL of \d+ s/, "a TTL") }))
    .map((finding) => JSON.stringify(finding))
    .sort(),
})

onSavingServers("the audit of a file", (server) => {
  it.each(seeds)("finds all damage of entities that it finds on the server, seed %i", async (seed) => {
    const { driver, target, save } = server()
    const schema = bistro as unknown as Keyspace
    const db = await openBistro(target)
    await fillBistro(db, isFull ? 2000 : 310)
    const planted = await damageBistro((...command) => driver.send(command), seed)
    await db.$close()
    const rdb = await save()
    const live = await audit(schema, driver)
    const saved = await audit(schema, { rdb })
    expect(saved.summary).toEqual(totalOf(planted))
    expect(comparable(saved)).toEqual(comparable(live))
    expect(saved.server).toMatchObject({ label: `${rdb} (RDB file)`, version: live.server.version })
  })

  it.each(seeds)("finds all damage of plain keys in several databases, seed %i", async (seed) => {
    const { driver, save } = server()
    const schema = plaza as unknown as Keyspace
    await fillPlaza(driver, isFull ? 1000 : 100)
    const planted = await damagePlaza(driver, seed)
    const rdb = await save()
    const live = await audit(schema, driver)
    const saved = await audit(schema, { rdb }, { page: 50 })
    expect(saved.summary).toEqual(totalOf(planted))
    expect(comparable(saved)).toEqual(comparable(live))
    const part = { match: "t:p1:*", databases: [0] }
    expect(comparable(await audit(schema, { rdb }, part))).toEqual(comparable(await audit(schema, driver, part)))
    const share = { sample: 0.3 }
    expect(comparable(await audit(schema, { rdb }, share))).toEqual(comparable(await audit(schema, driver, share)))
  })

  it("finds nothing where there is nothing to find", async () => {
    const { driver, save } = server()
    await fillPlaza(driver, 20)
    const rdb = await save()
    const { findings, keys } = await audit(plaza as unknown as Keyspace, { rdb })
    expect(findings).toEqual([])
    expect(keys).toBe(Number(await driver.send(["DBSIZE"])) + 20)
  })
})
