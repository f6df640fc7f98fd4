/* A user of an ACL who may do only some of what a save does: nothing is left half written, or the error says so. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import * as z from "zod"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import type { Driver } from "../../driver/driver.ts"
import { OutcomeUnknown, Refused } from "../../errors/outcome.ts"
import { json } from "../../schema/codec/json.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"

const record = layout({ key: "{entity}:{id}", all: "{entity}-list", index: "{index}-{value}" })
const User = z.object({ id: z.string(), team: z.string(), room: z.string() })
const schema = keyspace(
  { user: record("user", json(User), { index: { team: "team", room: "room" }, ids: "given" }) },
  { ttl: "never" },
)
type Db = ClientOf<typeof schema>

const users: Readonly<Record<string, readonly string[]>> = {
  "who may not SET": ["~*", "+@all", "-set"],
  "who may only read the record": ["%R~user:*", "~user-list", "~team-*", "~room-*", "+@all"],
  "who may not write one of the sets": ["~user:*", "~user-list", "~team-*", "%R~room-*", "+@all"],
}
const writes: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  update: (db) => db.user.update("1", { team: "blue", room: "b" }),
  "update with an operation id": (db) => db.user.update("1", { team: "blue", room: "b" }, { operationId: "once" }),
  create: (db) => db.user.create({ id: "2", team: "blue", room: "b" }),
  transaction: (db) => db.$transaction((t) => t.user.update("1", { team: "blue", room: "b" })),
  "transaction with an operation id": (db) =>
    db.$transaction((t) => t.user.update("1", { team: "blue", room: "b" }), { operationId: "once" }),
}
const changes = Object.entries(writes).filter(([name]) => name !== "create")

describe.runIf(needs("redis-server"))("a save by a user", () => {
  let server: RealRedis
  let driver: Driver
  let urlOf: (user: string) => string
  beforeAll(async () => {
    server = await startRedis()
    driver = openResp(server.url)
    urlOf = (user) => server.url.replace("//", `//${user}:word@`)
  })
  afterAll(async () => {
    await driver?.close()
    await server?.stop()
  })
  beforeEach(async () => {
    await driver.send(["FLUSHALL"])
    const db = await connect(schema, server.url)
    await db.user.create({ id: "1", team: "red", room: "a" })
    await db.$close()
  })

  const contents = async () => {
    const keys = ((await driver.send(["KEYS", "*"])) as string[]).sort()
    return Promise.all(keys.map(async (key) => [key, await driver.send(["DUMP", key])]))
  }
  const failure = async (rights: readonly string[], write: (db: Db) => Promise<unknown>) => {
    await driver.send(["ACL", "SETUSER", "app", "reset", "on", ">word", ...rights])
    const db = await connect(schema, urlOf("app"))
    const error = await write(db).catch((reason: unknown) => reason)
    await db.$close()
    return error
  }

  for (const [who, rights] of Object.entries(users))
    test.each(Object.entries(writes))(`${who} leaves nothing half written: %s`, async (_, write) => {
      const before = await contents()
      const error = await failure(rights, write)
      expect(error).toBeInstanceOf(Refused)
      expect(await contents()).toEqual(before)
    })

  test.each(changes)(
    "who may add members and not remove them, so that nothing can be put back, is told so: %s",
    async (_, write) => {
      const error = await failure(["~*", "+@all", "-srem", "-smove"], write)
      expect(error).toBeInstanceOf(OutcomeUnknown)
      expect(error).toMatchObject({ code: "PLAN.HALF_WRITTEN", details: { reason: expect.stringContaining("user") } })
    },
  )
  test.each(changes.filter(([name]) => name.endsWith("operation id")))(
    "who repeats such a call gets the same answer, and nothing more is written: %s",
    async (_, write) => {
      const rights = ["~*", "+@all", "-srem", "-smove"]
      const first = await failure(rights, write)
      expect(first).toMatchObject({ code: "PLAN.HALF_WRITTEN" })
      const before = await contents()
      for (const again of [rights, ["~*", "+@all"]]) expect(await failure(again, write)).toEqual(first)
      expect(await contents()).toEqual(before)
    },
  )

  test.each(changes)("who cannot put back one of the sets gets all others put back: %s", async (_, write) => {
    const setsOfUser = async () => {
      const keys = ["team-red", "team-blue", "room-a", "room-b"]
      const isIn = await Promise.all(keys.map((key) => driver.send(["SISMEMBER", key, "1"])))
      return keys.filter((_key, i) => isIn[i] === 1)
    }
    const error = await failure(["~*", "+@all", "-srem", "-smove", "(~team-* +srem)"], write)
    expect(error).toMatchObject({ code: "PLAN.HALF_WRITTEN" })
    expect(await setsOfUser()).toEqual(["team-red", "room-a", "room-b"])
  })

  test.each(changes)(
    "who meets a key of another type, and cannot put back, is told of the key: %s",
    async (_, write) => {
      await driver.send(["SET", "room-b", "not a set"])
      const error = await failure(["~*", "+@all", "-srem", "-smove"], write)
      expect(error).toMatchObject({
        code: "PLAN.HALF_WRITTEN",
        details: { reason: expect.stringContaining("WRONGTYPE") },
      })
    },
  )
})
