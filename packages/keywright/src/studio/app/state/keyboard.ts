/* Keys that work everywhere: `/` searches, `g o` goes to the overview, `?` helps.
 * Not while somebody types into a field. */

import { signal } from "@preact/signals"
import { go, href, type View } from "./route.ts"
import { switchTheme } from "./theme.ts"

export const searching = signal(false)
export const helping = signal(false)

export const places: Readonly<Record<string, { readonly view: View; readonly text: string }>> = {
  o: { view: "overview", text: "Overview" },
  b: { view: "browse", text: "Browse" },
  s: { view: "schema", text: "Schema" },
  a: { view: "audit", text: "Audit" },
  l: { view: "live", text: "Live" },
  c: { view: "changes", text: "Changes" },
}

const SECOND_KEY_MS = 1200

export function followKeys(): void {
  let startedAt = -Infinity
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) return open(event, searching)
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isModal()) return
    const place = places[event.key]
    if (place !== undefined && event.timeStamp - startedAt < SECOND_KEY_MS) {
      event.preventDefault()
      startedAt = -Infinity
      go(href(place.view))
      return
    }
    startedAt = event.key === "g" ? event.timeStamp : -Infinity
    if (event.key === "/") open(event, searching)
    if (event.key === "?") open(event, helping)
    if (event.key === "t") switchTheme()
  })
}

function open(event: KeyboardEvent, what: { value: boolean }): void {
  event.preventDefault()
  what.value = true
}

const isModal = (): boolean => document.querySelector("dialog[open]") !== null

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable)
