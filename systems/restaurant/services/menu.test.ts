import { expect, it } from "vitest"
import type { RestaurantContext } from "../context.ts"
import { dishes } from "./menu.ts"

/** A menu of this many dishes, whose reads end when they are told to. */
function menu(count: number) {
  const all = Array.from({ length: count }, (_, i) => String(i))
  const reads = { ids: 0, dishes: 0 }
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const ids = async () => {
    reads.ids += 1
    return all
  }
  const getMany = async (wanted: readonly string[]) => {
    reads.dishes += 1
    await isOver
    return wanted.map((id) => ({ id, name: `dish ${id}`, categoryId: "1" }))
  }
  const dish = { ids, listIds: ids, getMany }
  const { list } = dishes({ db: { dish }, settings: {}, log: {} } as unknown as RestaurantContext)
  return { list, reads, end }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it.each([
  ["a search", { search: "dish 7", page: 1, pageSize: 20 }, 111],
  ["a category", { categoryId: "1", page: 1, pageSize: 20 }, 1000],
  ["a long page", { page: 1, pageSize: 1000 }, 1000],
])("of a large menu, those who ask for %s at the same time share what is read", async (_, query, total) => {
  const { list, reads, end } = menu(1000)
  const asked = Array.from({ length: 50 }, () => list(query))
  await settled()
  const later = Array.from({ length: 50 }, () => list(query))
  await settled()
  expect(reads).toEqual({ ids: 1, dishes: 1 })
  end()
  for (const { meta } of await Promise.all([...asked, ...later])) expect(meta.total).toBe(total)
  expect(reads).toEqual({ ids: 2, dishes: 2 })
})

it("those who ask for short pages at the same time share the ids, and read their dishes", async () => {
  const { list, reads, end } = menu(1000)
  end()
  const pages = await Promise.all(Array.from({ length: 50 }, (_, i) => list({ page: i + 1, pageSize: 20 })))
  expect(pages.map(({ result }) => result[0]!.id)).toEqual(pages.map((_, i) => String(i * 20)))
  expect(reads).toEqual({ ids: 1, dishes: 50 })
})
