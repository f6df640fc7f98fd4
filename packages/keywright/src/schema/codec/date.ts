/* Dates and instants. A day is a plain text ("2011-10-03"): a Date would bring a
 * time zone in, and with it the day before. */

import { codecRefused } from "../../errors/codec.ts"
import { codec, type Codec, type NumericCodec } from "./codec.ts"
import { isoText, isoTime, keepDay } from "./iso-text.ts"

/**
 * A calendar day as text, as `day` and `compactDay` read it.
 * @example
 * const opening: Day = "2011-10-03"
 */
export type Day = `${number}-${number}-${number}`
/**
 * A calendar month as text, as `month` reads it.
 * @example
 * const billed: Month = "2011-10"
 */
export type Month = `${number}-${number}`

/**
 * A calendar day: `2011-10-03`, and only with its zeros.
 * @example
 * const log = list("log-{date}", text, { params: { date: day }, ttl: "90d" })
 */
export const day: Codec<Day> = codec({
  name: "day (YYYY-MM-DD)",
  spec: { codec: "day" },
  example: "2011-10-03",
  mask: ["####-##-##"],
  encode: (value) => checkDay(value) as string,
  decode: checkDay,
})

/**
 * A calendar month: `2011-10`.
 * @example
 * const invoices = set("invoices:{month}", text, { params: { month }, ttl: "never" })
 */
export const month: Codec<Month> = codec({
  name: "month (YYYY-MM)",
  spec: { codec: "month" },
  example: "2011-10",
  mask: ["####-##"],
  encode: (value) => checkMonth(value) as string,
  decode: checkMonth,
})

/**
 * A calendar day without dashes: your code sees `2011-10-03`, Redis keeps `20111003`.
 * @example
 * console.log(compactDay.encode("2011-10-03")) // → 20111003
 */
export const compactDay: Codec<Day> = codec({
  name: "day (YYYYMMDD)",
  spec: { codec: "compactDay" },
  example: "20111003",
  mask: ["########"],
  encode: (value) => checkDay(value).replaceAll("-", ""),
  decode(raw) {
    if (!/^\d{8}$/.test(raw)) throw codecRefused("COMPACT_DAY", "a day such as 20111003", raw)
    return checkDay(`${raw.slice(0, 4)}-${raw.slice(4, 6)}-${raw.slice(6)}`)
  },
})

const DAY = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** By arithmetic: a Date would take ten times as long, and roll the 30th of February over. */
function checkDay(value: string): Day {
  const found = typeof value === "string" ? DAY.exec(value) : null
  if (found === null) throw noDay(value)
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])]
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (day > DAYS[month - 1]! || (month === 2 && day === 29 && !isLeap)) throw noDay(value)
  return value as Day
}

const noDay = (value: unknown) => codecRefused("DAY", "a day such as 2011-10-03", value)

function checkMonth(value: string): Month {
  if (typeof value !== "string" || !/^\d{4}-(0[1-9]|1[0-2])$/.test(value))
    throw codecRefused("MONTH", "a month such as 2011-10", value)
  return value as Month
}

/**
 * Seconds since 1970, with a fraction down to the millisecond: what `time.time()` returns.
 * @example
 * console.log(unixSeconds.encode(new Date("2009-02-13T23:31:30Z"))) // → 1234567890
 */
export const unixSeconds: NumericCodec<Date> = codec({
  name: "unix seconds",
  spec: { codec: "unixSeconds" },
  example: "1234567890",
  numeric: true,
  encode: (value) => String(time(value) / 1000),
  decode: (raw) => instant(Math.round(number(raw, /^-?\d+(\.\d+)?(e-\d+)?$/) * 1000), raw, "unix seconds"),
})

/**
 * Milliseconds since 1970: what `Date.now()` returns.
 * @example
 * const events = zset("events", text, { score: unixMillis, keep: 1000, ttl: "7d" })
 */
export const unixMillis: NumericCodec<Date> = codec({
  name: "unix milliseconds",
  spec: { codec: "unixMillis" },
  example: "1234567890123",
  numeric: true,
  mask: ["#+", "-#+"],
  encode: (value) => String(time(value)),
  decode: (raw) => instant(number(raw, /^(0|-?[1-9]\d*)$/), raw, "unix milliseconds"),
})

/**
 * A point in time as ISO 8601 in UTC: `2011-10-03T13:30:00.000Z`.
 * @example
 * const session = hash("session:{id}", { user: text, startedAt: isoInstant }, { ttl: "1d" })
 */
export const isoInstant: Codec<Date> = codec({
  name: "instant (ISO 8601, UTC)",
  spec: { codec: "isoInstant" },
  example: "2011-10-03T13:30:00.000Z",
  mask: ["####-##-##T##:##:##.###Z", "####-##-##T##:##:##Z"],
  allow: ":",
  encode: (value) => isoText(time(value)),
  decode(raw) {
    const known = isoTime(raw)
    if (!Number.isNaN(known)) return new Date(known)
    const found = instant(INSTANT.test(raw) ? Date.parse(raw) : Number.NaN, raw, "an instant in UTC")
    // Date rolls the 30th of February and 24 o'clock over.
    if (MAY_ROLL_OVER.test(raw) && found.toISOString().slice(0, 19) !== raw.slice(0, 19))
      throw codecRefused("INSTANT", "an instant in UTC", raw)
    keepDay(found.getTime(), raw)
    return found
  },
})

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/
const MAY_ROLL_OVER = /^.{8}(?:29|3|.{3}24)/

function time(value: Date): number {
  const ms = value instanceof Date ? value.getTime() : Number.NaN
  if (Number.isNaN(ms) || ms < minTime || ms > maxTime)
    throw codecRefused("INSTANT", "a Date of the years 0 to 9999", value)
  return ms
}

function instant(ms: number, raw: string, expected: string): Date {
  if (Number.isNaN(ms) || ms < minTime || ms > maxTime) throw codecRefused("INSTANT", expected, raw)
  return new Date(ms)
}

/** NaN for a text of another form: Number() alone also takes white space, hexadecimal and nothing at all. */
const number = (raw: string, form: RegExp): number => (form.test(raw) ? Number(raw) : Number.NaN)

// Years 0 to 9999: outside them an ISO text has another form.
const minTime = -62_167_219_200_000
const maxTime = 253_402_300_799_999
