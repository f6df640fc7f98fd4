/* Inputs are served in the order in which they came, whatever the connection. */

import { once } from "node:events"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../../../test/full.ts"
import { RespClient } from "../../../test/resp-client.ts"
import { type Engine, start } from "./index.ts"

const ROUNDS = isFull ? 1000 : 300
let engine: Engine
beforeAll(async () => {
  engine = await start({ port: 0 })
})
afterAll(() => engine.stop())

const open = (count: number) => Array.from({ length: count }, () => new RespClient(engine.connect()))

describe("commands of one tick on several connections", () => {
  it("see each other in the order in which they were written, on either side of the lower descriptor", async () => {
    const [one, other] = open(2) as [RespClient, RespClient]
    for (const [writer, reader] of [
      [one, other],
      [other, one],
    ] as const) {
      const seen: unknown[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const replies = await Promise.all([writer.send("SET", "k", round), reader.send("GET", "k")])
        seen.push(Number(replies[1]))
      }
      expect(seen).toEqual(Array.from({ length: ROUNDS }, (_, round) => round))
    }
  })

  it("see each other over TCP too, as far as the system tells their order", async () => {
    const [writer, reader] = [await RespClient.connect(engine.port!), await RespClient.connect(engine.port!)]
    let late = 0
    for (let round = 0; round < ROUNDS; round++) {
      const replies = await Promise.all([writer.send("SET", "k", round), reader.send("GET", "k")])
      if (Number(replies[1]) !== round) late++
    }
    writer.close()
    reader.close()
    // Where the engine answered before it looked for input again, it was every second one.
    expect(late).toBeLessThan(ROUNDS / 10)
  })

  it("alternate when they were written in turns", async () => {
    const clients = open(7)
    await clients[0]?.send("DEL", "turns")
    const expected = Array.from({ length: ROUNDS }, (_, turn) => String(turn))
    await Promise.all(expected.map((turn) => clients[(Number(turn) * 5) % 7]?.send("RPUSH", "turns", turn)))
    expect(await clients[0]?.send("LRANGE", "turns", "0", "-1")).toEqual(expected)
  })

  it("wait for a large one that came before", async () => {
    const [one, other] = open(2) as [RespClient, RespClient]
    const value = Buffer.alloc(300_000, "x")
    const replies = await Promise.all([one.send("SET", "large", value), other.send("STRLEN", "large")])
    expect(replies).toEqual(["OK", value.length])
  })

  it("count a connection that was opened in the same tick", async () => {
    const [old] = open(1) as [RespClient]
    await old.send("SET", "k", "before")
    const [fresh] = open(1) as [RespClient]
    const replies = await Promise.all([fresh.send("SET", "k", "after"), old.send("GET", "k")])
    expect(replies).toEqual(["OK", "after"])
  })

  it("find a connection gone that was closed before", async () => {
    const [listener, client] = open(2) as [RespClient, RespClient]
    await listener.send("SUBSCRIBE", "news")
    listener.close()
    expect(await client.send("PUBLISH", "news", "anybody?")).toBe(0)
  })
})

describe("over the port", () => {
  it("a command that was answered is seen by all that is sent later", async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => RespClient.connect(engine.port ?? 0)))
    for (let round = 0; round < ROUNDS / 5; round++) {
      await clients[round % 5]?.send("SET", "tcp", round)
      expect(await clients[(round + 1) % 5]?.send("GET", "tcp")).toBe(String(round))
    }
  })

  it("a reply and the invalidation that its command caused arrive together", async () => {
    const socket = connect({ port: engine.port ?? 0, host: "127.0.0.1" })
    const ask = async (command: string) => {
      socket.write(`${command}\r\n`)
      return String(((await once(socket, "data")) as [Buffer])[0])
    }
    await ask("HELLO 3")
    await ask("CLIENT TRACKING ON")
    const replies = new Set<string>()
    for (let round = 0; round < ROUNDS / 5; round++) {
      await ask("GET tracked")
      replies.add(await ask("SET tracked 1"))
    }
    expect([...replies]).toEqual(["+OK\r\n>2\r\n$10\r\ninvalidate\r\n*1\r\n$7\r\ntracked\r\n"])
    socket.destroy()
  })

  it("a client that says nothing more still gets its answer", async () => {
    const socket = connect({ port: engine.port ?? 0, host: "127.0.0.1", allowHalfOpen: true })
    socket.end("PING\r\n")
    const answer: Buffer[] = []
    for await (const bytes of socket) answer.push(bytes as Buffer)
    expect(Buffer.concat(answer).toString()).toBe("+PONG\r\n")
  })
})
