/* Who may keep a connection. Descriptors are few, and a client uses one up by connecting
 * and doing nothing, so every way of doing nothing ends: a request that does not arrive is
 * answered and its socket destroyed, an answer that nobody reads is given up, and when
 * there are too many connections the oldest one that is not being served makes room. When all
 * are being served, or wait for that, the newest one of the address with the most makes room. */

import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { sendProblem } from "./answer.ts"
import { type AddressOf, addressOfPeer } from "./client-address.ts"
import { Problem } from "./problem.ts"
import { idOf } from "./request-id.ts"
import { shortTurns } from "./short-turns.ts"
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
/** Bytes of those that wait, with their headers: Node keeps them until they are read. */
const MOST_BYTES_AHEAD = 64 * 1024
/** What Node keeps of a header besides its text, in bytes: two hundred short ones take fifty times what was sent. */
const BYTES_OF_HEADER = 256
/** What a body in chunks may bring with it: trailers are not there yet when it is counted, and Node keeps them, too. */
const BYTES_OF_CHUNKED = 32 * 1024

interface OpenConnection extends Reader {
  readonly socket: Socket
  readonly address: string
  /** The latest that is not answered yet. */
  request: IncomingMessage | undefined
  readonly answers: Set<ServerResponse>
  /** What serves the requests behind the first one: one after another, or a client would have more at work by sending ahead. */
  readonly waiting: WaitingRequest[]
  /** When the last answer was sent; undefined before, and while there are others to send. */
  idleSince: number | undefined
}

interface WaitingRequest {
  readonly serve: () => void
  readonly bytes: number
}

interface MostOfAll {
  readonly connections: number
  /** Bytes of answers that wait to be read. */
  readonly unread: number
}

export interface Connections {
  /** A request came in, and is handled when those before it are answered. A socket that sent too many or too much at once is closed. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse, handle: () => void): void
  /** The answer that is being sent on a socket is the last one, whatever else cannot be read there. */
  last(socket: Socket): void
  /** Says this on a socket, and closes it whether the client does or not. */
  refuse(socket: Socket, answer: string): void
}

export function watchConnections(
  server: Server,
  { stalledMs, lingerMs, unreadMs }: Patience,
  most: MostOfAll,
  /** Whose turn a request takes; without it, its connection's address. */
  clientOf?: AddressOf,
): Connections {
  /** In the order of their arrival. */
  const open = new Map<Socket, OpenConnection>()
  const refused = new WeakSet<Socket>()
  /** A request that Redis has no part in is answered at once, and so would be those of all connections. */
  // What is read goes to Node's parser: a hundred milliseconds for each ten connections that send tiny chunks.
  const turns = shortTurns(() => {
    for (const { socket, address } of open.values()) if (!socket.isPaused()) readInTurn(socket, address)
  })
  const readInTurn = (socket: Socket, address: string) => {
    socket.pause()
    turns.do(address, () => void socket.resume())
  }

  const makeRoom = (coming: string) => {
    const all = [...open.values()]
    const own = all.filter(({ address }) => address === coming)
    // An address with more than half of them has to make room itself.
    const idle = (own.length * 2 > all.length ? own : all).find((one) => !isServed(one))
    const found = idle ?? newestOfMost(all, own.length)
    if (found === undefined) return
    found.socket.destroy()
    open.delete(found.socket)
  }

  server.on("connection", (socket) => {
    turns.hurry()
    const address = addressOfPeer(socket)
    if (open.size >= most.connections) makeRoom(address)
    if (open.size >= most.connections) {
      socket.destroy()
      return
    }
    open.set(socket, {
      socket,
      address,
      request: undefined,
      answers: new Set(),
      waiting: [],
      idleSince: undefined,
      waited: 0,
    })
    socket.once("close", () => open.delete(socket))
    // Thousands that connect at once may have sent what takes long to read: they are read in turn, too. Node begins to
    // read behind this event.
    process.nextTick(readInTurn, socket, address)
  })
  const looking = setInterval(() => {
    for (const { socket } of lookAtReaders(open.values(), most.unread)) socket.destroy()
    // Line ends between requests begin none, and keep a socket from being idle to Node.
    const since = performance.now() - stalledMs
    for (const { socket, idleSince } of open.values())
      if (idleSince !== undefined && idleSince < since) socket.destroy()
  }, unreadMs).unref()
  server.once("close", () => clearInterval(looking))
  server.setTimeout(stalledMs, (socket) => {
    if (open.get(socket)?.request !== undefined && socket.writableLength === 0) socket.setTimeout(stalledMs)
    else socket.destroy()
  })

  return {
    serve(incoming, outgoing, handle) {
      const { socket } = incoming
      const connection = open.get(socket)
      if (connection === undefined || connection.answers.size >= MOST_AHEAD) {
        socket.destroy()
        return
      }
      turns.read()
      const isChunked = incoming.headers["transfer-encoding"] !== undefined
      if (isChunked) incoming.on("gathered", turns.read)
      const { waiting } = connection
      const client = clientOf?.(incoming) ?? connection.address
      const isFirst = connection.answers.size === 0
      connection.answers.add(outgoing)
      connection.request = incoming
      connection.idleSince = undefined
      outgoing.once("close", () => {
        connection.answers.delete(outgoing)
        if (connection.answers.size === 0) connection.idleSince = performance.now()
        if (connection.request === incoming) connection.request = undefined
        if (waiting.length > 0 && !socket.destroyed)
          turns.do(client, () => void (socket.destroyed || waiting.shift()?.serve()))
      })
      if (isFirst) return turns.do(client, () => void (socket.destroyed || handle()))
      // Until it is read, each of its chunks is kept as it came, and a chunk of one byte takes hundreds.
      if (isChunked) incoming.resume()
      const serve = isChunked ? () => sendProblem(outgoing, lengthRequired(), idOf(incoming)) : handle
      waiting.push({ serve, bytes: sizeOf(incoming) })
      if (waiting.reduce((sum, { bytes }) => sum + bytes, 0) > MOST_BYTES_AHEAD) socket.destroy()
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

const lengthRequired = () =>
  new Problem(411, "length_required", "a request that is sent before the last one is answered needs a Content-Length", {
    headers: { Connection: "close" },
  })

function sizeOf({ headers, rawHeaders, url = "" }: IncomingMessage): number {
  const ofHeaders = rawHeaders.reduce((sum, { length }) => sum + length + BYTES_OF_HEADER / 2, url.length)
  return ofHeaders + (headers["transfer-encoding"] ? BYTES_OF_CHUNKED : Number(headers["content-length"] ?? 0))
}

/** The request is complete, and what was sent so far has been read. */
const isServed = ({ request, socket }: OpenConnection) => request?.complete === true && socket.writableLength === 0

/** None when no address has more than twice as many as the one that comes would have. */
function newestOfMost(open: readonly OpenConnection[], own: number): OpenConnection | undefined {
  const counts = new Map<string, number>()
  for (const { address } of open) counts.set(address, (counts.get(address) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return most > 2 * (own + 1) ? open.findLast(({ address }) => counts.get(address) === most) : undefined
}
