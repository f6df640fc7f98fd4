/* A batch of data for several channels as one list of numbers and one buffer,
 * so that a tick costs one message whatever the number of channels and writes.
 * Plain JavaScript, because the worker runs it from the sources too. */

/** @import { Batch } from "./protocol.ts" */

/** In the place of a length. */
const EVENTS = { close: -1, open: -2, pause: -3, resume: -4 }

/** @typedef {keyof typeof EVENTS} ChannelEvent */

export class Frames {
  /** @type {number[]} */
  #frames = []
  #bytes = Buffer.from(new ArrayBuffer(16_384))
  #used = 0
  /** The position of the last frame's length, as long as more data may be added to it. */
  #last = -1

  get empty() {
    return this.#frames.length === 0
  }

  /** Bytes that wait to be handed out. */
  get size() {
    return this.#used
  }

  /** Copies the bytes: their owner may reuse them at once.
   * @param {number} channel
   * @param {Uint8Array} bytes */
  add(channel, bytes) {
    const needed = this.#used + bytes.length
    if (needed > this.#bytes.length) this.#grow(needed)
    this.#bytes.set(bytes, this.#used)
    this.#used = needed
    if (this.#last > 0 && this.#frames[this.#last - 1] === channel) {
      this.#frames[this.#last] = /** @type {number} */ (this.#frames[this.#last]) + bytes.length
    } else this.#last = this.#frames.push(channel, bytes.length) - 1
  }

  /** @param {number} channel @param {ChannelEvent} event */
  mark(channel, event) {
    this.#frames.push(channel, EVENTS[event])
    this.#last = -1
  }

  /** Hands out the batch and starts the next.
   * @param {number} received
   * @returns {Batch} its buffer is there to be transferred */
  take(received) {
    const frames = this.#frames
    const bytes = this.#bytes.buffer.slice(0, this.#used)
    this.#frames = []
    this.#used = 0
    this.#last = -1
    if (this.#bytes.length > 1 << 20) this.#bytes = Buffer.from(new ArrayBuffer(16_384))
    return { frames, bytes, received }
  }

  /** @param {number} needed */
  #grow(needed) {
    const larger = Buffer.from(new ArrayBuffer(Math.max(needed, this.#bytes.length * 2)))
    larger.set(this.#bytes.subarray(0, this.#used))
    this.#bytes = larger
  }
}

/**
 * @typedef {object} FrameReader
 * @property {(channel: number, bytes: Buffer) => void} data
 * @property {(channel: number) => void} close
 * @property {(channel: number) => void} [open]
 * @property {(channel: number) => void} [pause] send it nothing more for now
 * @property {(channel: number) => void} [resume]
 */

/** Calls back for each frame, in order.
 * @param {Batch} batch
 * @param {FrameReader} reader */
export function readFrames({ frames, bytes }, reader) {
  let at = 0
  for (let index = 0; index < frames.length; index += 2) {
    const channel = /** @type {number} */ (frames[index])
    const length = /** @type {number} */ (frames[index + 1])
    if (length >= 0) {
      reader.data(channel, Buffer.from(bytes, at, length))
      at += length
    } else if (length === EVENTS.close) reader.close(channel)
    else if (length === EVENTS.open) reader.open?.(channel)
    else if (length === EVENTS.pause) reader.pause?.(channel)
    else reader.resume?.(channel)
  }
}
