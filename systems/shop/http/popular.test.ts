import { expect, it } from "vitest"
import type { WrittenJson } from "../../platform/http/answer.ts"
import { popularRoutes } from "./popular.ts"

/** Reads end when they are told to. Each client has an address. */
function shop() {
  const reads: { readonly asked: string; readonly end: () => void }[] = []
  const top = (limit: number, offset: number) =>
    new Promise((end) =>
      reads.push({ asked: `${limit} ${offset}`, end: () => end([{ item: "a", views: reads.length }]) }),
    )
  const context = { redis: { isUp: true }, addressOf: (incoming: unknown) => incoming }
  const [{ handle }] = popularRoutes({ top } as never, context as never) as unknown as [{ handle: Handle }]
  const ask = (client: string, limit: number, offset = 0) =>
    handle({ query: { limit, offset }, http: { env: { incoming: client } } })
  return { reads, ask }
}
type Handle = (input: object) => Promise<{ readonly body: WrittenJson }>

const settled = () => new Promise((resolve) => setImmediate(resolve))

it("those who ask for the same popular items at the same time share what is read and written", async () => {
  const { reads, ask } = shop()
  const asked = Array.from({ length: 50 }, () => ask("a", 100))
  await settled()
  const later = Array.from({ length: 50 }, () => ask("a", 100))
  await settled()
  expect(reads).toHaveLength(1)
  reads[0]!.end()
  await settled()
  reads[1]!.end()
  const bodies = (await Promise.all([...asked, ...later])).map(({ body }) => body)
  expect(new Set(bodies)).toEqual(new Set([bodies[0], bodies[50]]))
  expect(bodies[50]).not.toBe(bodies[0])
  expect(reads).toHaveLength(2)
})

it("who asks for many different lists of popular items keeps others waiting for one, and short lists for none", async () => {
  const { reads, ask } = shop()
  const many = Array.from({ length: 50 }, (_, i) => ask("a", 1000, i))
  const other = ask("b", 101)
  const short = ask("b", 20)
  await settled()
  expect(reads.map(({ asked }) => asked)).toEqual(["20 0", "1000 0", "1000 1", "1000 2", "1000 3"])
  for (let ended = 0; ended < 3; ended++) {
    reads[ended]!.end()
    await settled()
  }
  expect(reads.map(({ asked }) => asked)).toContain("101 0")
  for (let ended = 3; ended < 52; ended++) {
    reads[ended]!.end()
    await settled()
  }
  await Promise.all([...many, other, short])
})
