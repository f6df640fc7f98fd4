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
  const server = createServer({ requestTimeout: REQUEST_MS, requireHostHeader: false }, (incoming, outgoing) => {
    if (isClosing) outgoing.setHeader("connection", "close")
    void listener(incoming, outgoing)
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable && error.code !== "ECONNRESET") socket.end(unread(error.code))
    else socket.destroy()
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
const refuse = () => new Response(INVALID_URL, { status: 400, headers: { "Content-Type": "application/json" } })
const INVALID_URL = JSON.stringify({ error: "invalid_url", message: "the URL or the Host header is not valid" })

/** What Node itself could not read is answered in the same shape as everything else. */
function unread(code: string | undefined): string {
  const [status, error, message] =
    code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "headers_too_large", "the headers are too large"]
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "request_timeout", "the request took too long to arrive"]
        : ["400 Bad Request", "malformed_request", "this is not HTTP"]
  const body = JSON.stringify({ error, message })
  const head = ["Connection: close", "Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]
  return [`HTTP/1.1 ${status}`, ...head, "", body].join("\r\n")
}
