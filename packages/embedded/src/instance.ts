/* One life of the engine: a Worker, the channels and calls that it serves, and the
 * watchdog over it. It begins when it is made (writes wait until it has booted) and
 * ends once, with one reason that every open channel and pending call is given.
 *
 * The process stays alive as long as a channel is open or a call is pending. */

import { Worker } from "node:worker_threads"
import { type Carrier, InProcessChannel } from "./channel.ts"
import { Deferred } from "./deferred.ts"
import { callFailed, crashed, type EngineError, frozen, saveFailed } from "./errors.ts"
import { endReason } from "./end-reason.ts"
import { findWorker } from "./find-file.ts"
import { Frames, readFrames } from "./frames.js"
import type { DataMessage, FromWorker, Method, ToWorker, WorkerSetup } from "./protocol.ts"
import { createSignals, signal } from "./signals.js"
import { Watchdog } from "./watchdog.ts"

/** Bytes on their way to the engine, above which writers are told to wait. */
const BEHIND = 4 << 20
/** A word about what has been taken in is due after that many bytes at the latest. */
const SETTLE = 1 << 20
const STACK_MB = 64

export interface Listeners {
  onSnapshot(bytes: Uint8Array<ArrayBuffer>): void
  onLog(line: string): void
  /** A save that nobody waits for has failed. */
  onUnsaved(reason: EngineError): void
  /** It ended by itself: it crashed, froze, was shut down or did not boot. */
  onEnded(reason: EngineError, booted: boolean): void
}

export class Instance implements Carrier {
  readonly #signals = createSignals()
  readonly #patienceMs: number
  readonly #setup: Omit<WorkerSetup, "signals">
  readonly #listeners: Listeners
  readonly #worker: Worker
  readonly #watchdog: Watchdog
  readonly #ready = new Deferred<number | undefined>()
  readonly #channels = new Map<number, InProcessChannel>()
  readonly #calls = new Map<number, { method: Method; done: Deferred<void> }>()
  readonly #out = new Frames()
  #nextId = 1
  #inFlight = 0
  #received = 0
  #scheduled = false
  #held = true
  #booted = false
  #ended: EngineError | undefined

  constructor(setup: Omit<WorkerSetup, "signals">, patienceMs: number, listeners: Listeners) {
    this.#setup = setup
    this.#patienceMs = patienceMs
    this.#listeners = listeners
    this.#worker = new Worker(findWorker(), {
      name: "keywright-engine",
      workerData: { ...setup, signals: this.#signals } satisfies WorkerSetup,
      resourceLimits: { stackSizeMb: STACK_MB },
      execArgv: [],
      env: {},
    })
    this.#worker.on("message", (message: FromWorker) => this.#receive(message))
    this.#worker.on("error", (error) => this.#fail(crashed(error.message, [])))
    this.#worker.on("exit", () => this.#fail(crashed("its thread ended", [])))
    this.#watchdog = new Watchdog(this.#signals, patienceMs, () => this.#fail(frozen(patienceMs)))
  }

  /** The port that it listens on, once it answers. Rejects when it did not boot. */
  get ready(): Promise<number | undefined> {
    return this.#ready.promise
  }

  /** Whether it keeps the process alive even without channels and calls. */
  hold(held: boolean): void {
    this.#held = held
    this.#holdProcess()
  }

  connect(): InProcessChannel {
    const id = this.#nextId++
    const channel = new InProcessChannel(id, this)
    if (this.#ended) channel.end(this.#ended)
    else {
      this.#channels.set(id, channel)
      this.#out.open(id)
      this.#schedule()
    }
    this.#holdProcess()
    return channel
  }

  async call(method: Method, ms = 0): Promise<void> {
    if (this.#ended) throw this.#ended
    const done = new Deferred<void>()
    this.#calls.set(this.#ask(method, ms), { method, done })
    this.#holdProcess()
    await done.promise
  }

  /** Stops it when no more messages can be taken, at the exit of the process: the worker
   * goes on while this thread waits for it, as long as it is seen to move. */
  stopAtExit(): void {
    if (this.#ended) return
    const id = this.#ask("stop", 0)
    for (let seen = "", moving = true; moving;) {
      const returned = Atomics.load(this.#signals, signal.returned)
      if (returned === id) return
      const waited = Atomics.wait(this.#signals, signal.returned, returned, this.#patienceMs)
      moving = waited !== "timed-out" || seen !== this.#signals.join()
      seen = this.#signals.join()
    }
  }

  #ask(method: Method, ms: number): number {
    const id = this.#nextId++
    this.#flush()
    this.#post({ kind: "call", id, method, ms })
    return id
  }

  /** Ends it: channels and calls are given the reason. */
  async end(reason: EngineError): Promise<void> {
    if (!this.#ended) {
      this.#ended = reason
      this.#watchdog.stop()
      for (const channel of this.#channels.values()) channel.end(reason)
      for (const call of this.#calls.values()) call.done.reject(reason)
      this.#channels.clear()
      this.#calls.clear()
      this.#ready.reject(reason)
    }
    await this.#worker.terminate()
  }

  get behind(): boolean {
    return this.#inFlight > BEHIND
  }

  send(channel: number, bytes: Uint8Array): void {
    this.#out.add(channel, bytes)
    this.#inFlight += bytes.length
    this.#schedule()
  }

  leave(channel: number): void {
    this.#channels.delete(channel)
    this.#out.close(channel)
    this.#schedule()
    this.#holdProcess()
  }

  #fail(reason: EngineError): void {
    if (this.#ended) return
    const booted = this.#booted
    void this.end(reason)
    this.#listeners.onEnded(reason, booted)
  }

  #receive(message: FromWorker): void {
    if (this.#ended) return
    switch (message.kind) {
      case "data":
        return this.#receiveData(message)
      case "ready":
        this.#booted = true
        return this.#ready.resolve(message.port)
      case "returned":
        return this.#returned(message.id, message.failure, message.log)
      case "snapshot":
        return this.#listeners.onSnapshot(message.bytes)
      case "log":
        return this.#listeners.onLog(message.line)
      case "unsaved":
        return this.#listeners.onUnsaved(saveFailed(message.failure, message.log))
      case "ended":
        return this.#fail(endReason(message, this.#setup, this.#booted))
    }
  }

  #receiveData(message: DataMessage): void {
    readFrames(message, {
      data: (id, bytes) => this.#channels.get(id)?.onData(bytes),
      close: (id) => {
        this.#channels.get(id)?.end()
        this.#channels.delete(id)
        this.#holdProcess()
      },
    })
    this.#received += message.bytes.byteLength
    if (this.#received > SETTLE) this.#schedule()
    this.#inFlight -= message.received
    if (message.received > 0 && !this.behind) for (const channel of this.#channels.values()) channel.drain()
  }

  #returned(id: number, failure: string | undefined, log: readonly string[] | undefined): void {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    this.#holdProcess()
    if (failure === undefined) call?.done.resolve()
    else if (call)
      call.done.reject(
        call.method === "forward" || call.method === "flush"
          ? callFailed(call.method, failure)
          : saveFailed(failure, log),
      )
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    queueMicrotask(() => this.#flush())
  }

  #flush(): void {
    this.#scheduled = false
    if (this.#ended || (this.#out.empty && this.#received === 0)) return
    const message = this.#out.take(this.#received)
    this.#received = 0
    this.#post(message, [message.bytes])
  }

  #post(message: ToWorker, transfer?: ArrayBuffer[]): void {
    this.#worker.postMessage(message, transfer)
  }

  #holdProcess(): void {
    if (this.#held || this.#channels.size > 0 || this.#calls.size > 0) this.#worker.ref()
    else this.#worker.unref()
  }
}
