/* A client that does not read: the server keeps what is meant for it, and ends it by
 * its own limits. */

import net from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { RespClient } from "../../../test/resp-client.ts"
import { type Channel, type Engine, start } from "./index.ts"

const MESSAGE = Buffer.alloc(1 << 20, "x")
const MESSAGES = 150
let engine: Engine
afterEach(() => engine.stop())

async function begin(): Promise<RespClient> {
  engine = await start({ port: 0 })
  return new RespClient(engine.connect())
}

/** Subscribes, and reads no byte from then on. */
async function stalledSocket(): Promise<net.Socket> {
  const socket = net.connect(engine.port ?? 0, "127.0.0.1")
  socket.on("error", () => {})
  socket.write("CLIENT SETNAME stalled\r\nSUBSCRIBE news\r\n")
  await new Promise((resolve) => socket.once("data", resolve))
  socket.pause()
  return socket
}

async function stalledChannel(): Promise<Channel> {
  const channel = engine.connect()
  const subscribed = new Promise<void>((resolve) => (channel.onData = () => resolve()))
  channel.write(Buffer.from("CLIENT SETNAME stalled\r\nSUBSCRIBE news\r\n"))
  await subscribed
  channel.pause()
  return channel
}

/** What the server keeps for the stalled one; undefined once it has ended it. */
async function kept(client: RespClient): Promise<number | undefined> {
  const found = /name=stalled.* omem=(\d+)/.exec(String(await client.send("CLIENT", "LIST")))
  return found ? Number(found[1]) : undefined
}

describe.each([
  ["over the port", stalledSocket],
  ["inside the process", stalledChannel],
])("a subscriber that stops reading, %s", (_, stall) => {
  it("is ended when the server has kept 32 MB for it, and the process does not grow by the rest", async () => {
    const client = await begin()
    await stall()
    const before = process.memoryUsage.rss()
    const seen: (number | undefined)[] = []
    for (let count = 0; count < MESSAGES; count++) {
      await client.send("PUBLISH", "news", MESSAGE)
      expect(await client.send("PING")).toBe("PONG")
      seen.push(await kept(client))
    }
    expect(Math.max(...seen.map((bytes) => bytes ?? 0))).toBeGreaterThan(16 << 20)
    expect(seen.at(-1)).toBeUndefined()
    expect(process.memoryUsage.rss() - before).toBeLessThan((MESSAGES << 20) - (20 << 20))
  })
})

describe("CLIENT KILL", () => {
  it("closes the socket of a client that does not read", async () => {
    const client = await begin()
    const socket = await stalledSocket()
    for (let count = 0; count < 20; count++) await client.send("PUBLISH", "news", MESSAGE)
    const closed = new Promise((resolve) => socket.once("close", resolve))
    expect(await client.send("CLIENT", "KILL", "ID", String(await idOf(client)))).toBe(1)
    socket.resume()
    await closed
  })

  it("closes it even if it never reads again", async () => {
    const client = await begin()
    const socket = await stalledSocket()
    for (let count = 0; count < 20; count++) await client.send("PUBLISH", "news", MESSAGE)
    await client.send("CLIENT", "KILL", "ID", String(await idOf(client)))
    // Sending shows that the other end is gone, once it is.
    const failed = new Promise((resolve) => socket.once("error", resolve))
    const sending = setInterval(() => socket.write("PING\r\n"), 50)
    expect(await failed).toMatchObject({ code: expect.stringMatching(/EPIPE|ECONNRESET/) })
    clearInterval(sending)
  })
})

describe("a channel that was paused", () => {
  it("gets everything once it is resumed", async () => {
    const client = await begin()
    const channel = await stalledChannel()
    let bytes = 0
    const all = new Promise<void>((resolve) => {
      channel.onData = (part) => {
        bytes += part.length
        if (bytes > 10 * MESSAGE.length) resolve()
      }
    })
    for (let count = 0; count < 10; count++) await client.send("PUBLISH", "news", MESSAGE)
    expect(bytes).toBe(0)
    channel.resume()
    await all
  })
})

async function idOf(client: RespClient): Promise<number> {
  return Number(/id=(\d+) [^\n]*name=stalled/.exec(String(await client.send("CLIENT", "LIST")))?.[1])
}
