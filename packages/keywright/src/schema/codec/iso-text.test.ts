import fc from "fast-check"
import { expect, test } from "vitest"
import { isoInstant } from "./date.ts"
import { isoText, isoTime, keepDay } from "./iso-text.ts"

const years = {
  min: new Date("0000-01-01T00:00:00.000Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
}
const DAY_MS = 86_400_000

test("instants are written and read as Date does, of one day and of many", () => {
  const times = fc.array(fc.integer({ min: 0, max: DAY_MS }), { maxLength: 5 })
  fc.assert(
    fc.property(fc.date(years), times, (date, later) => {
      for (const ms of [date.getTime(), ...later.map((one) => Math.min(date.getTime() + one, years.max.getTime()))]) {
        const text = new Date(ms).toISOString()
        expect(isoText(ms)).toBe(text)
        expect(isoInstant.decode(text).getTime()).toBe(ms)
        expect(isoTime(text)).toBe(ms)
      }
    }),
  )
})

test("a text that differs from an instant of the same day in one character is read as Date reads it, or refused", () => {
  const good = "2011-10-03T13:30:59.123Z"
  for (let at = 0; at < good.length; at++) {
    for (const char of "0123456789:.-TZz +/\u0660") {
      keepDay(Date.parse(good), good)
      const text = good.slice(0, at) + char + good.slice(at + 1)
      const ms = isoTime(text)
      if (!Number.isNaN(ms)) expect([text, ms]).toEqual([text, Date.parse(text)])
    }
  }
  for (const text of ["2011-10-03T24:00:00.000Z", "2011-10-03T23:60:00.000Z", "2011-10-03T23:00:60.000Z"]) {
    keepDay(Date.parse(good), good)
    expect([text, isoTime(text)]).toEqual([text, Number.NaN])
    expect(() => isoInstant.decode(text)).toThrow(expect.objectContaining({ code: "CODEC.INSTANT" }))
  }
})
