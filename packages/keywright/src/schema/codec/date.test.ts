import { expect, test } from "vitest"
import { compactDay, day } from "./date.ts"

const isTaken = (text: string) => {
  try {
    return day.decode(text) === text
  } catch {
    return false // Refused.
  }
}

test("a day is taken exactly when the calendar has it", () => {
  const two = (n: number) => String(n).padStart(2, "0")
  for (const year of ["0000", "0004", "1900", "2000", "2011", "2012", "2100", "9999"]) {
    for (let month = 0; month <= 13; month++) {
      for (let number = 0; number <= 32; number++) {
        const text = `${year}-${two(month)}-${two(number)}`
        const asDate = new Date(`${text}T00:00:00Z`)
        const exists = !Number.isNaN(asDate.getTime()) && asDate.toISOString().slice(0, 10) === text
        expect([text, isTaken(text)]).toEqual([text, exists])
      }
    }
  }
})

test("a day without dashes is the same day", () => {
  expect([compactDay.encode("2012-02-29"), compactDay.decode("20120229")]).toEqual(["20120229", "2012-02-29"])
  expect(() => compactDay.decode("20110229")).toThrow(expect.objectContaining({ code: "CODEC.DAY" }))
})
