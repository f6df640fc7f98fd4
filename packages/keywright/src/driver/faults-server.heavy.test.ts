/* Real states of a server that is up but does not do what is asked: loading,
 * read-only, out of memory, busy; and values and queues at their limits. */

import net from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../../../test/full.ts"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import { KeywrightError } from "../errors/error.ts"
import { NotApplied, OutcomeUnknown, Refused } from "../errors/outcome.ts"
import type { Command, Driver } from "./driver.ts"
import { SUBJECTS, tally } from "./faults-subjects.cases.ts"
import { openResp } from "./resp/open-resp.ts"
import { scriptOf } from "./script.ts"

const write = scriptOf("write", "return redis.call('SET', KEYS[1], ARGV[1])")
const failure = (promise: Promise<unknown>): Promise<KeywrightError> =>
  promise.then(
    () => expect.unreachable("it did not fail"),
    (error: unknown) => (expect(error).toBeInstanceOf(KeywrightError), error as KeywrightError),
  )
const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

describe.runIf(needs("redis-server"))("states of the server", () => {
  let server: RealRedis
  let direct: Driver

  beforeAll(async () => {
    server = await startRedis()
    direct = openResp(server.url, { timeoutMs: 30_000 })
  })
  afterAll(async () => {
    await direct?.close()
    await server?.stop()
  })

  for (const [name, make] of Object.entries(SUBJECTS)) {
    test(`${name}: out of memory, writes are not applied and reads continue`, async () => {
      const { driver, close } = await make(server.port)
      await driver.send(["SET", "there", "v"])
      await direct.send(["CONFIG", "SET", "maxmemory", "1mb"])
      const error = await failure(driver.send(["SET", "more", "v"]))
      expect([error.code, error instanceof NotApplied]).toEqual(["SERVER.OOM", true])
      expect((await failure(driver.run(write, ["more"], ["v"]))).code).toBe("SERVER.OOM")
      const discarded = await failure(driver.multi([["SET", "more", "v"]]))
      expect([discarded.code, (discarded.cause as KeywrightError).code]).toEqual(["SERVER.EXECABORT", "SERVER.OOM"])
      expect(
        (
          await driver.batch([
            ["SET", "more", "v"],
            ["GET", "there"],
          ])
        )[1],
      ).toBe("v")
      await direct.send(["CONFIG", "SET", "maxmemory", "0"])
      expect(await driver.send(["EXISTS", "more"])).toBe(0)
      await close()
    })

    test(`${name}: on a replica, writes are not applied and reads continue`, async () => {
      const replica = await startRedis({ args: ["--replicaof", "127.0.0.1", String(server.port)] })
      const { driver, close } = await make(replica.port)
      const error = await failure(driver.send(["SET", "k", "v"]))
      expect([error.code, error instanceof NotApplied]).toEqual(["SERVER.READONLY", true])
      expect(await driver.send(["PING"])).toBe("PONG")
      expect((await driver.facts()).role).toBe("replica")
      await close()
      await replica.stop()
    })

    test(`${name}: while a script keeps the server busy, calls wait and are done once`, async () => {
      await direct.send(["CONFIG", "SET", "busy-reply-threshold", "50"])
      await direct.send(["CONFIG", "RESETSTAT"])
      const { driver, close } = await make(server.port)
      await driver.send(["DEL", "busy"])
      const own = openResp(server.url, { timeoutMs: 20_000 })
      const spin = own.send([
        "EVAL",
        "local t = redis.call('TIME')[1] + 1 while redis.call('TIME')[1] - t < 1 do end",
        "0",
      ])
      await new Promise((resolve) => setTimeout(resolve, 100))
      const calls = Array.from({ length: 20 }, () => driver.send(["INCR", "busy"], { timeoutMs: 15_000 }))
      expect((await tally(calls)).done).toBe(20)
      await spin
      expect(await direct.send(["INFO", "errorstats"])).toContain("errorstat_BUSY")
      expect(await direct.send(["GET", "busy"])).toBe("20")
      await own.close()
      await close()
    })
  }

  for (const [name, make] of Object.entries(SUBJECTS)) {
    test(`${name}: while the server loads, calls wait and are done once`, async () => {
      const loading = await startRedis()
      const filler = openResp(loading.url, { timeoutMs: 30_000 })
      const keys = isFull ? 20_000 : 3000
      await filler.batch(Array.from({ length: keys }, (_, i): Command => ["SET", `k${i}`, "v"]))
      const { driver, close } = await make(loading.port)
      await driver.send(["SET", "n", "0"])
      await filler.send(["SAVE"])
      // The delay for each key, while it answers with LOADING.
      const slow = ["--key-load-delay", "500", "--loading-process-events-interval-bytes", "1024"]
      const up = loading.restart({ args: slow })
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(await filler.send(["INFO", "persistence"], { safe: true })).toContain("loading:1")
      const options = { timeoutMs: 25_000 }
      const reads = Array.from({ length: 20 }, () => driver.send(["GET", "n"], { ...options, safe: true }))
      const writes = Array.from({ length: 20 }, () => driver.send(["INCR", "n"], options))
      expect([await tally(reads), await tally(writes)]).toMatchObject([{ done: 20 }, { done: 20 }])
      await up
      expect(await filler.send(["GET", "n"], { safe: true })).toBe("20")
      await filler.close()
      await close()
      await loading.stop()
    })
  }

  for (const [name, make] of Object.entries(SUBJECTS)) {
    test(`${name}: nothing hangs when the server is gone for good`, async () => {
      const gone = await startRedis()
      const { driver, close } = await make(gone.port)
      await driver.send(["PING"])
      await gone.stop()
      const options = { timeoutMs: 300 }
      const count = await tally([
        driver.send(["INCR", "n"], options),
        driver.batch([["INCR", "n"]], options),
        driver.multi([["INCR", "n"]], options),
        driver.run(write, ["n"], ["v"], options),
        driver.subscribe({ channels: ["c"], onMessage: () => undefined }),
        driver.facts(),
        driver.dedicated().then((own) => own.send(["BLPOP", "l", "0"], options).finally(() => own.close())),
        driver.database(2).then((other) => other.send(["INCR", "n"], options)),
      ])
      expect(count.done).toBe(0)
      expect(count.notApplied).toBeGreaterThan(0)
      await close()
    })
  }

  test("while the server loads, a call with a short deadline is not applied", async () => {
    const loading = await startRedis()
    const filler = openResp(loading.url, { timeoutMs: 30_000 })
    await filler.batch(Array.from({ length: 4000 }, (_, i): Command => ["SET", `k${i}`, "v"]))
    await filler.send(["SAVE"])
    await filler.close()
    const driver = openResp(loading.url)
    const slow = ["--key-load-delay", "500", "--loading-process-events-interval-bytes", "1024"]
    const up = loading.restart({ args: slow })
    const codes = new Set<string>()
    for (let i = 0; i < 500 && !codes.has("SERVER.LOADING"); i++) {
      const error = await driver.send(["INCR", "n"], { timeoutMs: 100 }).catch((caught: KeywrightError) => caught)
      if (error instanceof KeywrightError) codes.add(error.code)
      else await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect([...codes]).toContain("SERVER.LOADING")
    await up
    await driver.close()
    await loading.stop()
  })

  test("100 MB go there and back, as text and as bytes, and memory stays bounded", async () => {
    const driver = openResp(server.url, { timeoutMs: 30_000 })
    const text = "x".repeat(100 * 1024 * 1024)
    await driver.send(["SET", "large", text])
    const before = process.memoryUsage().rss
    let most = 0
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
    for (let i = 0; i < 4; i++) {
      const bytes = (await driver.send(["GET", "large"], { bytes: true })) as Buffer
      expect(bytes.length).toBe(text.length)
      expect(await driver.send(["SET", "large", bytes])).toBe("OK")
    }
    expect((await driver.send(["GET", "large"])) === text).toBe(true)
    clearInterval(watching)
    expect(megabytes(most - before)).toBeLessThan(800)
    await driver.send(["DEL", "large"])
    await driver.close()
  })

  test("others are served while 100 MB are on their way", async () => {
    const driver = openResp(server.url, { timeoutMs: 30_000 })
    const big = driver.send(["SET", "large", Buffer.alloc(100 * 1024 * 1024, 120)])
    const small = Array.from({ length: 1000 }, (_, i) => driver.send(["ECHO", String(i)]))
    expect(await Promise.all(small)).toEqual(Array.from({ length: 1000 }, (_, i) => String(i)))
    expect(await big).toBe("OK")
    await driver.send(["DEL", "large"])
    await driver.close()
  })

  test("the queue refuses more calls than it may hold, and more bytes", async () => {
    const nobody = await freeListener()
    const url = `redis://127.0.0.1:${nobody.port}`
    const few = openResp(url, { queueCalls: 100, timeoutMs: 300 })
    const calls = Array.from({ length: 150 }, () =>
      few.send(["INCR", "n"]).catch((error: KeywrightError) => error.code),
    )
    const codes = await Promise.all(calls)
    expect(codes.filter((code) => code === "DRIVER.QUEUE_FULL")).toHaveLength(50)
    expect(codes.filter((code) => code === "DRIVER.TIMEOUT")).toHaveLength(100)
    const little = openResp(url, { queueBytes: 1000, timeoutMs: 300 })
    const large = [0, 1, 2].map(() =>
      little.send(["SET", "k", "x".repeat(600)]).catch((error: KeywrightError) => error.code),
    )
    expect(await Promise.all(large)).toEqual(["DRIVER.TIMEOUT", "DRIVER.QUEUE_FULL", "DRIVER.QUEUE_FULL"])
    await Promise.all([few.close(), little.close()])
    nobody.close()
  })

  test("what is not RESP ends the connection and is never a reply", async () => {
    const nonsense = await freeListener("+OK\r\n$-1\r\nHTTP/1.1 400 Bad Request\r\n\r\n")
    const driver = openResp(`redis://127.0.0.1:${nonsense.port}`, { timeoutMs: 300, protocol: 2 })
    const error = await failure(driver.send(["GET", "k"]))
    expect(error instanceof NotApplied || error instanceof OutcomeUnknown).toBe(true)
    await driver.close()
    nonsense.close()
  })

  test("a wrong password is refused at once, and never shown", async () => {
    await direct.send(["ACL", "SETUSER", "app", "on", ">right", "~*", "&*", "+@all"])
    const good = openResp(`redis://app:right@127.0.0.1:${server.port}/3`)
    expect(await good.send(["ACL", "WHOAMI"])).toBe("app")
    expect(good.label).toBe(`redis://127.0.0.1:${server.port}/3 (own connection)`)
    for (const protocol of [2, 3] as const) {
      const bad = openResp(`redis://app:hunter2@127.0.0.1:${server.port}`, { protocol })
      const error = await failure(bad.send(["GET", "k"]))
      expect([error.code, error instanceof Refused]).toEqual(["SERVER.WRONGPASS", true])
      expect(`${bad.label} ${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain("hunter2")
      await bad.close()
    }
    await good.close()
  })

  test("a database that the server does not have is refused at once", async () => {
    const driver = openResp(`${server.url}/99`)
    expect(await failure(driver.send(["GET", "k"]))).toBeInstanceOf(Refused)
    await driver.close()
  })

  test("a user who may not is refused", async () => {
    await direct.send(["ACL", "SETUSER", "reader", "on", ">pw", "~*", "+@read", "+@connection"])
    const driver = openResp(`redis://reader:pw@127.0.0.1:${server.port}`)
    const error = await failure(driver.send(["SET", "k", "v"]))
    expect([error.code, error instanceof Refused]).toEqual(["SERVER.NOPERM", true])
    expect(await driver.send(["GET", "none"])).toBe(null)
    await driver.close()
  })
})

/** Accepts connections, says one thing or nothing, and answers nothing. */
function freeListener(says?: string): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<net.Socket>()
  const listener = net.createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy()).on("data", () => says !== undefined && socket.write(says))
  })
  return new Promise((resolve) => {
    listener.listen(0, "127.0.0.1", () => {
      const { port } = listener.address() as net.AddressInfo
      resolve({
        port,
        close: () => {
          listener.close()
          for (const socket of sockets) socket.destroy()
        },
      })
    })
  })
}
