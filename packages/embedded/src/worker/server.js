/* The module, booted: Valkey as a reactor that runs only when it is stepped.
 * After each input it is stepped until it has nothing more to do (a reply is
 * written in the step after the one that made it); when idle, once per turn of
 * its own timer. */

import { signal } from "../signals.js"
import { Instance, Tag } from "../web-assembly.js"
import { Connections } from "./connections.js"
import { wasi } from "./wasi.js"

/**
 * @import { WasmModule } from "../web-assembly.js"
 * @import { Clock } from "./clock.js"
 * @import { Connection } from "./connections.js"
 * @import { Files } from "./files.js"
 */

/**
 * @typedef {object} Exports
 * @property {{ readonly buffer: ArrayBuffer }} memory
 * @property {() => void} _initialize
 * @property {(port: number) => number} rk_boot
 * @property {() => number} rk_step
 * @property {() => number} rk_next_timeout_ms
 */

export class Server {
  /** @type {Exports} */
  #exports
  #connections
  #signals
  #port
  #scheduled = false
  /** @type {NodeJS.Timeout | undefined} */
  #timer
  #dead = false

  /** @type {(error: unknown) => void} the server is gone: a trap, or it called exit() */
  onDeath = () => {}
  /** @type {() => void} the server is idle again, its output is complete */
  onIdle = () => {}
  /** @type {() => void} a script runs for long: what came in meanwhile can be served, in the middle of the step */
  onBusy = () => {}

  /**
   * @param {WasmModule} module
   * @param {{ clock: Clock, files: Files, log: (bytes: Uint8Array) => void, signals: Int32Array, port: number }} world
   */
  constructor(module, { clock, files, log, signals, port }) {
    this.#port = port
    this.#signals = signals
    const memory = new Memory()
    const moved = () => {
      signals[signal.moved] = /** @type {number} */ (signals[signal.moved]) + 1
    }
    this.#connections = new Connections(memory, moved, port)
    this.#connections.onBusy = () => this.onBusy()
    const instance = new Instance(module, {
      wasi_snapshot_preview1: wasi({
        memory,
        clock,
        files,
        log,
        moved,
        interrupted: () => signals[signal.interrupt] !== 0,
      }),
      host: this.#connections.imports(),
      // Lua's longjmp is a WebAssembly exception whose tag the host provides.
      env: { __c_longjmp: new Tag({ parameters: ["i32"] }) },
    })
    this.#exports = /** @type {Exports} */ (instance.exports)
    memory.source = this.#exports.memory
  }

  /** Starts Valkey and loads its snapshot. Throws what ends it. */
  boot() {
    this.#inside(() => {
      this.#exports._initialize()
      this.#exports.rk_boot(this.#port)
    })
    this.step()
  }

  /** @param {Connection} connection */
  accept(connection) {
    const room = this.#connections.add(connection)
    this.schedule()
    return room
  }

  /** Like `accept`, for a connection that leaves when its place is needed.
   * @param {Connection} connection */
  acceptSpare(connection) {
    this.#connections.spare = connection
    return this.accept(connection)
  }

  /** Puts it behind all that came before, over whatever connection.
   * @param {Connection} connection @param {Buffer} bytes */
  receive(connection, bytes) {
    this.#connections.receive(connection, bytes)
    this.schedule()
  }

  /** The other side will send nothing more.
   * @param {Connection} connection */
  end(connection) {
    this.#connections.end(connection)
    this.schedule()
  }

  /** Steps once this turn of the event loop has taken in all it can. */
  schedule() {
    if (this.#scheduled || this.#dead) return
    this.#scheduled = true
    setImmediate(() => this.step())
  }

  /** Steps until nothing is left to do. */
  step() {
    this.#scheduled = false
    if (this.#dead) return
    try {
      this.#inside(() => {
        do this.#connections.begin()
        while (this.#exports.rk_step() > 0)
      })
    } catch (error) {
      this.halt()
      this.onIdle()
      this.onDeath(error)
      return
    }
    this.onIdle()
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.schedule()
    }, this.#exports.rk_next_timeout_ms())
  }

  get dead() {
    return this.#dead
  }

  halt() {
    this.#dead = true
    clearTimeout(this.#timer)
  }

  /** @param {() => void} act */
  #inside(act) {
    Atomics.add(this.#signals, signal.steps, 1)
    try {
      act()
    } finally {
      Atomics.add(this.#signals, signal.steps, 1)
    }
  }
}

/** Views of the module's memory, recreated when it has grown: the old ones are then empty. */
class Memory {
  /** @type {{ readonly buffer: ArrayBuffer }} */
  source = { buffer: new ArrayBuffer(0) }
  #bytes = Buffer.alloc(0)
  #view = new DataView(new ArrayBuffer(0))

  get bytes() {
    if (this.#bytes.length === 0) this.#renew()
    return this.#bytes
  }

  get view() {
    if (this.#bytes.length === 0) this.#renew()
    return this.#view
  }

  #renew() {
    this.#bytes = Buffer.from(this.source.buffer)
    this.#view = new DataView(this.source.buffer)
  }
}
