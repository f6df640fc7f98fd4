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
      turns.do("a", () => {
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

it("after a turn that took long, because of what work does after it has begun, less of it begins", async () => {
  const turns = shortTurns()
  const begun: number[] = [0]
  await new Promise<void>((resolve) => {
    for (let i = 0; i < 200; i++)
      turns.do("a", () => {
        begun[begun.length - 1]!++
        process.nextTick(work, 1)
        if (i === 199) resolve()
      })
    const count = () => {
      begun.push(0)
      if (begun.reduce((sum, number) => sum + number) < 200) setImmediate(count)
    }
    setImmediate(count)
  })
  const turnsWithWork = begun.filter((pieces) => pieces > 0)
  // As long as nobody looks at it, 64 begin in each.
  expect(turnsWithWork.length).toBeGreaterThan(8)
})

it("clients take turns", async () => {
  const turns = shortTurns()
  const order: string[] = []
  const ask = (client: string) => turns.do(client, () => void (order.push(client), work(3)))
  for (let i = 0; i < 5; i++) ask("a")
  ask("b")
  await new Promise<void>((resolve) => turns.do("a", resolve))
  expect(order.indexOf("b")).toBe(2)
})

it("work is done in its order, also when some of it comes later", async () => {
  const turns = shortTurns()
  const inTurn = (work: () => void) => turns.do("a", work)
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

it("reading stops when a turn has become very long, and not before", () => {
  let stopped = 0
  const turns = shortTurns(() => void (stopped += 1))
  turns.read()
  expect(stopped).toBe(0)
  work(30)
  turns.read()
  expect(stopped).toBe(1)
})
