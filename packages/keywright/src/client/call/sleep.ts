import { setTimeout } from "node:timers/promises"

/** Waits for this long or until the signal is aborted; never rejects. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(Math.min(ms, 2 ** 31 - 1), undefined, signal && { signal }).catch(() => undefined)
