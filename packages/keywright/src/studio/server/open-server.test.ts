import { get, type Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { MOST_CONNECTIONS, openServer } from "./open-server.ts"

let server: Server
let port: number
const sockets: Socket[] = []
beforeEach(async () => {
  server = openServer()
  server.on("request", ({ url }, outgoing) => {
    if (url === "/events") outgoing.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n")
    else if (url !== "/late") outgoing.end("{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
})

/** Clients that stay, when their requests have come. */
const ask = async (path: string, count: number): Promise<Socket[]> => {
  let asked = 0
  const all = new Promise<void>((resolve) => server.on("request", () => ++asked === count && resolve()))
  const clients = Array.from({ length: count }, () => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`))
    return socket.on("error", () => undefined).resume()
  })
  sockets.push(...clients)
  await all
  return clients
}

describe("connections that stay", () => {
  it.each([
    ["with an answer", "/"],
    ["and wait for one", "/late"],
  ])("%s do not keep others out, and no stream of events is cut off for them", async (_, path) => {
    const [events] = await ask("/events", 1)
    await ask(path, MOST_CONNECTIONS - 1)
    const status = await new Promise((resolve, reject) =>
      get({ port, agent: false }, ({ statusCode }) => resolve(statusCode)).on("error", reject),
    )
    expect([status, events?.destroyed]).toEqual([200, false])
  })
})
