/* The in-process connections, as the worker sees them (the other end is line.js):
 * data arrives and leaves in batches, one message each way per turn of the event
 * loop. */

import { Frames, readFrames } from "../frames.js"
import { Connection } from "./connections.js"

/**
 * @import { Batch } from "../protocol.ts"
 * @import { Server } from "./server.js"
 */

/** Output that the other thread has not yet taken in; above it the server keeps the rest. */
const MOST_IN_FLIGHT = 4 << 20

/** A connection whose other side may ask to be left alone for a while. */
class ChannelConnection extends Connection {
  paused = false
}

export class Channels {
  #server
  #post
  /** @type {Map<number, ChannelConnection>} */
  #open = new Map()
  #out = new Frames()
  #received = 0
  #inFlight = 0
  #choked = false

  /** @param {Server} server @param {(batch: Batch) => void} post transfers the batch's bytes */
  constructor(server, post) {
    this.#server = server
    this.#post = post
  }

  /** @param {Batch} batch */
  receive(batch) {
    readFrames(batch, {
      open: (channel) => this.#accept(channel),
      data: (channel, bytes) => {
        const connection = this.#open.get(channel)
        // It may be on its way when the server closes the connection: nobody will read it.
        if (connection) this.#server.receive(connection, bytes)
        else this.#received += bytes.length
      },
      close: (channel) => this.#end(channel),
      pause: (channel) => this.#pause(channel, true),
      resume: (channel) => this.#pause(channel, false),
    })
    this.#inFlight -= batch.received
    this.#measure()
    this.#server.schedule()
  }

  /** Sends what the server has said since. */
  flush() {
    if (this.#out.empty && this.#received === 0) return
    const batch = this.#out.take(this.#received)
    this.#received = 0
    this.#inFlight += batch.bytes.byteLength
    this.#post(batch)
  }

  /** @param {number} channel @param {boolean} paused */
  #pause(channel, paused) {
    const connection = this.#open.get(channel)
    if (!connection) return
    connection.paused = paused
    connection.full = paused || this.#choked
  }

  /** Whether the other thread is so far behind that the server has to keep its output. */
  #measure() {
    const choked = this.#inFlight + this.#out.size > MOST_IN_FLIGHT
    if (choked === this.#choked) return
    this.#choked = choked
    for (const connection of this.#open.values()) connection.full = choked || connection.paused
  }

  /** @param {number} channel */
  #accept(channel) {
    const connection = new ChannelConnection(
      (bytes) => {
        this.#out.add(channel, bytes)
        this.#measure()
      },
      () => {
        this.#received += connection.unread
        if (this.#open.delete(channel)) this.#out.mark(channel, "close")
      },
      { taken: (count) => (this.#received += count) },
    )
    connection.full = this.#choked
    this.#open.set(channel, connection)
    if (!this.#server.accept(connection)) connection.close()
  }

  /** The other side has closed it.
   * @param {number} channel */
  #end(channel) {
    const connection = this.#open.get(channel)
    if (!connection) return
    connection.gone = true
    this.#open.delete(channel)
    this.#server.end(connection)
  }
}
