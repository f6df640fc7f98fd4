/* One server, from its boot to its end: its connections, its saves, and the calls of
 * the program that started it. */

import { receiveMessageOnPort } from "node:worker_threads"
import { signal } from "../signals.js"
import { Admin } from "./admin.js"
import { Channels } from "./channels.js"
import { Clock } from "./clock.js"
import { configure } from "./configure.js"
import { filesIn, filesInMemory } from "./files.js"
import { forward } from "./forward.js"
import { Log } from "./log.js"
import { Server } from "./server.js"
import { Exit, Interrupted } from "./wasi.js"

/**
 * @import { MessagePort } from "node:worker_threads"
 * @import { BootMessage, CallMessage, DataMessage, FromWorker, ThreadSetup, ToWorker } from "../protocol.ts"
 * @import { TcpPort } from "./tcp.js"
 *
 * @typedef {object} Surroundings
 * @property {TcpPort | undefined} tcp
 * @property {number | undefined} port
 * @property {MessagePort} parent
 * @property {(message: FromWorker, transfer?: ArrayBuffer[]) => void} post
 */

/** The server must believe that it listens somewhere. */
const UNUSED_PORT = 6379

export class Life {
  #setup
  #around
  #log
  #clock
  #server
  #admin
  #channels
  /** @type {CallMessage[]} */
  #calls = []
  /** @type {NodeJS.Timeout[]} */
  #timers = []

  /** Boots it. Reports "ready", or how it ended.
   * @param {ThreadSetup} setup @param {BootMessage} boot @param {Surroundings} around */
  constructor(setup, boot, around) {
    const { post, tcp, port = UNUSED_PORT } = around
    this.number = boot.life
    this.#setup = setup
    this.#around = around
    this.#clock = new Clock(boot.clock)
    this.#log = new Log(
      () => this.#clock.nowMs(),
      setup.log ? (line) => post({ kind: "log", life: this.number, line }) : undefined,
    )
    const files = setup.directory
      ? filesIn(setup.directory)
      : filesInMemory(boot.snapshot, (bytes) => post({ kind: "snapshot", life: this.number, bytes }, [bytes.buffer]))
    Atomics.store(setup.signals, signal.interrupt, 0)
    this.#server = new Server(setup.module, {
      clock: this.#clock,
      files,
      log: this.#log.write,
      signals: setup.signals,
      port,
    })
    this.#admin = new Admin(this.#server)
    this.#channels = new Channels(this.#server, (batch) =>
      post({ kind: "data", life: this.number, ...batch }, [batch.bytes]),
    )
    try {
      this.#server.boot()
      configure(this.#admin, setup.patienceMs)
    } catch (error) {
      this.#die(error)
      return
    }
    this.#server.onDeath = (error) => this.#die(error)
    this.#server.onIdle = () => {
      tcp?.flushSoon()
      this.#channels.flush()
    }
    this.#server.onBusy = () => this.#takeNow()
    if (setup.directory) this.#timers.push(setInterval(() => this.#saveQuietly(), setup.saveEveryMs))
    this.#timers.push(setInterval(() => this.#clock.settle(), 1000))
    tcp?.serve(this.#server)
    post({ kind: "ready", life: this.number })
  }

  /** @param {DataMessage | CallMessage} message */
  take(message) {
    if (message.kind === "data") return this.#channels.receive(message)
    // It may have come in the middle of a step: it waits for the end of that.
    this.#calls.push(message)
    setImmediate(() => this.#callAll())
  }

  halt() {
    this.#server.halt()
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** A script runs for long: what comes in meanwhile is answered with BUSY, or ends the script. */
  #takeNow() {
    const { parent, tcp } = this.#around
    this.#channels.flush()
    for (let found = receiveMessageOnPort(parent); found; found = receiveMessageOnPort(parent)) {
      const message = /** @type {ToWorker} */ (found.message)
      if (message.kind !== "boot" && message.life === this.number) this.take(message)
    }
    tcp?.takeNow()
  }

  /** @param {unknown} error */
  #die(error) {
    this.halt()
    this.#around.tcp?.cut()
    const how = error instanceof Exit ? "exit" : error instanceof Interrupted ? "interrupt" : "trap"
    const what = error instanceof Error ? error.message : String(error)
    this.#around.post({ kind: "ended", life: this.number, how, what, log: this.#log.tail })
  }

  #callAll() {
    for (let message = this.#calls.shift(); message; message = this.#calls.shift()) this.#call(message)
  }

  /** @param {CallMessage} message */
  #call({ id, method, ms }) {
    const { signals } = this.#setup
    /** @type {FromWorker} */
    let returned = { kind: "returned", life: this.number, id }
    this.#server.step()
    try {
      this.#carryOut(method, ms)
      this.#server.step()
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      returned = { ...returned, failure, log: this.#log.tail }
    }
    this.#around.tcp?.flush()
    if (!this.#server.dead || method === "stop") this.#around.post(returned)
    Atomics.store(signals, signal.returned, id)
    Atomics.notify(signals, signal.returned)
  }

  /** @param {CallMessage["method"]} method @param {number} ms */
  #carryOut(method, ms) {
    switch (method) {
      case "forward":
        return forward(this.#admin, this.#clock, ms)
      case "flush":
        this.#admin.ask(["FLUSHALL"])
        return void this.#admin.ask(["FUNCTION", "FLUSH"])
      case "save":
        return void this.#admin.ask(["SAVE"])
      case "stop":
        if (this.#setup.directory) this.#save()
        return this.halt()
    }
  }

  #save() {
    if (this.#server.dead) return
    const changes = /rdb_changes_since_last_save:(\d+)/.exec(String(this.#admin.ask(["INFO", "persistence"])))
    if (changes?.[1] !== "0") this.#admin.ask(["SAVE"])
  }

  #saveQuietly() {
    try {
      this.#save()
    } catch (error) {
      this.#around.post({ kind: "unsaved", life: this.number, failure: String(error), log: this.#log.tail })
    }
  }
}
