/* A node of a cluster that fails while all of it is looked at or changed: whatever was asked for says which node it was. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { askServer } from "../../../../test/ask-server.ts"
import { needs } from "../../../../test/needs.ts"
import { type RealCluster, startPrimaries } from "../../../../test/redis-cluster.ts"
import { applyRepair } from "../change/carry-out/carry-out.ts"
import { exportKeys } from "../change/copy/export-keys.ts"
import { importKeys } from "../change/copy/import-keys.ts"
import { planRepair } from "../change/make-plan/plan-repair.ts"
import type { ChangePlan } from "../change/plan/plan.ts"
import { clusterSlot } from "../driver/cluster-slot.ts"
import type { Driver } from "../driver/driver.ts"
import { openServer } from "../driver/resp/open-resp.ts"
import { isKeywrightError } from "../errors/error.ts"
import { nodeOfError } from "../errors/failed-at.ts"
import { audit } from "../inspect/audit/audit.ts"
import { infer } from "../inspect/infer/infer.ts"
import { stats } from "../inspect/stats/stats.ts"
import { text } from "../schema/codec/text.ts"
import { string } from "../schema/define.ts"
import { toJson } from "../schema/json/to-json.ts"
import { type Keyspace, keyspace } from "../schema/keyspace.ts"
import { freshBundle, runCli } from "./run-cli.cases.ts"

const schema = keyspace({ page: string("page:{hash}", text, { ttl: "never" }) }) as unknown as Keyspace
const PAGES = 900
/** Long enough for a busy machine: only a node that is paused makes everybody wait for it. */
const timeoutMs = 4000
/** The one in the middle of three nodes that share the slots equally. */
const FAILING = 1
const [FROM, TO] = [5462, 10_923]
/** A key that the schema does not know, in a slot of the node that fails. */
const stray = Array.from({ length: 100 }, (_, i) => `stray:${i}`).find(
  (key) => clusterSlot(key) >= FROM && clusterSlot(key) <= TO,
)!

describe.runIf(needs("redis-server"))("a node that fails", () => {
  const folder = mkdtempSync(join(tmpdir(), "keywright-node-"))
  const whole = join(folder, "whole.ndjson")
  let cluster: RealCluster
  let driver: Driver
  let plan: ChangePlan
  let files = 0

  beforeAll(async () => {
    cluster = await startPrimaries(3, ["--appendonly", "yes", "--cluster-require-full-coverage", "no"])
    const first = openServer(cluster.nodes[0]!.url, { timeoutMs: 20_000 })
    const pages = Array.from({ length: PAGES }, (_, i) => ["SET", `page:${i}`, "text"])
    await first.batch([...pages, ["SET", stray, "1"]])
    const { findings } = await audit(schema, first)
    plan = await planRepair(findings, schema, first, { delete: ["unknown"] })
    expect(plan.actions).toHaveLength(1)
    await exportKeys(schema, first, { file: whole }, { secrets: true })
    await first.close()
  }, 120_000)
  afterAll(async () => {
    await cluster?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    for (const { port } of cluster.nodes)
      while (!/cluster_state:ok/.test(await askServer(port, "CLUSTER", "INFO"))) await sleep(50)
    driver = openServer(cluster.nodes[0]!.url, { timeoutMs })
    return () => driver.close()
  })
  const failing = () => cluster.nodes[FAILING]!
  const address = () => `127.0.0.1:${failing().port}`
  const newFile = () => join(folder, `${files++}.ndjson`)

  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    stats: () => stats(schema, driver, { timeoutMs }),
    audit: () => audit(schema, driver, { timeoutMs }),
    infer: () => infer(driver, { timeoutMs }),
    export: () => exportKeys(schema, driver, { file: newFile() }, { timeoutMs }),
    import: () => importKeys(schema, driver, { file: whole }, { timeoutMs, mode: "overwrite", foreign: "import" }),
    repair: () => applyRepair(plan, driver),
  }
  /** For everything that is asked for at the same time: the node that its error names, and whether the message has it. */
  async function named(): Promise<Record<string, unknown>> {
    const found = Object.entries(works).map(async ([name, work]) => {
      const error: unknown = await work().catch((caught: unknown) => caught)
      if (!isKeywrightError(error)) return [name, error]
      return [name, { ...nodeOfError(error), isInMessage: error.message.includes(address()) }]
    })
    return Object.fromEntries(await Promise.all(found)) as Record<string, unknown>
  }
  const all = (expected: object) => Object.fromEntries(Object.keys(works).map((name) => [name, expected]))

  test("is named when it was killed, and by the command line too", async () => {
    await driver.send(["GET", stray])
    await failing().kill9()
    const primary = expect.objectContaining({ address: address(), role: "primary", isInMessage: true }) as object
    expect(await named()).toEqual(all(primary))
    const schemaFile = join(folder, "schema.json")
    writeFileSync(schemaFile, JSON.stringify(toJson(schema)))
    await freshBundle()
    const args = ["--schema", schemaFile, "--url", cluster.nodes[0]!.url, "--timeout", "1"]
    const { code, stderr } = await runCli(["audit", ...args], { cwd: folder })
    expect(stderr).toMatch(new RegExp(`node +${address()}, a primary`))
    expect(code).toBe(3)
    await failing().restart()
  })

  test("is named when it is paused", async () => {
    await driver.send(["GET", stray])
    failing().pause()
    const primary = expect.objectContaining({ address: address(), role: "primary", isInMessage: true }) as object
    expect(await named()).toEqual(all(primary))
    failing().resume()
  })

  test("is named when it refuses what the others accept, with the slot of the keys", async () => {
    await askServer(failing().port, "ACL", "SETUSER", "default", "-@write", "-scan", "-evalsha", "-eval")
    const found = await named()
    await askServer(failing().port, "ACL", "SETUSER", "default", "+@all")
    expect(found).toEqual(all(expect.objectContaining({ address: address(), role: "primary" }) as object))
    const slot = expect.toSatisfy((number: number) => number >= FROM && number <= TO) as number
    expect(found).toMatchObject({ import: { slot }, repair: { slot: clusterSlot(stray) } })
  })

  test("does not end a walk early when nobody takes over its slots: what is missing is not overlooked", async () => {
    for (const { port } of cluster.nodes) await askServer(port, "CONFIG", "SET", "cluster-node-timeout", "500")
    let isKilled: Promise<void> | undefined
    const hasFailed = async () => {
      await failing().kill9()
      while (!/,fail /.test(await askServer(cluster.nodes[0]!.port, "CLUSTER", "NODES"))) await sleep(20)
    }
    const walked = stats(schema, driver, {
      timeoutMs: 2500,
      page: 10,
      rate: 500,
      onProgress: () => void (isKilled ??= hasFailed()),
    })
    const error: unknown = await walked.catch((caught: unknown) => caught)
    await isKilled
    await failing().restart()
    expect(nodeOfError(error)).toMatchObject({ address: address(), role: "primary" })
  })
})
