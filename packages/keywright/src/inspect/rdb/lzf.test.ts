import { describe, expect, it } from "vitest"
import { decompressLzf, expandLzf, isPlausibleLzf } from "./lzf.ts"

const expand = (bytes: number[], plain: number) =>
  decompressLzf(Buffer.from(bytes), 0, bytes.length, plain)?.toString("latin1")

describe("decompressLzf", () => {
  it("copies literal runs", () => {
    expect(expand([2, 97, 98, 99], 3)).toBe("abc")
  })

  it("repeats what was written, also where it overlaps itself", () => {
    expect(expand([1, 97, 98, (4 << 5) | 0, 1], 8)).toBe("abababab")
    expect(expand([0, 97, 7 << 5, 255, 0], 265)).toBe("a".repeat(265))
  })

  it("refuses references before the beginning, missing bytes, and other lengths than stated", () => {
    expect(expand([0, 97, 1 << 5, 5], 4)).toBeUndefined()
    expect(expand([5, 97], 6)).toBeUndefined()
    expect(expand([0, 97, 1 << 5], 4)).toBeUndefined()
    expect(expand([0, 97, 7 << 5], 10)).toBeUndefined()
    expect(expand([0, 97], 2)).toBeUndefined()
  })

  it("refuses claims that no input of that length could fulfil, before taking memory", () => {
    expect(isPlausibleLzf(10, 2 ** 40)).toBe(false)
    expect(expand([0, 97], 2 ** 40)).toBeUndefined()
  })
})

it("expandLzf stops when its target is full", () => {
  const target = Buffer.alloc(4)
  expect(expandLzf(Buffer.from([0, 97, 7 << 5, 255, 0]), 0, 5, target)).toBe(4)
  expect(target.toString()).toBe("aaaa")
})
