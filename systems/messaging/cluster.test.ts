/* The messenger on a cluster, with users and channels in shards: what only shards have,
 * looked at by plain commands. */

import { clusterAtomicity, connect, type Keyspace } from "keywright"
import { audit, copyKeys } from "keywright/operate"
import { afterEach, describe, expect, it } from "vitest"
import { startRedis } from "../../test/real-redis.ts"
import { onCluster } from "../platform/testing/cluster-server.ts"
import { onRealServer, type TestServer } from "../platform/testing/servers.ts"
import { auditRules } from "./audit-rules.ts"
import { messengerForTest, type Messenger } from "./messenger.cases.ts"
import { acceptSplit, messagingSchema } from "./schema.ts"
import { homeOf, inShards, shardedMessenger, SHARDS, TAGS, tagOf } from "./shards.cases.ts"

describe("the schema of the messenger", () => {
  it("is in one slot where it has to be, and keeps the document's names without shards", () => {
    for (const shards of [1, 16, 1024]) {
      const apart = clusterAtomicity(messagingSchema({ shards })).filter(({ atomic }) => !atomic)
      expect(apart.map(({ name }) => name)).toEqual(acceptSplit({ shards }))
    }
    const plain = messagingSchema().keys.map(({ pattern }) => pattern)
    expect(plain.filter((pattern) => !pattern.startsWith("keywright:")).sort()).toEqual([
      ...["PAPC", "PGPN", "PGSK"].map((name) => `P:{project}:${name}`),
      ...[
        "AccTok:{token}",
        "C:{user}",
        ...["", ":BanSub", ":Inv", ":JR", ":Man", ":Own", ":Sub"].map((name) => `Ch:{channel}${name}`),
        "OnSub",
        "RefTok:{token}",
        "St:{user}",
        ...["BanCh", "BanSub", "C", "Ch", "Inv", "JR"].map((name) => `Sub:{user}:${name}`),
      ].map((name) => `P:{project}:S:{service}:${name}`),
      "TokensKeys",
    ])
  })
})

const people = Array.from({ length: 20 }, (_, i) => `p${i}`)
/** A server that ends with the test. */
const startDisposable = async () => {
  const { url, stop } = await startRedis()
  return { url, [Symbol.asyncDispose]: stop }
}

const auditOf = async (url: string) => {
  const db = await connect(shardedMessenger, url, { acceptSplit: acceptSplit({ shards: SHARDS }) })
  // What a sweeper would remove is looked at again soon.
  const schema = messagingSchema({ shards: SHARDS, sweepEvery: 0.2 }) as Keyspace
  const { summary } = await audit(schema, db.$driver(), { rules: auditRules() })
  await db.$close()
  return summary
}

onCluster(
  "the messenger in shards",
  (server) => {
    const open: Messenger[] = []
    const serve = async (on: TestServer = server(), ...args: string[]) => {
      const one = await messengerForTest(on, ...args)
      open.push(one)
      return one
    }
    afterEach(async () => {
      for (const one of open.splice(0)) await one.close()
    })

    it("has the users of one service in all shards, and everything of a user in one", async () => {
      const app = await serve()
      const all = await Promise.all(people.map((user) => app.login(user)))
      for (const [i, { access, refresh }] of all.entries()) {
        const [user, tag] = [people[i]!, tagOf("456", "789", people[i]!)]
        expect([access, refresh].map((token) => token.slice(0, 4))).toEqual(
          [0, 0].map(() => homeOf("456", "789", user)),
        )
        const found = ((await server().plain("KEYS", `*${user}`)) as string[]).filter((key) => key.endsWith(`:${user}`))
        expect(found).toEqual([`${tag}P:456:S:789:St:${user}`])
        expect(await server().plain("SISMEMBER", `${tag}P:456:S:789:OnSub`, user)).toBe(1)
        expect(await server().plain("HGET", `${tag}TokensKeys`, access)).toBe(`P:456:S:789:AccTok:${access}`)
        expect(await server().plain("EXISTS", `${tag}P:456:S:789:AccTok:${access}`)).toBe(1)
      }
      const used = new Set(people.map((user) => tagOf("456", "789", user)))
      expect(used.size).toBe(SHARDS)
      expect((await all[0]!.call("GET /v1/roc/online")).body).toEqual({ subscribers: people.toSorted() })
      expect(await auditOf(server().redis!)).toEqual({})
      // All tokens of the service, in every shard.
      const revoked = await app.admin("DELETE /v1/saas/tokens?project=456&service=789")
      expect(revoked.body).toEqual({ revoked: 2 * people.length })
      const left = (await server().plain("KEYS", "*")) as string[]
      expect(left.filter((key) => /Tok|OnSub|St:/.test(key))).toEqual([])
    })

    it("finds a token by what it begins with, and lets nobody in who is elsewhere", async () => {
      const app = await serve()
      const { access } = await app.login("u1")
      const me = async (token: string) => (await app.call("GET /v1/roc/me", { token })).status
      const other = people.find((user) => tagOf("456", "789", user) !== tagOf("456", "789", "u1"))!
      const planted = homeOf("456", "789", other) + access.slice(4)
      expect([await me(planted), await me(`zz${access}`), await me(access)]).toEqual([401, 401, 200])
      // A map that says that a token of u1 is in another shard leads nowhere, and audit says where it is wrong.
      const tag = tagOf("456", "789", other)
      const grant = ["tenant", "123", "account", "007", "project", "456", "service", "roc", "user", "u1"]
      await server().plain("HSET", `${tag}P:456:S:789:AccTok:${planted}`, ...grant)
      await server().plain("EXPIRE", `${tag}P:456:S:789:AccTok:${planted}`, "100")
      await server().plain("HSET", `${tag}TokensKeys`, planted, `P:456:S:789:AccTok:${planted}`)
      expect([await me(planted), await me(access)]).toEqual([401, 200])
      await server().plain("RENAME", `${tag}P:456:S:789:AccTok:${planted}`, `${tag}P:456:S:789:AccTok:${access}`)
      expect(await auditOf(server().redis!)).toMatchObject({ "SHARD.WRONG": 1 })
    })

    it("tells changes of presence once, also when a process ends before it has told them", async () => {
      const app = await serve()
      await app.login("u1")
      const [tag, service] = [tagOf("456", "789", "u1"), tagOf("456", "789")]
      const events = async () => {
        const found = (await server().plain("XRANGE", `${service}keywright:messaging:events:456:789`, "-", "+")) as [
          string,
          string[],
        ][]
        return found.map(([, fields]) => JSON.parse(fields[fields.indexOf("data") + 1]!) as object)
      }
      expect(await events()).toMatchObject([{ user: "u1", behavioral_status: "online" }])
      // As a step leaves it: noted, and nobody there to tell.
      const note = (status: string) => {
        const data = JSON.stringify({ user: "u1", behavioral_status: status })
        const words = ["kind", "presence", "to", "p:u1", "data", data]
        return server().plain("XADD", `${tag}keywright:messaging:untold:456:789`, "*", ...words)
      }
      await note("idle")
      await note("offline")
      const second = await serve()
      await Promise.all([app, second].map((one) => one.admin("POST /jobs/online/run")))
      expect(await events()).toMatchObject(
        ["online", "idle", "offline"].map((status) => ({ user: "u1", behavioral_status: status })),
      )
      expect(await server().plain("XLEN", `${tag}keywright:messaging:untold:456:789`)).toBe(0)
    })

    it("continues what a single server had, after keywright copy: nobody has to log in again", async () => {
      const plain = messagingSchema()
      await using redis = await startDisposable()
      const single = await serve({ ...server(), redis: redis.url, settings: {} })
      for (const user of people) await single.putUser(user, { contacts: ["p0", "p1"].filter((one) => one !== user) })
      const all = await Promise.all(people.map((user) => single.login(user)))
      for (const one of all) await one.call("GET /v1/roc/contacts")
      const from = await connect(plain, redis.url)
      const target = await connect(shardedMessenger, server().redis!, { acceptSplit: acceptSplit({ shards: SHARDS }) })
      const copied = await copyKeys(plain as Keyspace, from.$driver(), target.$driver(), {
        to: shardedMessenger as Keyspace,
      })
      expect(copied).toMatchObject({ verified: true, foreign: 0 })
      await Promise.all([from.$close(), target.$close()])
      const app = await serve()
      await app.admin("POST /jobs/online/run")
      expect(await auditOf(server().redis!)).toEqual({})
      for (const { id, access, refresh } of all) {
        const online = await app.call("GET /v1/roc/online", { token: access })
        expect([id, online.status, online.body]).toEqual([id, 200, { subscribers: people.toSorted() }])
        expect((await app.exchange(refresh)).status).toBe(200)
      }
      for (const { refresh } of all) expect((await app.exchange(refresh)).status).toBe(401)
    })

    it("refuses a number of shards that its data were not made with", async () => {
      await (await serve()).close()
      for (const shards of ["4", "8"])
        await expect(messengerForTest({ ...server(), settings: { shards } })).rejects.toThrow(`written with ${SHARDS}`)
      expect(TAGS).toHaveLength(SHARDS)
      await (await serve()).close()
    })
  },
  inShards,
)

onRealServer("the messenger on one server", (server) => {
  it("refuses shards for data that was made without, and none for data that was made with them", async () => {
    const app = await messengerForTest(server())
    await app.login("u1")
    await app.close()
    const start = (shards: string) => messengerForTest({ ...server(), settings: { shards } })
    await expect(start("4")).rejects.toThrow("written with 0")
    await server().raw("FLUSHALL")
    await (await start("4")).close()
    await expect(messengerForTest(server())).rejects.toThrow("written with 4")
    await expect(start("5")).rejects.toThrow("written with 4")
  })
})
