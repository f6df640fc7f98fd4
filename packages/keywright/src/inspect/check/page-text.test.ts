import { expect, it } from "vitest"
import { anything, isAnything, maskedLines } from "./page-text.ts"

it("masks placeholders, and puts them back", () => {
  const [line] = maskedLines("user:{id}:<day> ••• {1,2}")
  expect([...line!.text].filter(isAnything)).toHaveLength(4)
  expect(line!.restore(line!.text)).toBe("user:{id}:<day> ••• {1,2}")
})

it("masks a bounded number of placeholders of a line, and reads a bounded part of it", () => {
  const [line, next] = maskedLines(`${"{a} ".repeat(100_000)}\nb:{c}`)
  expect(line!.raw).toHaveLength(20_000)
  expect(line!.text.match(anything)).toHaveLength(4096)
  expect(line!.restore(line!.text).startsWith("{a} ".repeat(4096) + "? ")).toBe(true)
  expect(next!.restore(next!.text)).toBe("b:{c}")
})
