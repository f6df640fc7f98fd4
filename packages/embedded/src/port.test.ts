/* The port stays open while an engine is replaced: nobody is refused. */

import net from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { RespClient } from "../../../test/resp-client.ts"
import { crash, useCrashingModule } from "./crashing-module.cases.ts"
import { type Engine, type EngineError, start } from "./index.ts"

useCrashingModule()

let engine: Engine
afterEach(() => engine.stop())

/** Connects all the time, and counts how it went. */
function knocking(port: number) {
  const seen = { connected: 0, refused: 0 }
  const timer = setInterval(() => {
    const socket = net.connect(port, "127.0.0.1", () => {
      seen.connected++
      socket.destroy()
    })
    socket.on("error", (error) => {
      if ("code" in error && error.code === "ECONNREFUSED") seen.refused++
    })
  }, 2)
  return { seen, stop: () => clearInterval(timer) }
}

describe("while the engine is replaced, its port refuses nobody", () => {
  it.each([
    ["a script that does not end", "ENGINE.FROZEN", ["EVAL", "while true do end", "0"]],
    ["a crash", "ENGINE.CRASHED", crash],
    ["SHUTDOWN", "ENGINE.SHUTDOWN", ["SHUTDOWN", "NOSAVE"]],
  ])("after %s", async (_, code, command) => {
    const reasons: EngineError[] = []
    const patienceMs = code === "ENGINE.FROZEN" ? 1000 : 20_000
    engine = await start({ port: 0, patienceMs, onReplaced: (reason) => reasons.push(reason) })
    const port = engine.port ?? 0
    const { seen, stop } = knocking(port)
    for (let round = 0; round < 3; round++) {
      const client = await RespClient.connect(port)
      await client.send(...command).catch(() => {})
      await client.closed
      // Connects at once, and is served by the next one.
      const next = await RespClient.connect(port)
      expect(await next.send("PING")).toBe("PONG")
      next.close()
    }
    await expect.poll(() => seen.connected).toBeGreaterThan(10)
    stop()
    expect(reasons.map((reason) => reason.code)).toEqual([code, code, code])
    expect(seen.refused).toBe(0)
  })

  it("and after a command that never looks up another thread takes over", async () => {
    const reasons: EngineError[] = []
    engine = await start({ port: 0, patienceMs: 1000, onReplaced: (reason) => reasons.push(reason) })
    const client = await RespClient.connect(engine.port ?? 0)
    // One call of string.find that backtracks for longer than anybody waits: no look at the clock inside.
    const script = "return string.find(string.rep('a', 40), string.rep('a-', 40) .. 'b')"
    await client.send("EVAL", script, "0").catch(() => {})
    expect(await new RespClient(engine.connect()).send("PING")).toBe("PONG")
    expect(await (await RespClient.connect(engine.port ?? 0)).send("PING")).toBe("PONG")
    expect(reasons.map((reason) => reason.code)).toEqual(["ENGINE.FROZEN"])
  })
})
