import { expect, it } from "vitest"
import type { CartoContext } from "../context.ts"
import { tables } from "./tables.ts"
import { users } from "./users.ts"

/** A catalogue that is busy until its `end`, and how many have come to it. */
function busyCatalogue() {
  let came = 0
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const transaction = async () => {
    came += 1
    await isOver
  }
  const clock = { now: () => new Date() }
  const lenient = { onUndecodable: () => {} }
  const context = { db: {}, source: { transaction }, redis: { isUp: true }, settings: {}, clock, lenient }
  return { context: context as unknown as CartoContext, came: () => came, end }
}
const twenty = (work: () => Promise<unknown>) => Array.from({ length: 20 }, work)

it("of the changes that a user asks for, one waits for the catalogue at a time, and nobody else's wait for them", async () => {
  const { context, came, end } = busyCatalogue()
  const renaming = { unlessMoving: (_: string, work: () => Promise<unknown>) => work() }
  const { rotateKey, visit } = users(context, {} as never, renaming as never)
  const isStillAllowed = async () => {}
  const asked = twenty(() => visit("much", isStillAllowed))
  expect(came()).toBe(1)
  asked.push(visit("other", isStillAllowed), rotateKey("much"))
  expect(came(), "with the other user, and the admin").toBe(3)
  end()
  await Promise.all(asked)
  expect(came()).toBe(22)
})

it("of the tables that a user changes, one waits for the catalogue at a time, also in a database of several users", async () => {
  const { context, came, end } = busyCatalogue()
  const { remove } = tables(context)
  const table = { database: "d", table: "t" }
  const by = (owner: number) => ({ owner, isStillAllowed: async () => {} })
  const asked = twenty(() => remove(table, by(1)))
  expect(came()).toBe(1)
  asked.push(remove(table, by(2)), remove(table))
  expect(came(), "with the other user, and the admin").toBe(3)
  end()
  await Promise.all(asked)
  expect(came()).toBe(22)
})
