import { expect, it } from "vitest"
import { nextTogether, nextTogetherOf } from "./next-together.ts"

it("does the work once for all who asked before it began, and again for those who came later", async () => {
  const ends: (() => void)[] = []
  let begun = 0
  const ask = nextTogether(async () => {
    const number = ++begun
    await new Promise<void>((resolve) => ends.push(resolve))
    if (number === 2) throw new Error("the second fails")
    return number
  })
  const first = Array.from({ length: 100 }, ask)
  await expect.poll(() => begun).toBe(1)
  const second = Array.from({ length: 100 }, ask).map((asked) => asked.catch((error: Error) => error.message))
  ends[0]!()
  expect(new Set(await Promise.all(first))).toEqual(new Set([1]))
  await expect.poll(() => begun).toBe(2)
  const third = ask()
  ends[1]!()
  expect(new Set(await Promise.all(second))).toEqual(new Set(["the second fails"]))
  await expect.poll(() => begun).toBe(3)
  ends[2]!()
  expect(await third).toBe(3)
})

it("begins once in a while at most, and the first time at once", async () => {
  const begun: number[] = []
  const ask = nextTogether(async () => begun.push(performance.now()), 50)
  const asked = performance.now()
  expect(await ask()).toBe(1)
  const answers: Promise<number>[] = []
  for (let i = 0; i < 20; i++) {
    answers.push(ask())
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(new Set(await Promise.all(answers)).has(2)).toBe(true)
  expect(begun[1]! - begun[0]!).toBeGreaterThanOrEqual(49)
  expect(begun.length).toBeLessThanOrEqual(2 + (performance.now() - asked) / 50)
})

it("does so for each name by itself, also after one that failed", async () => {
  const begun: string[] = []
  const ask = nextTogetherOf(async (name) => {
    begun.push(name)
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (name === "bad") throw new Error("it fails")
    return name
  })
  const asked = ["a", "a", "b", "bad", "a", "bad"].map((name) => ask(name).catch((error: Error) => error.message))
  expect(await Promise.all(asked)).toEqual(["a", "a", "b", "it fails", "a", "it fails"])
  expect(begun).toEqual(["a", "b", "bad"])
  expect(await ask("a")).toBe("a")
  expect(begun).toEqual(["a", "b", "bad", "a"])
})
