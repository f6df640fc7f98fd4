/* Lists of orders take the longer the more there are: who asks for them many times at once keeps nobody else waiting. */

import { expect, it } from "vitest"
import type { Caller } from "../services/access.ts"
import { guard } from "./guard.ts"
import { orderRoutes } from "./orders.ts"

const routes = orderRoutes(guard({} as never, {} as never).guarded, {} as never, {} as never, {} as never)
const few = routes.filter(({ auth }) => auth?.inTurn !== undefined)

it("lists of orders take turns", () => {
  expect(few.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /api/orders", "GET /api/orders/mine"])
})

it("of each user a few lists are read at once, whichever they are", async () => {
  const begun: string[] = []
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const serve = (id: string, i: number) =>
    few[i % 2]!.auth!.inTurn!({ user: { id } } as Caller, async () => {
      begun.push(id)
      await isOver
    })
  const all = ["1", "1", "1", "1", "1", "1", "2"].map(serve)
  expect(begun).toEqual(["1", "1", "1", "1", "2"])
  end()
  await Promise.all(all)
  expect(begun).toHaveLength(7)
})
