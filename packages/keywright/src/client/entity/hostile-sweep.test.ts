/* A server that always has more to sweep: a pass ends. */

import { expect, it } from "vitest"
import * as z from "zod"
import { startHostile } from "../../../../../test/hostile-server.ts"
import { json } from "../../schema/codec/json.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { connect } from "../connect.ts"

const schema = keyspace({
  session: entity("session:{id}", json(z.object({ id: z.string(), user: z.string() })), {
    ttl: "1h",
    index: { user: "session:user:{user}" },
  }),
})

const bulk = (word: string): string => `$${word.length}\r\n${word}\r\n`

/** Every page of what is due is full, and everything of it is swept. */
async function sweep(due: number): Promise<unknown> {
  const members = Array.from({ length: 100 }, (_, i) => bulk(`${i}\tuser=ann`)).join("")
  const server = await startHostile(([name]) => {
    if (name === "TIME") return `*2\r\n${bulk("1700000000")}${bulk("0")}`
    if (name === "ZRANGE") return `*100\r\n${members}`
    if (name === "ZCOUNT") return `:${due}\r\n`
    if (name === "INFO") return bulk("# Memory\r\nused_memory:1048576\r\n")
    return "*1\r\n:100\r\n"
  })
  const db = await connect(schema, server.url, { sweep: false })
  const outcome = await db.$sweep().catch((error: { code: string }) => error.code)
  await db.$close()
  await server.close()
  return outcome
}

it("ends with about what was due at its beginning", async () => {
  expect(await sweep(1000)).toBeLessThanOrEqual(2200)
})

it("is given up when more is due than the server can hold", async () => {
  expect(await sweep(2 ** 50)).toBe("DRIVER.CURSOR")
})
