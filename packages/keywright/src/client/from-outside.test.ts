/* What an application hands on from outside, as JSON: texts that look like our own, and options of the wrong types. */

import { expect, it } from "vitest"
import * as z from "zod"
import { json } from "../schema/codec/json.ts"
import { text } from "../schema/codec/text.ts"
import { stream, string } from "../schema/define.ts"
import { scope } from "../schema/group.ts"
import { keyspace } from "../schema/keyspace.ts"
import { layout } from "../schema/layout.ts"
import { onEveryDriver } from "./on-every-driver.cases.ts"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}-{index}:{value}",
})
const given = layout({ key: "{entity}:{id}" })
const schema = keyspace(
  {
    user: record("user", json(z.object({ id: z.string(), email: z.string() })), {
      unique: { email: "email" },
      index: { mail: "email" },
    }),
    account: given("account", json(z.object({ id: z.string() })), { ids: "given" }),
    mine: scope("account:{account}:", {
      secret: given("secret", json(z.object({ id: z.string() })), { ids: "given" }),
    }),
    note: string("note:{id}", text, { ttl: "1h" }),
    log: stream("log", { line: text }),
  },
  { ttl: "never" },
)
const lookalike = `kwid${"0".repeat(24)}`
const options = (notes: string): never => JSON.parse(notes) as never

onEveryDriver(schema, (on) => {
  it("a text that looks like an id to be allocated is unique like any other", async () => {
    await on.db.user.create({ email: lookalike })
    await expect(on.db.user.create({ email: lookalike })).rejects.toMatchObject({ code: "INDEX.UNIQUE_TAKEN" })
    expect(await on.db.user.ids()).toEqual(["1"])
  })

  it("and does not lead to a key of another pattern, nor does one that is about to be allocated", async () => {
    const planted = on.db.account.create({ id: `b:secret:${lookalike}` })
    await expect(planted).rejects.toMatchObject({ code: "KEY.FORBIDDEN_CHARACTER" })
    const within = on.db.$transaction(async (tx) => {
      const { id } = await tx.user.create({ email: "a@example.com" })
      await tx.account.create({ id: `b:secret:${id}` })
    })
    await expect(within).rejects.toMatchObject({ code: "KEY.FORBIDDEN_CHARACTER" })
    expect(await on.raw("KEYS", "account:*")).toEqual([])
    const { id } = await on.db.$transaction(async (tx) => {
      const user = await tx.user.create({ email: "b@example.com" })
      await tx.account.create({ id: `of-${user.id}` })
      return user
    })
    expect(await on.db.account.exists(`of-${id}`)).toBe(true)
  })

  it("one that an error has shown is a text when its transaction is over", async () => {
    const shown = await on.db
      .$transaction(async (tx) => {
        for (const email of ["twice", "twice"]) await tx.user.create({ email })
      })
      .catch((error: unknown) => (error as Error).message)
    const [id] = /kwid[0-9a-f]{24}/.exec(String(shown))!
    const claim = () =>
      on.db.$transaction(async (tx) => {
        if ((await tx.note({ id }).get()) !== undefined) return "claimed before"
        await tx.note({ id }).set("claimed")
        return "claimed"
      })
    expect([await claim(), await claim()]).toEqual(["claimed", "claimed before"])
    await on.db.user.create({ email: id })
    await expect(on.db.user.create({ email: id })).rejects.toMatchObject({ code: "INDEX.UNIQUE_TAKEN" })
    await on.raw("FLUSHALL")
  })

  for (const notes of ["null", "7", "true", '["a"]', '"\\ud800"'].map((id) => `{"operationId":${id}}`))
    it(`${notes} is not the id of an operation that others share`, async () => {
      const refused = { code: "CALL.OPERATION_ID" }
      await expect(on.db.user.create({ email: "d@example.com" }, options(notes))).rejects.toMatchObject(refused)
      const work = on.db.$transaction(async (tx) => tx.note({ id: "1" }).set("y"), options(notes))
      await expect(work).rejects.toMatchObject(refused)
      expect(await on.raw("DBSIZE")).toBe(0)
    })

  it("numbers, durations and ids that are out of bounds are refused, and nothing is left behind", async () => {
    const append = (notes: string) => on.db.log().append({ line: "x" }, options(notes))
    const cached = (notes: string) => on.db.note({ id: "1" }).cached(async () => "x", options(notes))
    const create = (notes: string) => on.db.user.create({ email: "e@example.com" }, options(notes))
    const attacks: readonly (readonly [call: (notes: string) => Promise<unknown>, notes: readonly string[], string])[] =
      [
        [append, ["NOMKSTREAM", "MAXLEN", "~", "1-1 x", "", "-"].map((id) => JSON.stringify({ id })), "CALL.ARGUMENT"],
        [append, ['{"id":7}', '{"id":null}', '{"id":["*"]}'], "CALL.ARGUMENT"],
        [cached, ["-1e9", "1.01", "null", '"0.1"', "{}"].map((jitter) => `{"jitter":${jitter}}`), "CALL.ARGUMENT"],
        [cached, ['{"lease":"61m"}', '{"lease":7}'], "DEFINE.DURATION"],
        ...[append, create].map((call) => {
          const lives = ['"31d"', '"99999999d"', "null", "7"]
          return [call, lives.map((life) => `{"operationId":"1","rememberFor":${life}}`), "DEFINE.DURATION"] as const
        }),
      ]
    for (const [call, list, code] of attacks)
      for (const notes of list) await expect(call(notes), notes).rejects.toMatchObject({ code })
    expect(await on.raw("DBSIZE")).toBe(0)
    for (const id of ["5", "6-*", "7-1", "*"]) await append(JSON.stringify({ id }))
    await on.raw("FLUSHALL")
  })

  for (const notes of ['{"signal":{}}', '{"signal":null}', '{"signal":"x"}', '{"timeoutMs":"x"}', '{"timeoutMs":{}}'])
    it(`a call with ${notes} is refused, and nothing is left behind`, async () => {
      const note = on.db.note({ id: "1" })
      const calls: Record<string, () => Promise<unknown>> = {
        get: () => note.get(options(notes)),
        set: () => note.set("x", options(notes)),
        cached: () => note.cached(async () => "x", options(notes)),
        create: () => on.db.user.create({ email: "c@example.com" }, options(notes)),
        list: () => on.db.user.list("mail", { email: "x" }, options(notes)),
        deleteAll: () => on.db.user.deleteAll("mail", { email: "x" }, options(notes)),
        transaction: async () => on.db.$transaction(async (tx) => tx.note({ id: "1" }).set("y"), options(notes)),
      }
      for (const [name, call] of Object.entries(calls)) {
        const settled = call()
        await expect(settled, name).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
      }
      expect(await on.raw("DBSIZE")).toBe(0)
    })
})
