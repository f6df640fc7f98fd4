/* Keys that work everywhere: `/` searches, `g o` goes to the overview, `?` helps.
 * Not while somebody types into a field. */

import { signal } from "@preact/signals"
import { go, href, type View } from "./route.ts"
import { systems } from "./studio.ts"
import { switchTheme } from "./theme.ts"

export const searching = signal(false)
export const helping = signal(false)

const places: Readonly<Record<string, { readonly view: View; readonly text: string }>> = {
  o: { view: "overview", text: "Overview" },
  b: { view: "browse", text: "Browse" },
  s: { view: "schema", text: "Schema" },
  d: { view: "difference", text: "Difference" },
  a: { view: "audit", text: "Audit" },
  l: { view: "live", text: "Live" },
  r: { view: "console", text: "Console" },
  c: { view: "changes", text: "Changes" },
}

/** Those that there are: a difference only where there is something to compare with. */
export const placesNow = () =>
  Object.entries(places).filter(
    ([, { view }]) => view !== "difference" || systems.value.some(({ against }) => against !== undefined),
  )

const SECOND_KEY_MS = 1200

export function followKeys(): void {
  let startedAt = -Infinity
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) return open(event, searching)
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isModal()) return
    const place = placesNow().find(([key]) => key === event.key)?.[1]
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
