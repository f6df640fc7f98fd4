/* infer on what other people's software writes, run for real: job queues, sessions, rate
 * limiters, caches. Each has its own database. */

import { RedisStore } from "connect-redis"
import BeeQueue from "bee-queue"
import Bottleneck from "bottleneck"
import { Queue, Worker } from "bullmq"
import { Redis } from "ioredis"
import KeyvRedis from "@keyv/redis"
import Keyv from "keyv"
import { Queue as Resque } from "node-resque"
import { RateLimiterRedis } from "rate-limiter-flexible"
import { createClient } from "redis"
import { describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { audit } from "../audit/audit.ts"
import { infer } from "./infer.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"

interface Place {
  readonly host: string
  readonly port: number
  readonly db: number
  readonly url: string
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

/** What each of them does, and the patterns that must be among those found. */
const software: Readonly<
  Record<string, { readonly run: (place: Place) => Promise<void>; readonly finds: readonly string[] }>
> = {
  bullmq: {
    async run({ host, port, db }) {
      const connection = { host, port, db }
      for (const name of ["mails", "images", "reports"]) {
        const queue = new Queue(name, { connection })
        await queue.addBulk(numbers(40).map((n) => ({ name: "send", data: { to: `user${n}@example.com`, n } })))
        await queue.add("later", { n: 1 }, { delay: 3_600_000 })
        await queue.add("first", { n: 2 }, { priority: 5 })
        let done = 0
        const worker = new Worker(
          name,
          async (job) => {
            done++
            if ((job.data as { n: number }).n % 7 === 0) throw new Error("no")
            await job.log("done")
            return { ok: true }
          },
          { connection },
        )
        await expect.poll(() => done, { timeout: 20_000 }).toBeGreaterThan(30)
        await worker.close()
        await queue.close()
      }
    },
    finds: ["bull:{}:{} hash", "bull:{}:completed zset", "bull:{}:{}:logs list", "bull:{}:events stream"],
  },
  "bee-queue": {
    async run({ host, port, db }) {
      for (const name of ["addition", "thumbs"]) {
        const queue = new BeeQueue(name, { redis: { host, port, db }, isWorker: true, removeOnSuccess: false })
        await Promise.all(numbers(30).map((n) => queue.createJob({ x: n, y: 2 }).save()))
        let done = 0
        queue.process(5, async () => void done++)
        await expect.poll(() => done, { timeout: 20_000 }).toBe(30)
        await queue.close(2000)
      }
    },
    finds: ["bq:{}:jobs hash", "bq:{}:succeeded set"],
  },
  "node-resque": {
    async run({ host, port, db }) {
      const redis = new Redis({ host, port, db })
      const queue = new Resque(
        { connection: { redis, namespace: "resque" } as never },
        { add: { perform: async () => 1 } },
      )
      await queue.connect()
      for (const name of ["math", "mail", "low"]) for (const n of numbers(10)) await queue.enqueue(name, "add", [n, 2])
      for (const n of numbers(30)) await queue.enqueueAt(Date.now() + n * 60_000, "math", "add", [n])
      await queue.end()
      redis.disconnect()
    },
    finds: ["resque:delayed:{} list", "resque:queues set"],
  },
  "connect-redis": {
    async run({ url }) {
      const client = createClient({ url })
      await client.connect()
      const store = new RedisStore({ client, ttl: 86_400 })
      for (const n of numbers(60)) {
        const id = Buffer.from(`session number ${n * 7919} of the test`)
          .toString("base64url")
          .slice(0, 32)
        const session = {
          cookie: { originalMaxAge: 86_400_000, httpOnly: true, path: "/" },
          user: { id: n, roles: ["a"] },
          csrf: `x${n}`,
        }
        await store.set(id, session as never)
      }
      client.destroy()
    },
    finds: ["sess:{} string"],
  },
  "rate-limiter-flexible": {
    async run({ host, port, db }) {
      const client = new Redis({ host, port, db })
      for (const keyPrefix of ["login_fail_ip", "api"]) {
        const limiter = new RateLimiterRedis({ storeClient: client, keyPrefix, points: 50, duration: 600 })
        for (const n of numbers(40))
          await limiter.consume(keyPrefix === "api" ? `user-${n}` : `10.1.${n % 8}.${n}`, (n % 5) + 1)
      }
      client.disconnect()
    },
    finds: ["login_fail_ip:{} string", "api:{} string"],
  },
  keyv: {
    async run({ url }) {
      for (const namespace of ["pages", "profiles"]) {
        const cache = new Keyv({ store: new KeyvRedis(url), namespace })
        for (const n of numbers(40)) await cache.set(`item-${n}`, { n, title: `Title ${n}` }, 3_600_000)
        await cache.disconnect()
      }
    },
    finds: [],
  },
  bottleneck: {
    async run({ host, port, db }) {
      for (const id of ["github", "stripe"]) {
        const limiter = new Bottleneck({
          id,
          datastore: "ioredis",
          clearDatastore: false,
          clientOptions: { host, port, db },
          Redis,
          maxConcurrent: 2,
          reservoir: 100,
        } as never)
        await Promise.all(numbers(10).map((n) => limiter.schedule({ id: `job${n}` }, async () => n)))
        await limiter.disconnect(false)
      }
    },
    finds: [],
  },
}

describe.runIf(needs("redis-server"))("keyspaces of other software", { timeout: 90_000 }, () => {
  const server = redisForSuite()

  it.each(Object.keys(software).map((name, i) => [name, i + 1] as const))(
    "%s: at least 95 of 100 keys are explained",
    async (name, db) => {
      await software[name]!.run({ host: "127.0.0.1", port: server.redis.port, db, url: `${server.redis.url}/${db}` })
      const own = await server.driver.database(db)
      const found = await infer(own, { databases: [db] })
      const patterns = found.patterns.map(({ pattern, type }) => `${pattern.replace(/\{\w+\}/g, "{}")} ${type}`)
      expect(found.keys).toBeGreaterThan(5)
      expect(found.explained / found.keys).toBeGreaterThanOrEqual(0.95)
      for (const expected of software[name]!.finds) expect(patterns).toContain(expected)
      // Explained, not listed: keys are many, patterns are few.
      expect(patterns.length).toBeLessThanOrEqual(20)
      const { summary } = await audit(fromJson(found.form), own)
      expect(summary).toEqual({})
    },
  )
})
