/* The in-process connections, as the worker sees them: data arrives and leaves in
 * batches, one message each way per turn of the event loop. */

import { Frames, readFrames } from "../frames.js"
import { Connection } from "./connections.js"

/**
 * @import { DataMessage, FromWorker } from "../protocol.ts"
 * @import { Server } from "./server.js"
 */

/** Output that the other thread has not yet taken in; above it the server keeps the rest. */
const MOST_IN_FLIGHT = 16 << 20

export class Channels {
  #server
  #post
  /** @type {Map<number, Connection>} */
  #open = new Map()
  #out = new Frames()
  #received = 0
  #inFlight = 0

  /** @param {Server} server @param {(message: FromWorker, transfer: ArrayBuffer[]) => void} post */
  constructor(server, post) {
    this.#server = server
    this.#post = post
  }

  /** @param {DataMessage} message */
  receive(message) {
    readFrames(message, {
      open: (channel) => this.#accept(channel),
      data: (channel, bytes) => {
        const connection = this.#open.get(channel)
        // It may be on its way when the server closes the connection: nobody will read it.
        if (connection) connection.input.push(bytes)
        else this.#received += bytes.length
      },
      close: (channel) => this.#end(channel),
    })
    this.#inFlight -= message.received
    if (this.#inFlight < MOST_IN_FLIGHT) for (const connection of this.#open.values()) connection.full = false
    this.#server.schedule()
  }

  /** Sends what the server has said since. */
  flush() {
    if (this.#out.empty && this.#received === 0) return
    const message = this.#out.take(this.#received)
    this.#received = 0
    this.#inFlight += message.bytes.byteLength
    this.#post(message, [message.bytes])
  }

  /** @param {number} channel */
  #accept(channel) {
    const connection = new Connection(
      (bytes) => {
        this.#out.add(channel, bytes)
        connection.full = this.#inFlight > MOST_IN_FLIGHT
      },
      () => {
        this.#received += connection.unread
        if (this.#open.delete(channel)) this.#out.close(channel)
      },
      (count) => (this.#received += count),
    )
    this.#open.set(channel, connection)
    if (!this.#server.accept(connection)) connection.close()
  }

  /** The other side has closed it: what others sent after this must find it gone.
   * @param {number} channel */
  #end(channel) {
    const connection = this.#open.get(channel)
    if (!connection) return
    connection.ended = true
    this.#open.delete(channel)
    this.#server.step()
  }
}
