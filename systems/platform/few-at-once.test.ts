import { expect, it } from "vitest"
import { clientTurns } from "./client-turns.ts"
import { fewAtOnce, fewOfEach, fewWhileUp } from "./few-at-once.ts"

/** Work that ends when it is told to. */
function pieces() {
  const begun: string[] = []
  const ends = new Map<string, (isDone: boolean) => void>()
  const piece = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve, reject) =>
      ends.set(name, (isDone) => (isDone ? resolve(name) : reject(new Error(name)))),
    )
  }
  return { begun, piece, end: (name: string, isDone = true) => ends.get(name)!(isDone) }
}

it("does a few at once of each, in their order, also after one that failed, and of others at once", async () => {
  const { begun, piece, end } = pieces()
  const turn = fewAtOnce(2)
  const asked = ["a1", "a2", "a3", "a4", "b1"].map((name) => turn(name[0]!, piece(name)))
  expect(begun).toEqual(["a1", "a2", "b1"])
  end("a2", false)
  await expect(asked[1]).rejects.toThrow("a2")
  await expect.poll(() => begun).toEqual(["a1", "a2", "b1", "a3"])
  for (const name of ["a1", "a3", "b1"]) end(name)
  await expect.poll(() => begun.at(-1)).toBe("a4")
  end("a4")
  expect(await Promise.all([asked[0], asked[2], asked[3], asked[4]])).toEqual(["a1", "a3", "a4", "b1"])
})

it("keeps a limited number waiting, and takes more when these are done", async () => {
  const { begun, piece, end } = pieces()
  const turn = fewAtOnce(1, 1)
  const asked = ["1", "2", "3"].map((name) => turn("a", piece(name)))
  await expect(asked[2]).rejects.toMatchObject({ status: 429, code: "too_many_attempts" })
  end("1")
  await expect.poll(() => begun).toEqual(["1", "2"])
  end("2")
  expect(await Promise.all(asked.slice(0, 2))).toEqual(["1", "2"])
  const again = turn("a", piece("4"))
  end("4")
  expect(await again).toBe("4")
})

it("begins nothing that waited until Redis was gone", async () => {
  const { begun, piece, end } = pieces()
  const redis = { isUp: true }
  const turn = fewWhileUp(redis, 1)
  const asked = ["1", "2", "3"].map((name) => turn("a", piece(name)))
  redis.isUp = false
  end("1")
  expect(await asked[0]).toBe("1")
  for (const one of asked.slice(1)) await expect(one).rejects.toMatchObject({ code: "redis_unavailable" })
  expect(begun).toEqual(["1"])
})

it("does one thing at a time for a client with many names, so that others wait for one", async () => {
  const { begun, piece, end } = pieces()
  const turn = fewOfEach({ isUp: true }, 2, clientTurns({ parallel: 2, what: "pieces" }))
  const asked = ["a1", "a2", "a3", "a4", "b1"].map((name) => turn(name, name[0]!, piece(name)))
  await expect.poll(() => begun).toEqual(["a1", "a2"])
  for (const [done, next] of [
    ["a1", "a3"],
    ["a2", "b1"],
    ["a3", "a4"],
  ] as const) {
    end(done)
    await expect.poll(() => begun.at(-1)).toBe(next)
  }
  for (const name of ["a4", "b1"]) end(name)
  await Promise.all(asked)
})
