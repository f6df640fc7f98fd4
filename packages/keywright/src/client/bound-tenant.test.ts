/* Objects from outside, handed on as parameters: whatever they contain, a bound tenant is not left. */

import { expect, it } from "vitest"
import * as z from "zod"
import { json } from "../schema/codec/json.ts"
import { text } from "../schema/codec/text.ts"
import { string } from "../schema/define.ts"
import { scope } from "../schema/group.ts"
import { keyspace } from "../schema/keyspace.ts"
import { layout } from "../schema/layout.ts"
import { arrayOf, step } from "../schema/step.ts"
import { onEveryDriver } from "./on-every-driver.cases.ts"

const record = layout({ key: "{entity}:{id}", all: "{entity}:list", index: "{entity}:index:{index}:{value}" })
const User = z.object({ id: z.string(), team: z.string() })
const schema = keyspace(
  {
    tenant: scope("{{tenant}}:", {
      user: record("user", json(User), { index: { team: "team" }, ids: "given" }),
      first: string("first", text),
      note: string("note:{id}", text),
    }),
  },
  {
    ttl: "never",
    steps: {
      read: step({
        keys: ["tenant.first", "tenant.note[]"],
        script: "-- KEYS: first, notes\nreturn redis.call('MGET', unpack(KEYS))",
      }),
      count: step({
        keys: ["tenant.first"],
        args: { words: arrayOf(text) },
        script: "-- KEYS: first, ARGV: words\nreturn #ARGV",
      }),
    },
  },
)

const refused = { code: "KEY.BOUND_PARAM" }

onEveryDriver(schema, (on) => {
  it("an index of another tenant is not read, counted or deleted", async () => {
    const [own, other] = [on.db.tenant({ tenant: "a" }), on.db.tenant({ tenant: "b" })]
    await other.user.create({ id: "1", team: "red" })
    const body = JSON.parse('{"team":"red","tenant":"b"}') as never
    for (const call of [
      () => own.user.count("team", body),
      () => own.user.listIds("team", body),
      () => own.user.list("team", body),
      () => own.user.deleteAll("team", body),
      () => on.db.$transaction((tx) => tx.tenant({ tenant: "a" }).user.deleteAll("team", body)),
    ])
      await expect(call()).rejects.toMatchObject(refused)
    expect(await other.user.listIds("team", { team: "red" })).toEqual(["1"])
    expect(await own.user.count("team", JSON.parse('{"team":"red","tenant":"a"}') as never)).toBe(0)
  })

  it("a key of another tenant is not given to a step among several", async () => {
    await on.db.tenant({ tenant: "b" }).note({ id: "1" }).set("of b")
    const note = JSON.parse('[{"id":"1","tenant":"b"}]') as never
    await expect(on.db.$steps.read({ tenant: "a", note })).rejects.toMatchObject(refused)
    for (const items of ["abc", [null], ["x"], 7])
      await expect(on.db.$steps.read({ tenant: "a", note: items as never })).rejects.toMatchObject({
        code: expect.stringMatching(/^(STEP|KEY)\./) as string,
      })
  })

  it("what is not a list is not taken for one", async () => {
    for (const words of [{ length: 5 }, "abc", 7])
      await expect(on.db.$steps.count({ tenant: "a", words: words as never })).rejects.toMatchObject({
        code: "STEP.MISSING",
      })
  })
})
