/* What a request did to Redis is shown without API keys. */

import { afterEach, expect, it } from "vitest"
import { ADMIN } from "../platform/testing/serve.ts"
import { onBothServers } from "../platform/testing/servers.ts"
import { cartoForTest, DATABASE, type Carto } from "./carto.cases.ts"

onBothServers("what a request did to the Redis of CartoDB", (server) => {
  let app: Carto
  afterEach(() => app?.close())
  let requests = 0

  /** The answer to a request of the administrator, and what is shown of its commands. */
  const looking = async (request: string, body?: unknown): Promise<{ body: unknown; shown: string }> => {
    const id = `a-request-of-the-test-${++requests}`
    const show = { "x-show-commands": ADMIN }
    const reply = await app.call(request, { body, token: ADMIN, headers: { "x-request-id": id, ...show } })
    const commands = await fetch(`${app.url}/-/commands/${id}`, { headers: show })
    expect(commands.status).toBe(200)
    return { body: reply.body, shown: await commands.text() }
  }

  it("is shown without API keys: new ones, and those that are restored", async () => {
    app = await cartoForTest(server())
    const created = await looking("POST /users", { id: 1, username: "dev", database_name: DATABASE })
    const rotated = await looking("POST /users/dev/api-key")
    const restored = await looking("POST /jobs/restore/run")
    const [first, second] = [created, rotated].map(({ body }) => (body as { map_key: string }).map_key)
    for (const [{ shown }, step] of [
      [created, "createUser"],
      [rotated, "setOfUser"],
      [restored, "restoreUser"],
    ] as const) {
      expect(shown).toContain(`"${step}"`)
      expect(shown).not.toContain(first)
      expect(shown).not.toContain(second)
    }
  })
})
