/* A script that takes long: others are answered with BUSY and can end it, as on a server. */

import { afterEach, describe, expect, it } from "vitest"
import { RespClient } from "../../../test/resp-client.ts"
import { type Engine, start } from "./index.ts"

const endless = "while true do end"
let engine: Engine
afterEach(() => engine.stop())

async function begin(patienceMs = 20_000) {
  engine = await start({ port: 0, patienceMs, onReplaced: () => {} })
  const inside = new RespClient(engine.connect())
  await inside.send("CONFIG", "SET", "busy-reply-threshold", "50")
  const outside = await RespClient.connect(engine.port ?? 0)
  // The system has taken the connection, the engine perhaps not yet: while a script runs it takes none.
  await outside.send("PING")
  return { inside, outside }
}

/** The first reply that is BUSY: the script may not have begun yet, or not run for long enough. */
async function untilBusy(client: RespClient): Promise<unknown> {
  for (;;) {
    const reply = await client.send("GET", "a")
    if (reply !== null && reply !== "1") return reply
  }
}

describe.each(["inside", "outside"] as const)("a client %s the process", (where) => {
  it("gets BUSY, and ends a script by SCRIPT KILL", async () => {
    const clients = await begin()
    const { [where]: client } = clients
    const runner = where === "inside" ? clients.outside : clients.inside
    const script = runner.send("EVAL", endless, "0")
    expect(await untilBusy(client)).toMatchObject({ message: expect.stringMatching(/^BUSY .*SCRIPT KILL/) })
    expect(await client.send("SCRIPT", "KILL")).toBe("OK")
    expect(await script).toMatchObject({ message: expect.stringContaining("killed by user") })
    expect(await client.send("SET", "a", "1")).toBe("OK")
  })

  it("ends a function by FUNCTION KILL", async () => {
    const { [where]: client, inside } = await begin()
    const other = new RespClient(engine.connect())
    await inside.send("FUNCTION", "LOAD", `#!lua name=lib\nredis.register_function('f', function() ${endless} end)`)
    const running = other.send("FCALL", "f", "0")
    expect(await untilBusy(client)).toMatchObject({ message: expect.stringMatching(/^BUSY/) })
    expect(await client.send("FUNCTION", "KILL")).toBe("OK")
    expect(await running).toMatchObject({ message: expect.stringContaining("killed by user") })
  })
})

describe("a script that has written", () => {
  it("cannot be ended by anybody", async () => {
    const { inside, outside } = await begin(60_000)
    const runner = new RespClient(engine.connect())
    const script = "redis.call('set', 'a', '1') for i = 1, 8e7 do end return 'done'"
    // Again and again, until both have met it: on a fast machine one of them may come too late for the first.
    const met = new AbortController()
    const running = (async () => {
      const results: unknown[] = []
      while (!met.signal.aborted) results.push(await runner.send("EVAL", script, "0"))
      return new Set(results)
    })()
    const killing = async (client: RespClient): Promise<unknown> => {
      for (;;) {
        expect(await untilBusy(client)).toMatchObject({ message: expect.stringMatching(/^BUSY/) })
        const reply = await client.send("SCRIPT", "KILL")
        if (!(reply as Error).message.startsWith("NOTBUSY")) return reply
      }
    }
    const refused = { message: expect.stringMatching(/^UNKILLABLE/) as string }
    expect(await Promise.all([inside, outside].map(killing))).toMatchObject([refused, refused])
    met.abort()
    expect(await running).toEqual(new Set(["done"]))
  })
})

describe("patience", () => {
  it("is not renewed by those who get BUSY, nor by the line in the log", async () => {
    const reasons: string[] = []
    engine = await start({ patienceMs: 600, onReplaced: ({ code }) => reasons.push(code) })
    const [runner, asker] = [new RespClient(engine.connect()), new RespClient(engine.connect())]
    const began = Date.now()
    void runner.send("EVAL", endless, "0").catch(() => {})
    const asking = setInterval(() => void asker.send("PING").catch(() => {}), 20)
    expect(await runner.closed).toMatchObject({ code: "ENGINE.FROZEN" })
    clearInterval(asking)
    // The deadline is the subject: twice the patience would show it was renewed, however slow the machine.
    const pauses = await machinePauses()
    expect(Date.now() - began - pauses).toBeLessThan(2 * 600 + 2 * pauses + 500)
    expect(reasons).toEqual(["ENGINE.FROZEN"])
  })
})

/** How late a timer of 100 ms comes here and now. */
async function machinePauses(): Promise<number> {
  const began = Date.now()
  await new Promise((resolve) => setTimeout(resolve, 100))
  return Math.max(0, Date.now() - began - 100)
}
