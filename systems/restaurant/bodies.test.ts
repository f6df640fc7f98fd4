/* Bodies in chunks of a single byte, which take hundreds of times their size where they are kept as they came:
 * of requests that wait for Redis, which does not answer, and of a route that reads its body itself. */

import { connect, type Socket } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterEach, beforeEach, expect, it } from "vitest"
import { onRealServer } from "../platform/testing/servers.ts"
import { open, type Restaurant } from "./restaurant.cases.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void
const used = () => {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const CLIENTS = 60
const CHUNKS = 15_000
/** Kept as they came, they would take more than a hundred megabytes. */
const MOST = 16 * 1024 * 1024

onRealServer("chunks of a single byte", (server) => {
  let served: Restaurant
  const sockets: Socket[] = []
  beforeEach(async () => {
    served = await open(server(), "--patient")
  })
  afterEach(async () => {
    server().process!.resume()
    for (const socket of sockets.splice(0)) socket.destroy()
    await served.close()
  })

  const client = (request: string, token: string) => {
    const socket = connect(Number(new URL(served.url).port), "127.0.0.1")
    sockets.push(socket)
    let heard = ""
    socket.on("data", (part) => (heard += part.toString()))
    socket.on("error", () => undefined)
    const head = ["Host: a", `Authorization: Bearer ${token}`, "Content-Type: application/json"]
    socket.write([`${request} HTTP/1.1`, ...head, "Transfer-Encoding: chunked", "", ""].join("\r\n"))
    const says = (text: string) => socket.write(text.replaceAll(/[^]/g, "1\r\n$&\r\n"))
    return { says, ends: () => socket.write("0\r\n\r\n"), heard: () => heard }
  }
  /** Clients that send this many bytes, and do not come to an end. */
  const flood = async (request: string, token: string) => {
    const before = used()
    const all = Array.from({ length: CLIENTS }, () => client(request, token))
    for (const { says } of all) says(" ".repeat(CHUNKS))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(used() - before).toBeLessThan(MOST)
    return all
  }

  it.each(["POST /api/categories", "POST /payment/vnpay/order/1"])(
    "are not kept as they came while nobody knows who sends them: %s",
    async (request) => {
      const { token } = await served.person("ann")
      server().process!.pause()
      const all = await flood(request, token)
      expect(all.map(({ heard }) => heard())).toEqual(all.map(() => ""))
      server().process!.resume()
      for (const { heard } of all) await expect.poll(heard, { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 40[34] /)
    },
  )

  it("are the body of a caller who waited to be recognised", async () => {
    server().process!.pause()
    const one = client("POST /api/categories", served.boss)
    one.says('{"name":"Com"}')
    one.ends()
    await new Promise((resolve) => setTimeout(resolve, 100))
    server().process!.resume()
    await expect.poll(one.heard, { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 201 [^]*"name":"Com"/)
  })

  it("are not kept as they came by a route that reads its body itself", async () => {
    const all = await flood("POST /payment/vnpay/callback", "nobody")
    for (const { ends } of all) ends()
    for (const { heard } of all) await expect.poll(heard, { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 400 /)
  })
})
