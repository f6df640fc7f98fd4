/* The server's sockets, as the host keeps them: for each file descriptor what
 * came in and is not yet read, and where its output goes. Written for speed:
 * these functions are called several times per command.
 *
 * Input is served in the order in which it came, over all connections: the poll
 * names connections in the order of their oldest piece, and each may then read what
 * came before anything of the next one. The end of a connection has its place in that
 * order too: what came after it is served in a later step, when the server has let go
 * of the connection.
 *
 * Pointers are 32 bits without a sign. WebAssembly hands them over with one, so each
 * is taken with `>>> 0`: memory beyond 2 GB would be a negative offset otherwise. */

const FIRST_FD = 4096
/** The server's event loop has room for descriptors below 10,128 only, so closed ones are used again. */
const LAST_FD = 10_100
const READABLE = 1
const WRITABLE = 2
/** The server reads at least that much at once. */
const READ_BYTES = 16_384
const NOTHING = Buffer.alloc(0)
const FULL = Buffer.from("-ERR max number of clients reached\r\n")
const INSIDE = 0
/** No descriptors: a command of a client is done; others were served while a script is slow. */
const DONE = -1
const SERVED = -2
const LOOPBACK = 0x7f00_0001
/** As the module's C library has it. */
const AF_INET = 1

/** One piece of what came in. An empty one is the end. */
class Arrival {
  done = false

  /** @param {Connection} connection @param {Buffer} bytes */
  constructor(connection, bytes) {
    this.connection = connection
    this.bytes = bytes
  }
}

export class Connection {
  fd = -1
  /** @type {Arrival[]} what came in and is not yet read */
  input = []
  /** Bytes of the first arrival that are read already. */
  offset = 0
  /** Bytes that may be read before others have their turn. */
  turn = 0
  /** The last poll that named it as readable. */
  calledIn = 0
  /** @type {Arrival | undefined} the other side will send nothing after this */
  end = undefined
  /** The other side is gone: nothing reaches it any more. */
  gone = false
  /** The other side takes nothing for now. */
  full = false
  /** The server has closed it. */
  closed = false
  /** The server has said something. */
  answered = false
  /** The server had no place for it, but one will become free. */
  postponed = false

  /** @param {(bytes: Buffer) => void} write gets memory of the server's: copy it at once
   * @param {() => void} close the server has closed it
   * @param {{ taken?: (count: number) => void, peerPort?: number }} [more] told how much the server has read; the
   *   port of the other side, when it is not in this process */
  constructor(write, close, { taken, peerPort } = {}) {
    this.write = write
    this.close = close
    this.taken = taken
    this.peerPort = peerPort ?? INSIDE
  }

  /** Bytes that came in and were not read. */
  get unread() {
    return this.input.reduce((sum, { bytes }) => sum + bytes.length, 0) - this.offset
  }
}

export class Connections {
  /** @type {(Connection | undefined)[]} */
  #open = []
  /** @type {number[]} */
  #free = []
  /** @type {Connection[]} */
  #waiting = []
  /** @type {Arrival[]} all that came in, oldest first; read ones are dropped from the front */
  #arrivals = []
  /** What the server wants to know of each descriptor, and in which poll it said so. */
  #interest = new Uint8Array(LAST_FD - FIRST_FD + 1)
  #askedIn = new Int32Array(LAST_FD - FIRST_FD + 1)
  #polls = 0
  #listener = -1
  #nested = 0
  #memory
  #moved
  #port

  /** @type {Connection | undefined} the engine's own, which gives up its place when maxclients is reached */
  spare = undefined
  /** @type {Connection[]} those who wait for that place */
  #postponed = []

  /** @type {() => void} the server looks for input in the middle of a command: a script is slow, or a file is loaded */
  onBusy = () => {}

  /** @param {{ readonly bytes: Buffer, readonly view: DataView }} memory
   * @param {() => void} moved
   * @param {number} port what the server is told that it listens on */
  constructor(memory, moved, port) {
    this.#memory = memory
    this.#moved = moved
    this.#port = port
  }

  /** @param {Connection} connection @returns {boolean} false when there is no room for it */
  add(connection) {
    const fd = this.#listener === -1 ? -1 : this.#allocate()
    if (fd === -1) {
      connection.write(FULL)
      return false
    }
    connection.fd = fd
    connection.closed = false
    this.#open[fd - FIRST_FD] = connection
    this.#waiting.push(connection)
    return true
  }

  /** @param {Connection} connection @param {Buffer} bytes */
  receive(connection, bytes) {
    if (connection.end || bytes.length === 0) return
    const arrival = new Arrival(connection, bytes)
    connection.input.push(arrival)
    this.#arrivals.push(arrival)
  }

  /** The other side will send nothing more.
   * @param {Connection} connection */
  end(connection) {
    if (connection.end) return
    connection.end = new Arrival(connection, NOTHING)
    this.#arrivals.push(connection.end)
  }

  /** A step begins: the first poll is its own, others come from within a command. */
  begin() {
    this.#nested = -1
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
      listen: (fd) => this.#listen(fd),
      accept: () => this.#waiting.shift()?.fd ?? -1,
      /** @param {number} fd @param {number} pointer @param {number} length */
      read: (fd, pointer, length) => {
        if (fd >= 0) return this.#read(fd, pointer >>> 0, length >>> 0)
        if (fd === DONE) return this.#commandDone()
        if (fd === SERVED) return (this.#nested = 0)
        return this.#peerName(fd, pointer >>> 0)
      },
      /** @param {number} fd @param {number} pointer @param {number} length */
      write: (fd, pointer, length) =>
        fd < 0 ? this.#writeAddress(pointer >>> 0, LOOPBACK, this.#port) : this.#write(fd, pointer >>> 0, length >>> 0),
      /** @param {number} fd */
      close: (fd) => this.#close(fd),
      /** @param {number} interests @param {number} count @param {number} fired @param {number} most */
      poll: (interests, count, fired, most) => this.#poll(interests >>> 0, count, fired >>> 0, most),
    }
  }

  /** The server listens once, at boot.
   * @param {number} fd */
  #listen(fd) {
    this.#listener = fd
    return 0
  }

  /** @param {number} fd */
  #close(fd) {
    if (fd === this.#listener) this.#listener = -1
    const connection = this.#open[fd - FIRST_FD]
    this.#open[fd - FIRST_FD] = undefined
    this.#free.push(fd)
    if (connection === undefined) return
    connection.closed = true
    if (connection.postponed) return this.#makeRoom(connection)
    connection.close()
    if (connection === this.spare) this.#giveRoom()
  }

  /** @param {Connection} connection */
  #makeRoom(connection) {
    connection.postponed = false
    connection.answered = false
    this.#postponed.push(connection)
    if (!this.spare) return this.#giveRoom()
    this.spare.gone = true
    this.end(this.spare)
  }

  #giveRoom() {
    this.spare = undefined
    for (const connection of this.#postponed.splice(0)) if (!this.add(connection)) connection.close()
  }

  /** @param {number} fd @param {number} pointer @param {number} length */
  #write(fd, pointer, length) {
    const connection = this.#open[fd - FIRST_FD]
    if (connection === undefined || connection.gone) return -1
    if (connection.full) return 0
    if (!connection.answered) {
      connection.answered = true
      if (this.spare && connection !== this.spare && this.#isRefusal(pointer, length)) {
        connection.postponed = true
        return length
      }
    }
    if (this.#nested <= 0) this.#moved()
    connection.write(this.#memory.bytes.subarray(pointer, pointer + length))
    return length
  }

  /** @param {number} pointer @param {number} length */
  #isRefusal(pointer, length) {
    return length === FULL.length && this.#memory.bytes.compare(FULL, 0, FULL.length, pointer, pointer + length) === 0
  }

  /** @param {number} fd @param {number} pointer @param {number} length */
  #read(fd, pointer, length) {
    const connection = this.#open[fd - FIRST_FD]
    if (connection === undefined) return -1
    const { input } = connection
    if (input.length === 0) {
      if (!connection.end) return -1
      connection.end.done = true
      return 0
    }
    if (this.#nested <= 0) this.#moved()
    const most = Math.min(length, connection.turn)
    let done = 0
    let used = 0
    while (done < most) {
      const head = /** @type {Arrival} */ (input[used])
      const count = Math.min(head.bytes.length - connection.offset, most - done)
      head.bytes.copy(this.#memory.bytes, pointer + done, connection.offset, connection.offset + count)
      done += count
      connection.offset += count
      if (connection.offset === head.bytes.length) {
        connection.offset = 0
        head.done = true
        used++
      }
    }
    if (used === input.length) input.length = 0
    else if (used > 0) input.splice(0, used)
    connection.turn -= done
    connection.taken?.(done)
    return done === 0 ? -1 : done
  }

  /** @param {number} interests @param {number} count @param {number} fired @param {number} most */
  #poll(interests, count, fired, most) {
    if (++this.#nested > 0) this.onBusy()
    const { view } = this.#memory
    const poll = ++this.#polls
    let found = 0
    for (let at = interests; at < interests + count * 8; at += 8) {
      const fd = view.getInt32(at, true)
      const mask = view.getInt32(at + 4, true)
      if (fd === this.#listener && this.#waiting.length > 0) {
        // What they sent has its place in the order: first they must all be known.
        view.setInt32(fired, fd, true)
        view.setInt32(fired + 4, READABLE, true)
        return 1
      }
      const connection = this.#open[fd - FIRST_FD]
      if (connection === undefined) continue
      this.#interest[fd - FIRST_FD] = mask
      this.#askedIn[fd - FIRST_FD] = poll
      if ((mask & WRITABLE) === 0 || connection.full || found === most) continue
      view.setInt32(fired + found * 8, fd, true)
      view.setInt32(fired + found * 8 + 4, WRITABLE, true)
      found++
    }
    return this.#readable(view, fired, found, most)
  }

  /** Adds whose turn it is to be read, oldest first.
   * @param {DataView} view @param {number} fired @param {number} found @param {number} most */
  #readable(view, fired, found, most) {
    const arrivals = this.#arrivals
    let start = 0
    while (start < arrivals.length && isOver(/** @type {Arrival} */ (arrivals[start]))) start++
    if (start === arrivals.length) arrivals.length = 0
    else if (start > 0) arrivals.splice(0, start)
    /** @type {Connection | undefined} */
    let last
    for (const arrival of arrivals) {
      const { connection, bytes } = arrival
      const at = connection.fd - FIRST_FD
      if (
        isOver(arrival) ||
        this.#askedIn[at] !== this.#polls ||
        (/** @type {number} */ (this.#interest[at]) & READABLE) === 0
      )
        continue
      if (connection === last) connection.turn += bytes.length
      else {
        if (found === most || connection.calledIn === this.#polls || (last && last.turn > READ_BYTES)) break
        connection.calledIn = this.#polls
        connection.turn = bytes.length - connection.offset
        view.setInt32(fired + found * 8, connection.fd, true)
        view.setInt32(fired + found * 8 + 4, READABLE, true)
        found++
        last = connection
      }
      if (bytes.length === 0) break
    }
    return found
  }

  /** Not those that are answered while a script runs: that one makes no progress by it. */
  #commandDone() {
    if (this.#nested <= 0) this.#moved()
    return 0
  }

  /** The address of the other side, as a `sockaddr_in`. Connections inside the process have none: 0.0.0.0, and a
   * number that distinguishes them.
   * @param {number} fd @param {number} pointer */
  #peerName(fd, pointer) {
    const connection = this.#open[(fd & 0x7fff_ffff) - FIRST_FD]
    if (connection === undefined) return -1
    const { peerPort } = connection
    return this.#writeAddress(
      pointer,
      peerPort === INSIDE ? 0 : LOOPBACK,
      peerPort === INSIDE ? connection.fd : peerPort,
    )
  }

  /** @param {number} pointer @param {number} address @param {number} port */
  #writeAddress(pointer, address, port) {
    const { view } = this.#memory
    view.setUint16(pointer, AF_INET, true)
    view.setUint16(pointer + 2, port)
    view.setUint32(pointer + 4, address)
    return 0
  }
}

/** @param {Arrival} arrival */
const isOver = ({ done, connection }) => done || connection.closed
