/* The program's end of the line to the engine: what is written in one turn of the
 * event loop leaves as one message, and what came in is acknowledged, so that neither
 * side can run ahead without bound. The engine's end is worker/channels.js. */

import { Frames, readFrames } from "./frames.js"

/**
 * @import { Batch } from "./protocol.ts"
 * @import { ChannelEvent, FrameReader } from "./frames.js"
 */

/** Bytes on their way to the engine, above which writers are told to wait. */
const BEHIND = 4 << 20
/** What has been taken in is acknowledged after that many bytes at the latest. */
const SETTLE = 1 << 20

export class Line {
  #out = new Frames()
  #post
  #reader
  #onDrain
  #inFlight = 0
  #received = 0
  #scheduled = false
  #cut = false

  /**
   * @param {(batch: Batch) => void} post transfers the batch's bytes
   * @param {FrameReader} reader
   * @param {() => void} onDrain the engine has caught up
   */
  constructor(post, reader, onDrain) {
    this.#post = post
    this.#reader = reader
    this.#onDrain = onDrain
  }

  /** More than enough is on its way to the engine. */
  get behind() {
    return this.#inFlight > BEHIND
  }

  /** @param {number} channel @param {Uint8Array} bytes */
  send(channel, bytes) {
    this.#out.add(channel, bytes)
    this.#inFlight += bytes.length
    this.#schedule()
  }

  /** While a channel is paused, the engine keeps what it has for it.
   * @param {number} channel @param {ChannelEvent} event */
  mark(channel, event) {
    this.#out.mark(channel, event)
    this.#schedule()
  }

  /** @param {Batch} batch */
  receive(batch) {
    if (this.#cut) return
    readFrames(batch, this.#reader)
    this.#received += batch.bytes.byteLength
    if (this.#received > SETTLE) this.#schedule()
    const behind = this.behind
    this.#inFlight -= batch.received
    if (behind && !this.behind) this.#onDrain()
  }

  /** Sends what has gathered at once, instead of at the end of the turn. */
  flush() {
    this.#scheduled = false
    if (this.#cut || (this.#out.empty && this.#received === 0)) return
    const batch = this.#out.take(this.#received)
    this.#received = 0
    this.#post(batch)
  }

  /** The engine is gone: nothing is sent or taken any more. */
  cut() {
    this.#cut = true
  }

  #schedule() {
    if (this.#scheduled) return
    this.#scheduled = true
    queueMicrotask(() => this.flush())
  }
}
