/* Everything here reads: asking twice does no harm. */

import type { CallOptions } from "../../driver/driver.ts"

export const SAFE: CallOptions = Object.freeze({ safe: true })
export const SAFE_BYTES: CallOptions = Object.freeze({ safe: true, bytes: true })
