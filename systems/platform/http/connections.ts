/* Who may keep a connection. Descriptors are few, and a client costs one by connecting
 * and doing nothing, so each way of doing nothing ends: a request that does not arrive is
 * answered and its socket destroyed, an answer that nobody reads is given up, and when
 * there are too many connections the oldest that is not being served makes room. */

import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { lookAtReaders, type Reader } from "./unread-answers.ts"

export interface Patience {
  readonly headersMs: number
  readonly requestMs: number
  /** For a client that reads nothing of what is sent. */
  readonly stalledMs: number
  /** For a client that was refused, to read that and to close. */
  readonly lingerMs: number
  /** How often the first two are looked at. */
  readonly checkMs: number
  /** How often it is looked at how much waits to be read. */
  readonly unreadMs: number
}

export const patience: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  stalledMs: 20_000,
  lingerMs: 500,
  checkMs: 1000,
  unreadMs: 200,
}

export const MOST_CONNECTIONS = 2048
/** Requests that a connection may have sent before the first of them is answered. Answers wait in memory for one another. */
const MOST_AHEAD = 16

interface OpenConnection extends Reader {
  readonly socket: Socket
  /** The latest that is not answered yet. */
  request: IncomingMessage | undefined
  readonly answers: Set<ServerResponse>
}

interface MostOfAll {
  readonly connections: number
  /** Bytes of answers that wait to be read. */
  readonly unread: number
}

export interface Connections {
  /** A request came in: its socket is being served until it is answered. False when the socket sent too many at once, and is closed. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  /** The answer that is being sent on a socket is the last one, whatever else cannot be read there. */
  last(socket: Socket): void
  /** Says this on a socket, and closes it whether the client does or not. */
  refuse(socket: Socket, answer: string): void
}

export function watchConnections(
  server: Server,
  { stalledMs, lingerMs, unreadMs }: Patience,
  most: MostOfAll,
): Connections {
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
    if (open.size >= most.connections) makeRoom()
    if (open.size >= most.connections) {
      socket.destroy()
      return
    }
    open.set(socket, { socket, request: undefined, answers: new Set(), waited: 0 })
    socket.once("close", () => open.delete(socket))
  })
  const looking = setInterval(() => {
    for (const { socket } of lookAtReaders(open.values(), most.unread)) socket.destroy()
  }, unreadMs).unref()
  server.once("close", () => clearInterval(looking))
  server.setTimeout(stalledMs, (socket) => {
    if (open.get(socket)?.request !== undefined && socket.writableLength === 0) socket.setTimeout(stalledMs)
    else socket.destroy()
  })

  return {
    serve(incoming, outgoing) {
      const { socket } = incoming
      const connection = open.get(socket)
      if (connection === undefined || connection.answers.size >= MOST_AHEAD) {
        socket.destroy()
        return false
      }
      connection.answers.add(outgoing)
      connection.request = incoming
      outgoing.once("close", () => {
        connection.answers.delete(outgoing)
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
