/* kill -9 of the serving process at any moment: tokens are whole or gone, presence is in
 * step, and what is cached is what the source says, or not there. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { isFull } from "../../test/full.ts"
import { openSource, type Source } from "../platform/source.ts"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { serveProcess } from "../platform/testing/serve-process.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { allKeys, misfits } from "../platform/testing/stored.ts"
import { SCOPE, X } from "./messenger.cases.ts"
import { messaging as schema } from "./schema.ts"
import { channelRecord } from "./source/channels.ts"
import { userRecord } from "./source/users.ts"
import type { MessagingTables } from "./tables.ts"

const ROUNDS = isFull ? 40 : 2
const PEOPLE = 8

onRealServer("kill -9 of the messenger", (server) => {
  const raw = (...command: (string | number)[]) => server().raw(...command)
  const members = async (key: string) => ((await raw("SMEMBERS", key)) as string[]).sort()

  /** Does what people do until the server is gone. */
  async function live(url: string, user: string): Promise<void> {
    const some = () => `p${Math.floor(Math.random() * PEOPLE)}`
    const room = () => `r${Math.floor(Math.random() * 2)}`
    try {
      for (;;) {
        const grant = { tenant: "1", account: "1", project: "456", serviceId: "789", service: "roc", user }
        const issued = await send(url, "POST /v1/saas/tokens", { token: ADMIN, body: grant })
        const { refreshToken } = issued.body as { refreshToken: string }
        const pair = await send(url, "POST /v1/auth/token", { body: { refreshToken } })
        expect(pair.status).toBe(200)
        const { accessToken: token } = pair.body as { accessToken: string }
        const call = (request: string, body?: unknown) =>
          send(url, request, { token, ...(body !== undefined && { body }) })
        for (let i = 0; i < 6; i++) {
          const [other, channel] = [some(), room()]
          await call("POST /v1/roc/channels", { id: channel, name: channel })
          await call("POST /v1/roc/invites", { channel })
          await call("GET /v1/roc/contacts")
          await call("GET /v1/roc/me")
          await call("POST /v1/roc/contacts", { user: other })
          await call("POST /v1/roc/messages", { channel, body: `${user} ${i} ${Math.random()}` })
          await call(`GET /v1/roc/channels/${channel}`)
          await call(`DELETE /v1/roc/contacts/${some()}`)
          await call(`DELETE /v1/roc/channels/${room()}/subscribers/${user}`)
          await call("POST /v1/roc/status", { behavioral_status: i % 3 === 0 ? "offline" : "online" })
        }
        if (Math.random() < 0.5) await call("DELETE /v1/auth/token")
      }
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError) // fetch failed: the process is gone.
    }
  }

  const tokensAreWhole = async () => {
    const map = (await raw("HGETALL", "TokensKeys")) as string[]
    const keys = map.filter((_, i) => i % 2 === 1).sort()
    const tokens = (await allKeys(raw)).filter((key) => /:(RefTok|AccTok):/.test(key))
    // A first refresh token may expire while we look.
    for (const key of tokens) expect(keys).toContain(key)
    for (const key of tokens) {
      const paired = key.includes(":RefTok:") ? await raw("HGET", key, "access_token") : null
      if (paired !== null) expect(await raw("EXISTS", `${X}:AccTok:${paired as string}`)).toBe(1)
    }
  }

  const presenceIsInStep = async () => {
    const statuses = (await allKeys(raw)).flatMap((key) => /:St:(.*)$/.exec(key)?.[1] ?? [])
    expect(await members(`${X}:OnSub`)).toEqual(statuses.sort())
  }

  const cachesAreTrue = async (source: Source<MessagingTables>) => {
    const keys = new Set(await allKeys(raw))
    for (let i = 0; i < PEOPLE; i++) {
      const user = `p${i}`
      const truth = await source.ask((sql) => userRecord(sql, SCOPE, user))
      const list = (await raw("LRANGE", `${X}:C:${user}`, 0, -1)) as string[]
      const whole = [...truth.contacts.map((id) => `u_${id}`), ...truth.channels.map((id) => `c_${id}`)]
      if (list.length > 0) expect([user, list.toSorted()]).toEqual([user, whole.sort()])
      const sets = { C: truth.contacts, Ch: truth.channels }
      if (![...keys].some((key) => key.startsWith(`${X}:Sub:${user}:`))) continue
      for (const [set, ids] of Object.entries(sets))
        expect([user, set, await members(`${X}:Sub:${user}:${set}`)]).toEqual([user, set, ids.toSorted()])
    }
    for (const channel of ["r0", "r1"]) {
      if (!keys.has(`${X}:Ch:${channel}`)) continue
      const truth = (await source.ask((sql) => channelRecord(sql, SCOPE, channel)))!
      expect(await members(`${X}:Ch:${channel}:Sub`)).toEqual(truth.subscribers.toSorted())
      expect(await members(`${X}:Ch:${channel}:Own`)).toEqual(truth.owners.toSorted())
      expect(await raw("HGET", `${X}:Ch:${channel}`, "lastMessage")).toBe(truth.info.lastMessage ?? null)
    }
  }

  it("ALL-5 MSG-16: leaves nothing stale and nothing in part", async () => {
    const folder = mkdtempSync(join(tmpdir(), "keywright-messaging-"))
    const database = `sqlite:${join(folder, "source.db")}`
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const common = ["--port", "0", "--redis", server().redis!, "--admin-token", ADMIN]
        const app = await serveProcess(
          "messaging",
          ...common,
          "--database",
          database,
          "--set",
          "messaging.sweepEvery=1",
        )
        const lives = Array.from({ length: PEOPLE }, (_, i) => live(app.url, `p${i}`))
        await new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 1000))
        await app.kill9()
        await Promise.all(lives)
        const source = openSource(database, () => {}) as unknown as Source<MessagingTables> & { close(): Promise<void> }
        await tokensAreWhole()
        await presenceIsInStep()
        await cachesAreTrue(source)
        expect(await misfits(raw, schema.keys)).toEqual([])
        await source.close()
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
