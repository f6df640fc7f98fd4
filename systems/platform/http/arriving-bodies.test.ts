/* Clients that send most of a large body and stop, all at the same time. */

import { once } from "node:events"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { connect, type AddressInfo, type Socket } from "node:net"
import { afterEach, beforeEach, expect, it } from "vitest"
import { MOST_ARRIVING } from "./arriving-bodies.ts"
import { bodyBytes } from "./body.ts"
import type { Problem } from "./problem.ts"

const SIZE = 1024 * 1024
const FIT = MOST_ARRIVING / SIZE
const TOO_MANY = 6

let server: Server
let latest: IncomingMessage
const sockets: Socket[] = []
beforeEach(async () => {
  server = createServer((incoming, outgoing) => {
    latest = incoming
    bodyBytes(incoming, SIZE, false)!.then(
      (bytes) => outgoing.end(`${bytes.length} bytes`),
      ({ status, code, headers }: Problem) => outgoing.writeHead(status, headers).end(code),
    )
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
})

const port = () => (server.address() as AddressInfo).port
const post = async (body: string) => {
  const headers = { "content-type": "application/json" }
  return (await fetch(`http://127.0.0.1:${port()}/`, { method: "POST", body, headers })).text()
}

function stopsBeforeTheEnd() {
  const socket = connect(port(), "127.0.0.1")
  sockets.push(socket)
  let heard = ""
  socket.on("data", (part) => (heard += part.toString()))
  socket.on("error", () => undefined)
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${SIZE}\r\n\r\n`)
  socket.write(Buffer.alloc(SIZE - 1, " "))
  return { ends: () => socket.write(" "), heard: () => heard }
}

it("bodies that stop before their end are kept up to a bound, and others still arrive", async () => {
  const all = Array.from({ length: FIT + TOO_MANY }, stopsBeforeTheEnd)
  const told = (what: string) => all.filter(({ heard }) => heard().includes(what))
  await expect.poll(() => told("busy").length, { timeout: 20_000 }).toBe(TOO_MANY)
  expect(await post("{}")).toBe("2 bytes")
  for (const { ends } of all.filter((one) => !told("busy").includes(one))) ends()
  await expect.poll(() => told(`${SIZE} bytes`).length, { timeout: 20_000 }).toBe(FIT)
  expect(await post(" ".repeat(SIZE))).toBe(`${SIZE} bytes`)
})

it("one that has arrived is not kept by its request, which may wait for long", async () => {
  await post("{}")
  expect(["data", "end", "error"].map((name) => latest.listenerCount(name))).toEqual([0, 0, 0])
})
