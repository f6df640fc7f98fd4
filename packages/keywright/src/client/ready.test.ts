/* `connect` does not wait for a server; `$ready` and `{ ready: true }` do. */

import { createServer } from "node:net"
import { expect, test } from "vitest"
import { NotApplied } from "../errors/outcome.ts"
import { string } from "../schema/define.ts"
import { keyspace } from "../schema/keyspace.ts"
import { text } from "../schema/codec/text.ts"
import { connect } from "./connect.ts"

const pages = keyspace({ page: string("page:{slug}", text, { ttl: "5m" }) })

/** A port where nobody listens. */
async function deadPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

test("connect to a dead port resolves, and $ready says that nobody answers", async () => {
  const db = await connect(pages, `redis://127.0.0.1:${await deadPort()}`)
  const error = await db.$ready({ timeoutMs: 200 }).catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(NotApplied)
  expect(error).toMatchObject({ code: "DRIVER.TIMEOUT" })
  await db.$close()
})

test("connect with ready: true fails instead, and closes what it opened", async () => {
  const opening = connect(pages, `redis://127.0.0.1:${await deadPort()}`, { ready: true, timeoutMs: 200 })
  await expect(opening).rejects.toMatchObject({ code: "DRIVER.TIMEOUT" })
})

test("a server that answers is ready", async () => {
  const db = await connect(pages, "memory:", { ready: true })
  await expect(db.$ready()).resolves.toBeUndefined()
  await db.$close()
})
