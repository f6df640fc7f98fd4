import { describe, expect, it } from "vitest"
import { PageSize } from "./page-size.ts"

const after = (size: PageSize, ...answersMs: number[]): number => {
  for (const ms of answersMs) size.answered(ms, 1)
  return size.keys
}

const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms)

describe("the size of a page", () => {
  it("rises while a server answers quickly, falls when answers are slow, both to a bound", () => {
    const size = new PageSize()
    expect(after(size)).toBe(100)
    expect(after(size, ...times(8, 1))).toBe(125)
    expect(after(size, ...times(104, 1))).toBe(250)
    expect(after(size, ...times(4, 1), ...times(4, 5))).toBe(125)
    expect(after(size, ...times(100, 5))).toBe(50)
  })

  it("stays while one of eight answers is slow, as when this process collects its garbage", () => {
    expect(after(new PageSize(), ...Array.from({ length: 10 }, () => [...times(7, 1), 80]).flat())).toBe(100)
  })

  it("is that of a quick server where the server is far away", () => {
    expect(after(new PageSize(), ...Array.from({ length: 52 }, () => [30, 31]).flat())).toBe(250)
  })

  it("falls where pages take the server long, which the first answer did not wait for", () => {
    expect(after(new PageSize(), 1, ...times(100, 9))).toBe(50)
  })

  it("falls where pages take long to read, whatever SCAN says", () => {
    const size = new PageSize()
    for (const ms of [2, ...times(40, 9)]) {
      size.read(ms)
      size.answered(1, 100)
    }
    expect(size.keys).toBe(50)
  })

  it("is what was asked for", () => {
    const size = new PageSize(1000)
    expect(after(size, 1, ...times(100, 50))).toBe(1000)
    expect(size.restMs).toBe(0)
  })

  it("doubles while pages have no keys, to a bound, and is as before when one has", () => {
    const size = new PageSize()
    const sizes = Array.from({ length: 6 }, () => {
      size.answered(1, 0)
      return size.keys
    })
    expect(sizes).toEqual([200, 400, 800, 1600, 3200, 3200])
    expect(after(size, 1)).toBe(100)
    expect(new PageSize(1000).keys).toBe(1000)
  })
})

it("a walk rests after pages of the smallest size, and no others", () => {
  const size = new PageSize()
  const rests = [1, ...times(39, 9), ...times(8, 1)].map((ms) => {
    size.answered(ms, 1)
    return size.restMs
  })
  expect(new Set(rests.slice(0, 7))).toEqual(new Set([0]))
  expect(new Set(rests.slice(7, 47))).toEqual(new Set([1]))
  expect(rests.at(-1)).toBe(0)
})
