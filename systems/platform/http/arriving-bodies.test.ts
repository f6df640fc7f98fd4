/* Clients that send most of a large body and stop, all at the same time. */

import { once } from "node:events"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { connect, type AddressInfo, type Socket } from "node:net"
import { afterEach, beforeEach, expect, it } from "vitest"
import { MOST_ARRIVING } from "./arriving-bodies.ts"
import { IncomingBody } from "./body.ts"
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
    new IncomingBody(incoming, SIZE).bytes().then(
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

it("one of single bytes takes no more memory than its size a few times over", async () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const used = () => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const socket = connect(port(), "127.0.0.1")
  sockets.push(socket)
  let heard = ""
  socket.on("data", (part) => (heard += part.toString()))
  const before = used()
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`)
  const bytes = SIZE / 2
  for (let sent = 0; sent < bytes; sent += 1024)
    if (!socket.write("1\r\nx\r\n".repeat(1024))) await once(socket, "drain")
  await new Promise<void>((written) => socket.write("", () => written()))
  await expect.poll(() => latest.socket.bytesRead, { timeout: 20_000 }).toBeGreaterThan(6 * bytes)
  expect(used() - before).toBeLessThan(8 * SIZE)
  socket.write("0\r\n\r\n")
  await expect.poll(() => heard, { timeout: 20_000 }).toContain(`${bytes} bytes`)
})
