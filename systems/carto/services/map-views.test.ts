import type { Day } from "keywright"
import { expect, it } from "vitest"
import { alone } from "../../platform/workers/team.ts"
import type { CartoContext } from "../context.ts"
import { mapViews } from "./map-views.ts"

it("of each user, views of two requests are read at once, however many days are asked for and how often", async () => {
  const begun: string[] = []
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const users = {
    user: ({ username }: { username: string }) => ({
      exists: async () => {
        begun.push(username)
        await isOver
        return true
      },
    }),
    mapViews: () => ({ scores: async (days: readonly Day[]) => days.map(() => 1) }),
  }
  const context = { db: { users }, lenient: {}, redis: { isUp: true }, settings: {}, team: alone }
  const { stats } = mapViews(context as unknown as CartoContext, {} as never)
  const ask = (username: string) => stats(username, "2001-01-01" as Day, "2010-12-31" as Day)
  const asked = ["mine", "mine", "mine", "mine", "theirs"].map(ask)
  expect(begun).toEqual(["mine", "mine", "theirs"])
  end()
  for (const { total } of await Promise.all(asked)) expect(total).toBe(3652)
  expect(begun).toHaveLength(5)
})
