/* The server's sockets, as the host keeps them: for each file descriptor what
 * came in and is not yet read, and where its output goes. Written for speed:
 * these six functions are called several times per command.
 *
 * The server's event loop has room for descriptors below 10,128 only, so closed
 * ones are used again. */

const FIRST_FD = 4096
const LAST_FD = 10_100
const READABLE = 1
const WRITABLE = 2

export class Connection {
  /** @type {Buffer[]} */
  input = []
  /** Bytes of the first buffer that are read already. */
  offset = 0
  /** The other side will send nothing more. */
  ended = false
  /** The other side takes nothing for now. */
  full = false

  /** @param {(bytes: Buffer) => void} write gets memory of the server's: copy it at once
   * @param {() => void} close the server has closed it
   * @param {(count: number) => void} [taken] the server has read that many bytes */
  constructor(write, close, taken) {
    this.write = write
    this.close = close
    this.taken = taken
  }

  /** Bytes that came in and were not read. */
  get unread() {
    return this.input.reduce((sum, { length }) => sum + length, 0) - this.offset
  }
}

export class Connections {
  /** @type {(Connection | undefined)[]} */
  #open = []
  /** @type {number[]} */
  #free = []
  /** @type {number[]} */
  #waiting = []
  #listener = -1
  #memory
  #moved

  /** @param {{ readonly bytes: Buffer, readonly view: DataView }} memory @param {() => void} moved */
  constructor(memory, moved) {
    this.#memory = memory
    this.#moved = moved
  }

  /** @param {Connection} connection @returns {boolean} false when there is no room for it */
  add(connection) {
    const fd = this.#allocate()
    if (fd === -1) return false
    this.#open[fd - FIRST_FD] = connection
    this.#waiting.push(fd)
    return true
  }

  #allocate() {
    const used = this.#free.pop()
    if (used !== undefined) return used
    const fd = FIRST_FD + this.#open.length
    if (fd > LAST_FD) return -1
    this.#open.push(undefined)
    return fd
  }

  /** What the module imports as "host". */
  imports() {
    return {
      socket: () => this.#allocate(),
      /** @param {number} fd */
      listen: (fd) => {
        this.#listener = fd
        return 0
      },
      accept: () => this.#waiting.shift() ?? -1,
      /** @param {number} fd @param {number} pointer @param {number} length */
      read: (fd, pointer, length) => this.#read(fd, pointer, length),
      /** @param {number} fd @param {number} pointer @param {number} length */
      write: (fd, pointer, length) => {
        const connection = this.#open[fd - FIRST_FD]
        if (connection === undefined || connection.ended) return -1
        this.#moved()
        connection.write(this.#memory.bytes.subarray(pointer, pointer + length))
        return length
      },
      /** @param {number} fd */
      close: (fd) => {
        const connection = this.#open[fd - FIRST_FD]
        if (connection === undefined) return
        this.#open[fd - FIRST_FD] = undefined
        this.#free.push(fd)
        connection.close()
      },
      /** @param {number} interests @param {number} count @param {number} fired @param {number} most */
      poll: (interests, count, fired, most) => this.#poll(interests, count, fired, most),
    }
  }

  /** @param {number} fd @param {number} pointer @param {number} length */
  #read(fd, pointer, length) {
    const connection = this.#open[fd - FIRST_FD]
    if (connection === undefined) return -1
    const { input } = connection
    if (input.length === 0) return connection.ended ? 0 : -1
    this.#moved()
    let done = 0
    let used = 0
    while (done < length && used < input.length) {
      const head = /** @type {Buffer} */ (input[used])
      const count = Math.min(head.length - connection.offset, length - done)
      head.copy(this.#memory.bytes, pointer + done, connection.offset, connection.offset + count)
      done += count
      connection.offset += count
      if (connection.offset === head.length) {
        connection.offset = 0
        used++
      }
    }
    if (used === input.length) input.length = 0
    else if (used > 0) input.splice(0, used)
    connection.taken?.(done)
    return done
  }

  /** @param {number} interests @param {number} count @param {number} fired @param {number} most */
  #poll(interests, count, fired, most) {
    const { view } = this.#memory
    let found = 0
    for (let index = 0; index < count && found < most; index++) {
      const fd = view.getInt32(interests + index * 8, true)
      const ready = this.#ready(fd) & view.getInt32(interests + index * 8 + 4, true)
      if (ready === 0) continue
      view.setInt32(fired + found * 8, fd, true)
      view.setInt32(fired + found * 8 + 4, ready, true)
      found++
    }
    return found
  }

  /** @param {number} fd */
  #ready(fd) {
    if (fd === this.#listener) return this.#waiting.length > 0 ? READABLE : 0
    const connection = this.#open[fd - FIRST_FD]
    if (connection === undefined) return 0
    const readable = connection.input.length > 0 || connection.ended
    return (readable ? READABLE : 0) | (connection.full ? 0 : WRITABLE)
  }
}
