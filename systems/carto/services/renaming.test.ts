import { expect, it } from "vitest"
import type { CartoContext } from "../context.ts"
import { renaming } from "./renaming.ts"

const settled = () => new Promise((resolve) => setImmediate(resolve))

it("of all users one is renamed at a time, and who asks many times at once keeps others waiting for one", async () => {
  let begun = 0
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const transaction = async () => {
    begun += 1
    await isOver
    throw new Error("over")
  }
  const context = { source: { transaction }, redis: { isUp: true }, settings: {} } as unknown as CartoContext
  const { rename } = renaming(context, {} as never, {} as never)
  const done: string[] = []
  const asked = [...Array.from({ length: 20 }, () => "much"), "other"].map((user) =>
    rename(user, "new").catch(() => done.push(user)),
  )
  await settled()
  expect(begun).toBe(1)
  end()
  await Promise.all(asked)
  expect(begun).toBe(21)
  expect(done.indexOf("other")).toBeLessThan(2)
})

it("who has lost their key while they waited renames nobody, not even the new owner of the name", async () => {
  const sql: unknown = new Proxy({}, { get: (_, name) => (name === "execute" ? async () => [] : () => sql) })
  const source = { transaction: (work: (open: unknown) => Promise<unknown>) => work(sql) }
  const records = { find: async () => ({ id: 1, database_name: "d", map_key: "another" }) }
  const context = { source, redis: { isUp: true }, settings: {} } as unknown as CartoContext
  const { rename } = renaming(context, records as never, {} as never)
  const isStillAllowed = () => Promise.reject(new Error("no more"))
  await expect(rename("old", "new", isStillAllowed)).rejects.toThrow("no more")
})
