/* The loopback port, served in the worker itself, so that bytes of sockets do not
 * cross threads: that would halve the speed of single commands. It outlives servers:
 * while one is replaced the port stays open, and new connections wait for the next.
 *
 * A client that does not read: at most a megabyte waits here, the rest is left to the
 * server, whose own limits then end the connection. */

import fs from "node:fs"
import net from "node:net"
import { Connection } from "./connections.js"
import { SocketOutput } from "./socket-output.js"

/** @import { Server } from "./server.js" */

const RETRY_MS = 2
const RETRIES = 1000
/** Bytes that may wait here to be sent to one client. */
const MOST_WAITING = 1 << 20
/** How long a client that the server has closed may take to read on. */
const STALLED_MS = 1000

export class TcpPort {
  /** @type {Server | undefined} */
  #server
  /** @type {Map<net.Socket, Connection | undefined>} without a connection: it waits for a server */
  #sockets = new Map()
  /** @type {SocketOutput[]} what the server has said since it was idle last */
  #said = []
  #listener = net.createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.#add(socket))
  #piece = Buffer.alloc(65_536)
  #flushing = false

  /** Listens on loopback. A replacement tries again for a while when the port is in use:
   * the thread before it may be about to let it go.
   * @param {number} port @param {boolean} replacement
   * @returns {Promise<number>} the port, chosen by the system for 0 */
  async listen(port, replacement) {
    for (let tries = 0; ; tries++) {
      try {
        return await this.#listenOnce(port)
      } catch (error) {
        const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE"
        if (!taken || !replacement || tries === RETRIES) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  /** @param {Server} server */
  serve(server) {
    this.#server = server
    for (const socket of this.#sockets.keys()) this.#connect(socket, server)
  }

  /** The server is gone, and with it what its clients had begun. Those who came later wait for the next. */
  cut() {
    this.flush()
    this.#server = undefined
    this.#said = []
    for (const [socket, connection] of this.#sockets) {
      if (!connection) continue
      this.#sockets.delete(socket)
      socket.resetAndDestroy()
    }
  }

  /** Sends what the server has said once the event loop has looked for input again. The system still lists the sockets
   * that were read last until it is asked again, and would name them before others that are written to first: what a
   * client writes to two connections after an answer would be served in the wrong order. */
  flushSoon() {
    if (this.#flushing || this.#said.length === 0) return
    this.#flushing = true
    setImmediate(() => {
      this.#flushing = false
      this.flush()
    })
  }

  /** Sends what the server has said. */
  flush() {
    for (const output of this.#said.splice(0)) output.flush()
  }

  /** Takes what clients have sent, in the middle of a step, when the event loop does not turn. Where sockets have no
   * file descriptor (Windows), they have to wait. */
  takeNow() {
    this.flush()
    for (const [socket, connection] of this.#sockets) {
      const fd = descriptor(socket)
      if (fd >= 0 && connection) this.#takeFrom(fd, connection)
    }
  }

  /** @param {number} port @returns {Promise<number>} */
  #listenOnce(port) {
    return new Promise((resolve, reject) => {
      this.#listener.once("error", reject)
      this.#listener.listen(port, "127.0.0.1", () => {
        this.#listener.off("error", reject)
        resolve(/** @type {net.AddressInfo} */ (this.#listener.address()).port)
      })
    })
  }

  /** @param {net.Socket} socket */
  #add(socket) {
    this.#sockets.set(socket, undefined)
    socket.on("error", () => {})
    socket.on("close", () => this.#sockets.delete(socket))
    if (this.#server) this.#connect(socket, this.#server)
  }

  /** @param {net.Socket} socket @param {Server} server */
  #connect(socket, server) {
    const output = new SocketOutput(socket)
    const connection = new Connection(
      (bytes) => {
        if (output.add(bytes)) this.#said.push(output)
        if (output.waiting > MOST_WAITING) connection.full = true
      },
      () => {
        output.flush()
        this.#close(socket)
      },
      { peerPort: socket.remotePort ?? 0 },
    )
    this.#sockets.set(socket, connection)
    socket.on("data", (bytes) => server.receive(connection, bytes))
    socket.on("drain", () => {
      connection.full = false
      server.schedule()
    })
    socket.on("end", () => server.end(connection))
    socket.on("close", () => {
      connection.gone = true
      server.end(connection)
    })
    if (!server.accept(connection)) connection.close()
  }

  /** The server has closed it: what it said before still goes out, to a client that reads.
   * @param {net.Socket} socket */
  #close(socket) {
    this.#sockets.delete(socket)
    socket.destroySoon()
    let left = socket.writableLength
    if (left === 0) return
    const timer = setInterval(() => {
      if (socket.writableLength === left) socket.destroy()
      left = socket.writableLength
    }, STALLED_MS)
    socket.on("close", () => clearInterval(timer))
  }

  /** @param {number} fd @param {Connection} connection */
  #takeFrom(fd, connection) {
    try {
      let count
      do {
        count = fs.readSync(fd, this.#piece)
        this.#server?.receive(connection, Buffer.from(this.#piece.subarray(0, count)))
      } while (count === this.#piece.length)
    } catch {
      // Nothing to read (EAGAIN), or broken: its events will show which once the event loop continues.
    }
  }
}

/** @param {net.Socket} socket @returns {number} */
function descriptor(socket) {
  const handle = /** @type {{ fd?: number } | undefined} */ (Reflect.get(socket, "_handle"))
  return handle?.fd ?? -1
}
