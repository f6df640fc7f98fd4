/* Repair, purge, export and import on a real cluster, through both kinds of cluster clients. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Cluster } from "ioredis"
import { createCluster } from "redis"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { type RealCluster, startCluster } from "../../../../test/redis-cluster.ts"
import { freshBundle, runCli } from "../cli/run-cli.cases.ts"
import type { Command, Driver } from "../driver/driver.ts"
import { findDriver } from "../driver/find-driver.ts"
import { audit } from "../inspect/audit/audit.ts"
import { bistro } from "../inspect/audit/bistro.cases.ts"
import { toJson } from "../schema/json/to-json.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { applyRepair, doneOf, settleRepair, undoRepair } from "./carry-out/carry-out.ts"
import { exportKeys } from "./copy/export-keys.ts"
import { importKeys } from "./copy/import-keys.ts"
import { planPurge } from "./make-plan/plan-purge.ts"
import { planRepair } from "./make-plan/plan-repair.ts"
import { throughFile } from "./check-plan/saved-plan.cases.ts"

const schema = bistro as unknown as Keyspace
const DISHES = 60

describe.runIf(needs("redis-server"))("a cluster is changed as a single server is", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "keywright-cluster-"))
  const closing: (() => unknown)[] = []
  let cluster: RealCluster

  beforeAll(async () => {
    cluster = await startCluster()
  }, 60_000)
  afterAll(async () => {
    for (const close of closing) await close()
    await cluster?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const clients: Readonly<Record<string, () => Promise<Driver>>> = {
    "own connection": async () => {
      const driver = findDriver(cluster.nodes[3]!.url, { timeoutMs: 60_000 })
      closing.push(() => driver.close())
      return driver
    },
    "node-redis": async () => {
      const client = createCluster({ rootNodes: cluster.nodes.map(({ url }) => ({ url })) })
      client.on("error", () => undefined)
      await client.connect()
      closing.push(() => client.destroy())
      return findDriver({ client })
    },
    ioredis: async () => {
      const client = new Cluster(cluster.nodes.map(({ port }) => ({ host: "127.0.0.1", port })))
      client.on("error", () => undefined)
      closing.push(() => client.disconnect())
      return findDriver({ client })
    },
  }

  it.each(Object.keys(clients))("by %s", async (name) => {
    const driver = await clients[name]!()
    await empty(driver)
    await fill(driver)
    expect((await audit(schema, driver)).findings).toEqual([])

    await damage(driver)
    const { findings, summary } = await audit(schema, driver)
    expect(summary).toEqual(DAMAGE)
    const plan = await planRepair(findings, schema, driver, { delete: ["unknown"] })
    const journal = join(folder, `${name}.journal`)
    const report = await applyRepair(plan, driver, { journal })
    expect(report).toMatchObject({ done: plan.actions.length, skipped: 0, refused: 0 })
    expect((await audit(schema, driver)).findings).toEqual([])
    const done = report.outcomes.map((outcome) => outcome === "done")
    // A counter stays raised.
    expect(await undoRepair(plan, driver, { done })).toMatchObject({ refused: 0, skipped: 1 })
    const { "COUNTER.BEHIND": _, ...rest } = summary
    expect((await audit(schema, driver)).summary).toEqual(rest)

    // What a plan rests on may have changed, in another slot too.
    await driver.send(["SET", "dish:ghost1", dishText("ghost1", "3")])
    const late = await applyRepair(plan, driver)
    expect(late.skipped).toBe(1)
    await driver.send(["DEL", "dish:ghost1"])
    await repairAll(driver)

    await driver.send(["SADD", "category:9:dishes", ...Array.from({ length: 12_000 }, (_, i) => `x${i}`)])
    const before = await exportKeys(schema, driver, { file: join(folder, `${name}.ndjson`) }, { secrets: true })
    expect(before.keys).toBe(await count(driver))
    await empty(driver)
    const imported = await importKeys(schema, driver, { file: join(folder, `${name}.ndjson`) }, { rebuild: false })
    expect(imported).toMatchObject({ written: before.keys, different: 0, skipped: 0 })
    const again = await exportKeys(schema, driver, () => undefined, { secrets: true })
    expect(again.patterns).toEqual(before.patterns)
    await driver.send(["DEL", "category:9:dishes"])

    // The indexes are rebuilt from the records.
    const only = join(folder, `${name}.records.ndjson`)
    await exportKeys(schema, driver, { file: only }, { only: ["dish", "category"], match: "*[0-9]", secrets: true })
    await empty(driver)
    const { rebuilt } = await importKeys(schema, driver, { file: only })
    expect(rebuilt!.findings).toEqual({})
    expect((await audit(schema, driver)).findings).toEqual([])

    const purge = await planPurge(schema, driver, {
      only: ["dish"],
      where: ({ record }) => Number(record?.["price"]) > 50,
    })
    expect(await applyRepair(purge, driver)).toMatchObject({ done: 10, skipped: 0, refused: 0 })
    expect((await audit(schema, driver)).findings).toEqual([])
    expect(await driver.send(["SCARD", "dish:list"])).toBe(DISHES - 10)
  })

  it("by deleting records in conflict with records of other slots, while they are", async () => {
    const driver = await clients["own connection"]!()
    await empty(driver)
    await fill(driver)
    const userText = (id: string) => JSON.stringify({ id, name: "u".repeat(80), password: "p", email: "same@x" })
    await all(driver, [
      ...["1", "2"].flatMap((id) => [
        ["SET", `user:${id}`, userText(id)],
        ["SADD", "user:list", id],
      ]),
      ["SET", "user:counter", "2"],
      ["SET", "user:index:email:same@x", "1"],
      ["SET", "dish:61", dishText("61", "none1")],
      ["SET", "dish:62", dishText("62", "none2")],
    ])
    const { findings } = await audit(schema, driver)
    const conflicts = findings.filter(({ code }) => code === "UNIQUE.TAKEN" || code === "REFERENCE.MISSING")
    const made = await planRepair(conflicts, schema, driver, { delete: ["conflicts"] })
    const plan = await throughFile(made, schema, driver)
    expect(plan.outdated).toBeUndefined()
    await driver.send(["SET", "category:none2", JSON.stringify({ id: "none2", name: "c" })])
    const { outcomes } = await applyRepair(plan, driver)
    expect(plan.actions.map(({ code, key }, i) => [code, key, outcomes[i]])).toEqual([
      ["REFERENCE.MISSING", "dish:61", "done"],
      ["REFERENCE.MISSING", "dish:62", "skipped"],
      ["UNIQUE.TAKEN", "user:2", "done"],
    ])
  })

  it("and whatever became of a plan that was interrupted is said when it is undone", async () => {
    const driver = await clients["own connection"]!()
    await empty(driver)
    await fill(driver)
    const plan = await planPurge(schema, driver, { only: ["dish"], match: "dish:3", undo: true })
    const everything = async () => (await exportKeys(schema, driver, () => undefined, { secrets: true })).patterns
    const before = await everything()
    const said = new Set<number>()
    let isComplete = false
    for (let calls = 0; calls < 20 && !isComplete; calls++) {
      const journal = join(folder, `interrupted-${calls}.journal`)
      let called = 0
      const run = (...given: Parameters<Driver["run"]>) =>
        called++ < calls ? driver.run(...given) : Promise.reject(new Error("the process ended"))
      const failing = new Proxy(driver, {
        get: (target, name) => {
          const found: unknown = name === "run" ? run : Reflect.get(target, name, target)
          return typeof found === "function" ? found.bind(target) : found
        },
      })
      isComplete = await applyRepair(plan, failing, { journal }).then(
        () => true,
        ({ code }: { code: string }) => code !== "CHANGE.INTERRUPTED",
      )
      const unknown = await settleRepair(plan, driver, { journal })
      said.add(unknown)
      await undoRepair(plan, driver, { done: doneOf(plan, journal) })
      if (unknown === 0) expect(await everything()).toEqual(before)
      await empty(driver)
      await fill(driver)
    }
    expect(isComplete).toBe(true)
    expect(said).toEqual(new Set([0, 1]))
  })

  it("by the command line, at any of its nodes", async () => {
    const driver = await clients["ioredis"]!()
    await empty(driver)
    await fill(driver)
    await damage(driver)
    const schemaFile = join(folder, "schema.json")
    writeFileSync(schemaFile, JSON.stringify(toJson(schema)))
    const cli = (at: number, ...args: string[]) =>
      runCli([...args, "--schema", schemaFile, "--url", cluster.nodes[at]!.url], { cwd: folder })
    await freshBundle()
    const audited = await cli(0, "audit", "--json")
    expect(audited.code, audited.stderr).toBe(1)
    expect(JSON.parse(audited.stdout)).toMatchObject({ keys: await count(driver), summary: DAMAGE })
    const repaired = await cli(1, "repair", "--apply", "--delete", "unknown", "--out", "plan.json", "--json")
    expect(repaired.code, repaired.stderr).toBe(0)
    expect((await cli(2, "audit")).code).toBe(0)
    // Any of its nodes is the same cluster; another cluster, and one server, are not.
    const plan = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8")) as { nodes: string }
    expect(plan.nodes).toMatch(/^cluster:[0-9a-f]{40}(?:,[0-9a-f]{40}){2,}$/)
    expect((await cli(2, "repair", "--apply", "plan.json", "--yes")).code).toBe(0)
    const { nodes: _, ...ofOne } = plan
    for (const other of [{ ...plan, nodes: `cluster:${"0".repeat(40)}` }, { ...plan, nodes: "cluster:" }, ofOne]) {
      writeFileSync(join(folder, "other.json"), JSON.stringify(other))
      const refused = await cli(1, "repair", "--apply", "other.json", "--yes")
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("CHANGE.OTHER_SERVER")])
    }
    expect(JSON.parse((await cli(0, "stats", "--json")).stdout)).toMatchObject({ keys: await count(driver) })
    const before = await exportKeys(schema, driver, () => undefined, { secrets: true })
    expect((await cli(1, "export", "--out", "cli.ndjson", "--secrets")).code).toBe(0)
    await empty(driver)
    const imported = await cli(2, "import", "cli.ndjson")
    expect(imported.code, imported.stderr).toBe(0)
    expect((await exportKeys(schema, driver, () => undefined, { secrets: true })).patterns).toEqual(before.patterns)
  })
})

const dishText = (id: string, categoryId: string): string =>
  JSON.stringify({
    id,
    name: "d",
    categoryId,
    price: Number(id) || 1,
    available: false,
    addedAt: "2026-01-05T00:00:00Z",
  })

async function fill(driver: Driver): Promise<void> {
  for (let i = 1; i <= DISHES; i++) {
    const category = String(1 + (i % 4))
    await all(driver, [
      ["SET", `category:${category}`, JSON.stringify({ id: category, name: "c" })],
      ["SADD", "category:list", category],
      ["SET", `dish:${i}`, dishText(String(i), category)],
      ["SADD", "dish:list", String(i)],
      ["SADD", `dish:index:category:${category}`, String(i)],
      ["SADD", `category:${category}:dishes`, String(i)],
      ["ZADD", `dish:dates:${category}`, String(Date.parse("2026-01-05T00:00:00Z")), String(i)],
    ])
  }
  await all(driver, [
    ["SET", "dish:counter", String(DISHES)],
    ["SET", "category:counter", "4"],
  ])
}

const DAMAGE = {
  "INDEX.MISSING": 1,
  "INDEX.DANGLING": 2,
  "INDEX.STALE": 3,
  "MIRROR.DANGLING": 1,
  "LIST.MISSING": 1,
  "COUNTER.BEHIND": 1,
  "KEY.UNKNOWN": 1,
  "TTL.UNEXPECTED": 1,
}

const damage = (driver: Driver) =>
  all(driver, [
    ["SREM", "dish:index:category:2", "1"],
    ["SADD", "dish:index:category:3", "ghost1", "ghost2", "1", "5"],
    ["SADD", "dish:index:category:4", "1"],
    ["SADD", "category:3:dishes", "ghost3"],
    ["SREM", "dish:list", "7"],
    ["SET", "dish:counter", "3"],
    ["SET", "lock:1", "1"],
    ["PEXPIRE", "dish:9", "900000"],
  ])

async function repairAll(driver: Driver): Promise<void> {
  const { findings } = await audit(schema, driver)
  await applyRepair(await planRepair(findings, schema, driver, { delete: ["unknown"] }), driver)
  expect((await audit(schema, driver)).findings).toEqual([])
}

const all = async (driver: Driver, commands: readonly Command[]) => {
  for (const command of commands) await driver.send(command)
}

const empty = async (driver: Driver) => {
  for (const node of await driver.primaries()) await node.send(["FLUSHALL"])
}

const count = async (driver: Driver): Promise<number> => {
  let keys = 0
  for (const node of await driver.primaries()) keys += Number(await node.send(["DBSIZE"]))
  return keys
}
