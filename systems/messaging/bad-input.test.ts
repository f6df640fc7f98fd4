/* What is refused, that nothing is written then, and that no secret is said anywhere. */

import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { inShards } from "./shards.cases.ts"
import { onAnyServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { dump } from "../platform/testing/stored.ts"
import { messengerForTest, X, type Messenger, type Person } from "./messenger.cases.ts"

const grant = { tenant: "123", account: "007", project: "456", service: "roc", user: "u1" }
const channel = { name: "n", description: "d", type: "public", subscribers: [], owners: [], managers: [] }
const without = (field: string) => Object.fromEntries(Object.entries(grant).filter(([name]) => name !== field))

type Who = "" | "U" | "A" | "wrong"
/** Who, request, body, status, code; `U` is a user, `A` the admin. */
const table: readonly (readonly [who: Who, request: string, body: unknown, status: number, code: string])[] = [
  // MSG-1
  ...Object.keys(grant).map((field) => ["A", "POST /v1/saas/tokens", without(field), 400, "invalid_input"] as const),
  ["A", "POST /v1/saas/tokens", { ...grant, service: "mail" }, 400, "invalid_input"],
  ["A", "POST /v1/saas/tokens", { ...grant, user: "1:BanSub" }, 400, "invalid_input"],
  ["A", "POST /v1/saas/tokens", { ...grant, user: "" }, 400, "invalid_input"],
  ["A", "POST /v1/saas/tokens", { ...grant, project: "4 5" }, 400, "invalid_input"],
  ["A", "POST /v1/saas/tokens", { ...grant, project: 456 }, 400, "invalid_input"],
  ["A", "POST /v1/saas/tokens", { ...grant, serviceId: "a:b" }, 400, "invalid_input"],
  ["A", "POST /v1/saas/tokens", { ...grant, tenant: "x".repeat(65) }, 400, "invalid_input"],
  ["A", "POST /v1/saas/tokens", { ...grant, more: 1 }, 400, "invalid_input"],
  ["A", "POST /v1/saas/tokens", "{", 400, "malformed_json"],
  ["A", "POST /v1/saas/tokens", "[]", 400, "invalid_input"],
  ["A", "POST /v1/saas/tokens", undefined, 415, "unsupported_media_type"],
  ["", "POST /v1/saas/tokens", grant, 401, "unauthorized"],
  ["wrong", "POST /v1/saas/tokens", grant, 401, "unauthorized"],
  ["U", "POST /v1/saas/tokens", grant, 401, "unauthorized"],
  ["A", "DELETE /v1/saas/tokens?project=456&service=a:b", undefined, 400, "invalid_input"],
  ["A", "DELETE /v1/saas/tokens", undefined, 400, "invalid_input"],
  // MSG-2, MSG-4
  ["", "POST /v1/auth/token", {}, 400, "invalid_input"],
  ["", "POST /v1/auth/token", { refreshToken: 7 }, 400, "invalid_input"],
  ["", "POST /v1/auth/token", { refreshToken: "" }, 400, "invalid_input"],
  ["", "POST /v1/auth/token", { refreshToken: "x:y" }, 401, "unauthorized"],
  ["", "DELETE /v1/auth/token", undefined, 401, "unauthorized"],
  ["wrong", "GET /v1/auth/introspect", undefined, 401, "unauthorized"],
  ["A", "GET /v1/roc/me", undefined, 401, "unauthorized"],
  ["", "POST /v1/roc/status", { behavioral_status: "nonsense" }, 401, "unauthorized"],
  // MSG-8
  ["U", "POST /v1/roc/status", {}, 400, "invalid_input"],
  ["U", "POST /v1/roc/status", { behavioral_status: "away" }, 400, "invalid_input"],
  ["U", "POST /v1/roc/status", { behavioral_status: null }, 400, "invalid_input"],
  ["U", "POST /v1/roc/status", { behavioral_status: "idle", status_message: "x".repeat(1000) }, 400, "invalid_input"],
  ["U", "POST /v1/roc/status", { behavioral_status: "idle", status_message: "\ud800" }, 400, "invalid_input"],
  ["U", "POST /v1/roc/status", { behavioral_status: "idle", mood: "x" }, 400, "invalid_input"],
  // MSG-19, MSG-20, MSG-21
  ["U", "POST /v1/roc/contacts", {}, 400, "invalid_input"],
  ["U", "POST /v1/roc/contacts", { user: "u_1:x" }, 400, "invalid_input"],
  ["U", "POST /v1/roc/contacts", { user: "u1" }, 400, "yourself"],
  ["U", "DELETE /v1/roc/contacts/a:b", undefined, 400, "invalid_input"],
  ["U", "DELETE /v1/roc/contacts/", undefined, 400, "invalid_input"],
  ["U", "DELETE /v1/roc/contacts/u9", undefined, 404, "not_contacts"],
  ["U", "POST /v1/roc/channels", { name: "" }, 400, "invalid_input"],
  ["U", "POST /v1/roc/channels", { name: "x".repeat(129) }, 400, "invalid_input"],
  ["U", "POST /v1/roc/channels", { name: "x", type: "secret" }, 400, "invalid_input"],
  ["U", "POST /v1/roc/channels", { name: "x", id: "a:Sub" }, 400, "invalid_input"],
  ["U", "POST /v1/roc/channels", { name: "x", id: "mine" }, 409, "channel_exists"],
  ["U", "PUT /v1/roc/channels/mine", {}, 400, "invalid_input"],
  ["U", "PUT /v1/roc/channels/nowhere", { name: "x" }, 404, "no_such_channel"],
  ["U", "DELETE /v1/roc/channels/nowhere", undefined, 404, "no_such_channel"],
  ["U", "GET /v1/roc/channels/mine?x=1", undefined, 400, "invalid_input"],
  ["U", "POST /v1/roc/channels/mine/bans", { subscriber: "u1" }, 409, "owner"],
  ["U", "DELETE /v1/roc/channels/mine/subscribers/u1", undefined, 409, "last_owner"],
  ["U", "DELETE /v1/roc/channels/mine/subscribers/u9", undefined, 404, "not_subscribed"],
  ["U", "PUT /v1/roc/channels/mine/managers/u9", undefined, 404, "not_subscribed"],
  ["U", "DELETE /v1/roc/channels/mine/bans/u9", undefined, 404, "not_banned"],
  ["U", "POST /v1/roc/invites", {}, 400, "invalid_input"],
  ["U", "POST /v1/roc/invites", { channel: "mine" }, 409, "already_subscribed"],
  ["U", "POST /v1/roc/invites", { channel: "mine", invitee: "a b" }, 400, "invalid_input"],
  ["U", "POST /v1/roc/invites", { channel: "nowhere" }, 404, "no_such_channel"],
  ["U", "PUT /v1/roc/invites/none", { approve: "yes" }, 400, "invalid_input"],
  ["U", "PUT /v1/roc/invites/none", { approve: "approved" }, 404, "no_such_invite"],
  ["U", "DELETE /v1/roc/invites/none", undefined, 404, "no_such_invite"],
  ["U", "DELETE /v1/roc/banned-channels/c", undefined, 404, "not_banned"],
  ["U", "POST /v1/roc/banned-contacts", { subscriber: "u1" }, 400, "yourself"],
  // MSG-29, MSG-30
  ["U", "POST /v1/roc/messages", { body: "x" }, 400, "one_target"],
  ["U", "POST /v1/roc/messages", { receiver: "u9", body: "x" }, 403, "not_a_contact"],
  ["U", "POST /v1/roc/messages", { channel: "nowhere", body: "x" }, 404, "no_such_channel"],
  ["U", "POST /v1/roc/messages", { channel: "mine", body: "x".repeat(1025) }, 400, "invalid_input"],
  ["U", "POST /v1/roc/messages", `{"body":"${"x".repeat(1_048_576)}"}`, 413, "body_too_large"],
  ["U", "GET /v1/roc/messages?channel=mine&limit=0", undefined, 400, "invalid_input"],
  ["U", "GET /v1/roc/messages?channel=mine&cursor=zz", undefined, 400, "invalid_input"],
  // admin
  ["A", "PUT /source/456/789/users/a:b", {}, 400, "invalid_input"],
  ["A", "PUT /source/4:6/789/users/u1", {}, 400, "invalid_input"],
  ["A", "PUT /source/456/789/users/u1", { contacts: ["a:b"] }, 400, "invalid_input"],
  ["A", "PUT /source/456/789/users/u1", { contacts: "a" }, 400, "invalid_input"],
  ["A", "PUT /source/456/789/users/u1", { friends: [] }, 400, "invalid_input"],
  ["A", "PUT /source/456/789/channels/c", { ...channel, type: "x" }, 400, "invalid_input"],
  ["A", "PUT /source/456/789/channels/c", { name: "x" }, 400, "invalid_input"],
  ["A", "PUT /source/456/789/channels/c", { ...channel, owners: [1] }, 400, "invalid_input"],
  ["", "PUT /source/456/789/users/u1", {}, 401, "unauthorized"],
  ["", "POST /jobs/online/run", undefined, 401, "unauthorized"],
  ["wrong", "POST /jobs/tokens/run", undefined, 401, "unauthorized"],
  // ALL-12
  ["U", "GET /v1/roc/nothing", undefined, 404, "no_such_route"],
  ["U", "PATCH /v1/roc/status", undefined, 405, "method_not_allowed"],
  ["U", "DELETE /v1/ping", undefined, 405, "method_not_allowed"],
]

onAnyServerAndInFullOnCluster(
  "bad input for the messenger",
  (server) => {
    let app: Messenger
    let me: Person
    const raw = (...command: (string | number)[]) => server().raw(...command)
    beforeAll(async () => {
      app = await messengerForTest(server())
      await app.putChannel("mine", { subscribers: ["u1"], owners: ["u1"], managers: ["u1"] })
    })
    beforeEach(async () => {
      me = await app.login("u1")
    })
    afterAll(() => app.close())

    it.each(table)("%s %s %j → %i %s, and nothing is written", async (who, request, body, status, code) => {
      const token = { "": undefined, U: me.access, A: ADMIN, wrong: "x".repeat(43) }[who]
      const before = await dump(raw)
      const refused = await app.call(request, { token, ...(body !== undefined && { body }) })
      expect([refused.status, refused.body["error"]]).toEqual([status, code])
      expect(await dump(raw)).toEqual(before)
      expect(JSON.stringify(refused.body)).not.toContain(me.access)
      if (status === 405) expect(refused.headers.get("allow")).toMatch(/GET/)
    })

    it("ALL-12: another content type is 415", async () => {
      const headers = { "content-type": "text/plain" }
      expect((await me.call("POST /v1/roc/status", "{}", { headers })).status).toBe(415)
    })

    it("MSG-7: tokens and certificates are in no log, error or metric", async () => {
      const first = await app.issue("u2")
      const certificate = "Q0FOQVJZ" + "QUFB".repeat(8)
      await app.admin("PUT /v1/projects/456/push-credentials", {
        googleServerKey: "canary-server-key",
        apnsCertificate: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`,
      })
      await raw("DEL", "P:456:PGSK")
      await raw("SADD", "P:456:PGSK", "x")
      const answers = [
        await app.admin("PUT /v1/projects/456/push-credentials", { googleServerKey: "canary-server-key" }),
        await app.admin("PUT /v1/projects/456/push-credentials", { apnsCertificate: certificate }),
      ]
      for (const [key, fields] of [
        [`${X}:AccTok:${me.access}`, ["a", "b"]],
        [`${X}:RefTok:${first}`, ["service", "nonsense"]],
      ] as const) {
        await raw("DEL", key)
        await raw("HSET", key, ...fields)
        answers.push(await me.call("GET /v1/roc/me"), await app.exchange(first))
        await raw("DEL", key)
        await raw("SET", key, "no hash")
        answers.push(await me.call("GET /v1/roc/me"), await app.exchange(first))
      }
      await raw("HSET", "TokensKeys", me.refresh, "nonsense")
      answers.push(await app.admin("DELETE /v1/saas/tokens?project=456&service=789"))
      answers.push(await app.exchange(me.refresh))
      const metrics = await send(app.url, "GET /metrics")
      const said = app.logged() + JSON.stringify(answers.map(({ body }) => body)) + String(metrics.body)
      for (const secret of [me.access, me.refresh, first, ADMIN, certificate, "canary-server-key"])
        expect(said.includes(secret)).toBe(false)
      expect(answers.map(({ status }) => status).every((status) => [200, 400, 401, 500].includes(status))).toBe(true)
    })
  },
  inShards,
)
