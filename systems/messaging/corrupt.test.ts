/* Keys that hold what they should not (ALL-11): what is refused, under which name, and that nothing is done by half. */

import { afterEach, expect, it } from "vitest"
import { inShards, tagOf } from "./shards.cases.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { dump } from "../platform/testing/stored.ts"
import { messengerForTest, X, type Messenger } from "./messenger.cases.ts"

onAnyServerAndInFullOnCluster(
  "the messenger on corrupt keys",
  (server) => {
    let app: Messenger
    afterEach(() => app?.close())
    const open = async () => (app = await messengerForTest(server()))
    const raw = (...command: (string | number)[]) => server().raw(...command)
    const spoil = async (key: string) => {
      await raw("DEL", key)
      await raw("SET", key, "spoilt")
    }
    const TOKEN = "A".repeat(43)

    it("ALL-11: of a channel or a subscriber, the key of another type is named, and not its pattern", async () => {
      await open()
      await app.putUser("u1", { contacts: ["u2"], channels: ["7"] })
      await app.putChannel("7", { subscribers: ["u1"], owners: ["u1"], banned: ["u9"] })
      const me = await app.login("u1")
      for (const [key, request] of [
        ["Ch:7:BanSub", "GET /v1/roc/channels/7"],
        ["Ch:7", "GET /v1/roc/channels/7/subscribers"],
        ["Sub:u1:C", "GET /v1/roc/me"],
      ] as const) {
        await me.call(request)
        await spoil(`${X}:${key}`)
        const { status, body } = await me.call(request)
        expect([status, body["error"], body["details"]]).toEqual([500, "wrong_type", { key: `${X}:${key}` }])
        await raw("DEL", `${X}:${key}`)
      }
    })

    it("ALL-5: a login or logout that presence refuses leaves the tokens as they were", async () => {
      await open()
      const me = await app.login("u1")
      for (const key of [`${X}:St:u1`, `${X}:OnSub`]) {
        await spoil(key)
        const before = await dump(raw)
        const refused = await app.exchange(me.refresh)
        expect([refused.status, refused.body["details"]]).toEqual([500, { key }])
        if (key.endsWith("OnSub")) expect(await me.status("DELETE /v1/auth/token")).toBe(500)
        const after = await dump(raw)
        expect({ ...after, [`${X}:OnSub`]: 0 }).toEqual({ ...before, [`${X}:OnSub`]: 0 })
        await raw("DEL", key)
      }
      expect((await app.exchange(me.refresh)).status).toBe(200)
    })

    it("MSG-4: what the map says is followed to the token itself, and to nothing else", async () => {
      await open()
      const me = await app.login("u1")
      const call = () => app.call("GET /v1/roc/me", { token: TOKEN })
      for (const key of [
        `${X}:AccTok:${me.access}`,
        `${X}:St:u1`,
        `${X}:OnSub`,
        `${X}:RefTok:${me.refresh}`,
        "nonsense",
      ]) {
        await raw("HSET", "TokensKeys", TOKEN, key)
        expect((await call()).status).toBe(401)
        expect((await app.exchange(TOKEN)).status).toBe(401)
      }
      expect(await me.status("GET /v1/roc/me")).toBe(200)
      expect(app.logged()).not.toContain(TOKEN)
    })

    it("ALL-11: a corrupt token is 500, named without the token", async () => {
      await open()
      const me = await app.login("u1")
      await raw("HSET", `${X}:RefTok:${me.refresh}`, "access_token", "a:b")
      const { status, body } = await app.exchange(me.refresh)
      expect([status, body["error"], body["details"]]).toEqual([500, "undecodable_value", { key: `${X}:RefTok:…` }])
      await spoil(`${X}:AccTok:${me.access}`)
      const spoilt = await me.call("GET /v1/roc/me")
      expect([spoilt.status, spoilt.body["error"], spoilt.body["details"]]).toEqual([
        500,
        "wrong_type",
        { key: `${X}:AccTok:…` },
      ])
      expect(app.logged()).toContain("corrupt token")
      expect(app.logged()).not.toContain(me.access)
    })

    it("MSG-5: a revocation ends all other tokens, and without a user the corrupt ones too", async () => {
      await open()
      const [one, two, three] = [await app.login("u1"), await app.login("u2"), await app.login("u3")]
      await spoil(`${X}:AccTok:${one.access}`)
      const revoke = (query = "") => app.admin(`DELETE /v1/saas/tokens?project=456&service=789${query}`)
      expect((await revoke("&user=u2")).body).toEqual({ revoked: 2 })
      expect(await two.status("GET /v1/roc/me")).toBe(401)
      expect((await revoke()).body).toEqual({ revoked: 4 })
      expect(await three.status("GET /v1/roc/me")).toBe(401)
      expect(await raw("EXISTS", "TokensKeys", `${X}:AccTok:${one.access}`)).toBe(0)
    })

    it("MSG-11: an OnSub that is not a set is reported, and those of other services are swept", async () => {
      await open()
      await app.login("u1")
      await raw("DEL", `${X}:St:u1`)
      for (const project of ["a", "b", "c", "d"]) {
        // In shards: where one of its users is.
        const tag = server().settings === undefined ? "" : tagOf(project, "1", "u1")
        await server().plain("SET", `${tag}P:${project}:S:1:OnSub`, "spoilt")
        await server().plain("SADD", `${tag}keywright:messaging:services`, `P:${project}:S:1:OnSub`)
      }
      expect((await app.admin("POST /jobs/online/run")).body).toEqual({ removed: 1 })
      expect(await raw("EXISTS", `${X}:OnSub`)).toBe(0)
      expect(app.logged()).toContain("P:d:S:1:OnSub")
    })

    it("MSG-32: a credential that is not a string is 500, and not one that is set", async () => {
      await open()
      await raw("RPUSH", "P:456:PGSK", "spoilt")
      const { status, body } = await app.admin("GET /v1/projects/456/push-credentials")
      expect([status, body["error"], body["details"]]).toEqual([500, "wrong_type", { key: "P:456:PGSK" }])
    })
  },
  inShards,
)

onRealServer("the messenger without shards", (server) => {
  it("ALL-11: a stream of events that somebody has filled up is 500, and the token is still good", async () => {
    const app = await messengerForTest(server())
    const token = await app.issue("u1")
    const events = "keywright:messaging:events:456:789"
    await server().raw("XADD", events, "18446744073709551615-18446744073709551615", "a", "b")
    const { status, body } = await app.exchange(token)
    expect([status, body["error"]]).toEqual([500, "undecodable_value"])
    await server().raw("DEL", events)
    expect((await app.exchange(token)).status).toBe(200)
    await app.close()
  })
})
