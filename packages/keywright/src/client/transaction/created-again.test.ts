/* A record that a transaction deletes and creates again under its id: the new one has nothing of the old one, neither
 * the sets that were its own, such as the permissions of a role, nor its place in the sets of others. */

import { afterAll, beforeAll, expect, test } from "vitest"
import * as z from "zod"
import { json } from "../../schema/codec/json.ts"
import { text } from "../../schema/codec/text.ts"
import { set, zset } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"

const record = layout({ key: "{entity}:{id}", counter: "{entity}:counter", all: "{entity}:list" })
const Named = z.object({ id: z.string(), name: z.string().optional() })
const schema = keyspace(
  {
    role: record("role", json(Named)),
    permission: record("permission", json(Named)),
    team: record("team", json(Named)),
    allowed: set("allowed:{id}", text),
    members: set("members:{id}", text),
    ranked: zset("ranked:{id}", text),
  },
  {
    ttl: "never",
    relations: {
      role: { allowed: { many: "permission", through: "allowed" } },
      team: { members: { many: "role", through: "members" }, ranked: { many: "role", through: "ranked" } },
    },
  },
)
type Db = ClientOf<typeof schema>
type Calls = Pick<Db, "role" | "team" | "allowed" | "members" | "ranked">

const works: Readonly<Record<string, (db: Calls) => Promise<unknown>>> = {
  "deleted and created again": async (db) => {
    await db.role.delete("1")
    return db.role.create({ id: "1", name: "new" })
  },
  "and given something of its own": async (db) => {
    await db.role.delete("1")
    await db.role.create({ id: "1" })
    return [await db.allowed({ id: "1" }).add("a"), await db.allowed({ id: "1" }).add("b")]
  },
  "given something before, which goes": async (db) => {
    const added = await db.allowed({ id: "1" }).add("b")
    await db.role.delete("1")
    await db.role.create({ id: "1" })
    return added
  },
  "deleted, created, deleted and created": async (db) => {
    for (const name of ["new", "newer"]) {
      await db.role.delete("1")
      await db.role.create({ id: "1", name })
      await db.allowed({ id: "1" }).add(name)
    }
  },
  "one that was not there before": async (db) => {
    await db.role.create({ id: "9" })
    await db.allowed({ id: "9" }).add("a")
    return db.role.delete("9")
  },
  "put into a set of another record again": async (db) => {
    await db.role.delete("1")
    await db.role.create({ id: "1" })
    await db.members({ id: "t" }).add("1")
  },
  "put into a set of another record before": async (db) => {
    await db.members({ id: "t" }).remove("1")
    const added = [await db.members({ id: "t" }).add("1"), await db.ranked({ id: "t" }).add("1", 6)]
    await db.role.delete("1")
    await db.role.create({ id: "1" })
    return added
  },
  "put into sets of others, and not there before": async (db) => {
    await db.team.create({ id: "u" })
    await db.role.create({ id: "9" })
    for (const id of ["t", "u"]) await db.members({ id }).add("9")
    await db.role.delete("9")
    return db.role.create({ id: "9" })
  },
  "put there without an answer, deleted, and put there again": async (db) => {
    const adding = db.members({ id: "t" }).addMany(["1", "3"])
    await db.role.delete("1")
    await adding
    await db.role.create({ id: "1" })
    return db.members({ id: "t" }).add("1")
  },
  "in a set whose owner is new": async (db) => {
    await db.team.create({ id: "late" })
    await db.role.delete("1")
    return db.role.create({ id: "1" })
  },
  "in a set before it was there": async (db) => {
    await db.role.create({ id: "2" })
    return db.role.delete("2")
  },
  "in a set before it was there, and created again": async (db) => {
    await db.role.create({ id: "2" })
    await db.role.delete("2")
    return db.role.create({ id: "2" })
  },
  "upserted after it was deleted": async (db) => {
    await db.role.delete("1")
    return db.role.upsert({ id: "1", name: "new" })
  },
}

onBothServers("a record that is created again in a transaction", (server) => {
  let db: Db
  beforeAll(async () => void (db = await connect(schema, server().target)))
  afterAll(() => db?.$close())

  const after = async (work: () => Promise<unknown>) => {
    await server().raw("FLUSHALL")
    for (const id of ["a", "b"]) await db.permission.create({ id })
    await db.role.create({ id: "1", name: "old" })
    await db.allowed({ id: "1" }).add("a")
    await db.team.create({ id: "t" })
    await db.members({ id: "t" }).addMany(["1", "2"])
    await db.members({ id: "late" }).add("1")
    await db.ranked({ id: "t" }).add("1", 5)
    const result = await work()
    const contents: Record<string, unknown> = {}
    for (const key of await server().keys()) contents[key] = await server().raw("DUMP", key)
    return { result, contents }
  }

  test.each(Object.entries(works))("has nothing of the one before it: %s", async (_, work) => {
    const outside = await after(() => work(db))
    expect(await after(() => db.$transaction((t) => work(t as never)))).toEqual(outside)
  })
})
