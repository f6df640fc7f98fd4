import { expect, it } from "vitest"
import { oneEachTurn } from "./one-each-turn.ts"

const turn = () => new Promise((resolve) => setImmediate(resolve))

it("does one piece of work in each turn of the event loop, in order", async () => {
  const done: number[] = []
  const inTurn = oneEachTurn()
  for (const n of [1, 2, 3]) inTurn(() => void done.push(n))
  expect(done).toEqual([])
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await turn()
    expect(done).toEqual(expected)
  }
})

it("does what its own work asks for in a later turn, also when it was the last", async () => {
  const done: string[] = []
  const inTurn = oneEachTurn()
  inTurn(() => {
    done.push("first")
    inTurn(() => void done.push("second"))
  })
  await turn()
  expect(done).toEqual(["first"])
  await turn()
  expect(done).toEqual(["first", "second"])
})
