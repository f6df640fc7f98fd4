/* Arrow keys in a list or a table: up and down move the focus between its rows'
 * links, Home and End go to the ends. */

import type { TargetedKeyboardEvent } from "preact"

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** For `onKeyDown` of the container; rows' links have `data-row`. */
export function arrowRows(event: TargetedKeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]")]
  const at = rows.findIndex((row) => row === document.activeElement)
  if (step === undefined || at < 0) return
  event.preventDefault()
  rows[step(at, rows.length - 1)]?.focus()
}
