/* Views stay fresh: they load when they appear, when somebody acts in another window of
 * this browser, when the server is back, and every few seconds while they can be seen. */

import { effect } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { isAway, returned } from "./away.ts"
import { system } from "./place.ts"

const EVERY_MS = 3000
const others = new BroadcastChannel(`keywright-${system ?? "front"}`)

/** Tells other windows that something has changed. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target
export const tellOthers = (): void => others.postMessage("changed")

export function useFresh(load: () => Promise<unknown>, everyMs = EVERY_MS): void {
  useEffect(() => {
    const again = () => {
      if (!isAway.value && document.visibilityState === "visible") load().catch(() => undefined)
    }
    const stop = effect(() => {
      void returned.value
      load().catch(() => undefined)
    })
    const timer = setInterval(again, everyMs)
    others.addEventListener("message", again)
    document.addEventListener("visibilitychange", again)
    return () => {
      stop()
      clearInterval(timer)
      others.removeEventListener("message", again)
      document.removeEventListener("visibilitychange", again)
    }
  }, [])
}
