import type { Day } from "keywright"

const DAY_MS = 86_400_000

/** `addDays("2024-01-01", 21)` → `"2024-01-22"` */
export const addDays = (day: string, days: number): Day =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10) as Day

/** How many days from one to the other. */
export const daysFrom = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / DAY_MS

/** The day of an instant in a time zone: `"2026-03-01"`. */
export function localDay(timeZone: string): (instant: Date | string) => string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" })
  return (instant) => format.format(typeof instant === "string" ? new Date(instant) : instant)
}
