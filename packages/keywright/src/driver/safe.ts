import type { CallOptions } from "./driver.ts"

/** Options for calls that only read: after a lost connection they may be sent again. */
export const SAFE: CallOptions = Object.freeze({ safe: true })
export const SAFE_BYTES: CallOptions = Object.freeze({ safe: true, bytes: true })
/** The same for what a caller asked to read: a replica may answer, if the connection was opened for that. */
export const READING: CallOptions = Object.freeze({ safe: true, read: "as-opened" })
export const READING_BYTES: CallOptions = Object.freeze({ safe: true, bytes: true, read: "as-opened" })

/** For what a call needs to ask besides: within its time, as long as it is not aborted. */
export const safeWithin = ({ timeoutMs, signal }: CallOptions = {}): CallOptions => ({
  ...SAFE,
  ...(timeoutMs !== undefined && { timeoutMs }),
  ...(signal && { signal }),
})
