import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { runProgram } from "../../../test/child-program.ts"
import { RespClient } from "../../../test/resp-client.ts"
import { crash, useCrashingModule } from "./crashing-module.cases.ts"
import { type Engine, type EngineError, start } from "./index.ts"

useCrashingModule()

let directory: string
let engine: Engine | undefined

async function open(options: Parameters<typeof start>[0] = {}): Promise<RespClient> {
  engine = await start({ directory, ...options })
  return new RespClient(engine.connect())
}

async function reopen(): Promise<RespClient> {
  await engine?.stop()
  return open()
}

const snapshot = () => path.join(directory, "dump.rdb")

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "keywright-embedded-"))
})
afterEach(async () => {
  await engine?.stop().catch(() => {})
  engine = undefined
  rmSync(directory, { recursive: true, force: true })
})

describe("a directory", () => {
  it("keeps every type, deadlines and functions over a stop and a start", async () => {
    const client = await open()
    await client.pipeline([
      ["SET", "string", Buffer.from([0, 255, 13, 10])],
      ["SET", "mortal", "1", "PXAT", "33333333333333"],
      ["HSET", "hash", "f", "v"],
      ["RPUSH", "list", "a", "b"],
      ["SADD", "set", "m"],
      ["ZADD", "zset", "1.5", "m"],
      ["XADD", "stream", "1-1", "f", "v"],
      ["FUNCTION", "LOAD", "#!lua name=lib\nredis.register_function('f', function() return 'called' end)"],
    ])
    const again = await reopen()
    expect(await again.send("DBSIZE")).toBe(7)
    expect(await again.send("GET", "string")).toBe("\0\u00ff\r\n")
    expect(await again.send("PEXPIRETIME", "mortal")).toBe(33_333_333_333_333)
    expect(await again.send("LRANGE", "list", "0", "-1")).toEqual(["a", "b"])
    expect(await again.send("XRANGE", "stream", "-", "+")).toEqual([["1-1", ["f", "v"]]])
    expect(await again.send("FCALL", "f", "0")).toBe("called")
  })

  it("holds nothing but the snapshot afterwards", async () => {
    await (await open()).send("SET", "a", "1")
    await engine?.stop()
    expect(readdirSync(directory)).toEqual(["dump.rdb"])
  })

  it("is made when it does not exist", async () => {
    directory = path.join(directory, "some", "where")
    await (await open()).send("SET", "a", "1")
    expect(await (await reopen()).send("GET", "a")).toBe("1")
  })

  it("is saved to on the interval, when something has changed", async () => {
    const client = await open({ saveEveryMs: 20 })
    await client.send("SET", "a", "1")
    await expect.poll(() => readdirSync(directory)).toContain("dump.rdb")
    const saved = readFileSync(snapshot())
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(readFileSync(snapshot()).equals(saved)).toBe(true)
  })

  it("is saved to when the client says SAVE, and by save()", async () => {
    const client = await open()
    await client.send("SET", "a", "1")
    expect(await client.send("SAVE")).toBe("OK")
    const first = readFileSync(snapshot())
    await client.send("SET", "a", "2")
    await engine?.save()
    expect(readFileSync(snapshot()).equals(first)).toBe(false)
  })

  it("is loaded by the engine that replaces a crashed one", async () => {
    const client = await open({ onReplaced: () => {} })
    await client.send("SET", "a", "1")
    await engine?.save()
    client.send(...crash).catch(() => {})
    await client.closed
    expect(await new RespClient((engine as Engine).connect()).send("GET", "a")).toBe("1")
  })

  it("is saved to when the program just ends", async () => {
    const program = runProgram(
      `import { start } from "@keywright/embedded"
       const engine = await start({ directory: process.argv[1] })
       const channel = engine.connect()
       channel.onData = () => process.exit()
       channel.write(Buffer.from("SET a 1\\r\\n"))`,
      [directory],
    )
    expect(await program.ended).toBe(0)
    expect(readdirSync(directory)).toEqual(["dump.rdb"])
    expect(await (await open()).send("GET", "a")).toBe("1")
  })

  it("takes no keys that were deleted since", async () => {
    const client = await open()
    await client.send("SET", "a", "1")
    await engine?.save()
    await client.send("DEL", "a")
    expect(await (await reopen()).send("DBSIZE")).toBe(0)
  })
})

describe("a directory that is in use", () => {
  it("is refused to a second engine of the same process", async () => {
    await open()
    await expect(start({ directory })).rejects.toMatchObject({
      code: "ENGINE.DIRECTORY_IN_USE",
      message: expect.stringContaining(`process ${process.pid} `),
    })
  })

  it("is refused to another process, and free again after stop()", async () => {
    await open()
    const source = `import { start } from "@keywright/embedded"
      await start({ directory: process.argv[1] }).then((engine) => engine.stop(), (error) => console.log(error.code))`
    const refused = runProgram(source, [directory])
    await refused.ended
    expect(refused.lines).toEqual(["ENGINE.DIRECTORY_IN_USE"])
    await engine?.stop()
    const taken = runProgram(source, [directory])
    await taken.ended
    expect(taken.lines).toEqual([])
  })

  it("is taken over by exactly one, when its owner was killed", async () => {
    const hold = `import { start } from "@keywright/embedded"
      const engine = await start({ directory: process.argv[1], port: 0 }).catch((error) => console.log(error.code))
      if (engine) console.log("mine")`
    const owner = runProgram(hold, [directory])
    await owner.printed("mine")
    owner.process.kill("SIGKILL")
    await owner.ended
    const rivals = Array.from({ length: 4 }, () => runProgram(hold, [directory]))
    await expect.poll(() => rivals.flatMap(({ lines }) => lines).length, { timeout: 20_000 }).toBe(4)
    for (const rival of rivals) rival.process.kill("SIGKILL")
    const said = rivals.flatMap(({ lines }) => lines).toSorted()
    expect(said).toEqual([...Array.from({ length: 3 }, () => "ENGINE.DIRECTORY_IN_USE"), "mine"])
  })
})

describe("what goes wrong", () => {
  it.each([
    ["damaged", () => writeFileSync(snapshot(), "not a snapshot at all")],
    ["cut short", () => truncateSync(snapshot(), 100)],
  ])("a snapshot that is %s is refused and left as it is", async (_, spoil) => {
    const client = await open()
    await client.pipeline(Array.from({ length: 100 }, (_, index) => ["SET", `k${index}`, "v".repeat(50)]))
    await engine?.stop()
    spoil()
    const before = readFileSync(snapshot())
    await expect(start({ directory })).rejects.toMatchObject({ code: "ENGINE.SNAPSHOT_UNREADABLE" })
    expect(readFileSync(snapshot()).equals(before)).toBe(true)
    expect(readdirSync(directory)).toEqual(["dump.rdb"])
  })

  it("a save that fails says why, and the engine keeps running", async () => {
    const unsaved: EngineError[] = []
    const client = await open({ saveEveryMs: 50, onUnsaved: (reason) => unsaved.push(reason) })
    rmSync(directory, { recursive: true })
    await client.send("SET", "a", "1")
    await expect(engine?.save()).rejects.toMatchObject({ code: "ENGINE.SAVE_FAILED" })
    await expect.poll(() => unsaved[0]?.code).toBe("ENGINE.SAVE_FAILED")
    expect(unsaved[0]?.log.join("\n")).toContain("ENOENT")
    expect(await client.send("GET", "a")).toBe("1")
    await expect(engine?.stop()).rejects.toMatchObject({ code: "ENGINE.SAVE_FAILED" })
  })

  it("a path that is not a directory is refused", async () => {
    const file = path.join(directory, "file")
    writeFileSync(file, "")
    await expect(start({ directory: file })).rejects.toMatchObject({ code: "ENGINE.BAD_OPTION" })
  })
})
