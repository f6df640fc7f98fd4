/* Ids in quotes wherever they are held, as Spring's RedisTemplate with Jackson stores them. */

import { afterEach, beforeEach, expect, it } from "vitest"
import * as z from "zod"
import { id } from "../../schema/codec/id.ts"
import { json } from "../../schema/codec/json.ts"
import { quoted } from "../../schema/codec/quoted.ts"
import { set } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"

const key = { matching: /[^:]{1,40}/, example: "7" }
const [user, tag] = [id("user", key), id("tag", { ...key, allow: ' "\\' })]
const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
  quoted: true,
})
const User = z.object({ id: z.string(), email: z.string(), teamId: z.string(), points: z.number() })

const team = keyspace(
  {
    user: record("user", json(User), {
      unique: { email: "email" },
      index: { team: ["teamId", "team:{teamId}:users"], points: { on: "teamId", score: "points" } },
      params: { id: user },
    }),
    team: record("team", json(z.object({ id: z.string(), name: z.string() }))),
    tag: record("tag", json(z.object({ id: z.string() })), { ids: "given", params: { id: tag } }),
    visit: record("visit", json(z.object({ id: z.string(), userId: z.string() })), {
      index: { user: "userId" },
      ttl: "10m",
    }),
    tagsOf: set("user:{userId}:tags", quoted(tag), { params: { userId: user } }),
  },
  {
    ttl: "never",
    relations: {
      user: { team: { one: "team", from: "teamId", inverse: "users" }, tags: { many: "tag", through: "tagsOf" } },
    },
  },
)

onBothServers("ids in quotes", (server) => {
  const opened = () => connect(team, server().target)
  let db: Awaited<ReturnType<typeof opened>>
  const raw = (...command: string[]) => server().raw(...command)
  beforeEach(async () => {
    db = await opened()
  })
  afterEach(() => db.$close())

  const two = async () => {
    const { id: teamId } = await db.team.create({ name: "Blue" })
    const ann = await db.user.create({ email: "ann@example.com", teamId, points: 7 })
    const bob = await db.user.create({ email: "bob@example.com", teamId, points: 3 })
    return { teamId, ann, bob }
  }

  it("writes them in quotes, and keys and counters without", async () => {
    await two()
    expect(await raw("GET", "user:counter")).toBe("2")
    expect(((await raw("SMEMBERS", "user:list")) as string[]).sort()).toEqual(['"1"', '"2"'])
    expect(await raw("GET", "user:index:email:ann@example.com")).toBe('"1"')
    expect(((await raw("SMEMBERS", "team:1:users")) as string[]).sort()).toEqual(['"1"', '"2"'])
    expect(await raw("ZRANGE", "user:index:points:1", "0", "-1", "WITHSCORES")).toEqual(['"2"', "3", '"1"', "7"])
    expect(JSON.parse(String(await raw("GET", "user:1")))).toMatchObject({ id: "1", teamId: "1" })
  })

  it("reads through every index and relation, outside of a transaction and inside", async () => {
    const { teamId, ann, bob } = await two()
    await db.tag.create({ id: 'a "b" \\' })
    await db.tagsOf({ userId: ann.id }).add('a "b" \\')
    const look = async (here: Pick<typeof db, "user" | "team">) => ({
      found: (await here.user.find("email", { email: "bob@example.com" }))?.id,
      ids: await here.user.ids(),
      all: (await here.user.all()).map((one) => one.id),
      listed: (await here.user.list("team", { teamId })).map((one) => one.id),
      scored: await here.user.listIds("points", { teamId }),
      users: (await here.team.get(teamId, { with: { users: true } }))?.users.map((one) => one.id),
      tags: (await here.user.find("email", { email: "ann@example.com" }, { with: { tags: true } }))?.tags,
      count: await here.user.count("team", { teamId }),
    })
    const expected = {
      found: bob.id,
      ids: ["1", "2"],
      all: ["1", "2"],
      listed: ["1", "2"],
      scored: ["2", "1"],
      users: ["1", "2"],
      tags: [{ id: 'a "b" \\' }],
      count: 2,
    }
    expect(await look(db)).toEqual(expected)
    expect(await db.$transaction((t) => look(t as never))).toEqual(expected)
  })

  it("moves, takes and frees entries; a unique value has one owner", async () => {
    const { ann, bob } = await two()
    const taken = { code: "INDEX.UNIQUE_TAKEN", message: expect.stringMatching(/user 1 has it/) as string }
    await expect(db.user.update(bob, { email: "ann@example.com" })).rejects.toMatchObject(taken)
    await db.user.update(ann, { email: "eve@example.com", teamId: "9", points: 8 })
    expect(await raw("EXISTS", "user:index:email:ann@example.com", "user:index:team:9")).toBe(1)
    expect(await raw("SMEMBERS", "user:index:team:1")).toEqual(['"2"'])
    expect(await raw("ZRANGE", "user:index:points:9", "0", "-1")).toEqual(['"1"'])
    await db.user.update(bob.id, { email: "ann@example.com" })
    expect(await raw("GET", "user:index:email:ann@example.com")).toBe('"2"')
    await db.user.delete(bob.id)
    await db.user.delete(ann.id)
    expect((await server().keys()).filter((one) => one.startsWith("user:"))).toEqual(["user:counter"])
  })

  it("reads ids that another program wrote without quotes, and removes them in both forms", async () => {
    const { teamId } = await two()
    await raw("SREM", "user:list", '"1"')
    await raw("SADD", "user:list", "1", "2")
    await raw("SET", "user:index:email:ann@example.com", "1")
    await raw("SADD", `user:index:team:${teamId}`, "2")
    expect(await db.user.ids()).toEqual(["1", "2"])
    expect((await db.user.list("team", { teamId })).map((one) => one.id)).toEqual(["1", "2"])
    expect(await db.user.find("email", { email: "ann@example.com" })).toMatchObject({ id: "1" })
    await expect(db.user.create({ email: "ann@example.com", teamId, points: 0 })).rejects.toMatchObject({
      code: "INDEX.UNIQUE_TAKEN",
    })
    await db.user.update("1", { points: 1 })
    await db.user.delete("1")
    await db.user.delete("2")
    expect((await server().keys()).filter((one) => one.startsWith("user:"))).toEqual(["user:counter"])
  })

  it("leaves the sets of others when it is deleted, and is swept when it has expired", async () => {
    const { ann } = await two()
    await db.tag.create({ id: "x" })
    await db.tagsOf({ userId: ann.id }).add("x")
    await db.tag.delete("x")
    expect(await raw("EXISTS", "user:1:tags")).toBe(0)
    const visit = await db.visit.create({ userId: ann.id })
    await raw("SADD", "visit:list", visit.id)
    const [note] = (await raw("ZRANGE", "keywright:expiry:visit:{id}", "0", "-1")) as string[]
    await raw("DEL", `visit:${visit.id}`)
    await raw("ZADD", "keywright:expiry:visit:{id}", "1", note!)
    expect(await db.$sweep()).toBe(1)
    expect((await server().keys()).filter((one) => one.includes("visit"))).toEqual(["visit:counter"])
  })
})
