/* Six nodes, as an application and its operators meet them: the README's program, the command line and the studio at
 * any node's address, unchanged; and the same while a node is killed. */

import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import * as keywright from "keywright"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { freshBundle, runCli } from "../packages/keywright/src/cli/run-cli.cases.ts"
import { startStudio } from "../packages/keywright/src/studio/server/start-studio.ts"
import { enter } from "../packages/keywright/src/studio/server/studio-client.cases.ts"
import { rolesOf, untilCalm } from "./cluster-control.ts"
import { needs } from "./needs.ts"
import type { RealRedis } from "./real-redis.ts"
import { type RealCluster, startCluster } from "./redis-cluster.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
const program = /```ts\n\/\/ shop\.ts\nimport \{([^}]*)\} from "keywright"\n([\s\S]*?)```/.exec(readme)
const { connect, int, keyspace, map, text, unixSeconds, zset } = keywright

const shop = keyspace(
  {
    cart: map("cart:{token}", text, int, { ttl: "30d" }),
    viewed: zset("viewed:{token}", text, { score: unixSeconds, keep: 25, ttl: "30d" }),
  },
  { name: "shop" },
)
const CARTS = 60

describe.runIf(needs("redis-server"))("six nodes", () => {
  let cluster: RealCluster

  beforeAll(async () => {
    await freshBundle()
    cluster = await startCluster("--cluster-node-timeout 1500 --appendonly yes --repl-diskless-sync-delay 0".split(" "))
    await untilCalm(cluster)
  }, 120_000)
  afterAll(() => cluster?.stop())

  test("the README's program runs at the address of each of them", async () => {
    const body = program![2]!.replace("connect(shop)", "connect(shop, url)")
    const text = `const {${program![1]}} = keywright; return (async () => {${body}})()`
    const printed: unknown[] = []
    const run = new Function("keywright", "url", "console", text)
    for (const { url } of cluster.nodes) await run(keywright, url, { log: (value: unknown) => printed.push(value) })
    expect(printed).toEqual([2, 2, 2, 2, 2, 2])
  })

  test("stats and audit count the same at a primary and at a replica, also after a node was killed under the load", async () => {
    const db = await connect(shop, cluster.nodes[0]!.url, { timeoutMs: 60_000 })
    await Promise.all(Array.from({ length: CARTS }, (_, i) => db.cart({ token: `T${i}` }).set("item1", i)))
    const all = { keys: CARTS + 1 }
    const seen = async (command: string, url: string) => {
      const { stdout, stderr, code } = await runCli([command, url, "--match", "cart:*", "--json"], { cwd: tmpdir() })
      expect(code, stderr).toBe(0)
      return JSON.parse(stdout) as object
    }
    const { primaries } = await rolesOf(cluster)
    const [first, victim] = primaries as [RealRedis, RealRedis]
    const replica = cluster.nodes.find((node) => !primaries.includes(node))!
    expect(await seen("stats", first.url)).toMatchObject(all)
    expect(await seen("audit", replica.url)).toMatchObject(all)

    const stop = new AbortController()
    const writers = Array.from({ length: 8 }, async (_, caller) => {
      for (let i = caller; !stop.signal.aborted; i += 8) {
        const cart = db.cart({ token: `T${i % CARTS}` })
        await cart.increment("item1", 1, { operationId: randomUUID() })
        await sleep(5)
      }
    })
    const written = Promise.all(writers)
    written.catch(() => undefined) // Looked at in the end.
    await victim.kill9()
    try {
      await expect
        .poll(async () => (await rolesOf(cluster)).primaries.filter((node) => node !== victim).length, {
          timeout: 60_000,
        })
        .toBe(3)
      expect(await seen("stats", first.url)).toMatchObject(all)
      expect(await seen("audit", replica.url)).toMatchObject(all)
      stop.abort()
      // Not one of them failed.
      await written
    } finally {
      stop.abort()
      await victim.restart()
      await db.$close()
    }
  })

  test("the studio shows all keys, a single one, the settings of every node, and audits", async () => {
    await untilCalm(cluster)
    const { primaries } = await rolesOf(cluster)
    const address = cluster.nodes.find((node) => !primaries.includes(node))!.url
    const studio = await startStudio({ systems: [{ keyspace: shop as never, server: address }] })
    try {
      const page = await enter(studio)
      const of = { system: "shop" }
      const scanned = async () => (await page.call("GET /api/systems/:system/overview", of)).scan
      await expect.poll(scanned).toMatchObject({ state: "done" })
      const query = { pattern: "cart", limit: 500 }
      const { keys, total } = await page.call("GET /api/systems/:system/keys", { ...of, query })
      expect([keys.length, total]).toEqual([CARTS + 1, CARTS + 1])
      const { db, ref } = keys[0]!
      expect(await page.call("GET /api/systems/:system/key", { ...of, query: { db, ref } })).toMatchObject({
        type: "hash",
      })
      expect(await page.call("GET /api/systems/:system/doctor", of)).toMatchObject({
        server: { mode: "cluster", replicas: 3 },
      })
      await page.call("POST /api/systems/:system/audit", of)
      await expect
        .poll(async () => (await page.call("GET /api/systems/:system/audit", of)) as object)
        .toMatchObject({ state: "done" })
    } finally {
      await studio.close()
    }
  })
})
