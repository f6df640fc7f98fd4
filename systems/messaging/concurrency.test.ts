/* Many requests at once, and what they cost. */

import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, expect, it } from "vitest"
import { inShards } from "./shards.cases.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { roundTrips } from "../platform/testing/stored.ts"
import { messengerForTest, X, type Messenger } from "./messenger.cases.ts"
import { times } from "../platform/testing/times.ts"

onAnyServerAndInFullOnCluster(
  "the messenger under concurrent requests",
  (server) => {
    let both: readonly [Messenger, Messenger]
    let app: Messenger
    beforeEach(async () => {
      await begin()
    })
    const begin = async (...args: string[]) => {
      both = [
        await messengerForTest(server(), "--patient", ...args),
        await messengerForTest(server(), "--patient", ...args),
      ]
      app = both[0]
    }
    afterEach(() => Promise.all(both.map((one) => one.close())))
    const raw = (...command: (string | number)[]) => server().raw(...command)
    const members = async (key: string) => ((await raw("SMEMBERS", `${X}:${key}`)) as string[]).sort()

    it("MSG-3: of many exchanges of one token one succeeds, and its pair works", async () => {
      await Promise.all(both.map((one) => one.close()))
      await begin("--set", "messaging.haste=4000")
      for (let round = 0; round < 1; round++) {
        const token = await app.issue("u1")
        const answers = await times(30, (i) => both[i % 2]!.exchange(token))
        const winners = answers.filter(({ status }) => status === 200)
        expect([winners.length, answers.filter(({ status }) => status === 401).length]).toEqual([1, 29])
        const { accessToken } = winners[0]!.body as Record<string, string>
        expect((await app.call("GET /v1/roc/me", { token: accessToken })).status).toBe(200)
      }
      expect(await raw("HLEN", "TokensKeys")).toBe(2)
    })

    it("MSG-5: a revocation ends the tokens of a user who exchanges theirs all the time", async () => {
      const people = await times(8, () => app.login("u1"))
      const other = await app.login("u2")
      const rotate = async (token: string, i: number): Promise<void> => {
        const { status, body } = await both[i % 2]!.exchange(token)
        if (status !== 401) return rotate(status === 200 ? (body["refreshToken"] as string) : token, i)
      }
      const rotations = people.map(({ refresh }, i) => rotate(refresh, i))
      expect((await app.admin("DELETE /v1/saas/tokens?project=456&service=789&user=u1")).status).toBe(200)
      await Promise.all(rotations)
      expect(await raw("HLEN", "TokensKeys")).toBe(2)
      expect(await other.status("GET /v1/auth/introspect")).toBe(200)
    })

    it("MSG-26: what was allowed when a request came is checked again when it is stored", async () => {
      const people = { subscribers: ["u1", "u2", "u3", "u4"], owners: ["u1"], managers: ["u3"] }
      for (const user of people.subscribers) await app.putUser(user, { channels: ["c1"] })
      await app.putChannel("c1", people)
      const [u1, u2, u3] = await times(3, (i) => app.login(`u${i + 1}`))
      const write = (person: typeof u1) => person!.status("POST /v1/roc/messages", { channel: "c1", body: "x" })
      expect(await times(3, (i) => write([u1, u2, u3][i]))).toEqual([202, 202, 202])
      expect(await u1!.status("POST /v1/roc/channels/c1/bans", { subscriber: "u2" })).toBeLessThan(300)
      expect(await u1!.status("DELETE /v1/roc/channels/c1/managers/u3")).toBeLessThan(300)

      // What a request sees that is checked just before the ban, and stored after it.
      await u1!.call("GET /v1/roc/channels/c1")
      await raw("SREM", `${X}:Ch:c1:BanSub`, "u2")
      await raw("SADD", `${X}:Ch:c1:Sub`, "u2")
      await raw("RPUSH", `${X}:C:u2`, "c_c1")
      expect(await write(u2)).toBe(403)
      const late: readonly (() => Promise<number>)[] = [
        () => u3!.status("PUT /v1/roc/channels/c1", { name: "Mine" }),
        () => u3!.status("POST /v1/roc/channels/c1/bans", { subscriber: "u9" }),
        () => u3!.status("DELETE /v1/roc/channels/c1/bans/u2"),
        () => u3!.status("DELETE /v1/roc/channels/c1/subscribers/u4"),
        () => u3!.status("POST /v1/roc/invites", { channel: "c1", invitee: "u5" }),
      ]
      for (const request of late) {
        await u1!.call("GET /v1/roc/channels/c1")
        await raw("SADD", `${X}:Ch:c1:Man`, "u3")
        expect(await request()).toBe(403)
      }
      await raw("DEL", `${X}:Ch:c1`)
      const { body } = await u1!.call("GET /v1/roc/channels/c1")
      expect(body).toMatchObject({ name: "News", banned: ["u2"], managers: [], subscribers: ["u1", "u3", "u4"] })
      const { body: stored } = await u1!.call("GET /v1/roc/messages?channel=c1")
      expect(stored["messages"]).toHaveLength(3)
    })

    it("MSG-21: who asks to join a channel that is public no more does not get in", async () => {
      const [owner, guest] = [await app.login("u1"), await app.login("u2")]
      for (const type of ["private", "invisible"]) {
        await owner.call("POST /v1/roc/channels", { id: type, name: "C", type })
        await owner.call(`GET /v1/roc/channels/${type}`)
        // What a request sees that is checked just before the type is changed, and stored after it.
        await raw("HSET", `${X}:Ch:${type}`, "type", "public")
        expect(await guest.status("POST /v1/roc/invites", { channel: type })).toBe(type === "private" ? 409 : 404)
      }
      await owner.call("GET /v1/roc/channels/invisible")
      await raw("HSET", `${X}:Ch:invisible`, "type", "private")
      expect(await guest.status("POST /v1/roc/invites", { channel: "invisible" })).toBe(404)
      await raw("DEL", `${X}:Ch:private`, `${X}:Ch:invisible`)
      for (const type of ["private", "invisible"])
        expect((await owner.call(`GET /v1/roc/channels/${type}`)).body).toMatchObject({
          subscribers: ["u1"],
          joinRequests: [],
        })
      expect((await guest.call("GET /v1/roc/channels")).body).toEqual({ channels: [] })
    })

    it("MSG-29: a message to a person who has banned its sender is refused when it is stored", async () => {
      const [u1, u2] = await times(2, (i) => app.login(`u${i + 1}`))
      const write = () => u1!.status("POST /v1/roc/messages", { receiver: "u2", body: "x" })
      await u1!.call("POST /v1/roc/contacts", { user: "u2" })
      await u1!.call("GET /v1/roc/contacts")
      expect(await write()).toBe(202)
      expect(await u2!.status("POST /v1/roc/banned-contacts", { subscriber: "u1" })).toBe(201)
      // What a request sees that is checked just before that, and stored after it.
      await raw("RPUSH", `${X}:C:u1`, "u_u2")
      for (const subscriber of ["u1", "u2"]) await raw("DEL", `${X}:Sub:${subscriber}:BanSub`)
      expect(await write()).toBe(403)
    })

    it("MSG-12: logins that race the sweeper end online and in OnSub", async () => {
      for (let round = 0; round < 10; round++) {
        const users = Array.from({ length: 10 }, (_, i) => `u${i}`)
        await Promise.all(users.map((user) => raw("SADD", `${X}:OnSub`, user)))
        // Where somebody may be online is known in every shard, as logins leave it.
        await raw("SADD", "keywright:messaging:services", `${X}:OnSub`)
        await raw("DEL", ...users.map((user) => `${X}:St:${user}`))
        await Promise.all([
          ...users.slice(5).map((user, i) => both[i % 2]!.login(user)),
          ...[0, 1, 0, 1].map((i) => both[i]!.admin("POST /jobs/online/run")),
        ])
        await app.admin("POST /jobs/online/run")
        expect(await members("OnSub")).toEqual(users.slice(5))
      }
    })

    it("MSG-23 MSG-24: of an approval and a cancellation at once exactly one wins", async () => {
      const [owner, guest] = [await app.login("u1"), await app.login("u2")]
      await owner.call("POST /v1/roc/channels", { id: "c", name: "C", type: "private" })
      for (let round = 0; round < 10; round++) {
        const { body } = await guest.call("POST /v1/roc/invites", { channel: "c" })
        const path = `/v1/roc/invites/${body["id"] as string}`
        const [approved, twice, cancelled] = await Promise.all([
          owner.status(`PUT ${path}`, { approve: "approved" }),
          owner.status(`PUT ${path}`, { approve: "approved" }),
          guest.status(`DELETE ${path}`),
        ])
        expect([approved, twice, cancelled].filter((status) => status < 300)).toHaveLength(1)
        expect([approved, twice, cancelled].filter((status) => status === 404)).toHaveLength(2)
        const isIn = cancelled === 404
        const view = (await owner.call("GET /v1/roc/channels/c")).body as Record<string, string[]>
        expect(view["subscribers"]).toEqual(isIn ? ["u1", "u2"] : ["u1"])
        expect([await members("Ch:c:Sub"), view["joinRequests"]]).toEqual([isIn ? ["u1", "u2"] : ["u1"], []])
        if (isIn) expect(await guest.status("DELETE /v1/roc/channels/c/subscribers/u2")).toBe(204)
      }
    })

    it("MSG-25: of two owners that leave at once one stays", async () => {
      await app.putChannel("c", { subscribers: ["a", "b"], owners: ["a", "b"] })
      const owners = [await app.login("a"), await app.login("b")]
      const left = await Promise.all(owners.map((one) => one.status(`DELETE /v1/roc/channels/c/subscribers/${one.id}`)))
      expect(left.sort()).toEqual([204, 409])
    })

    it("MSG-16: readers and writers at once leave nothing cached that the source does not say", async () => {
      const people = await times(6, (i) => app.login(`p${i}`))
      const [owner, ...others] = people
      await owner!.call("POST /v1/roc/channels", { id: "c", name: "C", type: "public" })
      await times(120, async (i) => {
        const one = others[i % 5]!
        const other = others[(i + 2) % 5]!
        const requests = [
          () => one.status("POST /v1/roc/invites", { channel: "c" }),
          () => one.status("GET /v1/roc/channels/c"),
          () => one.status(`DELETE /v1/roc/channels/c/subscribers/${one.id}`),
          () => one.status("POST /v1/roc/contacts", { user: other.id }),
          () => one.status("GET /v1/roc/contacts"),
          () => one.status("GET /v1/roc/me"),
          () => one.status(`DELETE /v1/roc/contacts/${other.id}`),
          () => owner!.status("PUT /v1/roc/channels/c", { name: `C${i}` }),
          () => owner!.status("POST /v1/roc/messages", { channel: "c", body: `m${i}` }),
        ]
        expect(await requests[i % requests.length]!()).toBeLessThan(500)
      })
      const cached = await Promise.all([
        members("Ch:c:Sub"),
        raw("HGETALL", `${X}:Ch:c`),
        ...people.map(({ id }) => raw("LRANGE", `${X}:C:${id}`, 0, -1)),
        ...people.map(({ id }) => members(`Sub:${id}:C`)),
      ])
      const keys = (await raw("KEYS", `${X}:C*`)) as string[]
      const subscribers = (await raw("KEYS", `${X}:Sub:*`)) as string[]
      await raw("DEL", ...keys, ...subscribers, "none")
      await owner!.call("GET /v1/roc/channels/c")
      for (const person of people) {
        await person.call("GET /v1/roc/contacts")
        await person.call("GET /v1/roc/me")
      }
      const truth = await Promise.all([
        members("Ch:c:Sub"),
        raw("HGETALL", `${X}:Ch:c`),
        ...people.map(({ id }) => raw("LRANGE", `${X}:C:${id}`, 0, -1)),
        ...people.map(({ id }) => members(`Sub:${id}:C`)),
      ])
      for (const [i, found] of (cached as string[][]).entries())
        if (found.length > 0) expect([...found].sort()).toEqual([...(truth as string[][])[i]!].sort())
    })
  },
  inShards,
)

onRealServer("what the messenger's requests cost", (server) => {
  it("a token check, a status write, a message and the news of it take one round trip each", async () => {
    const app = await messengerForTest(server(), "--patient")
    try {
      await app.putUser("u1", { contacts: ["u2"] })
      const me = await app.login("u1")
      const raw = server().raw
      const cost = async (request: string, body?: unknown) => {
        await me.call(request, body)
        // What follows the first answer belongs to it.
        while ((await roundTrips(raw, () => sleep(20))) > 0) continue
        return roundTrips(raw, () => me.call(request, body))
      }
      expect(await cost("GET /v1/auth/introspect")).toBe(2)
      expect(await cost("POST /v1/roc/status", { behavioral_status: "online" })).toBe(2)
      expect(await cost("GET /v1/roc/status")).toBe(3)
      // The answer does not wait for the news of the message, which may be told after it.
      expect(await cost("POST /v1/roc/messages", { receiver: "u2", body: "x" })).toBeLessThanOrEqual(3)
    } finally {
      await app.close()
    }
  })
})
