/** The day of an instant in a time zone: `"2026-03-01"`. */
export function localDay(timeZone: string): (instant: Date | string) => string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" })
  return (instant) => format.format(typeof instant === "string" ? new Date(instant) : instant)
}
