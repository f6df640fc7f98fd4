/* The thread in which engines live, one after another. An engine that crashed, or whose
 * script does not end, is ended inside the thread: the port stays open, and the next
 * one begins. Only where that does not work (a command that never looks up) the
 * thread itself is ended, and another one takes over the port. */

import { Worker } from "node:worker_threads"
import { Deferred } from "./deferred.ts"
import { type EngineError, portTaken } from "./errors.ts"
import { findWorker } from "./find-file.ts"
import type { BootMessage, FromLife, FromWorker, ThreadSetup, ToWorker } from "./protocol.ts"
import { createSignals, signal } from "./signals.js"

const STACK_MB = 64
/** How long an engine may take to notice that it shall end. */
const NOTICE_MS = 250

export interface ThreadListener {
  onMessage(message: FromLife): void
  /** The thread itself is gone. */
  onLost(reason: string): void
}

export class EngineThread {
  #signals = createSignals()
  readonly #setup: Omit<ThreadSetup, "signals" | "replacement">
  readonly #listening = new Deferred<number | undefined>()
  #port: number | undefined
  #worker: Worker | undefined
  #listener: ThreadListener | undefined
  #notice: NodeJS.Timeout | undefined
  /** What waits until it is known which thread serves the next life. */
  #waiting: [message: ToWorker, transfer: ArrayBuffer[] | undefined][] = []
  #held = true

  constructor(setup: Omit<ThreadSetup, "signals" | "replacement">) {
    this.#setup = setup
    this.#port = setup.port
    this.#worker = this.#spawn(false)
  }

  /** The port that it listens on. Rejects when that is taken. */
  get listening(): Promise<number | undefined> {
    return this.#listening.promise
  }

  /** Signs of life; of another thread once this one was replaced. None while it is about to end a life. */
  get signals(): Int32Array<SharedArrayBuffer> | undefined {
    return this.#notice ? undefined : this.#signals
  }

  /** Begins another life, as soon as the one before has ended. */
  boot(message: BootMessage, listener: ThreadListener): void {
    this.#listener = listener
    this.#worker ??= this.#spawn(true)
    this.post(message)
  }

  post(message: ToWorker, transfer?: ArrayBuffer[]): void {
    if (this.#notice) this.#waiting.push([message, transfer])
    else this.#worker?.postMessage(message, transfer)
  }

  /** Ends the present life in the middle of what it does. */
  interrupt(): void {
    Atomics.store(this.#signals, signal.interrupt, 1)
    this.#notice = setTimeout(() => this.#replace(), NOTICE_MS)
  }

  hold(held: boolean): void {
    this.#held = held
    if (held) this.#worker?.ref()
    else this.#worker?.unref()
  }

  async end(): Promise<void> {
    this.#listener = undefined
    const worker = this.#forget()
    this.#noticed()
    await worker?.terminate()
  }

  /** It did not notice. The next one waits for the port and for the old one's last breath on the directory. */
  #replace(): void {
    void this.#forget()?.terminate()
    this.#worker = this.#spawn(true)
    this.#noticed()
  }

  #noticed(): void {
    clearTimeout(this.#notice)
    this.#notice = undefined
    for (const [message, transfer] of this.#waiting.splice(0)) this.post(message, transfer)
  }

  #forget(): Worker | undefined {
    const worker = this.#worker
    this.#worker = undefined
    worker?.removeAllListeners()
    // An error on its way must not end the process.
    worker?.on("error", () => {})
    return worker
  }

  #spawn(replacement: boolean): Worker {
    const signals = createSignals()
    this.#signals = signals
    const worker = new Worker(findWorker(), {
      name: "keywright-engine",
      workerData: { ...this.#setup, port: this.#port, signals, replacement } satisfies ThreadSetup,
      resourceLimits: { stackSizeMb: STACK_MB },
      execArgv: [],
      env: {},
    })
    worker.on("message", (message: FromWorker) => this.#receive(message))
    worker.on("error", (error) => this.#lose(error.message))
    worker.on("exit", () => this.#lose("its thread ended"))
    if (!this.#held) worker.unref()
    return worker
  }

  #receive(message: FromWorker): void {
    if (message.kind === "listening") {
      this.#port = message.port
      this.#listening.resolve(message.port)
    } else if (message.kind === "refused") {
      const refused: EngineError = portTaken(this.#port ?? 0, message.what)
      this.#listening.reject(refused)
      this.#lose(refused.message)
    } else {
      if (message.kind === "ended") this.#noticed()
      this.#listener?.onMessage(message)
    }
  }

  #lose(reason: string): void {
    void this.#forget()?.terminate()
    this.#listener?.onLost(reason)
  }
}
