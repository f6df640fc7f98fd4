/* The two common clients over the engine's port: what people do with Redis first. */

import { Redis } from "ioredis"
import { createClient } from "redis"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Engine, start } from "./index.ts"

let engine: Engine
beforeAll(async () => {
  engine = await start({ port: 0 })
})
beforeEach(() => engine.flush())
afterAll(() => engine.stop())

describe("node-redis", () => {
  const connect = async () => createClient({ url: engine.url ?? "" }).connect()

  it("reads and writes, also with RESP3", async () => {
    for (const RESP of [2, 3] as const) {
      const client = await createClient({ url: engine.url ?? "", RESP }).connect()
      await client.hSet("h", { a: "1", b: "2" })
      expect({ ...(await client.hGetAll("h")) }).toEqual({ a: "1", b: "2" })
      await client.close()
    }
  })

  it("runs transactions, and gives up when a watched key changed", async () => {
    const [client, other] = [await connect(), await connect()]
    expect(await client.multi().set("a", "1").incr("a").exec()).toEqual(["OK", 2])
    await client.watch("a")
    await other.set("a", "10")
    await expect(client.multi().incr("a").exec()).rejects.toThrow("One (or more) of the watched keys has been changed")
    await Promise.all([client.close(), other.close()])
  })

  it("runs scripts and functions", async () => {
    const client = await connect()
    const script = "return cjson.encode({ redis.call('incr', KEYS[1]), ARGV[1] })"
    expect(await client.eval(script, { keys: ["n"], arguments: ["x"] })).toBe('[1,"x"]')
    const sha = await client.scriptLoad(script)
    expect(await client.evalSha(sha, { keys: ["n"], arguments: ["y"] })).toBe('[2,"y"]')
    await client.close()
  })

  it("subscribes", async () => {
    const [client, listener] = [await connect(), await connect()]
    const heard = new Promise(
      (resolve) => void listener.subscribe("news", resolve).then(() => client.publish("news", "hi")),
    )
    expect(await heard).toBe("hi")
    await Promise.all([client.close(), listener.close()])
  })

  it("waits for a list to be filled", async () => {
    const [client, waiter] = [await connect(), await connect()]
    const popped = waiter.blPop("list", 10)
    await client.rPush("list", "x")
    expect({ ...(await popped) }).toEqual({ key: "list", element: "x" })
    await Promise.all([client.close(), waiter.close()])
  })

  it("walks all keys", async () => {
    const client = await connect()
    await Promise.all(Array.from({ length: 1000 }, (_, index) => client.set(`k${index}`, "1")))
    const found = new Set<string>()
    for await (const keys of client.scanIterator({ COUNT: 100 })) for (const key of keys) found.add(key)
    expect(found.size).toBe(1000)
    await client.close()
  })

  it("reads a stream with a group", async () => {
    const client = await connect()
    await client.xGroupCreate("s", "g", "0", { MKSTREAM: true })
    await client.xAdd("s", "1-1", { f: "v" })
    const read = await client.xReadGroup("g", "me", { key: "s", id: ">" })
    expect(JSON.stringify(read)).toContain('"1-1"')
    expect(await client.xAck("s", "g", "1-1")).toBe(1)
    await client.close()
  })
})

describe("ioredis", () => {
  const connect = () => new Redis(engine.url ?? "")

  it("runs transactions, and gives up when a watched key changed", async () => {
    const [client, other] = [connect(), connect()]
    expect(await client.multi().set("a", "1").incr("a").exec()).toEqual([
      [null, "OK"],
      [null, 2],
    ])
    await client.watch("a")
    await other.set("a", "10")
    expect(await client.multi().incr("a").exec()).toBeNull()
    await Promise.all([client.quit(), other.quit()])
  })

  it("runs scripts by digest, and by text after SCRIPT FLUSH", async () => {
    const client = connect()
    client.defineCommand("twice", { numberOfKeys: 1, lua: "return redis.call('incrby', KEYS[1], ARGV[1] * 2)" })
    const twice = (client as unknown as { twice(key: string, by: number): Promise<number> }).twice.bind(client)
    expect(await twice("n", 2)).toBe(4)
    await client.script("FLUSH")
    expect(await twice("n", 2)).toBe(8)
    await client.quit()
  })

  it("subscribes to expired keys, and the clock brings them", async () => {
    const [client, listener] = [connect(), connect()]
    await client.config("SET", "notify-keyspace-events", "Ex")
    await listener.subscribe("__keyevent@0__:expired")
    const heard = new Promise((resolve) => listener.on("message", (_, key) => resolve(key)))
    await client.set("session", "1", "EX", 1800)
    await engine.forward("31m")
    expect(await heard).toBe("session")
    await Promise.all([client.quit(), listener.quit()])
  })

  it("waits for a sorted set to be filled", async () => {
    const [client, waiter] = [connect(), connect()]
    const popped = waiter.bzpopmin("z", 10)
    await client.zadd("z", 1, "m")
    expect(await popped).toEqual(["z", "m", "1"])
    await Promise.all([client.quit(), waiter.quit()])
  })

  it("pipelines and walks all keys", async () => {
    const client = connect()
    const pipeline = client.pipeline()
    for (let index = 0; index < 1000; index++) pipeline.set(`k${index}`, "1")
    await pipeline.exec()
    const found = new Set<string>()
    for await (const keys of client.scanStream({ count: 100 })) for (const key of keys as string[]) found.add(key)
    expect(found.size).toBe(1000)
    await client.quit()
  })
})
