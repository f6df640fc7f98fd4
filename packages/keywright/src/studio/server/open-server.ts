/* The HTTP server itself: idle connections are closed, and what Node answers on its own
 * (requests that are not HTTP, or too slow) has the studio's headers too. */

import { createServer, type Server, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { failureOf } from "./answer.ts"
import { HEADERS } from "./guard.ts"
import { requestRefused } from "../../errors/studio.ts"

const HEADERS_MS = 10_000
const REQUEST_MS = 30_000
const CHECKED_EVERY_MS = 2000
/** A browser opens six for each host; pages are bounded as well. */
const MOST_CONNECTIONS = 256

/** Not listening yet. */
export function openServer(): Server {
  const server = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECKED_EVERY_MS,
    // A request without one is refused like any other host that is not ours.
    requireHostHeader: false,
  })
  server.maxConnections = MOST_CONNECTIONS
  // Their bytes are bounded; beyond 2000 of them Node would forget the rest.
  server.maxHeadersCount = 0
  server.on("clientError", refuse)
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing))
  return server
}

const STATUS: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy()
  const status = STATUS[error.code ?? ""] ?? 400
  const body = JSON.stringify(failureOf(requestRefused(status)))
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`),
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ]
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy())
}
