/* The same tests on a real redis-server and on the embedded engine: each file has
 * its own two, empty before each test. */

import { type Engine, start } from "@keywright/embedded"
import { afterAll, beforeAll, beforeEach, describe } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { both, either } from "../../../../test/on-servers.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import type { Command, Driver, Reply } from "../driver/driver.ts"
import { embeddedDriver } from "../driver/embedded.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import type { Target } from "./target.ts"

export interface TestServer {
  readonly target: Target
  /** A driver beside the client under test, for raw commands. */
  readonly driver: Driver
  raw(...command: string[]): Promise<Reply>
  /** All keys, sorted. */
  keys(): Promise<string[]>
}

function onRealServer(title: string, body: (server: () => TestServer) => void): void {
  describe.runIf(needs("redis-server"))(`${title}, on a real server`, () => {
    let redis: RealRedis
    const server = lifecycle(
      async () => {
        redis = await startRedis()
        return { target: redis.url, driver: openResp(redis.url) }
      },
      () => redis?.stop(),
    )
    body(server)
  })
}

function onEmbeddedEngine(title: string, body: (server: () => TestServer) => void): void {
  describe(`${title}, on the embedded engine`, () => {
    let engine: Engine
    const server = lifecycle(
      async () => {
        engine = await start()
        return { target: { engine }, driver: embeddedDriver(engine) }
      },
      () => engine?.stop(),
    )
    body(server)
  })
}

function lifecycle(
  open: () => Promise<Pick<TestServer, "target" | "driver">>,
  stop: () => Promise<void>,
): () => TestServer {
  let server: TestServer
  beforeAll(async () => {
    const opened = await open()
    const raw = (...command: Command) => opened.driver.send(command)
    const keys = async () => ((await raw("KEYS", "*")) as string[]).sort()
    server = { ...opened, raw, keys }
  })
  beforeEach(async () => {
    await server.driver.send(["FLUSHALL"])
  })
  afterAll(async () => {
    await server?.driver.close()
    await stop()
  })
  return () => server
}

/** Runs the tests of `body` on both. */
export const onBothServers = both(onRealServer, onEmbeddedEngine)

/** For what no engine should change: on a real server if there is one, and in the full run on both. */
export const onAnyServer = either(onRealServer, onEmbeddedEngine)
