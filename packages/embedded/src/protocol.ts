/* What the two threads say to each other. Data goes in batches, one message per
 * tick and direction, its bytes transferred, not copied: see frames.js.
 *
 * `received` tells the other side how many bytes of its data have been taken in
 * since the last word, so that neither can run ahead without bound. */

import type { WasmModule } from "./web-assembly.js"

export interface DataMessage {
  readonly kind: "data"
  /** Pairs of channel and length: the bytes follow each other. Negative lengths open and close. */
  readonly frames: number[]
  readonly bytes: ArrayBuffer
  readonly received: number
}

export type Method = "forward" | "flush" | "save" | "stop"

export interface CallMessage {
  readonly kind: "call"
  readonly id: number
  readonly method: Method
  readonly ms: number
}

export type ToWorker = DataMessage | CallMessage

export type FromWorker =
  | DataMessage
  | { readonly kind: "ready"; readonly port: number | undefined }
  | { readonly kind: "returned"; readonly id: number; readonly failure?: string; readonly log?: readonly string[] }
  | { readonly kind: "snapshot"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "log"; readonly line: string }
  | { readonly kind: "unsaved"; readonly failure: string; readonly log: readonly string[] }
  | {
      readonly kind: "ended"
      readonly how: "trap" | "exit" | "listen"
      readonly what: string
      readonly log: readonly string[]
    }

export interface ClockSetup {
  /** Milliseconds between the system's clock and the engine's. */
  readonly offsetMs: number
  /** The instant at which the engine's clock stands, when it does not run. */
  readonly stillAtMs: number | undefined
}

export interface WorkerSetup {
  readonly module: WasmModule
  /** Shared: see signals.js. */
  readonly signals: Int32Array<SharedArrayBuffer>
  readonly clock: ClockSetup
  readonly directory: string | undefined
  readonly snapshot: Uint8Array<ArrayBuffer> | undefined
  readonly port: number | undefined
  /** It takes the place of an engine that ended. */
  readonly replacement: boolean
  readonly saveEveryMs: number
  readonly log: boolean
}
