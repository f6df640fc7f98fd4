import { describe, expect, it } from "vitest"
import { PageSize } from "./page-size.ts"

const after = (size: PageSize, ...answersMs: number[]): number => {
  for (const ms of answersMs) size.answered(ms, 1)
  return size.keys
}

describe("the size of a page", () => {
  it("falls while a server answers slowly, to a bound, and rises again when it answers quickly", () => {
    const size = new PageSize()
    expect(after(size)).toBe(250)
    expect(after(size, 5, 5, 5, 5)).toBe(175)
    expect(after(size, ...Array.from({ length: 100 }, () => 9))).toBe(40)
    expect(after(size, 1, 1, 1, 1)).toBe(48)
    expect(after(size, ...Array.from({ length: 100 }, () => 1))).toBe(250)
  })

  it("stays where answers are neither slow nor quick", () => {
    expect(after(new PageSize(), ...Array.from({ length: 100 }, () => 2))).toBe(250)
  })

  it("is not changed by answers that lay here while this process computed, as long as others were quick", () => {
    expect(after(new PageSize(), 80, 2, 90, 70)).toBe(250)
  })

  it("is what was asked for", () => {
    expect(after(new PageSize(1000), ...Array.from({ length: 100 }, () => 50))).toBe(1000)
  })

  it("doubles while pages have no keys, to a bound, and is as before when one has", () => {
    const size = new PageSize()
    const sizes = Array.from({ length: 6 }, () => {
      size.answered(2, 0)
      return size.keys
    })
    expect(sizes).toEqual([500, 1000, 2000, 4000, 4000, 4000])
    expect(after(size, 2)).toBe(250)
    expect(new PageSize(1000).keys).toBe(1000)
  })
})
