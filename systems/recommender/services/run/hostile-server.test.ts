/* A server that always has more posts to take out of a pool. */

import { connect } from "keywright"
import { expect, it } from "vitest"
import { startHostile } from "../../../../test/hostile-server.ts"
import { recommender } from "../../schema.ts"
import { clearSlots } from "./ring.ts"

it.each([4000, 2 ** 16])("with %i posts in it, as it says, is not asked for ever", async (posts) => {
  let steps = 0
  const server = await startHostile(([name]) => {
    if (name === "ZCARD") return `:${posts}\r\n`
    if (name?.startsWith("EVAL")) steps++
    return ":2000\r\n"
  })
  const db = await connect(recommender, server.url)
  try {
    await expect(clearSlots({ db }, { suffix: 1 }, 0, 6, "*")).rejects.toThrow("does not become empty")
    expect(steps).toBeLessThan(100)
  } finally {
    await db.$close()
    await server.close()
  }
})
