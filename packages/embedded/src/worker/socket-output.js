/* What the server says to one socket. It is gathered until the server is idle and then
 * leaves in one piece, as a server writes all buffers of a client with one system call:
 * a client must not see a reply before the invalidation that the same command caused. */

/** @import { Socket } from "node:net" */

export class SocketOutput {
  #socket
  /** @type {Buffer[]} */
  #pieces = []
  #gathered = 0

  /** @param {Socket} socket */
  constructor(socket) {
    this.#socket = socket
  }

  /** Bytes that have not reached the system yet. */
  get waiting() {
    return this.#gathered + this.#socket.writableLength
  }

  /** @param {Buffer} bytes copied: they are the server's memory
   * @returns {boolean} whether it is the first since the last `flush()` */
  add(bytes) {
    this.#gathered += bytes.length
    return this.#pieces.push(Buffer.from(bytes)) === 1
  }

  flush() {
    const pieces = this.#pieces
    this.#pieces = []
    this.#gathered = 0
    if (pieces.length > 1) this.#socket.cork()
    for (const piece of pieces) this.#socket.write(piece)
    if (pieces.length > 1) this.#socket.uncork()
  }
}
