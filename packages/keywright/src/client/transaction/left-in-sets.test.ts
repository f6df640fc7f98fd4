/* A record whose id is in more sets than one step changes: some of them are changed after the commit that deletes it. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { z } from "zod"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { type Proxy, startProxy } from "../../../../../test/tcp-proxy.ts"
import { json } from "../../schema/codec/json.ts"
import { text } from "../../schema/codec/text.ts"
import { set } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"

const Named = z.object({ id: z.string(), name: z.string() })
const schema = keyspace(
  {
    role: layout({ key: "{entity}:{id}", all: "{entity}:list" })("role", json(Named)),
    permission: entity("permission:{id}", json(Named), { ids: "given" }),
    rolePermissions: set("role:{roleId}:permissions", text),
  },
  { ttl: "never", relations: { role: { permissions: { many: "permission", through: "rolePermissions" } } } },
)
const ROLES = Array.from({ length: 1002 }, (_, i) => String(i))

describe.runIf(needs("redis-server"))("a record that is in very many sets", () => {
  let redis: RealRedis
  let proxy: Proxy
  let direct: ClientOf<typeof schema>
  let db: ClientOf<typeof schema>
  beforeAll(async () => {
    redis = await startRedis()
    proxy = await startProxy(redis.port)
    direct = await connect(schema, redis.url)
    db = await connect(schema, proxy.url, { timeoutMs: 20_000 })
  })
  beforeEach(async () => {
    await direct.$driver().send(["FLUSHALL"])
    await direct.permission.create({ id: "1", name: "read" })
    const members = ROLES.map((role) => ["SADD", `role:${role}:permissions`, "1"])
    await direct.$driver().batch([["SADD", "role:list", ...ROLES], ...members])
  })
  afterAll(async () => {
    await Promise.all([db?.$close(), direct?.$close()])
    await proxy?.close()
    await redis?.stop()
  })

  const left = async () => {
    const replies = await direct.$driver().batch(ROLES.map((role) => ["EXISTS", `role:${role}:permissions`]))
    return replies.filter((reply) => reply === 1).length
  }

  test("leaves all of them in a transaction that deletes it, also when the answer to the commit was lost", async () => {
    const deleting = db.$transaction(
      async (t) => {
        const isDeleted = await t.permission.delete("1")
        proxy.cutReplyAfter(1)
        return isDeleted
      },
      { operationId: "a" },
    )
    expect(await deleting).toBe(true)
    expect([await direct.permission.get("1"), await left()]).toEqual([undefined, 0])
  })

  test("leaves all of them when it is deleted twice", async () => {
    const twice = direct.$transaction(async (t) => [await t.permission.delete("1"), await t.permission.delete("1")])
    expect(await twice).toEqual([true, false])
    expect(await left()).toBe(0)
  })

  test.each<[string, () => Promise<boolean>]>([
    ["a call", () => direct.permission.delete("1")],
    ["a transaction", () => direct.$transaction((t) => t.permission.delete("1"))],
  ])("%s that deletes it again removes its id from those where it was left", async (_, again) => {
    await direct.$driver().send(["DEL", "permission:1"])
    expect(await again()).toBe(false)
    expect(await left()).toBe(0)
  })

  test("stays in all of them if a transaction with the same operation id has kept it", async () => {
    let begin = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const work = (which: string, before?: Promise<void>) =>
      db.$transaction(
        async (t) => {
          const isDeleted = await t.permission.delete(which)
          await before
          return isDeleted
        },
        { operationId: "b" },
      )
    const second = work("1", begun)
    expect(await work("none")).toBe(false)
    begin()
    expect(await second).toBe(false)
    expect([(await direct.permission.get("1"))?.name, await left()]).toEqual(["read", ROLES.length])
  })
})
