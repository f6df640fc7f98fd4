/* A batch of data for several channels as one list of numbers and one buffer,
 * so that a tick costs one message whatever the number of channels and writes.
 * Plain JavaScript, because the worker runs it from the sources too. */

/** @import { DataMessage } from "./protocol.ts" */

/* In the place of a length. */
const CLOSE = -1
const OPEN = -2

export class Frames {
  /** @type {number[]} */
  #frames = []
  #bytes = Buffer.from(new ArrayBuffer(16_384))
  #used = 0

  get empty() {
    return this.#frames.length === 0
  }

  /** Copies the bytes: their owner may reuse them at once.
   * @param {number} channel
   * @param {Uint8Array} bytes */
  add(channel, bytes) {
    const needed = this.#used + bytes.length
    if (needed > this.#bytes.length) this.#grow(needed)
    this.#bytes.set(bytes, this.#used)
    this.#used = needed
    const last = this.#frames.length - 2
    if (last >= 0 && this.#frames[last] === channel && /** @type {number} */ (this.#frames[last + 1]) >= 0) {
      this.#frames[last + 1] = /** @type {number} */ (this.#frames[last + 1]) + bytes.length
    } else this.#frames.push(channel, bytes.length)
  }

  /** @param {number} channel */
  open(channel) {
    this.#frames.push(channel, OPEN)
  }

  /** @param {number} channel */
  close(channel) {
    this.#frames.push(channel, CLOSE)
  }

  /** Hands out the batch and starts the next.
   * @param {number} received
   * @returns {DataMessage} its buffer is there to be transferred */
  take(received) {
    const frames = this.#frames
    const bytes = this.#bytes.buffer.slice(0, this.#used)
    this.#frames = []
    this.#used = 0
    if (this.#bytes.length > 1 << 20) this.#bytes = Buffer.from(new ArrayBuffer(16_384))
    return { kind: "data", frames, bytes, received }
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
 * @property {(channel: number) => void} [open]
 * @property {(channel: number, bytes: Buffer) => void} data
 * @property {(channel: number) => void} close
 */

/** Calls back for each frame, in order.
 * @param {DataMessage} message
 * @param {FrameReader} reader */
export function readFrames({ frames, bytes }, reader) {
  let at = 0
  for (let index = 0; index < frames.length; index += 2) {
    const channel = /** @type {number} */ (frames[index])
    const length = /** @type {number} */ (frames[index + 1])
    if (length === OPEN) reader.open?.(channel)
    else if (length === CLOSE) reader.close(channel)
    else {
      reader.data(channel, Buffer.from(bytes, at, length))
      at += length
    }
  }
}
