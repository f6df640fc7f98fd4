/**
 * A real Valkey in WebAssembly, in a worker of the process.
 * @module @keywright/embedded
 */

export { start, type StartOptions } from "./start.ts"
export type { Engine } from "./engine.ts"
export type { ClockOptions } from "./engine-clock.ts"
export type { Channel } from "./channel.ts"
export type { Duration } from "./duration.ts"
export { EngineError, type EngineErrorCode } from "./errors.ts"
