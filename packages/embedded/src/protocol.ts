/* What the two threads say to each other. Data goes in batches, one message per
 * tick and direction, its bytes transferred, not copied: see frames.js.
 *
 * One thread serves one engine after another. Each has a number, its life, and what
 * was on its way when it ended is ignored. */

import type { WasmModule } from "./web-assembly.js"

export interface Batch {
  /** Pairs of channel and length: the bytes follow each other. Negative lengths are events: see frames.js. */
  readonly frames: number[]
  readonly bytes: ArrayBuffer
  /** How many bytes of the other side have been taken in since the last word, so that it cannot run ahead without bound. */
  readonly received: number
}

export interface DataMessage extends Batch {
  readonly kind: "data"
  readonly life: number
}

export type Method = "forward" | "flush" | "save" | "stop"

export interface CallMessage {
  readonly kind: "call"
  readonly life: number
  readonly id: number
  readonly method: Method
  readonly ms: number
}

/** Begin another life. */
export interface BootMessage {
  readonly kind: "boot"
  readonly life: number
  readonly clock: ClockSetup
  readonly snapshot: Uint8Array<ArrayBuffer> | undefined
}

export type ToWorker = DataMessage | CallMessage | BootMessage

export interface EndedMessage {
  readonly kind: "ended"
  readonly life: number
  readonly how: "trap" | "exit" | "interrupt"
  readonly what: string
  readonly log: readonly string[]
}

export interface ReturnedMessage {
  readonly kind: "returned"
  readonly life: number
  readonly id: number
  readonly failure?: string
  readonly log?: readonly string[]
}

/** What concerns the thread, whichever life it serves. */
export type FromThread =
  | { readonly kind: "listening"; readonly port: number | undefined }
  | { readonly kind: "refused"; readonly what: string }

/** What concerns one life. */
export type FromLife =
  | DataMessage
  | ReturnedMessage
  | EndedMessage
  | { readonly kind: "ready"; readonly life: number }
  | { readonly kind: "snapshot"; readonly life: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "log"; readonly life: number; readonly line: string }
  | { readonly kind: "unsaved"; readonly life: number; readonly failure: string; readonly log: readonly string[] }

export type FromWorker = FromThread | FromLife

export interface ClockSetup {
  /** Milliseconds between the system's clock and the engine's. */
  readonly offsetMs: number
  /** The instant at which the engine's clock is stopped, when it does not run. */
  readonly stillAtMs: number | undefined
}

export interface ThreadSetup {
  readonly module: WasmModule
  /** Shared: see signals.js. */
  readonly signals: Int32Array<SharedArrayBuffer>
  readonly directory: string | undefined
  readonly port: number | undefined
  /** It takes the place of a thread that was ended. */
  readonly replacement: boolean
  readonly saveEveryMs: number
  readonly patienceMs: number
  readonly log: boolean
}
