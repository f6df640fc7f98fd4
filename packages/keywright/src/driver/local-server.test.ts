/* "local:": a server for this program alone, which ends with it. */

import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { runProgram } from "../../../../test/child-program.ts"
import { needs } from "../../../../test/needs.ts"
import { RespClient } from "../../../../test/resp-client.ts"
import { findServerProgram, startLocalServer, type LocalServer } from "./local-server.ts"

const folders: string[] = []
const folder = () => {
  const made = mkdtempSync(path.join(tmpdir(), "keywright-path-"))
  folders.push(made)
  return made
}
afterEach(() => {
  for (const one of folders.splice(0)) rmSync(one, { recursive: true })
})

const socketOf = (server: { readonly url: string }) => server.url.replace("unix://", "")
const gone = async (pid: number) => {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe("the program that is started", () => {
  it("is valkey-server where there is one, otherwise redis-server, otherwise none", () => {
    const [one, other] = [folder(), folder()]
    const search = [one, other].join(path.delimiter)
    expect(findServerProgram(search)).toBeUndefined()
    writeFileSync(path.join(one, "redis-server"), "", { mode: 0o755 })
    expect(findServerProgram(search)).toBe(path.join(one, "redis-server"))
    writeFileSync(path.join(other, "valkey-server"), "", { mode: 0o644 })
    expect(findServerProgram(search)).toBe(path.join(one, "redis-server"))
    writeFileSync(path.join(one, "valkey-server"), "", { mode: 0o755 })
    expect(findServerProgram(search)).toBe(path.join(one, "valkey-server"))
  })

  it("says what it said when it does not start", async () => {
    const file = path.join(folder(), "redis-server")
    writeFileSync(file, "#!/bin/sh\necho no memory left >&2\nexit 1\n", { mode: 0o755 })
    const before = localFolders()
    await expect(startLocalServer(file)).rejects.toMatchObject({
      code: "DRIVER.LOCAL_SERVER",
      why: expect.stringContaining("no memory left"),
    })
    expect(localFolders()).toEqual(before)
  }, 20_000)
})

const localFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("keywright-local-"))

describe.runIf(needs("redis-server"))("a local server", () => {
  const begin = () => startLocalServer(findServerProgram() ?? "")
  const settings = async (server: LocalServer, ...names: string[]) => {
    const client = new RespClient(await server.connect())
    return Promise.all(names.map(async (name) => (await client.send("CONFIG", "GET", name)) as string[]))
  }

  it("has no port, and its socket is in a folder that is its owner's", async () => {
    const server = await begin()
    expect(await settings(server, "port", "save", "appendonly")).toEqual([
      ["port", "0"],
      ["save", ""],
      ["appendonly", "no"],
    ])
    expect(statSync(path.dirname(socketOf(server))).mode & 0o777).toBe(0o700)
    expect(statSync(socketOf(server)).mode & 0o077).toBe(0)
    await server.stop()
    expect(existsSync(path.dirname(socketOf(server)))).toBe(false)
  })

  it.each(["SIGKILL", "SIGTERM"] as const)(
    "ends when its program gets %s, and leaves nothing behind",
    async (signal) => {
      const program = runProgram(`
      import { connect, counter, keyspace } from "keywright"
      const db = await connect(keyspace({ hits: counter("hits") }), "local:")
      await db.hits().increment()
      const info = await db.$driver().send(["INFO", "server"])
      console.log(/process_id:(\\d+)/.exec(info)[1])
      console.log(db.$label)
      console.log("ready")
      setInterval(() => {}, 1000)
    `)
      await program.printed("ready")
      const [pid, label] = program.lines
      program.process.kill(signal)
      await program.ended
      await gone(Number(pid))
      const held = path.dirname(/unix:\/\/(\S+)/.exec(label ?? "")?.[1] ?? "")
      while (existsSync(held)) await new Promise((resolve) => setTimeout(resolve, 10))
    },
  )

  it("does not keep its program alive, and $close ends it", async () => {
    const program = runProgram(`
      import { connect, counter, keyspace } from "keywright"
      const db = await connect(keyspace({ hits: counter("hits") }), "local:")
      console.log(await db.hits().increment())
      await db.$close()
    `)
    expect([await program.ended, program.lines, program.errors()]).toEqual([0, ["1"], ""])
  })
})

describe("without a server on the path", () => {
  it("local: is the embedded engine", async () => {
    const program = runProgram(`
      process.env.PATH = ""
      const { connect, counter, keyspace } = await import("keywright")
      const db = await connect(keyspace({ hits: counter("hits") }), "local:")
      console.log(await db.hits().increment(), db.$label)
      await db.$close()
    `)
    expect([await program.ended, program.lines]).toEqual([0, ["1 memory:/0 (embedded engine)"]])
  })
})
