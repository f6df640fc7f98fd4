import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../test/needs.ts"
import { startPostgres } from "../../../test/real-postgres.ts"
import { openSource } from "../../platform/source.ts"
import { messagesBefore, peopleThread } from "../source/messages.ts"
import { addBan, addContact, mayWrite, removeBan, removeContacts } from "../source/users.ts"
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
  beforeAll(async () => {
    await source.ask(createTables)
    for (const scope of [one, other]) await source.ask((sql) => addContact(sql, scope, "ada", "bob", "1"))
  })
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

  it("are refused alone when the other has banned their sender since they were checked", async () => {
    const before = noted.length
    const sendBoth = async (id: string) => {
      const toEve = {
        scope: one,
        receiver: "eve",
        message: { id, from: "ada", body: id, at: "2026-01-01T00:00:00.000Z" },
      }
      const sent = await Promise.allSettled([outgoing.send(toEve), toBob(one, `${id}b`)])
      return sent.map((one) => (one.status === "rejected" ? (one.reason as { code: string }).code : one.status))
    }
    await source.ask((sql) => addContact(sql, one, "ada", "eve", "2"))
    for (const [by, whom] of [
      ["eve", "ada"],
      ["ada", "eve"],
    ] as const) {
      await source.ask((sql) => addBan(sql, one, by, "user", whom, "3"))
      expect(await sendBoth(`g${by}`)).toEqual(["banned", "fulfilled"])
      await source.ask((sql) => removeBan(sql, one, by, "user", whom))
    }
    expect(await sendBoth("h")).toEqual(["fulfilled", "fulfilled"])
    await source.ask((sql) => removeContacts(sql, one, "ada", "eve"))
    await source.ask((sql) => addBan(sql, one, "eve", "user", "ada", "4"))
    expect(await sendBoth("i")).toEqual(["banned", "fulfilled"])
    const toEve = await source.ask((sql) => messagesBefore(sql, one, peopleThread("ada", "eve"), undefined, 100))
    expect(toEve.map(({ id }) => id)).toEqual(["h"])
    expect(noted.slice(before).flat()).toHaveLength(5)
  })

  it("may be more than one transaction takes", async () => {
    await Promise.all(Array.from({ length: 70 }, (_, i) => toBob(other, `m${String(i).padStart(2, "0")}`)))
    expect(await stored(other)).toHaveLength(71)
  })
})

describe.runIf(needs("postgresql"))("with PostgreSQL", () => {
  it("who ends a contact waits for the messages that were allowed because of it", async () => {
    const postgres = await startPostgres()
    const opened = openSource(postgres.url, () => undefined)
    const theirs = opened as unknown as Source<MessagingTables>
    try {
      await theirs.ask(createTables)
      for (const [from, to] of [
        ["ada", "bob"],
        ["bob", "ada"],
        ["ada", "eve"],
      ] as const)
        await theirs.ask((sql) => addContact(sql, one, from, to, "1"))
      await theirs.ask((sql) => addBan(sql, one, "eve", "user", "ada", "1"))
      const pairs = [
        { from: "ada", to: "bob" },
        { from: "ada", to: "eve" },
      ]
      const order: string[] = []
      let isRemoved: Promise<unknown> = Promise.resolve()
      await theirs.transaction(async (sql) => {
        expect(await mayWrite(sql, one, pairs)).toEqual([pairs[0]])
        isRemoved = theirs.ask((other) => removeContacts(other, one, "bob", "ada")).then(() => order.push("removed"))
        // Long enough for it to be done if it did not wait.
        for (let i = 0; i < 20; i++) await theirs.ask((other) => mayWrite(other, one, [pairs[1]!]))
        order.push("stored")
      })
      await isRemoved
      expect(order).toEqual(["stored", "removed"])
      expect(await theirs.ask((sql) => mayWrite(sql, one, pairs))).toEqual([])
    } finally {
      await opened.close()
      await postgres.stop()
    }
  })
})
