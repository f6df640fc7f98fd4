/* The same tests on our own connection, the embedded engine, node-redis and ioredis:
 * one server and one engine for each file, empty before each test. */

import { createClient } from "redis"
import { Redis } from "ioredis"
import { afterAll, beforeAll, beforeEach, describe } from "vitest"
import { start } from "@keywright/embedded"
import { needs } from "../../../../test/needs.ts"
import { startRedis } from "../../../../test/real-redis.ts"
import type { Reply } from "../driver/driver.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import type { Connected } from "./client.ts"
import { connect } from "./connect.ts"
import type { Target } from "./target.ts"

export interface OnDriver<E, R, Q, S> {
  readonly db: Connected<E, R, Q, S>
  /** A command, as it is: to look behind the client. */
  raw(...command: string[]): Promise<Reply>
}

type Opened = { readonly target: Target; close(): unknown }

const TARGETS: Readonly<Record<string, (url: string) => Promise<Opened>>> = {
  "own connection": async (url) => ({ target: url, close: () => undefined }),
  embedded: async () => {
    const engine = await start()
    return { target: { engine }, close: () => engine.stop() }
  },
  "node-redis 6": async (url) => {
    const client = createClient({ url })
    client.on("error", () => undefined)
    await client.connect()
    return { target: { client }, close: () => client.destroy() }
  },
  "ioredis 6": async (url) => {
    const client = new Redis(url)
    client.on("error", () => undefined)
    return { target: { client }, close: () => client.disconnect() }
  },
}

/** Runs the tests once for each driver. Look at `on` inside of tests only. */
export function onEveryDriver<E, R, Q, S>(
  keyspace: Keyspace<E, R, Q, S, {}>,
  tests: (on: OnDriver<E, R, Q, S>) => void,
) {
  const hasServer = needs("redis-server")
  let server: Awaited<ReturnType<typeof startRedis>> | undefined
  beforeAll(async () => {
    if (hasServer) server = await startRedis()
  })
  afterAll(() => server?.stop())

  for (const [name, open] of Object.entries(TARGETS)) {
    describe.runIf(hasServer || name === "embedded")(name, () => {
      let opened: Opened
      const on = {} as { -readonly [N in keyof OnDriver<E, R, Q, S>]: OnDriver<E, R, Q, S>[N] }
      beforeAll(async () => {
        opened = await open(server?.url ?? "")
        on.db = await connect(keyspace, opened.target)
        on.raw = (...command) => on.db.$driver().send(command)
      })
      beforeEach(() => on.raw("FLUSHALL"))
      afterAll(async () => {
        await on.db.$close()
        await opened.close()
      })
      tests(on)
    })
  }
}
