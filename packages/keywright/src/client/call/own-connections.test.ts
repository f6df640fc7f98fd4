/* Waits that are given up: by a signal, and by closing the client. */

import { Cluster, Redis } from "ioredis"
import { createClient, createCluster } from "redis"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { type RealCluster, startClusterNode, startPrimaries } from "../../../../../test/redis-cluster.ts"
import { type Proxy, startProxy } from "../../../../../test/tcp-proxy.ts"
import { until } from "../../../../../test/until.ts"
import type { Driver } from "../../driver/driver.ts"
import { type DriverOptions, findDriver } from "../../driver/find-driver.ts"
import { type OwnMethods, wrapDriver } from "../../driver/wrap-driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"
import { text } from "../../schema/codec/text.ts"
import { list } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { connect } from "../connect.ts"
import type { Target } from "../target.ts"

const schema = keyspace({ jobs: list("jobs:{name}", text) }, { ttl: "never" })

const calls = (driver: Driver): OwnMethods => ({
  send: (...call) => driver.send(...call),
  batch: (...call) => driver.batch(...call),
  multi: (...call) => driver.multi(...call),
})

interface Opened {
  readonly target: Target
  end(): void
}

const nodeRedis = async <C extends { connect(): Promise<unknown>; destroy(): void }>(client: C): Promise<Opened> => {
  await client.connect()
  return { target: { client }, end: () => client.destroy() }
}
const ioredis = <C extends { disconnect(): void }>(client: C): Opened => ({
  target: { client },
  end: () => client.disconnect(),
})
const quiet = <C extends { on(event: "error", listener: () => void): unknown }>(client: C): C => {
  client.on("error", () => undefined)
  return client
}

const CLIENTS: Readonly<Record<string, (server: RealRedis) => Promise<Opened> | Opened>> = {
  "our own connection": ({ url }) => ({ target: url, end: () => undefined }),
  "our own connection, RESP2": ({ url }) => ({
    target: { driver: openResp(url, { protocol: 2 }) },
    end: () => undefined,
  }),
  "node-redis": ({ url }) => nodeRedis(quiet(createClient({ url }))),
  ioredis: ({ url }) => ioredis(quiet(new Redis(url))),
}
const CLUSTERS: typeof CLIENTS = {
  "node-redis": ({ url }) => nodeRedis(quiet(createCluster({ rootNodes: [{ url }] }))),
  ioredis: ({ port }) => ioredis(quiet(new Cluster([{ port, host: "127.0.0.1" }]))),
}

/** Clients whose main connection is made again, while that of a wait is half-open. */
const RENEWED: Readonly<Record<string, (proxy: Proxy) => Promise<Opened & { renew(): unknown }>>> = {
  "our own connection": async ({ url }) => ({ target: url, renew: () => undefined, end: () => undefined }),
  "node-redis": async ({ url }) => {
    const client = quiet(createClient({ url }))
    return { ...(await nodeRedis(client)), renew: () => (client.destroy(), client.connect()) }
  },
  ioredis: async ({ url }) => {
    const client = quiet(new Redis(url))
    return { ...ioredis(client), renew: () => client.disconnect(true) }
  },
}

describe.runIf(needs("redis-server"))("a wait that is given up", () => {
  let server: RealRedis
  let cluster: RealRedis
  let primaries: RealCluster
  beforeAll(async () => {
    server = await startRedis()
    cluster = await startClusterNode()
    primaries = await startPrimaries(3)
  })
  afterAll(() => Promise.all([server?.stop(), cluster?.stop(), primaries?.stop()]))

  /** Gives up waits, and what was pushed afterwards stays in the list. */
  async function takesNothing(
    opened: Opened,
    besides: readonly Driver[],
    between: (ids: readonly string[]) => Promise<void>,
    outcome: typeof NotApplied | typeof OutcomeUnknown,
    names: readonly string[] = ["a"],
  ): Promise<void> {
    const blocked = async (n: number) => {
      const found = await Promise.all(besides.map((one) => one.send(["INFO", "clients"])))
      return found.reduce<number>((sum, info) => sum + Number(/blocked_clients:(\d+)/.exec(String(info))?.[1]), 0) === n
    }
    const beside = await connect(schema, opened.target)
    for (const way of ["abort", "close"] as const)
      for (const name of names) {
        const db = await connect(schema, opened.target)
        const jobs = db.jobs({ name })
        const first = jobs.takeLeft({ waitMs: 60_000 })
        await until(() => blocked(1))
        const waiting = await Promise.all(besides.map(async (one) => String(await one.send(["CLIENT", "LIST"]))))
        await beside.jobs({ name }).pushRight("first")
        expect(await first).toBe("first")
        await between(waiting.flatMap((lines) => /^id=(\d+) .* flags=b /m.exec(lines)?.[1] ?? []))
        const stop = new AbortController()
        const wait = jobs.takeLeft({ waitMs: 60_000, signal: stop.signal })
        const failure = wait.catch((error: unknown) => error)
        await until(() => blocked(1))
        if (way === "abort") stop.abort()
        else await db.$close()
        expect(await failure).toBeInstanceOf(outcome)
        await until(() => blocked(0))
        await beside.jobs({ name }).pushRight("later")
        expect(await beside.jobs({ name }).range(0, -1)).toEqual(["later"])
        await beside.jobs({ name }).delete()
        await db.$close()
      }
    await beside.$close()
    opened.end()
    for (const one of besides) await one.close()
  }
  const nothing = async () => undefined

  test.each(Object.entries(CLIENTS))("takes nothing later: %s", async (_, make) => {
    await takesNothing(await make(server), [openResp(server.url)], nothing, NotApplied)
  })

  test.each(Object.entries(CLIENTS))(
    "takes nothing later, in the moment when its connection is open: %s",
    async (_, make) => {
      const { target, end } = await make(server)
      const driver =
        typeof target === "object" && "driver" in target ? target.driver : findDriver(target as DriverOptions)
      const stop = new AbortController()
      const stopAfter = <T>(last: Promise<T>): Promise<T> => {
        void last.then(() => queueMicrotask(() => stop.abort()))
        return last
      }
      const named = async () => {
        const own = await driver.dedicated()
        return wrapDriver(own, (one) => one, { ...calls(own), send: (...call) => stopAfter(own.send(...call)) })
      }
      // A connection beside a client that was passed in is named by a call of its own.
      const dedicated = driver.kind === "resp" ? () => stopAfter(driver.dedicated()) : named
      const db = await connect(schema, { driver: wrapDriver(driver, (one) => one, { ...calls(driver), dedicated }) })
      const jobs = db.jobs({ name: "a" })
      const failure = jobs.takeLeft({ waitMs: 60_000, signal: stop.signal }).catch((error: unknown) => error)
      await until(async () => stop.signal.aborted)
      await jobs.pushRight("later")
      expect(await failure).toBeInstanceOf(NotApplied)
      expect(await jobs.popLeft()).toBe("later")
      await db.$close()
      await driver.close()
      end()
    },
  )

  test.each(Object.entries(CLIENTS))(
    "takes nothing later, after the connection was cut and made again: %s",
    async (_, make) => {
      const beside = openResp(server.url)
      const cut = async ([id]: readonly string[]) => {
        expect(await beside.send(["CLIENT", "KILL", "ID", id!])).toBe(1)
        // A client notices it by itself.
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      await takesNothing(await make(server), [beside], cut, NotApplied)
    },
  )

  test.each(Object.entries(CLUSTERS))("does not begin with a cluster client of %s", async (_, make) => {
    const opened = await make(cluster)
    const db = await connect(schema, opened.target)
    const refusal = { code: "DRIVER.CLUSTER_CLIENT" }
    await expect(db.jobs({ name: "a" }).takeLeft({ waitMs: 1000 })).rejects.toMatchObject(refusal)
    await db.$close()
    opened.end()
  })

  test("takes nothing later, at whichever node of a cluster it is", async () => {
    const besides = primaries.nodes.map(({ url }) => openResp(url))
    const opened = { target: primaries.nodes[0]!.url, end: () => undefined }
    await takesNothing(opened, besides, nothing, NotApplied, ["a", "b", "c", "d", "e", "f"])
  })

  test.each(Object.entries(CLIENTS))(
    "takes nothing later where the user may not end it, and has an unknown outcome: %s",
    async (_, make) => {
      const strict = await startRedis()
      const beside = openResp(strict.url)
      await beside.send(["ACL", "SETUSER", "default", "-client|unblock"])
      await takesNothing(await make(strict), [beside], nothing, OutcomeUnknown)
      await strict.stop()
    },
  )

  test("does not end those of other programs, after the server was started again", async () => {
    const restarted = await startRedis()
    const db = await connect(schema, restarted.url)
    await db.jobs({ name: "a" }).takeLeft({ waitMs: 1 })
    await restarted.restart()
    const others = Array.from({ length: 12 }, () => openResp(restarted.url))
    const theirs = others.map((one) => one.send(["BLPOP", "theirs", "0"], { timeoutMs: 60_000 }))
    const beside = openResp(restarted.url)
    const blocked = async (n: number) =>
      String(await beside.send(["INFO", "clients"])).includes(`blocked_clients:${n}\r`)
    await until(() => blocked(12))
    await db.$ready()
    const stop = new AbortController()
    const wait = db.jobs({ name: "a" }).takeLeft({ waitMs: 60_000, signal: stop.signal })
    await until(() => blocked(13))
    stop.abort()
    await expect(wait).rejects.toBeInstanceOf(NotApplied)
    expect(await blocked(12)).toBe(true)
    await beside.send(["RPUSH", "theirs", ...others.map(String)])
    await Promise.all(theirs)
    await Promise.all([...others, beside].map((one) => one.close()))
    await db.$close()
    await restarted.stop()
  })

  test.each(Object.entries(RENEWED))(
    "does not end those of other programs, after a restart that its own connection has not noticed: %s",
    async (_, make) => {
      const restarted = await startRedis()
      const proxy = await startProxy(restarted.port)
      const { target, renew, end } = await make(proxy)
      const db = await connect(schema, target)
      const stop = new AbortController()
      const wait = db.jobs({ name: "a" }).takeLeft({ waitMs: 60_000, signal: stop.signal })
      let beside = openResp(restarted.url)
      const blocked = async (n: number) =>
        String(await beside.send(["INFO", "clients"])).includes(`blocked_clients:${n}\r`)
      await until(() => blocked(1))
      const lines = String(await beside.send(["CLIENT", "LIST"]))
      const id = /^id=(\d+) .* flags=b /m.exec(lines)![1]!

      proxy.goSilent()
      await beside.close()
      await restarted.restart()
      proxy.speakAgain()
      await renew()
      const ping = () =>
        db
          .$driver()
          .send(["PING"], { timeoutMs: 100 })
          .catch(() => "")
      await until(async () => (await ping()) === "PONG")
      beside = openResp(restarted.url)
      const others = Array.from({ length: 30 }, () => openResp(restarted.url))
      const theirs = others.map((one) => one.send(["BLPOP", "theirs", "0"], { timeoutMs: 60_000 }))
      await until(() => blocked(30))
      // One of theirs has the id that our own connection had.
      expect(String(await beside.send(["CLIENT", "LIST", "ID", id]))).toContain("cmd=blpop")

      stop.abort()
      await expect(wait).rejects.toBeInstanceOf(OutcomeUnknown)
      expect(await blocked(30)).toBe(true)
      await beside.send(["RPUSH", "theirs", ...others.map(String)])
      await Promise.all(theirs)
      await Promise.all([...others, beside].map((one) => one.close()))
      await db.$close()
      end()
      await Promise.all([proxy.close(), restarted.stop()])
    },
  )
})
