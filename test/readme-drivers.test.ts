/* The program on the README's first screen, against a real server with each driver. */

import { readFileSync } from "node:fs"
import { Redis } from "ioredis"
import { Redis as Redis5 } from "ioredis-5"
import * as keywright from "keywright"
import { createClient } from "redis"
import { createClient as createClient5 } from "redis-5"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { needs } from "./needs.ts"
import { startRedis, type RealRedis } from "./real-redis.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
const program = /```ts\n\/\/ shop\.ts\nimport \{([^}]*)\} from "keywright"\n([\s\S]*?)```/.exec(readme)

describe.runIf(needs("redis-server"))("the README's first program", () => {
  let redis: RealRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())

  const drivers: Record<string, () => Promise<{ target: keywright.Target; end: () => unknown }>> = {
    "our own connection": async () => ({ target: redis.url, end: () => undefined }),
    "node-redis 6": async () => {
      const client = await createClient({ url: redis.url }).connect()
      return { target: { client }, end: () => client.close() }
    },
    "node-redis 5": async () => {
      const client = await createClient5({ url: redis.url }).connect()
      return { target: { client }, end: () => client.close() }
    },
    "ioredis 6": async () => {
      const client = new Redis(redis.url)
      return { target: { client }, end: () => client.quit() }
    },
    "ioredis 5": async () => {
      const client = new Redis5(redis.url)
      return { target: { client }, end: () => client.quit() }
    },
  }

  test.each(Object.keys(drivers))("prints 2 with %s, which stays open", async (name) => {
    const { target, end } = await drivers[name]!()
    const printed: unknown[] = []
    const body = program![2]!.replace("connect(shop)", "connect(shop, target)")
    const run = new Function(
      "keywright",
      "target",
      "console",
      `const {${program![1]}} = keywright; return (async () => {${body}})()`,
    )
    await run(keywright, target, { log: (value: unknown) => printed.push(value) })
    expect(printed).toEqual([2])
    await end()
  })
})
