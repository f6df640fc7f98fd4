/* Clients with settings of their own, or in a state of their own: limits of queues, time-outs, databases. What a
 * call reports is true all the same, and the client remains usable for the application. */

import { Redis } from "ioredis"
import { Redis as Redis5 } from "ioredis-5"
import { createClient, createClientPool } from "redis"
import { createClient as createClient5, createClientPool as createClientPool5 } from "redis-5"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { startProxy } from "../../../../../test/tcp-proxy.ts"
import { until } from "../../../../../test/until.ts"
import type { Driver } from "../driver.ts"
import { findDriver } from "../find-driver.ts"

vi.setConfig({ testTimeout: 60_000 })

let redis: RealRedis
/** Not by way of a client under test. */
let direct: Driver
const ends: (() => unknown)[] = []
beforeEach(async () => {
  redis = await startRedis()
  direct = findDriver(redis.url)
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
  await direct.close()
  await redis.stop()
})

const driverOf = (client: object, timeoutMs = 2000): Driver => {
  const driver = findDriver({ client, timeoutMs })
  ends.push(() => driver.close())
  return driver
}

const NODE_REDIS = { "node-redis 6": createClient, "node-redis 5": createClient5 as unknown as typeof createClient }

describe.each(Object.entries(NODE_REDIS))("%s", (_name, create) => {
  const opened = async (settings: Parameters<typeof createClient>[0]) => {
    const client = create({ ...settings, socket: { host: "127.0.0.1", port: redis.port } })
    client.on("error", () => undefined)
    await client.connect()
    ends.push(() => client.destroy())
    return client
  }

  test.each([6, 7, 8, 9])(
    "a transaction behind %d calls, which the queue has no room for, leaves nothing behind",
    async (count) => {
      const client = await opened({ commandsQueueMaxLength: 10 })
      const driver = driverOf(client)
      const others = Array.from({ length: count }, (_, i) => client.get(`x${i}`))
      const multi = driver.multi([
        ["SET", "a", "1"],
        ["SET", "b", "1"],
        ["SET", "c", "1"],
      ])
      await expect(multi).rejects.toMatchObject({ name: "NotApplied", code: "DRIVER.NOT_SENT" })
      await Promise.all(others)
      expect(await client.set("app", "1")).toBe("OK")
      expect(await driver.multi([["SET", "d", "1"]])).toEqual(["OK"])
      expect(await direct.send(["MGET", "a", "b", "c", "d", "app"])).toEqual([null, null, null, "1", "1"])
    },
  )

  test("a call on a new connection waits while a script runs for too long", async () => {
    const client = await opened({})
    await direct.send(["CONFIG", "SET", "busy-reply-threshold", "1"])
    const busy = direct.send(["EVAL", "while true do end", "0"])
    busy.catch(() => undefined)
    const other = findDriver(redis.url)
    ends.push(() => other.close())
    // Not safe: each of its tries has to be told apart from one whose outcome is unknown.
    const incremented = driverOf(client).send(["INCR", "n"], { timeoutMs: 20_000 })
    const inMulti = driverOf(client).multi([["INCR", "n"]], { timeoutMs: 20_000 })
    await vi.waitUntil(() => other.send(["SCRIPT", "KILL"]).catch(() => undefined), { timeout: 20_000 })
    expect([await incremented, await inMulti].flat().toSorted()).toEqual([1, 2])
  })

  test("a call on a new connection is told that it is not authenticated", async () => {
    const client = await opened({ RESP: 2 })
    await direct.send(["CONFIG", "SET", "requirepass", "secret"])
    client.destroy()
    client.connect().catch(() => undefined)
    const call = driverOf(client, 20_000).send(["INCR", "n"])
    await expect(call).rejects.toMatchObject({ name: "Refused", code: "SERVER.NOAUTH" })
  })

  test("a call on a connection that listens to channels is told that it cannot be made there", async () => {
    const client = await opened({ RESP: 2 })
    await client.subscribe("channel", () => undefined)
    const step = ["INCR", "n"]
    await expect(driverOf(client).send(step)).rejects.toMatchObject({ name: "Refused", code: "SERVER.ERR" })
  })

  test("commands keep their order, though the client is set to put each new one first", async () => {
    const driver = driverOf(await opened({ commandOptions: { asap: true } }))
    const steps = Array.from({ length: 5 }, (_, i) => ["RPUSH", "list", String(i)])
    expect(await driver.multi(steps)).toEqual([1, 2, 3, 4, 5])
    expect(await driver.batch(steps)).toEqual([6, 7, 8, 9, 10])
    expect(await direct.send(["LRANGE", "list", "0", "-1"])).toEqual([..."0123401234"])
  })
})

const POOLS = {
  "node-redis 6": createClientPool,
  "node-redis 5": createClientPool5 as unknown as typeof createClientPool,
}

describe.each(Object.entries(POOLS))("a pool of %s", (_name, create) => {
  const poolOf = (...settings: Parameters<typeof createClientPool>) => {
    const pool = create(...settings)
    pool.on("error", () => undefined)
    ends.push(() => pool.destroy())
    return pool
  }

  test.each(["by a setting", "in its address"])("is used for its own database, given %s", async (how) => {
    const pool = poolOf(how === "in its address" ? { url: `${redis.url}/3` } : { url: redis.url, database: 3 })
    await pool.connect()
    const driver = driverOf(pool)
    expect(driver.db).toBe(3)
    await driver.send(["SET", "k", "of 3"])
    await (await driver.database(0)).send(["SET", "k", "of 0"])
    const own = await driver.dedicated()
    expect(await own.send(["GET", "k"])).toBe("of 3")
    await own.close()
    expect(await direct.send(["GET", "k"])).toBe("of 0")
    expect(await (await direct.database(3)).send(["GET", "k"])).toBe("of 3")
  })

  test("is refused if its database was not known when it was passed in", async () => {
    const pool = poolOf({ url: redis.url, database: 3 })
    const driver = driverOf(pool)
    await pool.connect()
    for (const call of [driver.send(["SET", "k", "v"]), driver.multi([["SET", "k", "v"]]), driver.dedicated()]) {
      await expect(call).rejects.toMatchObject({ code: "DRIVER.CLIENT" })
    }
    expect(await (await direct.database(3)).send(["DBSIZE"])).toBe(0)
  })

  test("a call that is given up before a client is free was not sent, and is not sent later", async () => {
    const pool = poolOf({ url: redis.url }, { minimum: 1, maximum: 1 })
    await pool.connect()
    const driver = driverOf(pool, 200)
    let release = () => {}
    const others = pool.execute(() => new Promise<void>((resolve) => (release = resolve)))
    const step = ["INCR", "n"]
    const calls = [driver.send(step), driver.batch([step]), driver.multi([step]), driver.send(step, { safe: true })]
    for (const result of await Promise.allSettled(calls))
      expect(result).toMatchObject({ reason: { name: "NotApplied", code: "DRIVER.TIMEOUT" } })
    release()
    await others
    expect(await driver.send(step)).toBe(1)
    expect(await direct.send(["GET", "n"])).toBe("1")
  })
})

const IOREDIS = { "ioredis 6": Redis, "ioredis 5": Redis5 as unknown as typeof Redis }

describe.each(Object.entries(IOREDIS))("%s", (_name, Client) => {
  const opened = (settings: { readonly [name: string]: number | boolean | null }, port = redis.port) => {
    const client = new Client(port, "127.0.0.1", settings)
    client.on("error", () => undefined)
    ends.push(() => client.disconnect())
    return client
  }

  test("is used for the database that it has selected", async () => {
    const client = opened({})
    await client.select(5)
    const driver = driverOf(client)
    expect(driver.db).toBe(5)
    await driver.send(["SET", "k", "of 5"])
    const own = await driver.dedicated()
    expect(await own.send(["GET", "k"])).toBe("of 5")
    await own.close()
    expect(await (await driver.database(0)).send(["GET", "k"])).toBe(null)
  })

  test.each([{ blockingTimeout: 100 }, { commandTimeout: 100 }, { socketTimeout: 100 }])(
    "what a waiting call has taken is returned, whatever the client's time-outs are: %o",
    async (timeouts) => {
      const proxy = await startProxy(redis.port)
      ends.push(() => proxy.close())
      const own = await driverOf(opened(timeouts, proxy.port), 10_000).dedicated()
      ends.push(() => own.close())
      await own.send(["PING"])
      const taking = own.send(["BLPOP", "list", "1"])
      await until(async () => String(await direct.send(["INFO", "clients"])).includes("blocked_clients:1"))
      proxy.delayReplies(1500)
      await direct.send(["RPUSH", "list", "item"])
      expect(await taking).toEqual(["list", "item"])
    },
  )

  test("a transaction that is called while the client connects arrives as a whole", async () => {
    const proxy = await startProxy(redis.port)
    ends.push(() => proxy.close())
    proxy.delayReplies(100)
    const client = opened({}, proxy.port)
    const driver = driverOf(client, 10_000)
    const calls = [
      driver.multi([
        ["INCR", "n"],
        ["INCR", "m"],
      ]),
    ]
    await new Promise((resolve) => client.once("connect", resolve))
    for (let i = 1; i < 20; i++)
      calls.push(
        driver.multi([
          ["INCR", "n"],
          ["INCR", "m"],
        ]),
      )
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 20 }, (_, i) => [i + 1, i + 1]))
    expect(client.listenerCount("ready")).toBe(0)
  })

  test("what was given up while it was not connected is not kept in its queue", async () => {
    const proxy = await startProxy(redis.port)
    ends.push(() => proxy.close())
    const client = opened({ maxRetriesPerRequest: null }, proxy.port)
    const driver = driverOf(client, 10_000)
    await driver.send(["PING"])
    await proxy.refuse()
    proxy.reset()
    await until(() => client.status !== "ready")
    const given = { timeoutMs: 100 }
    for (const call of [driver.send(["INCR", "n"], given), driver.batch([["INCR", "n"]], given)])
      await expect(call).rejects.toMatchObject({ name: "NotApplied" })
    expect(client).toHaveProperty("offlineQueue.length", 0)
    const waiting = driver.send(["INCR", "n"])
    await proxy.admit()
    expect(await waiting).toBe(1)
  })

  test.each([true, false])("calls that were given up do not count for ever, resending them: %s", async (resends) => {
    const proxy = await startProxy(redis.port)
    ends.push(() => proxy.close())
    const client = opened({ autoResendUnfulfilledCommands: resends }, proxy.port)
    const driver = findDriver({ client, timeoutMs: 200, queueCalls: 3 })
    ends.push(() => driver.close())
    await driver.send(["PING"], { timeoutMs: 20_000 })
    const step = ["INCR", "n"]
    proxy.goSilent()
    for (const call of [driver.send(step), driver.batch([step]), driver.multi([step])])
      await expect(call).rejects.toMatchObject({ name: "OutcomeUnknown", code: "DRIVER.TIMEOUT" })
    expect(await direct.send(["EXISTS", "n"])).toBe(0)
    proxy.speakAgain()
    proxy.reset()
    await vi.waitUntil(() => driver.send(step).catch(() => undefined), { timeout: 20_000 })
  })

  test("what was not applied because of commandTimeout is not sent later", async () => {
    const proxy = await startProxy(redis.port)
    ends.push(() => proxy.close())
    const client = opened({ commandTimeout: 100 }, proxy.port)
    const driver = driverOf(client, 10_000)
    const answers = () =>
      driver.send(["PING"]).then(
        () => true,
        () => false,
      )
    // On a busy machine, the connection alone may take longer than commandTimeout.
    await until(answers)
    await proxy.refuse()
    proxy.reset()
    await until(() => client.status !== "ready")
    for (const call of [driver.send(["INCR", "n"]), driver.batch([["INCR", "n"]])])
      await expect(call).rejects.toMatchObject({ name: "NotApplied", code: "DRIVER.NOT_SENT" })
    await proxy.admit()
    await until(answers)
    expect(await direct.send(["GET", "n"])).toBe(null)
  })
})

const CLIENTS: Readonly<Record<string, () => Promise<object>>> = Object.fromEntries([
  ...Object.entries(NODE_REDIS).map(([name, create]) => [
    name,
    async () => {
      const client = create({ url: redis.url, socket: { reconnectStrategy: false } })
      client.on("error", () => undefined)
      await client.connect()
      ends.push(() => client.isOpen && client.destroy())
      return client
    },
  ]),
  ...Object.entries(IOREDIS).map(([name, Client]) => [
    name,
    async () => {
      const client = new Client(redis.url, { retryStrategy: () => null })
      client.on("error", () => undefined)
      await client.ping()
      ends.push(() => client.disconnect())
      return client
    },
  ]),
])

describe.each(Object.entries(CLIENTS))("the connections beside %s", (_name, open) => {
  const connections = async () =>
    String(await direct.send(["CLIENT", "LIST"]))
      .trim()
      .split("\n").length

  test("leave nothing behind when they are closed while they connect", async () => {
    const client = await open()
    const before = await connections()
    const one = driverOf(client)
    for (let i = 0; i < 20; i++) {
      const own = await one.dedicated()
      if (i % 2 === 0) await new Promise((resolve) => setImmediate(resolve))
      await own.close()
      await own.close()
      const driver = driverOf(client)
      await driver.database(3)
      await driver.close()
    }
    const after = driverOf(client)
    const own = await after.dedicated()
    await own.send(["PING"]) // It was dialled later than all of the others.
    await until(async () => (await connections()) === before + 1)
    await own.close()
    await until(async () => (await connections()) === before)
  })

  test("are not opened on a driver that is closed, or is just being closed", async () => {
    const client = await open()
    const before = await connections()
    const driver = driverOf(client)
    const onMessage = () => undefined
    const calls = () => [driver.dedicated(), driver.database(3), driver.subscribe({ channels: ["news"], onMessage })]
    const early = Promise.allSettled(calls())
    await driver.close()
    for (const outcome of [...(await early), ...(await Promise.allSettled(calls()))])
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "DRIVER.CLOSED" } })
    await until(async () => (await connections()) === before)
  })

  test("connect again, whatever the client itself does", async () => {
    const driver = driverOf(await open(), 10_000)
    const other = await driver.database(3)
    await other.send(["SET", "k", "v"])
    await direct.send(["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"])
    await until(() =>
      other.send(["GET", "k"]).then(
        (value) => value === "v",
        () => false,
      ),
    )
  })
})
