import { expect, it } from "vitest"
import { writtenTogether } from "./written-together.ts"

it("makes and writes an answer once for all who ask for the same at the same time", async () => {
  const made: string[] = []
  let written = 0
  const ask = writtenTogether(async (name) => {
    made.push(name)
    return { name, toJSON: () => ({ name, written: ++written }) }
  })
  const replies = await Promise.all(["a", "a", "b", "a"].map(ask))
  const shown = replies.map(({ status, body }) => [status, String((body as { bytes: Buffer }).bytes)])
  const [a, b] = ['{"name":"a","written":1}', '{"name":"b","written":2}']
  expect(shown).toEqual([a, a, b, a].map((text) => [200, text]))
  expect(made).toEqual(["a", "b"])
  expect(String(((await ask("a")).body as { bytes: Buffer }).bytes)).toBe('{"name":"a","written":3}')
})
