/* A sentence for the person in front of the page: what went wrong, or what was done. */

import { signal } from "@preact/signals"
import { Refusal } from "./call.ts"

export interface Notice {
  readonly text: string
  readonly kind: "good" | "bad"
}

export const notice = signal<Notice | undefined>(undefined)

const SHOWN_MS = 6000
let timer: ReturnType<typeof setTimeout> | undefined

export function say(text: string, kind: Notice["kind"] = "good"): void {
  notice.value = { text, kind }
  clearTimeout(timer)
  timer = setTimeout(() => (notice.value = undefined), SHOWN_MS)
}

/** Does the work; what goes wrong is said. Whether it went well. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 0)) say(messageOf(error), "bad")
    return false
  }
}

/** A message begins with a capital letter here, and ends with a stop. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`
}
