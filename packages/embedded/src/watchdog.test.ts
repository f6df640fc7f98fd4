/* What ends an engine, and that a fresh one takes its place. */

import { afterEach, describe, expect, it } from "vitest"
import { RespClient } from "../../../test/resp-client.ts"
import { crash, useCrashingModule } from "./crashing-module.cases.ts"
import { type Engine, type EngineError, type StartOptions, start } from "./index.ts"

useCrashingModule()

const endless = "while true do end"
let engine: Engine
let reasons: EngineError[]

async function begin(options: StartOptions = {}): Promise<RespClient> {
  reasons = []
  // Longer than an engine that is busy elsewhere takes to boot.
  engine = await start({ patienceMs: 1000, onReplaced: (reason) => reasons.push(reason), ...options })
  return new RespClient(engine.connect())
}

const failure = (reply: Promise<unknown>) => reply.then(String, (error: unknown) => error)

afterEach(() => engine?.stop())

describe("the engine is replaced", () => {
  it("when a command crashes it", async () => {
    const client = await begin({ patienceMs: 20_000 })
    const reply = failure(client.send(...crash))
    expect(await client.closed).toMatchObject({ name: "EngineError", code: "ENGINE.CRASHED" })
    expect(await reply).toMatchObject({ code: "ENGINE.CRASHED", message: expect.stringContaining("unreachable") })
    expect(reasons.map(({ code }) => code)).toEqual(["ENGINE.CRASHED"])
    expect(await new RespClient(engine.connect()).send("PING")).toBe("PONG")
  })

  it("when a script does not end", async () => {
    const client = await begin()
    const bystander = new RespClient(engine.connect())
    await bystander.send("PING")
    const pending = failure(client.send("EVAL", endless, "0"))
    expect(await pending).toMatchObject({ code: "ENGINE.FROZEN", message: expect.stringContaining("1000 ms") })
    expect(await client.closed).toMatchObject({ code: "ENGINE.FROZEN" })
    expect(await bystander.closed).toMatchObject({ code: "ENGINE.FROZEN" })
    expect(await new RespClient(engine.connect()).send("PING")).toBe("PONG")
  })

  it("when a script that calls commands does not end", async () => {
    const client = await begin()
    void failure(client.send("EVAL", "while true do redis.call('incr', 'a') end", "0"))
    expect(await client.closed).toMatchObject({ code: "ENGINE.FROZEN" })
  })

  it("when a client shuts it down", async () => {
    const client = await begin()
    void failure(client.send("SHUTDOWN", "NOSAVE"))
    expect(await client.closed).toMatchObject({ code: "ENGINE.SHUTDOWN" })
    expect(await new RespClient(engine.connect()).send("PING")).toBe("PONG")
  })

  it("on the same port", async () => {
    const client = await begin({ port: 0 })
    const outside = await RespClient.connect(engine.port ?? 0)
    await outside.send("SET", "a", "1")
    void failure(client.send("EVAL", endless, "0"))
    await outside.closed
    const inside = new RespClient(engine.connect())
    await inside.send("SET", "b", "2")
    expect(await (await RespClient.connect(engine.port ?? 0)).send("KEYS", "*")).toEqual(["b"])
  })

  it("with the last snapshot, and with the clock where it was", async () => {
    const client = await begin()
    await client.send("SET", "saved", "1")
    await client.send("SAVE")
    await client.send("SET", "unsaved", "1")
    await engine.forward("1d")
    void failure(client.send("EVAL", endless, "0"))
    await client.closed
    const again = new RespClient(engine.connect())
    expect(await again.send("KEYS", "*")).toEqual(["saved"])
    const [seconds] = (await again.send("TIME")) as string[]
    expect(Math.abs(Number(seconds) - engine.now() / 1000)).toBeLessThan(5)
  })

  it("when a command cannot even be interrupted, and what is asked of the next one meanwhile is answered", async () => {
    const client = await begin()
    // One call of string.find that backtracks for longer than anybody waits: no look at the clock inside.
    const script = "return string.find(string.rep('a', 40), string.rep('a-', 40) .. 'b')"
    void failure(client.send("EVAL", script, "0"))
    expect(await client.closed).toMatchObject({ code: "ENGINE.FROZEN" })
    const next = new RespClient(engine.connect())
    expect(await Promise.all([next.send("PING"), engine.forward("1s")])).toEqual(["PONG", undefined])
  })

  it("as often as need be", async () => {
    await begin({ patienceMs: 20_000 })
    for (let round = 0; round < 5; round++) {
      const client = new RespClient(engine.connect())
      void failure(client.send(...crash))
      await client.closed
    }
    expect(reasons).toHaveLength(5)
  })

  it("and the calls that were pending say so", async () => {
    const client = await begin()
    void failure(client.send("EVAL", endless, "0"))
    await expect(engine.forward("1s")).rejects.toMatchObject({ code: "ENGINE.FROZEN" })
  })

  it("when it is stopped while frozen, without hanging", async () => {
    const client = await begin()
    void failure(client.send("EVAL", endless, "0"))
    await expect(engine.stop()).rejects.toMatchObject({ code: "ENGINE.FROZEN" })
    expect(reasons).toEqual([])
    engine = await start()
  })
})

describe("the engine survives", () => {
  it.each([
    ["a reply nested too deep", "local t = {} for i = 1, 100000 do t = {t} end return t"],
    ["a table that contains itself", "local t = {} t[1] = t return t"],
    ["endless recursion", "local function f() return 1 + f() end return f()"],
    ["a deep JSON document", "return cjson.decode(string.rep('[', 100000) .. string.rep(']', 100000))"],
    ["a deep expression", "return loadstring('return ' .. string.rep('(', 1e5) .. '1' .. string.rep(')', 1e5))()"],
    ["a pattern that recurses", "return string.find(string.rep('a', 3e5), string.rep('a?', 3e5))"],
    ["a script that is slow", "for i = 1, 1e5 do redis.call('incr', 'a') end return 'done'"],
  ])("%s", async (_, script) => {
    await begin({ patienceMs: 5000 })
    const channel = engine.connect()
    const answered = new Promise<string>((resolve, reject) => {
      let text = ""
      channel.onData = (bytes) => {
        text += Buffer.from(bytes).toString("latin1")
        if (text.endsWith("+PONG\r\n")) resolve(text)
      }
      channel.onClose = reject
    })
    channel.write(Buffer.from(`*3\r\n$4\r\nEVAL\r\n$${script.length}\r\n${script}\r\n$1\r\n0\r\nPING\r\n`))
    await answered
    expect(reasons).toEqual([])
  })

  it("a pipeline of slow commands that takes longer than it is patient", async () => {
    const patienceMs = 1500
    const client = await begin({ patienceMs })
    // Others are served in the middle of each, and the server reads all of them at once.
    await client.send("CONFIG", "SET", "busy-reply-threshold", "1")
    const slow = ["EVAL", "for i = 1, 2e6 do end return 1", "0"]
    const began = Date.now()
    await client.pipeline([slow, slow, slow])
    const length = Math.ceil((patienceMs * 1.5 * 3) / Math.max(1, Date.now() - began)) + 1
    expect(await client.pipeline(Array.from({ length }, () => slow))).toHaveLength(length)
    expect(reasons).toEqual([])
  })

  it("a busy main thread", async () => {
    const client = await begin()
    const until = Date.now() + 2000
    while (Date.now() < until);
    expect(await client.send("PING")).toBe("PONG")
    expect(reasons).toEqual([])
  })
})
