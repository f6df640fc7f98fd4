/* The loopback port, served in the worker itself, so that bytes of sockets never
 * cross threads. */

import net from "node:net"
import { Connection } from "./connections.js"

/** @import { Server } from "./server.js" */

const RETRY_MS = 20
const RETRIES = 100

/** Listens on loopback. A replacement tries again for a while when the port is in use:
 * the engine before it may be about to let it go.
 * @param {Server} server @param {number} port @param {boolean} replacement
 * @returns {Promise<{ port: number, close: () => void }>} */
export async function listen(server, port, replacement) {
  for (let tries = 0; ; tries++) {
    try {
      return await listenOnce(server, port)
    } catch (error) {
      const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE"
      if (!taken || !replacement || tries === RETRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** @param {Server} server @param {number} port
 * @returns {Promise<{ port: number, close: () => void }>} */
function listenOnce(server, port) {
  /** @type {Set<net.Socket>} */
  const sockets = new Set()
  const listener = net.createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    serve(server, socket)
  })
  return new Promise((resolve, reject) => {
    listener.once("error", reject)
    listener.listen(port, "127.0.0.1", () => {
      const address = /** @type {net.AddressInfo} */ (listener.address())
      resolve({
        port: address.port,
        close() {
          listener.close()
          for (const socket of sockets) socket.destroy()
        },
      })
    })
  })
}

/** @param {Server} server @param {net.Socket} socket */
function serve(server, socket) {
  const connection = new Connection(
    (bytes) => {
      if (!socket.write(Buffer.from(bytes))) connection.full = true
    },
    () => socket.destroySoon(),
  )
  const end = () => {
    connection.ended = true
    server.schedule()
  }
  socket.on("data", (bytes) => {
    connection.input.push(bytes)
    server.schedule()
  })
  socket.on("drain", () => {
    connection.full = false
    server.schedule()
  })
  socket.on("end", end)
  socket.on("close", end)
  socket.on("error", end)
  if (!server.accept(connection)) socket.destroy()
}
