/* Families, caches and steps through injected clients, and in a cluster, where every
 * key of a script must share a slot. */

import { Cluster, Redis } from "ioredis"
import { arrayOf, connect, family, hash, int, keyspace, set, step, string, text } from "keywright"
import { createClient, createCluster } from "redis"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { startClusterNode } from "../../../../../test/redis-cluster.ts"
import { toolkitKeys } from "../../schema/toolkit-keys.ts"
import { keyFormat } from "../../schema/key-format.ts"
import type { Target } from "../target.ts"
import { quiet } from "../../../../../test/quiet-client.ts"

const schema = keyspace(
  {
    page: string("cache:{hash}", text, { ttl: "5m" }),
    channel: family(
      "Ch:{{channel}}",
      { ttl: "1h", marker: "info" },
      { info: hash("", { name: text }), members: set(":Sub", text) },
    ),
    hits: string("{{tag}}:hits", int),
    seen: string("{{tag}}:seen:{id}", text),
  },
  {
    steps: {
      hit: step({
        script: `-- KEYS[1] hits, then seen\n-- ARGV[1] how many seen, ARGV[2] how many ids, then ids
for i = 2, #KEYS do redis.call("SET", KEYS[i], ARGV[i + 1]) end
return redis.call("INCRBY", KEYS[1], #KEYS - 1)`,
        keys: ["hits", "seen[]"],
        args: { ids: arrayOf(text) },
        returns: int,
        once: true,
      }),
    },
  },
)

interface Opened {
  readonly target: Target
  close(): unknown
}

describe.runIf(needs("redis-server"))("families, caches and steps", () => {
  let server: RealRedis
  let cluster: RealRedis
  const targets: Readonly<Record<string, () => Promise<Opened>>> = {
    "node-redis": async () => {
      const client = await quiet(createClient({ url: server.url })).connect()
      return { target: { client }, close: () => client.destroy() }
    },
    ioredis: async () => {
      const client = quiet(new Redis(server.url))
      return { target: { client }, close: () => client.disconnect() }
    },
    "a cluster of node-redis": async () => {
      const client = quiet(createCluster({ rootNodes: [{ url: cluster.url }] }))
      await client.connect()
      return { target: { client }, close: () => client.destroy() }
    },
    "a cluster of ioredis": async () => {
      const client = quiet(new Cluster([{ host: "127.0.0.1", port: cluster.port }]))
      return { target: { client }, close: () => client.disconnect() }
    },
  }

  beforeAll(async () => {
    server = await startRedis()
    cluster = await startClusterNode()
  })
  afterAll(() => Promise.all([server?.stop(), cluster?.stop()]))

  describe.each(Object.keys(targets))("on %s", (name) => {
    const open = (target: Target) => connect(schema, target)
    let opened: Opened
    let db: Awaited<ReturnType<typeof open>>
    const keys = async () => {
      const [node] = await db.$driver().primaries()
      return ((await node!.send(["KEYS", "*"])) as string[]).sort()
    }
    beforeAll(async () => {
      opened = await targets[name]!()
      db = await open(opened.target)
      await db.$driver().send(["PING"], { timeoutMs: 10_000 })
    })
    beforeEach(async () => {
      for (const node of await db.$driver().primaries()) await node.send(["FLUSHALL"])
    })
    afterAll(async () => {
      await db.$close()
      await opened.close()
    })

    it("a family is loaded, read, touched, changed and dropped", async () => {
      const channel = db.channel({ channel: "1" })
      const load = async () => {
        for (const key of (await keys()).filter((key) => key.startsWith("keywright:"))) {
          const owners = toolkitKeys().filter(({ pattern, params }) => keyFormat(pattern, params).parse(key))
          expect(owners.length, key).toBeGreaterThan(0)
        }
        return { info: { name: "n" }, members: ["a"] }
      }
      expect(await channel.$load(load)).toEqual({ info: { name: "n" }, members: ["a"] })
      expect(await channel.members().add("b")).toBe(1)
      expect((await channel.$read())?.members.sort()).toEqual(["a", "b"])
      expect(await channel.$touch()).toBe(true)
      expect(await channel.$change(() => "changed")).toBe("changed")
      expect(await channel.$read()).toBeUndefined()
      await channel.$fill({ info: { name: "m" } })
      expect(await channel.$drop()).toBe(true)
      expect(await keys()).toEqual([])
    })

    it("a page is cached, given while it is stale, and invalidated", async () => {
      const page = db.page({ hash: "h" })
      expect(await page.cached(() => "one")).toBe("one")
      await page.expire("50s")
      expect(await page.cached(() => "two", { staleFor: "1m" })).toBe("one")
      await vi.waitUntil(async () => (await page.get()) === "two", { timeout: 30_000 })
      expect(await page.invalidate()).toBe(true)
      expect(await page.invalidateWhile(() => page.cached(() => "three"))).toBe("three")
      expect(await keys()).toEqual([])
    })

    it("a step is carried out once", async () => {
      const input = { tag: "t", seen: [{ id: "1" }, { id: "2" }], ids: ["x", "y"] }
      expect(await db.$steps.hit(input, { operationId: "o" })).toBe(2)
      expect(await db.$steps.hit(input, { operationId: "o" })).toBe(2)
      expect(await db.$steps.hit(input)).toBe(4)
      expect(await db.seen({ tag: "t", id: "2" }).get()).toBe("y")
    })
  })
})
