import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openSource } from "../../platform/source.ts"
import { messagesBefore, peopleThread } from "../source/messages.ts"
import { createTables, type MessagingTables } from "../tables.ts"
import type { Source } from "../../platform/source.ts"
import type { News } from "./live/news.ts"
import { outgoingMessages } from "./outgoing-messages.ts"

const open = openSource(undefined, () => undefined)
const source = open as unknown as Source<MessagingTables>
const [one, other] = [
  { project: "1", service: "1" },
  { project: "1", service: "2" },
]
/** What was noted in one transaction, for each of them. */
const noted: News[][] = []
const outgoing = outgoingMessages({ source } as never, {
  telling: (_, work) =>
    work((_sql, ...news) => {
      noted.push([...news])
      return Promise.resolve()
    }),
})
const toBob = (scope: typeof one, id: string) =>
  outgoing.send({ scope, receiver: "bob", message: { id, from: "ada", body: id, at: "2026-01-01T00:00:00.000Z" } })
const stored = (scope: typeof one) =>
  source.ask((sql) => messagesBefore(sql, scope, peopleThread("ada", "bob"), undefined, 100))

describe("messages of one moment", () => {
  beforeAll(() => source.ask(createTables))
  afterAll(() => open.close())

  it("are stored and noted together, by service", async () => {
    await Promise.all([toBob(one, "a"), toBob(other, "b"), toBob(one, "c")])
    expect((await stored(one)).map(({ id }) => id)).toEqual(["c", "a"])
    expect((await stored(other)).map(({ id }) => id)).toEqual(["b"])
    expect(noted.map((news) => news.length).sort()).toEqual([1, 2])
  })

  it("fail alone: the others are stored", async () => {
    const sent = await Promise.allSettled([toBob(one, "d"), toBob(one, "a"), toBob(one, "e")])
    expect(sent.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    expect((await stored(one)).map(({ id }) => id)).toEqual(["e", "d", "c", "a"])
  })

  it("may be more than one transaction takes", async () => {
    await Promise.all(Array.from({ length: 70 }, (_, i) => toBob(other, `m${String(i).padStart(2, "0")}`)))
    expect(await stored(other)).toHaveLength(71)
  })
})
