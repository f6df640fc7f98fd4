import { setMaxListeners } from "node:events"
import type { CallOptions, Driver } from "../../driver/driver.ts"
import { wrapDriver } from "../../driver/wrap-driver.ts"
import { batchPatiently } from "./refusal.ts"

/**
 * The same driver with another deadline: a page may take its time, and only a server that has gone is given up. Once the
 * signal is aborted nothing more is sent, so that every loop over answers ends, however many the server has.
 */
export function patient(driver: Driver, timeoutMs: number, signal?: AbortSignal): Driver {
  // Each command of a page listens to it until it is answered: Node would warn of a leak.
  if (signal !== undefined) setMaxListeners(0, signal)
  /** What does no harm twice is not waited for either. */
  const noted = (options: CallOptions | undefined): CallOptions => {
    signal?.throwIfAborted()
    return { timeoutMs, ...(signal !== undefined && options?.safe === true && { signal }), ...options }
  }
  return wrapDriver(driver, (other) => patient(other, timeoutMs, signal), {
    timeoutMs,
    send: async (command, options) => driver.send(command, noted(options)),
    batch: async (commands, options) => batchPatiently(driver, commands, timeoutMs, noted(options)),
    multi: async (commands, options) => driver.multi(commands, noted(options)),
    run: async (script, keys, args, options) => driver.run(script, keys, args, noted(options)),
  })
}
