import { expect, it } from "vitest"
import { shortTurns } from "./short-turns.ts"

/** Works for some milliseconds. */
const work = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** How many pieces of work were done in each turn of the event loop. */
async function piecesByTurn(pieces: number, ms: number, isHurried = false): Promise<number[]> {
  const turns = shortTurns()
  const done: number[] = [0]
  if (isHurried) turns.hurry()
  await new Promise<void>((resolve) => {
    const count = () => {
      if (isHurried) turns.hurry()
      done.push(0)
      if (done.reduce((sum, number) => sum + number) < pieces) setImmediate(count)
      else resolve()
    }
    for (let i = 0; i < pieces; i++)
      turns.do(() => {
        done[done.length - 1]!++
        work(ms)
      })
    setImmediate(count)
  })
  return done.filter((number) => number > 0)
}

it("short work is done at once", async () => {
  expect(await piecesByTurn(3, 0)).toEqual([3])
})

it("long work goes on in later turns", async () => {
  const turns = await piecesByTurn(20, 1)
  expect(turns.reduce((sum, number) => sum + number)).toBe(20)
  // Three begin within two milliseconds; twice, where the turn is counted between them.
  expect(Math.max(...turns)).toBeLessThanOrEqual(6)
})

it("while somebody comes in each turn, one piece of work is done", async () => {
  const [, ...turns] = await piecesByTurn(20, 0, true)
  expect(turns).toEqual(Array.from({ length: turns.length }, () => 1))
  // One piece begins before the first turn.
  expect(turns.length).toBeGreaterThanOrEqual(18)
})

it("work is done in its order, also when some of it comes later", async () => {
  const { do: inTurn } = shortTurns()
  const order: number[] = []
  for (let i = 0; i < 6; i++) {
    inTurn(() => {
      order.push(i)
      work(3)
      if (i === 0) inTurn(() => order.push(6))
    })
  }
  await new Promise<void>((resolve) => inTurn(resolve))
  expect(order.filter((i) => i < 6)).toEqual([0, 1, 2, 3, 4, 5])
  expect(order).toHaveLength(7)
})
