import { expect, it } from "vitest"
import { cartRoutes } from "./carts.ts"
import { sessionAuth } from "./session-auth.ts"

const routes = cartRoutes({} as never, sessionAuth({} as never), { isUp: true })

it("all routes take turns that read a whole cart", () => {
  const inTurn = routes.flatMap(({ method, path, auth }) => (auth?.inTurn === undefined ? [] : [`${method} ${path}`]))
  expect(inTurn).toEqual(["GET /cart", "PUT /cart/items/{item}"])
})

it("of each session two such requests are served at once, whichever they are", async () => {
  const begun: string[] = []
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const serve = (session: string, route: number) =>
    routes[route]!.auth!.inTurn!(session as never, async () => {
      begun.push(session)
      await isOver
    })
  const asked = [serve("mine", 0), serve("mine", 2), serve("mine", 0), serve("mine", 2), serve("theirs", 0)]
  expect(begun).toEqual(["mine", "mine", "theirs"])
  end()
  await Promise.all(asked)
  expect(begun).toEqual(["mine", "mine", "theirs", "mine", "mine"])
})
