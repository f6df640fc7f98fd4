import { describe, expect, it } from "vitest"
import { startClock } from "./clock.ts"

describe("the clock", () => {
  it("starts where it is told, and runs on", () => {
    const clock = startClock(new Date("2030-01-01T00:00:00Z"))
    const first = clock.now().getTime()
    expect(first - Date.parse("2030-01-01T00:00:00Z")).toBeLessThan(1000)
    expect(clock.seconds()).toBeGreaterThanOrEqual(first / 1000)
  })

  it("never gives the same seconds twice", () => {
    const clock = startClock()
    const seen = Array.from({ length: 5000 }, () => clock.seconds())
    expect(new Set(seen).size).toBe(5000)
    expect(seen.toSorted((a, b) => a - b)).toEqual(seen)
    expect(Math.abs(seen[0]! - Date.now() / 1000)).toBeLessThan(1)
  })
})
