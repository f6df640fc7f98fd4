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
const counted = layout({ key: "{entity}:{id}", counter: "{entity}:counter" })
const User = z.object({ id: z.string(), team: z.string() })
const schema = keyspace(
  {
    account: record("account", json(z.object({ id: z.string() })), { ids: "given" }),
    mine: scope("account:{account}:", {
      secret: record("secret", json(z.object({ id: z.string() })), { ids: "given" }),
      post: record("post", json(z.object({ id: z.string(), authorId: z.string() })), { ids: "given" }),
    }),
    tenant: scope("{{tenant}}:", {
      user: record("user", json(User), { index: { team: "team" }, ids: "given" }),
      order: counted("order", json(z.object({ id: z.string(), item: z.string() }))),
      first: string("first", text),
      note: string("note:{id}", text),
    }),
  },
  {
    ttl: "never",
    relations: { "mine.post": { author: { one: "account", from: "authorId" } } },
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

  it("a relation does not lead to a key of another pattern", async () => {
    await on.db.mine({ account: "b" }).secret.create({ id: "1" })
    const { post } = on.db.mine({ account: "a" })
    await post.create({ id: "1", authorId: "b:secret:1" })
    expect(await post.get("1", { with: { author: true } })).toMatchObject({ id: "1", author: undefined })
    const inside = on.db.$transaction((tx) => tx.mine({ account: "a" }).post.get("1", { with: { author: true } }))
    expect(await inside).toMatchObject({ id: "1", author: undefined })
  })

  it("an operation id of one tenant is not that of another", async () => {
    const [own, other] = [on.db.tenant({ tenant: "a" }), on.db.tenant({ tenant: "b" })]
    await other.order.create({ item: "of b" }, { operationId: "op1" })
    expect(await own.order.create({ item: "of a" }, { operationId: "op1" })).toMatchObject({ item: "of a" })
    expect(await own.order.get("1")).toMatchObject({ item: "of a" })
  })

  it("the id of a call is not replaced by one that came with the tenant", async () => {
    const own = on.db.tenant(JSON.parse('{"tenant":"a","id":"2"}') as never)
    for (const item of ["one", "two"]) await on.db.tenant({ tenant: "a" }).order.create({ item })
    expect(await own.order.get("1")).toMatchObject({ item: "one" })
  })
})
