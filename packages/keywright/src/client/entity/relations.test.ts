import { afterAll, beforeAll, expect, test } from "vitest"
import * as z from "zod"
import { json } from "../../schema/codec/json.ts"
import { text } from "../../schema/codec/text.ts"
import { set, zset } from "../../schema/define.ts"
import { scope } from "../../schema/group.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
})
const Named = z.object({ id: z.string(), name: z.string() })
const crm = keyspace(
  {
    plan: record("plan", json(Named)),
    tenant: scope("t:{tenant}:", {
      role: record("role", json(Named)),
      user: record("user", json(z.object({ id: z.string(), roleId: z.string(), planId: z.string().optional() })), {
        index: { role: "roleId" },
      }),
      tag: record("tag", json(Named)),
      userTags: set("user:{userId}:tags", text),
      roleOrder: zset("role:{roleId}:order", text),
    }),
  },
  {
    ttl: "never",
    relations: {
      "tenant.user": {
        role: { one: "tenant.role", from: "roleId", inverse: "users" },
        tags: { many: "tenant.tag", through: "tenant.userTags" },
        plan: { one: "plan", from: "planId" },
      },
      "tenant.role": { ordered: { many: "tenant.tag", through: "tenant.roleOrder" } },
    },
  },
)

onBothServers("relations", (server) => {
  let db: ClientOf<typeof crm>
  beforeAll(async () => {
    db = await connect(crm, server().target)
  })
  afterAll(() => db?.$close())

  test("lead from entity to entity within a scope, and out of it", async () => {
    const acme = db.tenant({ tenant: "acme" })
    await db.plan.create({ name: "free" })
    await acme.role.create({ name: "admin" })
    for (const name of ["x", "y"]) await acme.tag.create({ name })
    await acme.user.create({ roleId: "1", planId: "1" })
    await acme.user.create({ roleId: "1" })
    await acme.userTags({ userId: "1" }).add("2", "1")
    await acme.roleOrder({ roleId: "1" }).add("2", 1)
    await acme.roleOrder({ roleId: "1" }).add("1", 2)
    const users = await acme.user.all({ with: { role: { users: true, ordered: true }, tags: true, plan: true } })
    expect(users[0]?.role?.users.map(({ id }) => id)).toEqual(["1", "2"])
    expect(users[0]?.role?.ordered.map(({ name }) => name)).toEqual(["y", "x"])
    expect(users[0]?.tags.map(({ name }) => name)).toEqual(["x", "y"])
    expect(users.map(({ plan }) => plan?.name)).toEqual(["free", undefined])

    const told = await db.$explain((x) => x.tenant({ tenant: "acme" }).user.all({ with: { role: true, tags: true } }))
    expect(told.reads.length).toBeLessThanOrEqual(7)

    await acme.tag.delete("2")
    expect(await server().raw("SMEMBERS", "t:acme:user:1:tags")).toEqual(["1"])
    expect(await server().raw("ZRANGE", "t:acme:role:1:order", "0", "-1")).toEqual(["1"])
    await acme.user.delete("1")
    expect(await server().raw("EXISTS", "t:acme:user:1:tags")).toBe(0)
  })

  test("pass over what is gone, and what an index holds for nothing", async () => {
    const acme = db.tenant({ tenant: "acme" })
    await acme.role.create({ name: "admin" })
    await acme.user.create({ roleId: "1" })
    await acme.user.create({ roleId: "7" })
    await server().raw("SADD", "t:acme:user:index:role:1", "2", "99")
    const role = await acme.role.get("1", { with: { users: true } })
    expect(role?.users.map(({ id }) => id)).toEqual(["1"])
    expect((await acme.user.get("2", { with: { role: true } }))?.role).toBeUndefined()
  })

  test("relations from outside that do not exist, or never end, are refused", async () => {
    const acme = db.tenant({ tenant: "acme" })
    await acme.role.create({ name: "admin" })
    await acme.user.create({ roleId: "1" })
    const endless: Record<string, unknown> = {}
    endless["role"] = { users: endless }
    let deep: object = { role: true }
    for (let i = 0; i < 5000; i++) deep = i % 2 === 0 ? { users: deep } : { role: deep }
    const trees: readonly unknown[] = [
      ...[null, 7, false, "users", [], undefined].map((deeper) => ({ role: deeper })),
      ...["role", 7, ["role"], endless, { role: deep }],
    ]
    for (const tree of trees) {
      const options = { with: tree } as never
      for (const call of [
        () => acme.user.get("1", options),
        () => acme.user.all(options),
        () => acme.user.list("role", { roleId: "1" }, options),
        () => db.$transaction((tx) => tx.tenant({ tenant: "acme" }).user.get("1", options)),
      ])
        await expect(call()).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    }
  })

  test("a relation that is not declared is refused", async () => {
    await db.plan.create({ name: "free" })
    await expect(db.plan.get("1", { with: { users: true } as never })).rejects.toMatchObject({
      code: "RELATION.UNKNOWN",
    })
  })
})
