/* Three workers and the exchange between them, in one process. */

import { expect, it } from "vitest"
import { exchange } from "./team-exchange.ts"
import { teamOver, type WorkerLine, type TeamMessage } from "./team.ts"

/** The two ends of a line: what one sends, the other receives, a moment later. */
function line(): [WorkerLine, WorkerLine] {
  const listeners: ((message: TeamMessage) => void)[][] = [[], []]
  const end = (own: number): WorkerLine => ({
    send: (message) => queueMicrotask(() => listeners[1 - own]!.forEach((listener) => listener(message))),
    receive: (listener) => void listeners[own]!.push(listener),
  })
  return [end(0), end(1)]
}

function three() {
  const between = exchange()
  return [1, 2, 3].map((number) => {
    const [primary, worker] = line()
    const leave = between.add(primary)
    const team = teamOver(worker, 3)
    team.answer("number", (factor) => number * (factor as number))
    return { team, leave }
  })
}

it("asks the others, and not itself", async () => {
  const [one] = three()
  expect(await one!.team.ask("number", 10)).toEqual([20, 30])
})

it("leaves out those who have no answer, and those who fail", async () => {
  const [one, two, last] = three()
  two!.team.answer("number", () => undefined)
  last!.team.answer("number", () => {
    throw new Error("no")
  })
  expect(await one!.team.ask("number", 1)).toEqual([])
  expect(await one!.team.ask("nothing")).toEqual([])
})

it("does not wait for a worker that ends", async () => {
  const [one, two] = three()
  two!.team.answer("number", () => new Promise(() => {}))
  const asked = one!.team.ask("number", 1)
  await new Promise((resolve) => setImmediate(resolve))
  two!.leave()
  expect(await asked).toEqual([3])
})

it("many questions at once find their answers", async () => {
  const workers = three()
  const found = await Promise.all(
    workers.flatMap(({ team }) => Array.from({ length: 50 }, (_, i) => team.ask("number", i))),
  )
  expect(found).toEqual(
    [1, 2, 3].flatMap((number) =>
      Array.from({ length: 50 }, (_, i) => [1, 2, 3].filter((other) => other !== number).map((other) => other * i)),
    ),
  )
})
