import { describe, expect, it } from "vitest"
import { hashing } from "./hashing.ts"

/** A job that ends on request. */
function job() {
  let done = () => {}
  const ended = new Promise<void>((resolve) => (done = resolve))
  return { work: () => ended, done }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe("hashes", () => {
  it("are made a few at a time, and clients take turns", async () => {
    const { inTurn } = hashing({ parallel: 1 })
    const order: string[] = []
    const first = job()
    const running = [inTurn("a", first.work)]
    for (const name of ["a1", "a2", "a3", "b1", "c1", "b2"])
      running.push(inTurn(name[0]!, async () => void order.push(name)))
    await settled()
    expect(order).toEqual([])
    first.done()
    await Promise.all(running)
    expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"])
  })

  it("are refused when too many wait, first to the client that has too many", async () => {
    const { inTurn } = hashing({ parallel: 1, most: 3, mostOfOne: 2 })
    const first = job()
    const running = [inTurn("a", first.work), inTurn("a", async () => {}), inTurn("a", async () => {})]
    await expect(inTurn("a", async () => {})).rejects.toMatchObject({ status: 429 })
    running.push(inTurn("b", async () => {}))
    // Nobody keeps others out by waiting many times: the latest of those with most gives way.
    const given = running.splice(2, 1)
    running.push(inTurn("c", async () => {}))
    await expect(given[0]).rejects.toMatchObject({ status: 503, code: "busy" })
    await expect(inTurn("d", async () => {})).rejects.toMatchObject({ status: 503, code: "busy" })
    first.done()
    await Promise.all(running)
    await inTurn("d", async () => {})
  })

  it("continue after one that failed", async () => {
    const { inTurn } = hashing({ parallel: 1 })
    await expect(inTurn("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no")
    expect(await inTurn("a", async () => 7)).toBe(7)
  })
})
