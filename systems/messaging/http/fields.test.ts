import { afterEach, expect, it, vi } from "vitest"
import { Body } from "./fields.ts"

afterEach(() => vi.restoreAllMocks())

it("counts characters, whether they have one unit or two", () => {
  for (const [text, isRight] of [
    ["x".repeat(1024), true],
    ["x".repeat(1025), false],
    ["😀".repeat(1024), true],
    ["😀".repeat(1025), false],
    [`${"😀".repeat(1023)}xx`, false],
  ] as const)
    expect(Body.safeParse(text).success).toBe(isRight)
})

it("refuses a text of a million characters without taking it apart", () => {
  const takesApart = vi.spyOn(String.prototype, Symbol.iterator)
  const { success } = Body.safeParse("x".repeat(1_000_000))
  expect([success, takesApart.mock.calls.length]).toEqual([false, 0])
})
