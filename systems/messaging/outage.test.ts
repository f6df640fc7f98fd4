/* Redis that dies, hangs and comes back; PostgreSQL as the source, and when that dies. */

import { afterEach, describe, expect, it } from "vitest"
import { needs } from "../../test/needs.ts"
import { startPostgres } from "../../test/real-postgres.ts"
import { send } from "../platform/testing/serve.ts"
import { onRealServerAndInFullOnCluster } from "../platform/testing/cluster-server.ts"
import { until } from "../../test/until.ts"
import { misfits } from "../platform/testing/stored.ts"
import { messengerForTest, X, type Messenger } from "./messenger.cases.ts"
import { messaging as schema } from "./schema.ts"
import { inShards } from "./shards.cases.ts"

onRealServerAndInFullOnCluster(
  "the messenger, when Redis is away",
  (server) => {
    let app: Messenger
    afterEach(() => app?.close())
    const raw = (...command: (string | number)[]) => server().raw(...command)
    const isOk = async () => (await send(app.url, "GET /health")).status === 200

    it("ALL-10: answers 503, and recovers, jobs too", async () => {
      const settings = ["jobs=true", "sweepEvery=1", "statusTtl=1"]
      app = await messengerForTest(server(), ...settings.flatMap((setting) => ["--set", `messaging.${setting}`]))
      const me = await app.login("u1")
      await server().outage!.kill9()
      for (const [request, body] of [
        ["GET /v1/roc/me"],
        ["POST /v1/roc/status", { behavioral_status: "online" }],
        ["POST /v1/roc/messages", { receiver: "u2", body: "x" }],
        ["DELETE /v1/auth/token"],
        ["POST /v1/auth/token", { refreshToken: me.refresh }],
      ] as const) {
        const { status, body: answer, headers } = await me.call(request, body)
        expect([request, status, answer["error"], headers.get("retry-after")]).toEqual([
          request,
          503,
          "redis_unavailable",
          "1",
        ])
      }
      expect((await app.admin("POST /jobs/online/run")).status).toBe(503)
      expect((await app.admin("PUT /source/456/789/users/u1", { contacts: [] })).status).toBe(503)
      expect((await app.call("GET /v1/ping")).status).toBe(200)
      expect(await isOk()).toBe(false)
      await server().outage!.restart()
      await until(isOk)
      await app.login("u2")
      expect(await raw("SISMEMBER", `${X}:OnSub`, "u2")).toBe(1)
      await until(async () => (await raw("EXISTS", `${X}:OnSub`)) === 0)
    })

    it("ALL-10: a server that hangs is treated alike, and nothing stale is left", async () => {
      app = await messengerForTest(server())
      const me = await app.login("u1")
      await me.call("POST /v1/roc/contacts", { user: "u2" })
      await me.call("GET /v1/roc/contacts")
      server().outage!.pause()
      try {
        expect(await me.status("POST /v1/roc/contacts", { user: "u3" })).toBe(503)
      } finally {
        server().outage!.resume()
      }
      await until(isOk)
      const { body } = await me.call("GET /v1/roc/contacts")
      expect(body["contacts"]).toEqual(["u2"])
      expect(await me.status("POST /v1/roc/contacts", { user: "u3" })).toBe(201)
      expect((await me.call("GET /v1/roc/contacts")).body["contacts"]).toEqual(["u2", "u3"])
    })
  },
  inShards,
)

describe.runIf(needs("postgresql"))("the messenger with PostgreSQL as its source", () => {
  onRealServerAndInFullOnCluster(
    "two servers over one source",
    (server) => {
      it("ALL-14 MSG-14 to MSG-30: do the same as with SQLite, and 503 while it is away", async () => {
        const postgres = await startPostgres()
        const open = () => messengerForTest(server(), "--database", postgres.url)
        const [one, two] = [await open(), await open()]
        const raw = (...command: (string | number)[]) => server().raw(...command)
        try {
          await one.putUser("u1", { contacts: ["2", "3"], channels: ["7"], bannedSubscribers: ["9"] })
          const [me, other] = [await one.login("u1"), await two.login("u2")]
          expect((await me.call("GET /v1/roc/me")).body).toMatchObject({ contacts: ["2", "3"], channels: ["7"] })
          expect((await me.call("GET /v1/roc/contacts")).body).toEqual({ contacts: ["2", "3"], channels: ["7"] })
          expect(await other.status("POST /v1/roc/contacts", { user: "u1" })).toBe(201)
          expect(await raw("LRANGE", `${X}:C:u1`, 0, -1)).toEqual(["u_2", "u_3", "c_7", "u_u2"])

          await me.call("POST /v1/roc/channels", { id: "club", name: "Club ü🙂", type: "private" })
          const { body } = await other.call("POST /v1/roc/invites", { channel: "club" })
          const path = `/v1/roc/invites/${body["id"] as string}`
          const race = await Promise.all([
            me.status(`PUT ${path}`, { approve: "approved" }),
            me.status(`PUT ${path}`, { approve: "approved" }),
            other.status(`DELETE ${path}`),
          ])
          expect(race.filter((status) => status < 300)).toHaveLength(1)
          await other.call("POST /v1/roc/invites", { channel: "club" })
          const pending = (await me.call("GET /v1/roc/channels/club")).body["joinRequests"] as string[]
          for (const id of pending) await me.call(`PUT /v1/roc/invites/${id}`, { approve: "approved" })
          const sends = Array.from({ length: 20 }, (_, i) =>
            (i % 2 === 0 ? me : other).status("POST /v1/roc/messages", { channel: "club", body: `m${i}` }),
          )
          expect(new Set(await Promise.all(sends))).toEqual(new Set([202]))
          const { messages } = (await me.call("GET /v1/roc/messages?channel=club")).body as { messages: object[] }
          expect(messages).toHaveLength(20)
          expect((await me.call("GET /v1/roc/channels/club")).body).toMatchObject({
            name: "Club ü🙂",
            subscribers: ["u1", "u2"],
            lastMessage: expect.stringMatching(/^m\d+$/),
          })
          expect(await misfits(raw, schema.keys)).toEqual([])

          await postgres.kill()
          const away = await me.call("POST /v1/roc/messages", { channel: "club", body: "x" })
          expect([away.status, away.body["error"]]).toEqual([503, "source_unavailable"])
          expect(await me.status("POST /v1/roc/status", { behavioral_status: "online" })).toBe(200)
          await postgres.restart()
          await until(async () => (await send(one.url, "GET /health")).status === 200)
          expect(await me.status("POST /v1/roc/messages", { channel: "club", body: "x" })).toBe(202)
          expect(await me.status("DELETE /v1/roc/channels/club")).toBe(204)
          expect((await other.call("GET /v1/roc/channels")).body).toEqual({ channels: [] })
        } finally {
          await Promise.all([one.close(), two.close()])
          await postgres.stop()
        }
      })
    },
    inShards,
  )
})
