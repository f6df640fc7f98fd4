import { NotApplied, OutcomeUnknown, Refused } from "keywright"
import { afterEach, expect, it } from "vitest"
import type { Driver } from "./driver.ts"
import { watchRedis, type RedisState } from "./redis-state.ts"

const late = () => new OutcomeUnknown("DRIVER.TIMEOUT", "the server did not answer PING")
const unreachable = () => new NotApplied("DRIVER.TIMEOUT", "PING was not sent", { cause: new Error("ECONNREFUSED") })
const refused = () => new Refused("SERVER.OOM", "full")

let state: RedisState
afterEach(() => state.close())

/** Pings have these outcomes, one after another, and then they are answered. */
function redis(...outcomes: (Error | "PONG")[]) {
  let asked = 0
  const send = async () => {
    const outcome = outcomes[asked]
    asked += 1
    if (outcome instanceof Error) throw outcome
    return "PONG"
  }
  const seen: boolean[] = []
  state = watchRedis([{ send } as unknown as Driver])
  state.onUp = () => seen.push(true)
  return { asked: () => asked, wasAway: () => seen.length > 0 }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

it.each([
  ["a call was late", late()],
  ["it refused one", refused()],
])("when %s and a ping is answered, nobody is refused", async (_, error) => {
  const { asked, wasAway } = redis()
  for (let i = 0; i < 100; i++) state.suspect(error)
  expect(state.isUp).toBe(true)
  await settled()
  expect([state.isUp, asked(), wasAway()]).toEqual([true, 1, false])
})

it("as long as only our own calls keep a ping waiting, nobody is refused", async () => {
  const { asked, wasAway } = redis(late(), late(), late())
  state.suspect(late())
  await settled()
  expect([state.isUp, asked(), wasAway()]).toEqual([true, 4, false])
})

it("when a ping finds no connection after a call was late, it is away until one is answered", async () => {
  const { asked, wasAway } = redis(late(), unreachable(), unreachable())
  state.suspect(late())
  await settled()
  expect([state.isUp, asked()]).toEqual([false, 3])
  await expect.poll(() => state.isUp).toBe(true)
  expect(wasAway()).toBe(true)
})

it("when a call found no connection, it is away at once", () => {
  redis(unreachable())
  state.suspect(unreachable())
  expect(state.isUp).toBe(false)
})
