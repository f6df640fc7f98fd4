/* The HTTP server, and how it ends: no new connections, requests under way are
 * answered, idle connections are closed; who takes too long is cut off. */

import { getRequestListener } from "@hono/node-server"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Listening {
  readonly port: number
  close(): Promise<void>
}

type Fetch = Parameters<typeof getRequestListener>[0]

const PATIENCE_MS = 10_000
/** So long requests are still taken: a connection without one looks idle, even if it is on its way. */
const GRACE_MS = 50
const REQUEST_MS = 30_000

export async function listen(fetch: Fetch, port: number, host: string): Promise<Listening> {
  const listener = getRequestListener(fetch, { errorHandler: refuse })
  let isClosing = false
  const server = createServer({ requestTimeout: REQUEST_MS }, (incoming, outgoing) => {
    if (isClosing) outgoing.setHeader("connection", "close")
    void listener(incoming, outgoing)
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      isClosing = true
      await new Promise((resolve) => setTimeout(resolve, GRACE_MS))
      await new Promise<void>((resolve) => {
        const idle = setInterval(() => server.closeIdleConnections(), 20)
        const patience = setTimeout(() => server.closeAllConnections(), PATIENCE_MS)
        server.close(() => {
          clearInterval(idle)
          clearTimeout(patience)
          resolve()
        })
      })
    },
  }
}

/** A target that no router sees, such as one with a backslash. */
const refuse = () =>
  new Response(JSON.stringify({ error: "invalid_url", message: "the URL or the Host header is not valid" }), {
    status: 400,
    headers: { "Content-Type": "application/json" },
  })
