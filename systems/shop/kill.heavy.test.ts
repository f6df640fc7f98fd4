/* kill -9 of the serving process at any moment: sessions, carts, views and scheduled
 * rows are whole or not there, and what was acknowledged is. */

import { expect, it } from "vitest"
import { isFull } from "../../test/full.ts"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { serveProcess } from "../platform/testing/serve-process.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { allKeys, misfits } from "../platform/testing/stored.ts"
import { shop as schema } from "./schema.ts"

const ROUNDS = isFull ? 40 : 2
const VISITORS = 12

onRealServer("kill -9 of the shop", (server) => {
  const raw = (...command: (string | number)[]) => server().raw(...command)
  const ids = async (...command: string[]) => new Set((await raw(...command)) as string[])

  /** Does what visitors do until the server is gone; returns what was acknowledged. */
  async function visit(url: string, acknowledged: { views: number }): Promise<void> {
    const call = (request: string, options?: Parameters<typeof send>[2]) => send(url, request, options)
    try {
      for (;;) {
        const { body } = await call("POST /login", { body: { user: "u" } })
        const { token } = body as { token: string }
        for (let i = 0; i < 5; i++) {
          if ((await call("POST /views", { token, body: { item: `i${i}` } })).status === 204) acknowledged.views += 1
          await call(`PUT /cart/items/i${i}`, { token, body: { quantity: i + 1 } })
        }
        const row = Math.floor(Math.random() * 5)
        await call(`PUT /source/rows/${row}`, { token: ADMIN, body: { qty: row } })
        await call(`PUT /rows/${row}/schedule`, { token: ADMIN, body: { delay: Math.random() < 0.5 ? 0.01 : -1 } })
        if (Math.random() < 0.5) await call("DELETE /session", { token })
      }
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError) // fetch failed: the process is gone.
    }
  }

  it("ALL-5: leaves nothing half done", async () => {
    const acknowledged = { views: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const settings = ["openLogin=true", "sessionLimit=8", "cleanBatch=5"].flatMap((setting) => [
        "--set",
        `shop.${setting}`,
      ])
      const shop = await serveProcess(
        "shop",
        "--port",
        "0",
        "--redis",
        server().redis!,
        "--admin-token",
        ADMIN,
        ...settings,
      )
      const visits = Array.from({ length: VISITORS }, () => visit(shop.url, acknowledged))
      await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 600))
      await shop.kill9()
      await Promise.all(visits)

      const sessions = await ids("HKEYS", "login:")
      expect(await ids("ZRANGE", "recent:", "0", "-1")).toEqual(sessions)
      expect(await ids("ZRANGE", "delay:", "0", "-1")).toEqual(await ids("ZRANGE", "schedule:", "0", "-1"))
      const rows = await ids("ZRANGE", "delay:", "0", "-1")
      for (const key of await allKeys(raw)) {
        const [, kind, id] = /^(viewed|cart|inv):(.+)$/.exec(key) ?? []
        if (kind !== undefined) expect([key, (kind === "inv" ? rows : sessions).has(id!)]).toEqual([key, true])
      }
      expect(await misfits(raw, schema.keys)).toEqual([])
    }
    const scores = ((await raw("ZRANGE", "viewed:", 0, -1, "WITHSCORES")) as string[]).filter((_, i) => i % 2 === 1)
    expect(scores.reduce((sum, score) => sum - Number(score), 0)).toBeGreaterThanOrEqual(acknowledged.views)
    expect(acknowledged.views).toBeGreaterThan(0)
  })
})
