import { expect, it } from "vitest"
import { NextFlight } from "./next-flight.ts"

it("is shared by all who ask while another is under way, and begins after they asked", async () => {
  let begun = 0
  const ends: (() => void)[] = []
  const flight = new NextFlight(() => {
    const number = ++begun
    return new Promise<number>((resolve) => ends.push(() => resolve(number)))
  })
  const first = flight.get()
  const [second, third] = [flight.get(), flight.get()]
  expect(begun).toBe(1)
  ends[0]!()
  expect(await first).toBe(1)
  await expect.poll(() => begun).toBe(2)
  const fourth = flight.get()
  ends[1]!()
  expect(await Promise.all([second, third])).toEqual([2, 2])
  await expect.poll(() => begun).toBe(3)
  ends[2]!()
  expect(await fourth).toBe(3)
})

it("begins again after one that failed", async () => {
  let begun = 0
  const flight = new NextFlight(() => (++begun === 1 ? Promise.reject(new Error("away")) : Promise.resolve(begun)))
  const [first, second] = [flight.get(), flight.get()]
  await expect(first).rejects.toThrow("away")
  expect(await second).toBe(2)
  expect(await flight.get()).toBe(3)
})
