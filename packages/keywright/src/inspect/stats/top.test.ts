import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { startRedis } from "../../../../../test/real-redis.ts"
import { database, keyspace, map, string, text, type Keyspace } from "../../index.ts"
import type { Driver } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { loadEmbedded } from "../../driver/embedded.ts"
import { monitor } from "./monitor.ts"
import { top, type TopFrame } from "./top.ts"

const schema = keyspace(
  { cart: map("cart:{ref}", text, text), second: database(1, "second", { page: string("cache:{hash}", text) }) },
  { ttl: "never" },
) as Keyspace

const servers: [string, boolean, () => Promise<{ url: string; stop: () => Promise<void> }>][] = [
  ["redis-server", needs("redis-server"), () => startRedis()],
  [
    "the embedded engine",
    true,
    async () => {
      const engine = await (await loadEmbedded()).start({ port: 0 })
      return { url: engine.url as string, stop: () => engine.stop() }
    },
  ],
]

for (const [name, there, start] of servers) {
  describe.runIf(there)(`top on ${name}`, () => {
    let server: { url: string; stop: () => Promise<void> }
    let driver: Driver
    beforeAll(async () => {
      server = await start()
      driver = openResp(server.url)
    })
    afterAll(async () => {
      await driver.close()
      await server.stop()
    })

    it("says which patterns the commands touch, in which database, and never a key", async () => {
      const busy = new AbortController()
      const second = await driver.database(1)
      const work = (async () => {
        while (!busy.signal.aborted) {
          await driver.send(["HGET", "cart:CANARY", "x"])
          await second.send(["GET", "cache:CANARY"])
          await driver.send(["GET", "stranger:CANARY"])
        }
      })()
      const frames: TopFrame[] = []
      for await (const frame of top(schema, { driver, url: server.url }, { intervalMs: 300, sample: 0.5, frames: 2 }))
        frames.push(frame)
      busy.abort()
      await work
      const rows = new Set(
        frames.flatMap((frame) => frame.rows.map(({ command, pattern, what }) => `${command} ${pattern} ${what}`)),
      )
      expect(rows).toContain("hget cart:{ref} key")
      expect(rows).toContain("get cache:{hash} key")
      expect(rows).toContain("get null unknown key")
      expect(frames[0]?.sample.seen).toBeGreaterThan(0)
      expect(frames[1]?.perSecond).toBeGreaterThan(0)
      expect(JSON.stringify(frames)).not.toContain("CANARY")
    })

    it("ends when it is told to", async () => {
      const stop = new AbortController()
      const frames: TopFrame[] = []
      for await (const frame of top(schema, { driver, url: server.url }, { intervalMs: 50, signal: stop.signal })) {
        frames.push(frame)
        stop.abort()
      }
      expect(frames).toHaveLength(1)
    })

    it("stops listening after a number of lines, and says so", async () => {
      const busy = new AbortController()
      const work = (async () => {
        while (!busy.signal.aborted) await driver.batch(Array.from({ length: 50 }, () => ["GET", "cart:1x"]))
      })()
      const lines: string[] = []
      const result = await monitor(server.url, { forMs: 10_000, mostLines: 20 }, (line) => lines.push(line))
      busy.abort()
      await work
      expect(result).toMatchObject({ lines: 20, cut: "lines" })
      expect(lines).toHaveLength(20)
    })
  })
}
