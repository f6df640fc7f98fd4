import { expect, it } from "vitest"
import type { RestaurantContext } from "../context.ts"
import { dishes } from "./menu.ts"

/** A menu of so many dishes, whose reads end when they are told to. */
function menu(count: number) {
  const ids = Array.from({ length: count }, (_, i) => String(i))
  let begun = 0
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const getMany = async (wanted: readonly string[]) => {
    begun += 1
    await isOver
    return wanted.map((id) => ({ id, name: `dish ${id}` }))
  }
  const context = { db: { dish: { ids: async () => ids, getMany } }, redis: { isUp: true }, settings: {}, log: {} }
  const { list } = dishes(context as unknown as RestaurantContext)
  return { list, begun: () => begun, end }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it.each([
  ["a search", { search: "dish 7", page: 1, pageSize: 20 }, 111],
  ["a long page", { page: 1, pageSize: 1000 }, 1000],
])("of a large menu, two are read at once for %s, however many ask", async (_, query, total) => {
  const { list, begun, end } = menu(1000)
  const asked = Array.from({ length: 50 }, () => list(query))
  await settled()
  expect(begun()).toBe(2)
  end()
  for (const { meta } of await Promise.all(asked)) expect(meta.total).toBe(total)
  expect(begun()).toBe(50)
})

it("a short page, and a small menu, are read at once", async () => {
  for (const [count, query] of [
    [1000, { page: 1, pageSize: 20 }],
    [100, { search: "dish", page: 1, pageSize: 1000 }],
  ] as const) {
    const { list, begun, end } = menu(count)
    const asked = Array.from({ length: 50 }, () => list(query))
    await settled()
    expect(begun()).toBe(50)
    end()
    await Promise.all(asked)
  }
})
