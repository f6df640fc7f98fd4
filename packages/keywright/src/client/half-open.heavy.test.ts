/* A server that takes connections and says nothing any more: every call settles by its
 * deadline all the same, whatever the client library waits for. */

import { Cluster, Redis } from "ioredis"
import { createClient, createClientPool, createCluster } from "redis"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod"
import { watchPauses } from "../../../../test/machine-pauses.ts"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import { startClusterNode } from "../../../../test/redis-cluster.ts"
import { type Proxy, startProxy } from "../../../../test/tcp-proxy.ts"
import { NotApplied, OutcomeUnknown } from "../errors/outcome.ts"
import { connect, entity, json, keyspace, list, stream, string, text } from "../index.ts"
import type { ClientOf } from "./client.ts"
import type { Target } from "./target.ts"
import { quiet } from "../../../../test/quiet-client.ts"

const TIMEOUT_MS = 500
const SLACK_MS = 100
const WAIT_MS = 300

const Row = z.object({ id: z.string(), n: z.number() })
const schema = keyspace(
  {
    page: string("page:{id}", text),
    jobs: list("jobs:{id}", text),
    events: stream("events:{id}", { what: text }),
    row: entity("row:{id}", json(Row)),
  },
  { ttl: "never" },
)
type Db = ClientOf<typeof schema>

interface Opened {
  readonly target: Target
  end(): void
}
const nodeRedis = async (client: { connect(): Promise<unknown>; destroy(): void }): Promise<Opened> => {
  await client.connect()
  return { target: { client }, end: () => client.destroy() }
}
const ioredis = async (client: { disconnect(): void }): Promise<Opened> => ({
  target: { client },
  end: () => client.disconnect(),
})
const host = "127.0.0.1"
const CLIENTS: Readonly<Record<string, (port: number) => Promise<Opened>>> = {
  "our own connection": async (port) => ({ target: `redis://${host}:${port}`, end: () => undefined }),
  "node-redis": (port) => nodeRedis(quiet(createClient({ socket: { port, host } }))),
  "node-redis, pool": (port) => nodeRedis(quiet(createClientPool({ socket: { port, host } }))),
  ioredis: (port) => ioredis(quiet(new Redis({ port }))),
}
const CLUSTERS: typeof CLIENTS = {
  "node-redis, cluster": (port) => nodeRedis(quiet(createCluster({ rootNodes: [{ socket: { port, host } }] }))),
  "ioredis, cluster": (port) => ioredis(quiet(new Cluster([{ port, host }]))),
}

/** What is called, and how long it may take beyond the deadline of an ordinary call. */
const CALLS: Readonly<Record<string, readonly [extraMs: number, (db: Db) => unknown]>> = {
  get: [0, (db) => db.page({ id: "1" }).get()],
  set: [0, (db) => db.page({ id: "1" }).set("y")],
  "get with its own deadline": [100 - TIMEOUT_MS, (db) => db.page({ id: "1" }).get({ timeoutMs: 100 })],
  cached: [0, (db) => db.page({ id: "2" }).cached(() => "x")],
  $multi: [0, (db) => db.$multi((d) => [d.page({ id: "1" }).set("y"), d.page({ id: "1" }).get()])],
  $batch: [0, (db) => db.$batch((d) => [d.page({ id: "1" }).set("y"), d.page({ id: "1" }).get()])],
  "an update": [0, (db) => db.row.update("1", { n: 2 })],
  "a create": [0, (db) => db.row.create({ id: "2", n: 2 })],
  "a blocking pop": [WAIT_MS, (db) => db.jobs({ id: "1" }).takeLeft({ waitMs: WAIT_MS })],
  "a blocking read of a stream": [WAIT_MS, (db) => db.events({ id: "1" }).after("$", { waitMs: WAIT_MS })],
  subscribe: [0, (db) => db.$driver().subscribe({ channels: ["c"], onMessage: () => undefined })],
  facts: [0, (db) => db.$driver().facts()],
  "a connection of its own": [0, async (db) => (await db.$driver().dedicated()).close()],
}

describe.runIf(needs("redis-server"))("on half-open connections every call settles by its deadline", () => {
  let server: RealRedis
  let node: RealRedis
  let proxy: Proxy

  beforeAll(async () => {
    server = await startRedis()
    proxy = await startProxy(server.port)
    node = await startClusterNode()
  })
  afterAll(async () => {
    await proxy?.close()
    await Promise.all([server?.stop(), node?.stop()])
  })

  /** Everything at once, twice: the second time nothing can be written any more. */
  async function settles(make: (port: number) => Promise<Opened>, port: number, silence: () => void): Promise<void> {
    const { target, end } = await make(port)
    const db = await connect(schema, target, { timeoutMs: TIMEOUT_MS })
    await db.page({ id: "1" }).set("x")
    await db.row.upsert({ id: "1", n: 1 })
    const subscription = await db.$driver().subscribe({ channels: ["a"], onMessage: () => undefined })
    const pauses = watchPauses()
    const late: string[] = []
    const timed = async (name: string, limitMs: number, call: () => unknown) => {
      const begun = performance.now()
      const error: unknown = await Promise.resolve(call()).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      const ms = performance.now() - begun
      if (ms > limitMs + SLACK_MS + pauses.longestMs) late.push(`${name}: ${Math.round(ms)} ms`)
      // Cluster clients of others have no connections for calls that wait.
      const isRefused = (error as { code?: string } | undefined)?.code === "DRIVER.CLUSTER_CLIENT"
      if (error !== undefined && !isRefused && !(error instanceof NotApplied) && !(error instanceof OutcomeUnknown))
        throw error
    }
    silence()
    for (let round = 0; round < 2; round++)
      await Promise.all(
        Object.entries(CALLS).map(([name, [extra, call]]) => timed(name, TIMEOUT_MS + extra, async () => call(db))),
      )
    await timed("a subscription's close", 0, () => subscription.close())
    await timed("$close", TIMEOUT_MS, () => db.$close())
    pauses.stop()
    end()
    expect(late).toEqual([])
  }

  test.each(Object.entries(CLIENTS))("%s", async (_, make) => {
    await settles(make, proxy.port, () => proxy.goSilent()).finally(() => proxy.speakAgain())
  })

  test.each(Object.entries(CLUSTERS))("%s", async (_, make) => {
    await settles(make, node.port, () => node.pause()).finally(() => node.resume())
  })
})
