import type { CallOptions } from "./driver.ts"

/** Of calls that only read: after a lost connection they may be sent again. */
export const SAFE: CallOptions = Object.freeze({ safe: true })
export const SAFE_BYTES: CallOptions = Object.freeze({ safe: true, bytes: true })
