import { setImmediate } from "node:timers/promises"
import { expect, it } from "vitest"
import { cartRoutes } from "./carts.ts"
import { sessionAuth } from "./session-auth.ts"

const context = { redis: { isUp: true }, addressOf: () => "192.0.2.1" }
const routes = cartRoutes({} as never, sessionAuth({} as never), context as never)
const inTurn = (route: number, session: string, work: () => Promise<void>) =>
  routes[route]!.auth!.inTurn!(session as never, work, {} as never)

it("all routes take turns that read a whole cart", () => {
  const inTurn = routes.flatMap(({ method, path, auth }) => (auth?.inTurn === undefined ? [] : [`${method} ${path}`]))
  expect(inTurn).toEqual(["GET /cart", "PUT /cart/items/{item}"])
})

it("of each session two such requests are served at once, whichever they are", async () => {
  const begun: string[] = []
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const serve = (session: string, route: number) =>
    inTurn(route, session, async () => {
      begun.push(session)
      await isOver
    })
  const asked = [serve("mine", 0), serve("mine", 2), serve("mine", 0), serve("mine", 2), serve("theirs", 0)]
  await setImmediate()
  expect(begun).toEqual(["mine", "mine", "theirs"])
  end()
  await Promise.all(asked)
  expect(begun).toEqual(["mine", "mine", "theirs", "mine", "mine"])
})

it("of one client a few are, however many sessions it has", async () => {
  let begun = 0
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const serve = (_: unknown, session: number) =>
    inTurn(0, String(session), async () => {
      begun += 1
      await isOver
    })
  const asked = Array.from({ length: 100 }, serve)
  await setImmediate()
  expect(begun).toBe(32)
  end()
  await Promise.all(asked)
  expect(begun).toBe(100)
})
