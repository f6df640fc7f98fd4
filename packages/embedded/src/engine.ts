/* The engine that a program holds: always one instance, replaced by a fresh one when it
 * crashes or freezes, so that clients can reconnect. What outlives an instance is kept
 * here: the port, the clock and the last snapshot. */

import type { Channel } from "./channel.ts"
import { EngineClock } from "./engine-clock.ts"
import { type Duration, durationMs } from "./duration.ts"
import { type EngineError, stopped } from "./errors.ts"
import { EngineThread } from "./engine-thread.ts"
import { Instance } from "./instance.ts"
import type { ThreadSetup } from "./protocol.ts"

/**
 * What `start` returns: a running server.
 * @example
 * const later = async (engine: Engine) => {
 *   await engine.forward("11m") // keys that become due expire, at once
 * }
 */
export interface Engine {
  /** The loopback TCP port, when one was asked for. */
  readonly port: number | undefined
  /** `"redis://127.0.0.1:49152"`, when there is a port. */
  readonly url: string | undefined
  /** Opens a connection inside the process. It keeps the process alive until it is closed. */
  connect(): Channel
  /** The engine's time in Unix milliseconds. */
  now(): number
  /**
   * Moves the clock: keys that become due expire in order, with their events, and
   * calls that block until then return. Takes no time.
   *
   *     await engine.forward("11m")
   */
  forward(duration: Duration): Promise<void>
  /** Removes all data: FLUSHALL and FUNCTION FLUSH. The memory stays with the process until `stop()`, for new data. */
  flush(): Promise<void>
  /** Writes a snapshot now: SAVE. Without a directory it is kept in memory, for a replacement. */
  save(): Promise<void>
  /** Saves when there is a directory, closes every connection, and ends. */
  stop(): Promise<void>
  /** The port no longer keeps the process alive. */
  unref(): void
}

export interface EngineSetup extends Omit<ThreadSetup, "signals" | "replacement" | "log"> {
  readonly clock: EngineClock
  readonly onReplaced: (reason: EngineError) => void
  readonly onUnsaved: (reason: EngineError) => void
  readonly log: ((line: string) => void) | undefined
  /** Lets others use the directory. */
  readonly release: () => void
}

export class SupervisedEngine implements Engine {
  readonly #setup: EngineSetup
  readonly #thread: EngineThread
  #instance: Instance
  #lives = 0
  #port: number | undefined
  #snapshot: Uint8Array<ArrayBuffer> | undefined
  #held: boolean
  #stopping: Promise<void> | undefined

  private constructor(setup: EngineSetup) {
    this.#setup = setup
    this.#held = setup.port !== undefined
    const { module, directory, port, saveEveryMs, patienceMs, log } = setup
    this.#thread = new EngineThread({ module, directory, port, saveEveryMs, patienceMs, log: log !== undefined })
    this.#instance = this.#create()
  }

  static async start(setup: EngineSetup): Promise<Engine> {
    const engine = new SupervisedEngine(setup)
    engine.#port = await engine.#thread.listening
    await engine.#instance.ready
    engine.#instance.hold(engine.#held)
    if (setup.directory) process.on("exit", engine.#stopAtExit)
    return engine
  }

  get port(): number | undefined {
    return this.#port
  }

  get url(): string | undefined {
    return this.#port === undefined ? undefined : `redis://127.0.0.1:${this.#port}`
  }

  connect(): Channel {
    return this.#instance.connect()
  }

  now(): number {
    return this.#setup.clock.now()
  }

  async forward(duration: Duration): Promise<void> {
    const ms = durationMs(duration)
    this.#setup.clock.forward(ms)
    await this.#instance.call("forward", ms)
  }

  async flush(): Promise<void> {
    await this.#instance.call("flush")
  }

  async save(): Promise<void> {
    await this.#instance.call("save")
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  unref(): void {
    this.#held = false
    this.#instance.hold(false)
  }

  async #stop(): Promise<void> {
    process.off("exit", this.#stopAtExit)
    try {
      await this.#instance.call("stop")
    } finally {
      this.#instance.end(stopped())
      await this.#thread.end()
      this.#setup.release()
    }
  }

  #create(): Instance {
    const { clock, directory, patienceMs, log } = this.#setup
    const setup = { life: ++this.#lives, clock: clock.setup(), snapshot: this.#snapshot, directory, patienceMs }
    return new Instance(this.#thread, setup, {
      onSnapshot: (bytes) => (this.#snapshot = bytes),
      onLog: (line) => log?.(line),
      onUnsaved: this.#setup.onUnsaved,
      onEnded: (reason, booted) => this.#replace(reason, booted),
    })
  }

  /** An engine that did not even boot would not do so the next time. */
  #replace(reason: EngineError, booted: boolean): void {
    if (!booted || this.#stopping) return this.#release()
    this.#instance = this.#create()
    this.#instance.hold(this.#held)
    this.#setup.onReplaced(reason)
  }

  #release(): void {
    void this.#thread.end()
    this.#setup.release()
  }

  readonly #stopAtExit = (): void => {
    this.#instance.stopAtExit()
    this.#setup.release()
  }
}
