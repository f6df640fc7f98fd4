/* Who may keep a connection. Descriptors are few, and a client costs one by connecting
 * and doing nothing, so each way of doing nothing ends: a request that does not arrive is
 * answered and its socket destroyed, an answer that nobody reads is given up, and when
 * there are too many connections the oldest that is not being served makes room. */

import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

export interface Patience {
  readonly headersMs: number
  readonly requestMs: number
  /** For a client that reads nothing of what is sent. */
  readonly stalledMs: number
  /** For a client that was refused, to read that and to close. */
  readonly lingerMs: number
  /** How often the first two are looked at. */
  readonly checkMs: number
}

export const patience: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  stalledMs: 20_000,
  lingerMs: 500,
  checkMs: 1000,
}

export const MOST_CONNECTIONS = 2048
/** Requests that a connection may have sent before the first of them is answered. Answers wait in memory for one another. */
const MOST_AHEAD = 16

interface OpenConnection {
  /** The latest that is not answered yet. */
  request: IncomingMessage | undefined
  /** How many are not answered yet. */
  ahead: number
}

export interface Connections {
  /** A request came in: its socket is being served until it is answered. False when the socket sent too many at once, and is closed. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  /** The answer that is being sent on a socket is the last one, whatever else cannot be read there. */
  last(socket: Socket): void
  /** Says this on a socket, and closes it whether the client does or not. */
  refuse(socket: Socket, answer: string): void
}

export function watchConnections(server: Server, { stalledMs, lingerMs }: Patience, most: number): Connections {
  /** In the order of their arrival. */
  const open = new Map<Socket, OpenConnection>()
  const refused = new WeakSet<Socket>()

  const makeRoom = () => {
    for (const [socket, { request }] of open) {
      // The request is complete, and what was sent so far has been read: it is being served.
      if (request?.complete === true && socket.writableLength === 0) continue
      socket.destroy()
      open.delete(socket)
      return
    }
  }

  server.on("connection", (socket) => {
    if (open.size >= most) makeRoom()
    if (open.size >= most) {
      socket.destroy()
      return
    }
    open.set(socket, { request: undefined, ahead: 0 })
    socket.once("close", () => open.delete(socket))
  })
  server.setTimeout(stalledMs, (socket) => {
    if (open.get(socket)?.request !== undefined && socket.writableLength === 0) socket.setTimeout(stalledMs)
    else socket.destroy()
  })

  return {
    serve(incoming, outgoing) {
      const { socket } = incoming
      const connection = open.get(socket)
      if (connection === undefined || connection.ahead >= MOST_AHEAD) {
        socket.destroy()
        return false
      }
      connection.ahead += 1
      connection.request = incoming
      outgoing.once("close", () => {
        connection.ahead -= 1
        if (connection.request === incoming) connection.request = undefined
      })
      return true
    },
    last(socket) {
      refused.add(socket)
    },
    refuse(socket, answer) {
      if (refused.has(socket)) return
      refused.add(socket)
      socket.end(answer)
      socket.resume()
      setTimeout(() => socket.destroy(), lingerMs).unref()
    },
  }
}
