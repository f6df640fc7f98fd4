/* One life of the engine: the channels and calls that it serves, and the watchdog
 * over it. It begins when it is made (writes wait until it has booted) and ends once,
 * with one reason that every open channel and pending call is given.
 *
 * The process stays alive as long as a channel is open or a call is pending. */

import { InProcessChannel } from "./channel.ts"
import { Deferred } from "./deferred.ts"
import { endReason } from "./end-reason.ts"
import type { EngineThread } from "./engine-thread.ts"
import { callFailed, crashed, type EngineError, frozen, saveFailed } from "./errors.ts"
import { Line } from "./line.js"
import type { BootMessage, FromLife, Method, ReturnedMessage } from "./protocol.ts"
import { signal } from "./signals.js"
import { Watchdog } from "./watchdog.ts"

export interface InstanceSetup extends Omit<BootMessage, "kind"> {
  readonly directory: string | undefined
  readonly patienceMs: number
}

export interface Listeners {
  onSnapshot(bytes: Uint8Array<ArrayBuffer>): void
  onLog(line: string): void
  /** A save that nobody waits for has failed. */
  onUnsaved(reason: EngineError): void
  /** It ended by itself: it crashed, froze, was shut down or did not boot. */
  onEnded(reason: EngineError, booted: boolean): void
}

export class Instance {
  readonly #thread: EngineThread
  readonly #setup: InstanceSetup
  readonly #listeners: Listeners
  readonly #watchdog: Watchdog
  readonly #ready = new Deferred<void>()
  readonly #channels = new Map<number, InProcessChannel>()
  readonly #calls = new Map<number, { method: Method; done: Deferred<void> }>()
  readonly #line: Line
  #nextId = 1
  #held = true
  #booted = false
  #ended: EngineError | undefined

  constructor(thread: EngineThread, setup: InstanceSetup, listeners: Listeners) {
    const { life, patienceMs } = setup
    this.#thread = thread
    this.#setup = setup
    this.#listeners = listeners
    this.#line = new Line(
      (batch) => thread.post({ kind: "data", life, ...batch }, [batch.bytes]),
      {
        data: (id, bytes) => this.#channels.get(id)?.onData(bytes),
        close: (id) => {
          this.#channels.get(id)?.end()
          this.#channels.delete(id)
          this.#holdProcess()
        },
      },
      () => {
        for (const channel of this.#channels.values()) channel.drain()
      },
    )
    thread.boot(
      { kind: "boot", life, clock: setup.clock, snapshot: setup.snapshot },
      {
        onMessage: (message) => this.#receive(message),
        onLost: (reason) => this.#fail(crashed(reason, [])),
      },
    )
    this.#watchdog = new Watchdog(
      () => thread.signals,
      patienceMs,
      () => {
        thread.interrupt()
        this.#fail(frozen(patienceMs))
      },
    )
  }

  /** Settles once it answers. Rejects when it did not boot. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Whether it keeps the process alive even without channels and calls. */
  hold(held: boolean): void {
    this.#held = held
    this.#holdProcess()
  }

  connect(): InProcessChannel {
    const id = this.#nextId++
    const channel = new InProcessChannel(id, this.#line, () => {
      this.#channels.delete(id)
      this.#holdProcess()
    })
    if (this.#ended) channel.end(this.#ended)
    else {
      this.#channels.set(id, channel)
      this.#line.mark(id, "open")
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
   * continues while this thread waits for it, as long as it makes progress. */
  stopAtExit(): void {
    if (this.#ended) return
    const id = this.#ask("stop", 0)
    const { signals } = this.#thread
    if (!signals) return
    for (let seen = "", moving = true; moving;) {
      const returned = Atomics.load(signals, signal.returned)
      if (returned === id) return
      const waited = Atomics.wait(signals, signal.returned, returned, this.#setup.patienceMs)
      moving = waited !== "timed-out" || seen !== signals.join()
      seen = signals.join()
    }
  }

  #ask(method: Method, ms: number): number {
    const id = this.#nextId++
    this.#line.flush()
    this.#thread.post({ kind: "call", life: this.#setup.life, id, method, ms })
    return id
  }

  /** Ends it: channels and calls are given the reason. */
  end(reason: EngineError): void {
    if (this.#ended) return
    this.#ended = reason
    this.#line.cut()
    this.#watchdog.stop()
    for (const channel of this.#channels.values()) channel.end(reason)
    for (const call of this.#calls.values()) call.done.reject(reason)
    this.#channels.clear()
    this.#calls.clear()
    this.#ready.reject(reason)
  }

  #fail(reason: EngineError): void {
    if (this.#ended) return
    const booted = this.#booted
    this.end(reason)
    this.#listeners.onEnded(reason, booted)
  }

  #receive(message: FromLife): void {
    if (this.#ended || message.life !== this.#setup.life) return
    switch (message.kind) {
      case "data":
        return this.#line.receive(message)
      case "ready":
        this.#booted = true
        return this.#ready.resolve()
      case "returned":
        return this.#returned(message)
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

  #returned({ id, failure, log }: ReturnedMessage): void {
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

  #holdProcess(): void {
    this.#thread.hold(this.#held || this.#channels.size > 0 || this.#calls.size > 0)
  }
}
