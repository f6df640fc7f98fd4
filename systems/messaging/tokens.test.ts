/* Tokens, through real HTTP, looked at by plain commands. */

import { afterEach, expect, it } from "vitest"
import { rawRequest } from "../platform/testing/raw-http.ts"
import { send } from "../platform/testing/serve.ts"
import { inShards } from "./shards.cases.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { dump } from "../platform/testing/stored.ts"
import { messengerForTest, X, type Messenger } from "./messenger.cases.ts"

onAnyServerAndInFullOnCluster(
  "the messenger's tokens",
  (server) => {
    let app: Messenger
    afterEach(() => app?.close())
    const open = async (...args: string[]) => (app = await messengerForTest(server(), ...args))
    const raw = (...command: (string | number)[]) => server().raw(...command)
    const FIVE = { tenant: "123", account: "007", project: "456", service: "push", user: "u1" }
    const hash = async (key: string) => {
      const flat = (await raw("HGETALL", key)) as string[]
      return Object.fromEntries(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1]]] : [])))
    }

    it("MSG-1: a first refresh token has five fields, 30 seconds, and a place in the map", async () => {
      await open()
      const { status, body } = await app.admin("POST /v1/saas/tokens", { ...FIVE, serviceId: "789" })
      const token = body["refreshToken"] as string
      expect([status, body["expiresIn"]]).toEqual([201, 30])
      expect(token).toMatch(/^[\w-]{69}$/)
      const key = `${X}:RefTok:${token}`
      expect([await raw("TYPE", key), await hash(key)]).toEqual(["hash", FIVE])
      expect(await raw("TTL", key)).toBeGreaterThan(25)
      expect(await raw("TTL", key)).toBeLessThanOrEqual(30)
      expect([await raw("HGET", "TokensKeys", token), await raw("TTL", "TokensKeys")]).toEqual([key, -1])
      const byCode = (await app.admin("POST /v1/saas/tokens", FIVE)).body["refreshToken"] as string
      expect(await raw("HGET", "TokensKeys", byCode)).toBe(`P:456:S:push:RefTok:${byCode}`)
    })

    it("MSG-2: an exchange gives a pair, ends the old token, and is a login", async () => {
      await open()
      const first = await app.issue("u1", { service: "push" })
      const { status, body } = await app.exchange(first)
      const { accessToken, refreshToken, expiresIn } = body as Record<string, string>
      expect([status, expiresIn]).toEqual([200, 10_800])
      expect(await raw("EXISTS", `${X}:RefTok:${first}`)).toBe(0)
      expect(await raw("HEXISTS", "TokensKeys", first)).toBe(0)
      expect(await hash(`${X}:AccTok:${accessToken}`)).toEqual(FIVE)
      expect(await raw("TTL", `${X}:AccTok:${accessToken}`)).toBeGreaterThan(10_790)
      expect(await hash(`${X}:RefTok:${refreshToken}`)).toEqual({ ...FIVE, access_token: accessToken })
      expect(await raw("TTL", `${X}:RefTok:${refreshToken}`)).toBe(-1)
      expect(await hash("TokensKeys")).toEqual({
        [accessToken!]: `${X}:AccTok:${accessToken}`,
        [refreshToken!]: `${X}:RefTok:${refreshToken}`,
      })
      expect(await raw("HGET", `${X}:St:u1`, "behavioral_status")).toBe("online")
      expect(await raw("SISMEMBER", `${X}:OnSub`, "u1")).toBe(1)

      const second = (await app.exchange(refreshToken!)).body as Record<string, string>
      expect(await raw("EXISTS", `${X}:AccTok:${accessToken}`, `${X}:RefTok:${refreshToken}`)).toBe(0)
      expect(Object.keys(await hash("TokensKeys")).sort()).toEqual(
        [second["accessToken"], second["refreshToken"]].sort(),
      )
      expect(await raw("EXISTS", `keywright:messaging:pair:${accessToken}`)).toBe(0)
    })

    it("MSG-2: a token that is used, unknown or expired is 401, and its map field goes", async () => {
      await open()
      const first = await app.issue("u1")
      expect((await app.exchange(first)).status).toBe(200)
      const before = await dump(raw)
      for (const token of ["nonsense", "x".repeat(43), "x".repeat(22), `${X}:RefTok:${first}`]) {
        const refused = await app.exchange(token)
        expect([refused.status, refused.body["error"]]).toEqual([401, "unauthorized"])
        expect(refused.headers.get("www-authenticate")).toBe("Token")
      }
      expect(await dump(raw)).toEqual(before)
      const expired = await app.issue("u2")
      await raw("DEL", `${X}:RefTok:${expired}`)
      expect(await raw("HEXISTS", "TokensKeys", expired)).toBe(1)
      expect((await app.exchange(expired)).status).toBe(401)
      expect(await raw("HEXISTS", "TokensKeys", expired)).toBe(0)
    })

    it("MSG-2: refreshTtl caps later refresh tokens", async () => {
      await open("--set", "messaging.refreshTtl=50", "--set", "messaging.accessTtl=20")
      const { refresh, access } = await app.login("u1")
      expect(await raw("TTL", `${X}:RefTok:${refresh}`)).toBeLessThanOrEqual(50)
      expect(await raw("TTL", `${X}:RefTok:${refresh}`)).toBeGreaterThan(40)
      expect(await raw("TTL", `${X}:AccTok:${access}`)).toBeLessThanOrEqual(20)
    })

    it("MSG-4: only a live access token of the right service passes", async () => {
      await open()
      const me = await app.login("u1")
      const pusher = await app.login("u2", { service: "push" })
      for (const scheme of ["Token", "token", "Bearer"])
        expect(
          (await app.call("GET /v1/roc/me", { headers: { authorization: `${scheme} ${me.access}` } })).status,
        ).toBe(200)
      const before = await dump(raw)
      for (const given of [
        undefined,
        "",
        "Token",
        me.access,
        `Basic ${me.access}`,
        `Token ${me.refresh}`,
        "Token x y",
      ]) {
        const headers = given === undefined ? {} : { authorization: given }
        const refused = await app.call("GET /v1/roc/me", { headers })
        expect([given, refused.status, refused.headers.get("www-authenticate")]).toEqual([given, 401, "Token"])
      }
      expect((await pusher.call("GET /v1/roc/me")).body["error"]).toBe("wrong_service")
      expect(await pusher.status("GET /v1/roc/me")).toBe(403)
      expect(await dump(raw)).toEqual(before)
      expect((await pusher.call("GET /v1/auth/introspect")).body).toEqual({
        ...FIVE,
        user: "u2",
        expiresIn: expect.any(Number),
      })

      await raw("DEL", `${X}:AccTok:${me.access}`)
      expect(await me.status("GET /v1/roc/me")).toBe(401)
      expect(await raw("HEXISTS", "TokensKeys", me.access)).toBe(0)
    })

    it("MSG-5: a logout ends both tokens and the presence; the second one is 401", async () => {
      await open()
      const me = await app.login("u1")
      const other = await app.login("u1")
      expect(await me.status("DELETE /v1/auth/token")).toBe(204)
      expect(await me.status("DELETE /v1/auth/token")).toBe(401)
      expect((await app.exchange(me.refresh)).status).toBe(401)
      expect(await raw("EXISTS", `${X}:St:u1`, `${X}:OnSub`, `keywright:messaging:pair:${me.access}`)).toBe(0)
      expect(Object.keys(await hash("TokensKeys")).sort()).toEqual([other.access, other.refresh].sort())
      expect(await other.status("GET /v1/roc/me")).toBe(200)
    })

    it("MSG-5: an admin revokes the tokens of a service, or of one user", async () => {
      await open()
      const people = await Promise.all(["u1", "u1", "u2"].map((user) => app.login(user)))
      const elsewhere = await app.login("u1", { serviceId: "other" })
      const waiting = await app.issue("u2")
      const revoke = (query: string) => app.admin(`DELETE /v1/saas/tokens?${query}`)
      expect((await revoke("project=456&service=789&user=u1")).body).toEqual({ revoked: 4 })
      expect(await Promise.all(people.map((person) => person.status("GET /v1/auth/introspect")))).toEqual([
        401, 401, 200,
      ])
      expect(await raw("SMEMBERS", `${X}:OnSub`)).toEqual(["u2"])
      expect((await revoke("project=456&service=789")).body).toEqual({ revoked: 3 })
      expect((await app.exchange(waiting)).status).toBe(401)
      expect(await elsewhere.status("GET /v1/auth/introspect")).toBe(200)
      expect((await revoke("project=456")).status).toBe(400)
      expect((await send(app.url, "DELETE /v1/saas/tokens?project=456&service=789")).status).toBe(401)
    })

    it("MSG-6: the sweeper removes the fields of tokens that are gone, and no others", async () => {
      await open("--set", "messaging.initialRefreshTtl=1")
      const live = await app.login("u1")
      const dead = await Promise.all(Array.from({ length: 20 }, (_, i) => app.issue(`d${i}`)))
      await Promise.all(dead.map((token) => raw("PEXPIRE", `${X}:RefTok:${token}`, 1)))
      while (((await raw("DBSIZE")) as number) > 10) continue
      expect((await app.admin("POST /jobs/tokens/run")).body).toEqual({ removed: 20 })
      expect((await app.admin("POST /jobs/tokens/run")).body).toEqual({ removed: 0 })
      expect(Object.keys(await hash("TokensKeys")).sort()).toEqual([live.access, live.refresh].sort())
      expect((await app.exchange(dead[0]!)).status).toBe(401)
    })

    it("MSG-2: a spent refresh token that comes back ends all tokens that came from it, in whatever hands", async () => {
      await open()
      const bystander = await app.login("u1")
      const first = await app.issue("u1")
      const pair = async (token: string) =>
        (await app.exchange(token)).body as { refreshToken: string; accessToken: string }
      const second = await pair(first)
      const third = await pair(second.refreshToken)
      expect((await app.exchange(second.refreshToken)).status).toBe(401)
      expect((await app.exchange(third.refreshToken)).status).toBe(401)
      const introspect = (token: string) => app.call("GET /v1/auth/introspect", { token })
      expect((await introspect(third.accessToken)).status).toBe(401)
      expect(Object.keys(await hash("TokensKeys")).sort()).toEqual([bystander.access, bystander.refresh].sort())
      expect(await raw("KEYS", "keywright:messaging:family:*")).toHaveLength(1)
      // The first of all says it too, and a logout leaves nothing that could.
      const another = await app.issue("u2")
      const { accessToken } = await pair(another)
      expect((await app.exchange(another)).status).toBe(401)
      expect((await introspect(accessToken)).status).toBe(401)
      expect(await bystander.status("DELETE /v1/auth/token")).toBe(204)
      expect(await raw("KEYS", "keywright:messaging:family:*")).toEqual([])
    })

    it("MSG-2: a part of a spent refresh token, or one that was changed, ends nothing", async () => {
      await open()
      const spent = await app.issue("u1")
      const { refreshToken, accessToken } = (await app.exchange(spent)).body as Record<string, string>
      const other = (at: number) => (spent.at(at) === "A" ? "B" : "A")
      const forgeries = [
        ...[22, 26, 47, 60, 68].flatMap((length) => [spent.slice(0, length), spent.slice(0, length).padEnd(69, "A")]),
        ...[4, 20, 46, 47, 60, 68].map((at) => spent.slice(0, at) + other(at) + spent.slice(at + 1)),
        ...[22, 60].map((length) => spent.slice(0, length) + refreshToken!.slice(length)),
        ...["A", "Q", "g", "w"].map((last) => spent.slice(0, -1) + last),
        `${spent}A`,
      ]
      for (const forged of forgeries.filter((one) => one !== spent)) {
        expect([forged.length, (await app.exchange(forged)).status]).toEqual([forged.length, 401])
        const { status } = await app.call("GET /v1/auth/introspect", { token: accessToken })
        expect([forged, status]).toEqual([forged, 200])
      }
      const [family = ""] = (await raw("KEYS", "keywright:messaging:family:*")) as string[]
      expect(family).not.toContain(spent.slice(4, 20))
      expect((await app.exchange(spent)).status).toBe(401)
      expect((await app.call("GET /v1/auth/introspect", { token: accessToken })).status).toBe(401)
    })

    it("MSG-2: one that comes back from another address does so at once", async () => {
      await open("--behind-proxy")
      const first = await app.issue("u1")
      const { accessToken } = (await app.exchange(first)).body as { accessToken: string }
      const thief = { "x-forwarded-for": "192.0.2.66" }
      const body = JSON.stringify({ refreshToken: first })
      expect((await rawRequest(app.url, "POST /v1/auth/token", thief, body)).status).toBe(401)
      expect((await app.call("GET /v1/auth/introspect", { token: accessToken })).status).toBe(401)
    })

    it("a project belongs to the tenant of its first token, and tokens of another are refused", async () => {
      await open()
      const issue = async (tenant: string, project: string) =>
        (await app.admin("POST /v1/saas/tokens", { ...FIVE, tenant, project })).status
      const atOnce = await Promise.all(["a", "b", "a", "b", "a", "b"].map((tenant) => issue(tenant, "p1")))
      expect([...new Set(atOnce)].sort()).toEqual([201, 409])
      const owner = (await raw("HGET", "keywright:messaging:tenants", "p1")) as string
      const other = owner === "a" ? "b" : "a"
      expect(await issue(owner, "p1")).toBe(201)
      const before = await dump(raw)
      expect(await issue(other, "p1")).toBe(409)
      expect(await dump(raw)).toEqual(before)
      expect(await issue(other, "p2")).toBe(201)
      expect(await raw("TTL", "keywright:messaging:tenants")).toBe(-1)
    })
  },
  inShards,
)
