/* Whether the server answers. While it does not, it is asked again and again; when it is
 * back, `returned` changes, and views load again. */

import { effect, signal } from "@preact/signals"
import { loadAbout } from "./about.ts"

export const isAway = signal(false)
export const returned = signal(0)

const EVERY_MS = 700

export function followServer(): void {
  let timer: ReturnType<typeof setInterval> | undefined
  const look = async () => {
    try {
      await fetch("/health")
      await loadAbout() // A demonstration that was started again has other credentials.
      isAway.value = false
      returned.value += 1
    } catch {
      // Still away.
    }
  }
  effect(() => {
    if (isAway.value) timer ??= setInterval(() => void look(), EVERY_MS)
    else {
      clearInterval(timer)
      timer = undefined
    }
  })
}
