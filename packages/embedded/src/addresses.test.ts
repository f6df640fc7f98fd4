/* Connections have addresses, and what is said of the port is true. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { RespClient } from "../../../test/resp-client.ts"
import { type Engine, start } from "./index.ts"

let engine: Engine
let inside: RespClient
let outside: RespClient
const lines: string[] = []

beforeAll(async () => {
  engine = await start({ port: 0, log: (line) => lines.push(line) })
  inside = new RespClient(engine.connect())
  outside = await RespClient.connect(engine.port ?? 0)
})
afterAll(() => engine.stop())

const addressOf = async (client: RespClient) => /addr=(\S*)/.exec(String(await client.send("CLIENT", "INFO")))?.[1]

describe("an address", () => {
  it("is that of the socket, or one of its own inside the process", async () => {
    expect(await addressOf(outside)).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(await addressOf(inside)).toMatch(/^0\.0\.0\.0:\d+$/)
    expect(String(await outside.send("CLIENT", "INFO"))).toContain(` laddr=127.0.0.1:${engine.port} `)
    const all = [...String(await inside.send("CLIENT", "LIST")).matchAll(/ addr=(\S*)/g)].map(([, address]) => address)
    expect(new Set(all).size).toBe(all.length)
  })

  it("is what CLIENT KILL ADDR takes, and an empty one is nobody's", async () => {
    const victim = await RespClient.connect(engine.port ?? 0)
    expect(await inside.send("CLIENT", "KILL", "ADDR", "")).toBe(0)
    expect(await inside.send("CLIENT", "KILL", "ADDR", String(await addressOf(victim)))).toBe(1)
    await victim.closed
    expect([await inside.send("PING"), await outside.send("PING")]).toEqual(["PONG", "PONG"])
  })
})

describe("the port", () => {
  it("is what CONFIG and INFO say", async () => {
    expect(await inside.send("CONFIG", "GET", "port")).toEqual(["port", String(engine.port)])
    expect(await inside.send("INFO", "server")).toContain(`tcp_port:${engine.port}`)
  })

  it.each([
    ["port", "7777"],
    ["port", "0"],
    ["bind", "127.0.0.2"],
    ["bind", ""],
    ["bind", "* -::*"],
  ])("cannot be changed by CONFIG SET %s '%s', and stays open", async (name, value) => {
    const before = await inside.send("CONFIG", "GET", name)
    for (let round = 0; round < 3; round++) {
      expect(await inside.send("CONFIG", "SET", name, value)).toMatchObject({ message: expect.stringMatching(/^ERR/) })
      expect(await inside.send("CONFIG", "GET", name)).toEqual(before)
      expect(await (await RespClient.connect(engine.port ?? 0)).send("PING")).toBe("PONG")
    }
  })
})

describe("maxclients", () => {
  it("serves as many as it says, and refuses the next as a server does", async () => {
    const other = await start({ port: 0 })
    const first = await RespClient.connect(other.port ?? 0)
    await first.send("CONFIG", "SET", "maxclients", "5")
    const more = []
    for (let count = 2; count <= 5; count++) more.push(await RespClient.connect(other.port ?? 0))
    for (const client of more) expect(await client.send("PING")).toBe("PONG")
    const refused = await RespClient.connect(other.port ?? 0)
    expect(await refused.send("PING")).toMatchObject({ message: "ERR max number of clients reached" })
    more[0]?.close()
    await first.send("PING")
    await other.forward("1s")
    await other.stop()
  })
})

describe("the rest of what tools ask for", () => {
  it("LATENCY HISTOGRAM has the commands that ran", async () => {
    await inside.send("SET", "a", "1")
    expect(JSON.stringify(await inside.send("LATENCY", "HISTOGRAM", "set"))).toContain('"calls",1')
  })

  it("lines of the log carry the date", () => {
    const today = new Date().toString().split(" ")
    expect(lines.find((line) => line.includes("Ready to accept"))).toMatch(
      new RegExp(`^\\d+:M ${today[2]} ${today[1]} ${today[3]} \\d\\d:\\d\\d:\\d\\d\\.\\d{3} \\* `),
    )
  })
})
