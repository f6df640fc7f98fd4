import { accessSync, constants, mkdirSync, realpathSync } from "node:fs"
import { lockDirectory } from "./directory-lock.ts"
import { type Engine, SupervisedEngine } from "./engine.ts"
import { type ClockOptions, EngineClock } from "./engine-clock.ts"
import { badOption, type EngineError } from "./errors.ts"
import { wasmModule } from "./wasm-module.ts"

/**
 * What `start` can be told: a port, a directory to keep the data in, another clock.
 * @example
 * const options: StartOptions = { directory: "./data", saveEveryMs: 60_000 }
 * const engine = await start(options)
 */
export interface StartOptions {
  /** Another time, or a clock that only moves by `forward()`. */
  readonly clock?: ClockOptions
  /** Keeps the data in this directory; without it, in memory only, and no folder is touched. */
  readonly directory?: string
  /** Also listens on this port of 127.0.0.1, 0 for any free one. Keeps the process alive until `stop()` or `unref()`. */
  readonly port?: number
  /** How often a directory is saved to, when something has changed. 10 seconds. */
  readonly saveEveryMs?: number
  /** How long one command or script may hold the engine before it is ended and replaced. 5 seconds. */
  readonly patienceMs?: number
  /** The engine crashed, froze or was shut down, and a fresh one has taken its place. A warning of the process, unless set. */
  readonly onReplaced?: (reason: EngineError) => void
  /** A save on the interval has failed. A warning of the process, unless set. */
  readonly onUnsaved?: (reason: EngineError) => void
  /** Gets the lines of the server's log. */
  readonly log?: (line: string) => void
}

/**
 * Starts a Valkey server inside this process.
 * @example
 * const engine = await start({ port: 0 })
 * console.log(engine.url) // → redis://127.0.0.1:…
 * await engine.stop()
 */
export async function start(options: StartOptions = {}): Promise<Engine> {
  const { port, saveEveryMs = 10_000, patienceMs = 5_000, log } = options
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536)) {
    throw badOption(`${String(port)} is not a port`, "Choose one from 1 to 65535, or 0 for any free one.")
  }
  if (!(saveEveryMs > 0)) throw badOption("saveEveryMs must be more than 0", "Leave it out for 10 seconds.")
  if (!(patienceMs > 0)) throw badOption("patienceMs must be more than 0", "Leave it out for 5 seconds.")
  const module = await wasmModule()
  const directory = options.directory === undefined ? undefined : prepare(options.directory)
  const release = directory === undefined ? () => {} : lockDirectory(directory)
  return SupervisedEngine.start({
    module,
    clock: new EngineClock(options.clock),
    directory,
    port,
    saveEveryMs,
    patienceMs,
    onReplaced: options.onReplaced ?? warn,
    onUnsaved: options.onUnsaved ?? warn,
    log,
    release,
  })
}

function prepare(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true })
    accessSync(directory, constants.W_OK)
    return realpathSync(directory)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw badOption(
      `the embedded engine cannot keep its data in ${directory}: ${reason}`,
      "Choose a writable directory.",
    )
  }
}

function warn(reason: EngineError): void {
  process.emitWarning(reason.message, {
    type: "KeywrightEngine",
    code: reason.code,
    detail: `${reason.why}\nfix: ${reason.fix}`,
  })
}
