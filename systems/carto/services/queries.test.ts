import type { Month } from "keywright"
import { expect, it } from "vitest"
import type { CartoContext } from "../context.ts"
import { queries } from "./queries.ts"

it("of each user, the usage of two requests is read at once, however often it is asked for", async () => {
  let begun = 0
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const counters = new Proxy({}, { get: () => () => ({ get: () => 0 }) })
  const $multi = async (read: (multi: unknown) => unknown[]) => {
    begun += 1
    await isOver
    return read({ threshold: counters })
  }
  const context = { db: { $multi, threshold: counters }, log: {}, redis: { isUp: true } }
  const { usage } = queries(context as unknown as CartoContext, {} as never)
  const asked = [1, 1, 1, 1, 2].map((user) => usage(user, "2011-10" as Month))
  expect(begun, "two of the first, and the other").toBe(3)
  end()
  for (const { total } of await Promise.all(asked)) expect(total).toBe(0)
  expect(begun).toBe(5)
})
