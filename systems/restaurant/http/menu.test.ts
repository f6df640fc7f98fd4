import { expect, it } from "vitest"
import type { WrittenJson } from "../../platform/http/answer.ts"
import type { ListPage } from "../services/pages.ts"
import { guard } from "./guard.ts"
import { menuRoutes } from "./menu.ts"

type Handle = (input: object) => Promise<{ readonly body: WrittenJson }>

/** A menu, the lists of which end when they are told to. Each client has an address. */
function menu() {
  const reads: { readonly asked: string; readonly end: () => void }[] = []
  const list = ({ page, pageSize }: ListPage) =>
    new Promise((end) => reads.push({ asked: `${page} ${pageSize}`, end: () => end({ meta: {}, result: [] }) }))
  const { guarded } = guard({} as never, {} as never, {} as never, {} as never)
  const context = { redis: { isUp: true }, addressOf: (incoming: unknown) => incoming }
  const routes = menuRoutes(guarded, { list, get: async () => ({}) } as never, { list } as never, context as never)
  const ask = (path: string, client: string, pageSize: number, page = 1) => {
    const { handle } = routes.find((route) => route.method === "GET" && route.path === path)!
    return (handle as never as Handle)({ params: {}, query: { page, pageSize }, http: { env: { incoming: client } } })
  }
  return { reads, ask }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const lists = ["/api/dishes", "/api/categories", "/api/categories/{id}/dishes"]

it.each(lists)("who asks for the same long page of %s many times shares what is read and written", async (path) => {
  const { reads, ask } = menu()
  const asked = Array.from({ length: 50 }, () => ask(path, "a", 200))
  await settled()
  expect(reads).toHaveLength(1)
  reads[0]!.end()
  expect(new Set((await Promise.all(asked)).map(({ body }) => body)).size).toBe(1)
})

it.each(lists)(
  "who asks for many long pages of %s keeps others waiting for one, and short ones for none",
  async (path) => {
    const { reads, ask } = menu()
    const many = Array.from({ length: 50 }, (_, i) => ask(path, "a", 200, i + 1))
    const other = ask(path, "b", 21)
    const short = ask(path, "b", 20)
    await settled()
    const seen = () => reads.map(({ asked }) => asked)
    expect(seen().toSorted()).toEqual(["1 20", "1 200", "2 200", "3 200", "4 200"])
    for (let ended = 0; ended < 3; ended++) {
      reads[ended]!.end()
      await settled()
    }
    expect(seen()).toContain("1 21")
    for (let ended = 3; ended < 52; ended++) {
      reads[ended]!.end()
      await settled()
    }
    await Promise.all([...many, other, short])
  },
)
