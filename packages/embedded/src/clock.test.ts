import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { RespClient } from "../../../test/resp-client.ts"
import { durationMs } from "./duration.ts"
import { type Engine, start } from "./index.ts"

describe("forward", () => {
  let engine: Engine
  let client: RespClient
  beforeAll(async () => {
    engine = await start()
    client = new RespClient(engine.connect())
    await client.send("CONFIG", "SET", "notify-keyspace-events", "Ex")
  })
  beforeEach(() => engine.flush())
  afterAll(() => engine.stop())

  it("expires what is due and nothing else", async () => {
    await client.send("SET", "soon", "1", "EX", "600")
    await client.send("SET", "later", "1", "EX", "661")
    await client.send("SET", "never", "1")
    await engine.forward("11m")
    expect(await client.send("KEYS", "*")).toEqual(expect.arrayContaining(["later", "never"]))
    expect(await client.send("DBSIZE")).toBe(2)
  })

  it("moves the time that the server tells", async () => {
    const before = Number(((await client.send("TIME")) as string[])[0])
    const beforeHere = engine.now()
    await engine.forward("2h")
    const after = Number(((await client.send("TIME")) as string[])[0])
    expect(after - before).toBeGreaterThanOrEqual(7200)
    expect(engine.now() - beforeHere).toBeGreaterThanOrEqual(7_200_000)
    expect(Math.abs(engine.now() / 1000 - after)).toBeLessThan(5)
  })

  it("fires the event of each key, in the order of their deadlines, in every database", async () => {
    const listener = new RespClient(engine.connect())
    await listener.send("PSUBSCRIBE", "__keyevent@*__:expired")
    const heard: string[] = []
    listener.onPush = (reply) => heard.push((reply as string[]).slice(2).join(" "))
    for (let index = 0; index < 500; index++) {
      await client.send("SELECT", index % 2)
      await client.send("SET", `k${index}`, "1", "PX", 1_000_000 - index * 1000)
    }
    await client.send("SELECT", "0")
    await engine.forward("1000s")
    expect(heard).toEqual(
      Array.from({ length: 500 }, (_, index) => `__keyevent@${(499 - index) % 2}__:expired k${499 - index}`),
    )
    listener.close()
  })

  it("expires thousands of keys that are due at different times", async () => {
    const sets = Array.from({ length: 5000 }, (_, index) => ["SET", `k${index}`, "1", "PX", 60_000 + index])
    await client.pipeline([...sets, ["SET", "kept", "1", "EX", "3600"]])
    await engine.forward("2m")
    expect(await client.send("DBSIZE")).toBe(1)
  })

  it("expires keys whose names are not text", async () => {
    await client.send("SET", Buffer.from([0xff, 0x00, 0x0d, 0x0a]), "1", "EX", "1")
    await engine.forward("2s")
    expect(await client.send("DBSIZE")).toBe(0)
  })

  it("ends calls that block until then", async () => {
    const blocked = new RespClient(engine.connect())
    const popped = blocked.send("BLPOP", "list", "30")
    await engine.forward("31s")
    expect(await popped).toBeNull()
    blocked.close()
  })

  it("takes writes of the same tick into account", async () => {
    void client.send("SET", "a", "1", "EX", "5")
    await engine.forward(6000)
    expect(await client.send("EXISTS", "a")).toBe(0)
  })

  it("lets entries of a stream and later deadlines follow the moved clock", async () => {
    const id = String(await client.send("XADD", "s", "*", "f", "v"))
    await engine.forward("1d")
    const later = String(await client.send("XADD", "s", "*", "f", "v"))
    expect(Number(later.split("-")[0]) - Number(id.split("-")[0])).toBeGreaterThanOrEqual(86_400_000)
  })

  it("refuses to go back, and what is not a duration", async () => {
    await expect(engine.forward(-1)).rejects.toMatchObject({ code: "ENGINE.BAD_OPTION" })
    await expect(engine.forward("soon" as "1s")).rejects.toMatchObject({ code: "ENGINE.BAD_OPTION" })
  })
})

describe("a still clock", () => {
  it("stays at its start until it is moved", async () => {
    const engine = await start({ clock: { startAt: new Date("2020-02-29T12:00:00Z"), still: true } })
    const client = new RespClient(engine.connect())
    expect(await client.send("TIME")).toEqual(["1582977600", "0"])
    expect(await client.send("XADD", "s", "*", "f", "v")).toBe("1582977600000-0")
    await client.send("SET", "a", "1", "EX", "60")
    expect(await client.send("PTTL", "a")).toBe(60_000)
    await engine.forward("59s")
    expect(await client.send("PTTL", "a")).toBe(1000)
    await engine.forward("1s")
    expect(await client.send("EXISTS", "a")).toBe(0)
    expect(engine.now()).toBe(Date.parse("2020-02-29T12:01:00Z"))
    await engine.stop()
  })

  it("may start elsewhere and run", async () => {
    const engine = await start({ clock: { startAt: Date.parse("2031-01-01T00:00:00Z") } })
    const client = new RespClient(engine.connect())
    expect(new Date(engine.now()).getUTCFullYear()).toBe(2031)
    const [seconds] = (await client.send("TIME")) as string[]
    expect(new Date(Number(seconds) * 1000).getUTCFullYear()).toBe(2031)
    await engine.stop()
  })
})

describe("a duration", () => {
  it.each([
    [1500, 1500],
    ["500ms", 500],
    ["30s", 30_000],
    ["11m", 660_000],
    ["1.5h", 5_400_000],
    ["7d", 604_800_000],
    ["1w", 604_800_000],
  ] as const)("%s is %d ms", (duration, ms) => {
    expect(durationMs(duration)).toBe(ms)
  })
})
