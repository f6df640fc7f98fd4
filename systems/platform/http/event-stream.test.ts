import { createServer, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterEach, expect, it } from "vitest"
import { eventBytes, EventStream, turn } from "./event-stream.ts"

let server: Server | undefined
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await new Promise((resolve) => server?.close(resolve))
})

/** A stream, and the client that has asked for it. */
async function open(): Promise<{ stream: EventStream; outgoing: ServerResponse; client: Socket }> {
  const asked = new Promise<ServerResponse>((resolve) => {
    server = createServer((_, outgoing) => resolve(outgoing))
  })
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve))
  const client = connect((server!.address() as AddressInfo).port, "127.0.0.1")
  sockets.push(client)
  client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
  const outgoing = await asked
  return { stream: new EventStream({ env: { outgoing } } as never, 1000), outgoing, client }
}

const EVENT = eventBytes({ id: "1-1", event: "message", data: "x".repeat(1000) })

it("holds little for a reader that does not read, and cuts it off", async () => {
  const { stream, outgoing } = await open()
  let most = 0
  for (let isKeepingUp = true; isKeepingUp;) {
    while (stream.send(EVENT)) most = Math.max(most, outgoing.writableLength)
    await turn()
    isKeepingUp = stream.hasRoom
  }
  expect(Math.max(most, outgoing.writableLength)).toBeLessThan(20_000)
  expect(await stream.drained(10)).toBe(false)
  expect([stream.isCut, stream.isOpen]).toEqual([true, false])
  expect(stream.send(EVENT)).toBe(false)
})

it("gets everything to a reader that reads, however much is sent at once", async () => {
  const { stream, outgoing, client } = await open()
  let heard = ""
  client.on("data", (bytes) => (heard += bytes.toString()))
  for (let sent = 0; sent < 500; sent++) {
    if (stream.send(EVENT)) continue
    await turn()
    if (!stream.hasRoom) expect(await stream.drained(60_000)).toBe(true)
  }
  expect(outgoing.writableLength).toBeLessThan(20_000)
  await expect.poll(() => heard.match(/data: "x{1000}"/g)?.length).toBe(500)
  expect(stream.isCut).toBe(false)
})
