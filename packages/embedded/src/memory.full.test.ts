/* Beyond 2 GB, where pointers have their highest bit set, and at the limit. The full
 * run only: it needs 4 GB of memory. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { RespClient } from "../../../test/resp-client.ts"
import { type Engine, type EngineError, start } from "./index.ts"

const PIECE = 64 << 20

describe("more than 2 GB", () => {
  const replaced: EngineError[] = []
  let engine: Engine
  let client: RespClient

  beforeAll(async () => {
    engine = await start({ patienceMs: 60_000, onReplaced: (reason) => replaced.push(reason) })
    client = new RespClient(engine.connect())
  })
  afterAll(() => engine.stop())

  it("are kept, and values go in and out beyond them", async () => {
    for (let index = 0; index < 34; index++) await client.send("SETRANGE", `v${index}`, PIECE - 1, "x")
    const value = Buffer.alloc(1 << 20, "åß\0")
    expect(await client.send("SET", "large", value)).toBe("OK")
    expect(Buffer.from(String(await client.send("GET", "large")), "latin1").equals(value)).toBe(true)
    expect(await client.send("EVAL", "return redis.call('STRLEN', 'v33')", "0")).toBe(PIECE)
  })

  it("end with the error of a server, and the engine keeps running", async () => {
    let reply: unknown
    for (let index = 34; index < 70 && typeof reply !== "object"; index++) {
      reply = await client.send("SETRANGE", `v${index}`, PIECE - 1, "x")
    }
    expect(reply).toMatchObject({ message: expect.stringMatching(/^OOM command not allowed/) })
    expect(await client.send("SET", "a", Buffer.alloc(1 << 20))).toMatchObject({
      message: expect.stringMatching(/^OOM/),
    })
    await client.send("DEL", "v0", "v1", "v2")
    expect(await client.send("SETRANGE", "longest", (512 << 20) - 1, "x")).toBe(512 << 20)
    expect(await client.send("SET", "a", "1")).toMatchObject({ message: expect.stringMatching(/^OOM/) })
    expect(replaced).toEqual([])
  })

  it("that one script asks for end the engine with a reason, not the program", async () => {
    const script = "for i = 1, 20 do redis.call('SETRANGE', 'w' .. i, 2^29 - 1, 'x') end"
    await client.send("DEL", "longest")
    void client.send("EVAL", script, "0").catch(() => {})
    expect(await client.closed).toMatchObject({ code: "ENGINE.OUT_OF_MEMORY" })
    expect(await new RespClient(engine.connect()).send("PING")).toBe("PONG")
  })
})
