/* infer, audit and stats where keys are in several places: the nodes of a cluster, a
 * replica, and logical databases. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import { type RealCluster, startCluster } from "../../../../test/redis-cluster.ts"
import type { Command, Driver } from "../driver/driver.ts"
import { openResp, openServer } from "../driver/resp/open-resp.ts"
import type { DoctorResult } from "../inspect/doctor/doctor.ts"
import type { Inference } from "../inspect/infer/infer.ts"
import type { StatsResult } from "../inspect/stats/stats.ts"
import type { TopFrame } from "../inspect/stats/top.ts"
import { freshBundle, root, runCli } from "./run-cli.cases.ts"

const users: readonly Command[] = Array.from({ length: 60 }, (_, n): Command[] => [
  ["SET", `user:${n}`, JSON.stringify({ id: n, email: `u${n}@example.com` })],
  ["SET", `user:index:email:u${n}@example.com`, String(n)],
  ["SADD", "user:list", String(n)],
]).flat()

describe.runIf(needs("redis-server"))("on the command line", { timeout: 120_000 }, () => {
  let folder: string
  beforeAll(async () => {
    await freshBundle()
    folder = mkdtempSync(join(root, "packages/keywright/dist/places-test-"))
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const run = (...args: string[]) => runCli(args, { cwd: folder })
  const json = async <T>(...args: string[]) => JSON.parse((await run(...args, "--json")).stdout) as T

  describe("a cluster of three primaries", () => {
    let cluster: RealCluster
    beforeAll(async () => {
      cluster = await startCluster()
      const driver = openServer(cluster.nodes[0]!.url)
      await driver.batch(users)
      await driver.close()
    }, 60_000)
    afterAll(() => cluster?.stop())

    it("is looked at node by node, by doctor, top and backup", async () => {
      const schema = join(folder, "page.ts")
      writeFileSync(
        schema,
        'import { keyspace, string, text } from "keywright"\nexport default keyspace({ page: string("page:{id}", text, { ttl: "never" }) })\n',
      )
      const { url } = cluster.nodes[5]!
      const doctor = await json<DoctorResult>("doctor", "--schema", "page.ts", "--url", url)
      expect([doctor.server.mode, doctor.server.role, doctor.server.replicas]).toEqual(["cluster", "primary", 3])
      expect(doctor.summary["DOCTOR.FULL_COVERAGE"]).toBe(1)
      const { saves } = await json<{ saves: { server: string }[] }>("backup", "--url", url)
      expect(new Set(saves.map(({ server }) => server)).size).toBe(3)
      const driver = openServer(url)
      const stop = new AbortController()
      const caller = (async () => {
        for (let i = 0; !stop.signal.aborted; i++) await driver.send(["GET", `page:${i % 100}`])
      })()
      const frame = await json<TopFrame>("top", "--schema", "page.ts", "--url", url, "--count", "1")
      stop.abort()
      await caller
      await driver.close()
      expect(frame.rows.some(({ pattern, command }) => pattern === "page:{id}" && command === "get")).toBe(true)
    })

    it("is inferred, audited and counted as a whole, whichever node is named", async () => {
      // The last ones are replicas.
      for (const { url } of [cluster.nodes[0]!, cluster.nodes[5]!]) {
        const { code, stderr } = await run("infer", url, "--out", "cluster.ts")
        expect([code, stderr]).toEqual([0, expect.stringContaining("a cluster of 3 primaries")])
        expect(stderr).toContain("121 keys, 3 patterns; all explained")
        const source = readFileSync(join(folder, "cluster.ts"), "utf8")
        expect(source).toContain('all: "user:list"')
        expect(source).toContain('unique: { email: "user:index:email:{email}" }')
        const audited = await run("audit", "--schema", "cluster.ts", "--url", url)
        expect([audited.code, audited.stdout]).toEqual([0, expect.stringContaining("121 keys")])
        const { databases } = await json<StatsResult>("stats", "--schema", "cluster.ts", "--url", url)
        expect(databases.map(({ db, keys }) => [db, keys])).toEqual([[0, 121]])
        const bare = await json<StatsResult>("stats", url)
        expect([bare.keys, bare.databases[0]?.unknown]).toEqual([121, []])
      }
    })
  })

  describe("a server with a replica", () => {
    let primary: RealRedis
    let replica: RealRedis
    let driver: Driver
    beforeAll(async () => {
      primary = await startRedis()
      driver = openResp(primary.url)
      await driver.batch(users)
      const queue = await driver.database(3)
      await queue.batch([1, 2, 3, 4].map((n) => ["LPUSH", `queue:${n}`, "job"]))
      replica = await startRedis({ args: ["--replicaof", "127.0.0.1", String(primary.port)] })
      const reader = openResp(replica.url)
      while ((await reader.send(["DBSIZE"])) !== 121) await new Promise((resolve) => setTimeout(resolve, 20))
      await reader.close()
    }, 60_000)
    afterAll(async () => {
      await driver?.close()
      await primary?.stop()
      await replica?.stop()
    })

    it("is inferred from the replica, with all its databases", async () => {
      const found = await json<Inference>("infer", replica.url)
      expect(found.server).toMatchObject({ role: "replica" })
      expect(found.keys).toBe(125)
      expect(found.form).toEqual((await json<Inference>("infer", primary.url)).form)
      expect(found.form.entries).toMatchObject({ db0: { group: "database", db: 0 }, db3: { group: "database", db: 3 } })
    })

    it("is audited and counted by the proposal, database by database", async () => {
      await run("infer", replica.url, "--out", "all.ts")
      const audited = await run("audit", "--schema", "all.ts", "--url", replica.url)
      expect([audited.code, audited.stdout]).toEqual([0, expect.stringContaining("125 keys")])
      const { databases } = await json<StatsResult>("stats", "--schema", "all.ts", "--url", replica.url)
      expect(databases.map(({ db, keys }) => [db, keys])).toEqual([
        [0, 121],
        [3, 4],
      ])
    })

    it("is inferred in the databases that are named", async () => {
      const found = await json<Inference>("infer", replica.url, "--db", "3")
      expect(found.patterns.map(({ db, pattern }) => [db, pattern])).toEqual([[3, "queue:{queue}"]])
      const both = await json<Inference>("infer", replica.url, "--db", "0", "--db", "3")
      expect(both.keys).toBe(125)
    })
  })
})
