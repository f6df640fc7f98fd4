import { argumentRefused } from "../errors/client.ts"
import type { KeywrightError } from "../errors/error.ts"
import type { CallOptions } from "./driver.ts"

/** Options that came from outside the program, as JSON: what a call cannot be made with. */
export function optionsRefusal({ signal, timeoutMs }: CallOptions): KeywrightError | undefined {
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== "function")
    return argumentRefused("signal", "an AbortSignal", signal)
  if (timeoutMs !== undefined && (typeof timeoutMs !== "number" || Number.isNaN(timeoutMs)))
    return argumentRefused("timeoutMs", "a number of milliseconds", timeoutMs)
  return undefined
}
