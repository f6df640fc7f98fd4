/* The same tests on a real redis-server and on the embedded engine: each file has its
 * own two, empty before each test. */

import { start, type Engine } from "@keywright/embedded"
import { afterAll, beforeAll, beforeEach, describe } from "vitest"
import { needs } from "../../../test/needs.ts"
import { both, either } from "../../../test/on-servers.ts"
import { startRedis, type RealRedis } from "../../../test/real-redis.ts"
import type { RealCluster } from "../../../test/redis-cluster.ts"
import { RespClient, type RawReply } from "../../../test/resp-client.ts"

/** Redis that goes away as a whole: one server, or every node of a cluster. */
export interface Outage {
  kill9(): Promise<void>
  restart(): Promise<void>
  pause(): void
  /** Over when a cluster has agreed again on who has which slots. */
  resume(): void | Promise<void>
}

export interface TestServer {
  /** For `--redis`; undefined on the embedded engine. */
  readonly redis: string | undefined
  readonly engine: Engine | undefined
  /** On a cluster: what puts the keys of a system into their slots. */
  readonly settings?: Readonly<Record<string, string>>
  /** On a cluster: keys in what a system says, by the document's names. */
  readonly told?: (text: string) => string
  readonly cluster?: RealCluster
  /** The real server, to kill and to pause. */
  readonly process: RealRedis | undefined
  /** Not on the embedded engine. */
  readonly outage?: Outage
  /** A plain command, past everything that is tested, in database 0 unless `SELECT` was sent. */
  raw(...command: (string | number)[]): Promise<RawReply>
  /** The same, with keys as they are, also on a cluster. */
  plain(...command: (string | number)[]): Promise<RawReply>
}

function onEmbeddedEngine(title: string, body: (server: () => TestServer) => void): void {
  describe(`${title}, on the embedded engine`, () => {
    body(
      lifecycle(async () => {
        const engine = await start({ port: 0 })
        return { redis: undefined, engine, process: undefined, port: engine.port!, stop: () => engine.stop() }
      }),
    )
  })
}

/** For what only a separate server can show. */
export function onRealServer(title: string, body: (server: () => TestServer) => void): void {
  describe.runIf(needs("redis-server"))(`${title}, on a real server`, () => {
    body(
      lifecycle(async () => {
        const process = await startRedis()
        const stop = () => process.stop()
        return { redis: process.url, engine: undefined, process, outage: process, port: process.port, stop }
      }),
    )
  })
}

interface Opened extends Omit<TestServer, "raw" | "plain"> {
  readonly port: number
  stop(): Promise<void>
}

function lifecycle(open: () => Promise<Opened>): () => TestServer {
  let opened: Opened
  let client: RespClient | undefined
  const raw = async (...command: (string | number)[]) => {
    client ??= await RespClient.connect(opened.port)
    const sent = client
    void sent.closed.then(() => {
      if (client === sent) client = undefined
    })
    return sent.send(...command)
  }
  beforeAll(async () => {
    opened = await open()
  })
  beforeEach(async () => {
    await raw("FLUSHALL")
    await raw("SELECT", 0)
  })
  afterAll(async () => {
    client?.close()
    await opened?.stop()
  })
  return () => {
    const { redis, engine, process, outage } = opened
    return { redis, engine, process, ...(outage && { outage }), raw, plain: raw }
  }
}

/** Runs the tests of `body` on both. */
export const onBothServers = both(onRealServer, onEmbeddedEngine)

/** For what no engine should change: on a real server if there is one, and in the full run on both. */
export const onAnyServer = either(onRealServer, onEmbeddedEngine)
