/* The HTTP server itself: idle connections are closed, and what Node answers on its own
 * (requests that are not HTTP, or too slow) has the studio's headers too. */

import { createServer, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { failureOf } from "./answer.ts"
import { HEADERS } from "./guard.ts"
import { requestRefused } from "../../errors/studio.ts"

const HEADERS_MS = 10_000
const REQUEST_MS = 30_000
const CHECKED_EVERY_MS = 2000
/** A browser opens six for each host; pages are bounded as well. */
export const MOST_CONNECTIONS = 256

/** Not listening yet. */
export function openServer(): Server {
  const server = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECKED_EVERY_MS,
    // A request without one is refused like any other host that is not ours.
    requireHostHeader: false,
  })
  boundConnections(server)
  // Their bytes are bounded; beyond 2000 of them Node would forget the rest.
  server.maxHeadersCount = 0
  server.on("clientError", refuse)
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing))
  return server
}

/**
 * Everybody on this machine can connect. When there are too many connections, the oldest one that waits for no answer
 * makes room, or else the oldest without a stream of events, which only the studio's own page gets. So nobody is kept out
 * by others who came first.
 */
function boundConnections(server: Server): void {
  const open = new Map<Socket, Set<ServerResponse>>()
  /** Begun and not ended, as no other answer is. */
  const isStream = ({ headersSent, writableEnded }: ServerResponse) => headersSent && !writableEnded
  server.on("connection", (socket) => {
    if (open.size >= MOST_CONNECTIONS) {
      const all = [...open]
      const idle =
        all.find(([, answers]) => answers.size === 0) ?? all.find(([, answers]) => ![...answers].some(isStream))
      if (idle === undefined) return void socket.destroy()
      idle[0].destroy()
      open.delete(idle[0])
    }
    open.set(socket, new Set())
    socket.once("close", () => open.delete(socket))
  })
  server.on("request", ({ socket }, outgoing) => {
    const answers = open.get(socket)
    answers?.add(outgoing)
    outgoing.once("close", () => answers?.delete(outgoing))
  })
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
