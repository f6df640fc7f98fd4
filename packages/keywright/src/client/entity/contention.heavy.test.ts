/* Many callers that want the same, each over a separate connection; and replies that are
 * cut off after the work was done, on every client. */

import { Redis } from "ioredis"
import { createClient } from "redis"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { type Proxy, startProxy } from "../../../../../test/tcp-proxy.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"
import { expectClean } from "../../testing/index.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import type { Target } from "../target.ts"
import { kitchen } from "./entity.cases.ts"
import { indexViolations, type EntityRule } from "./index-checker.cases.ts"

const WRITERS = 64
const UPDATES = isFull ? 100 : 20
const CUT_OPERATIONS = isFull ? 5000 : 300

const userRule: EntityRule = {
  head: "user:",
  list: "user:list",
  indexes: [
    { kind: "unique", patterns: ["user:index:email:{email}"] },
    { kind: "set", patterns: ["user:index:role:{roleId}"] },
  ],
}

describe.runIf(needs("redis-server"))("many at once", () => {
  let server: RealRedis
  let clients: ClientOf<typeof kitchen>[]
  beforeAll(async () => {
    server = await startRedis()
    clients = await Promise.all(
      Array.from({ length: WRITERS }, () => connect(kitchen, server.url, { timeoutMs: 30_000 })),
    )
  })
  afterAll(async () => {
    await Promise.all((clients ?? []).map((client) => client.$close()))
    await server?.stop()
  })

  test(`${WRITERS} writers with ${UPDATES} updates each on one record: none is lost`, async () => {
    const [first] = clients as [ClientOf<typeof kitchen>]
    await first.user.create({ id: "sum", name: "Ann", points: 0 })
    for (const id of ["r0", "r1", "r2"]) await first.role.create({ id, name: id })
    await Promise.all(
      clients.map(async (client) => {
        for (let i = 0; i < UPDATES; i++)
          await client.user.update("sum", (user) => ({ points: (user.points ?? 0) + 1, roleId: `r${i % 3}` }))
      }),
    )
    expect((await first.user.get("sum"))?.points).toBe(WRITERS * UPDATES)
    expect(await indexViolations((...command) => first.$driver().send(command), [userRule])).toEqual([])
    await expectClean(first)
  })

  test("32 creators of one unique value: one wins, the others get an error", async () => {
    for (let round = 0; round < (isFull ? 50 : 5); round++) {
      const made = await Promise.allSettled(
        clients.slice(0, 32).map((client, i) => client.user.create({ name: `n${i}`, email: `one${round}@x.org` })),
      )
      expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
      for (const one of made)
        if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "INDEX.UNIQUE_TAKEN" })
    }
  })
})

/** Reconnects soon, so that the suite takes seconds; all else is as the libraries come. */
const subjects: Readonly<Record<string, (proxy: Proxy) => Promise<{ target: Target; close(): void }>>> = {
  "own connection": async ({ url }) => ({ target: url, close: () => undefined }),
  "node-redis 6": async ({ url }) => {
    const client = createClient({ url, socket: { reconnectStrategy: () => 10 } })
    client.on("error", () => undefined)
    await client.connect()
    return { target: { client }, close: () => client.destroy() }
  },
  "ioredis 6": async ({ port }) => {
    const client = new Redis({ port, retryStrategy: () => 10 })
    client.on("error", () => undefined)
    return { target: { client }, close: () => client.disconnect() }
  },
}

describe.runIf(needs("redis-server"))("replies that are cut off", () => {
  let server: RealRedis
  let proxy: Proxy
  beforeAll(async () => {
    server = await startRedis()
    proxy = await startProxy(server.port)
  })
  afterAll(async () => {
    await proxy?.close()
    await server?.stop()
  })

  for (const name of Object.keys(subjects)) {
    test(`at a quarter of ${CUT_OPERATIONS} operations: every call settles, nothing is applied twice; ${name}`, async () => {
      const beside = openResp(server.url)
      const raw = (...command: string[]) => beside.send(command)
      await raw("FLUSHALL")
      const subject = await subjects[name]!(proxy)
      const client = await connect(kitchen, subject.target)
      let known = await client.user.create({ id: "sum", name: "Ann", points: 0 })
      let [done, unknown, exact] = [0, 0, 0]
      const before = proxy.connections
      for (let i = 0; i < CUT_OPERATIONS; i++) {
        // Each kind in its turn loses the reply of its script: neither reads first.
        if (i % 4 === (i >> 2) % 4) proxy.cutReplyAfter(1)
        if (i % 2 === 0) {
          // Without an operation id: at most once, and the caller learns what is not known.
          try {
            known = await client.user.update(known, ({ points = 0 }) => ({ points: points + 1 }))
            done++
          } catch (error) {
            if (error instanceof OutcomeUnknown) unknown++
            else if (!(error instanceof NotApplied)) throw error
          }
        } else {
          // With one: again until it is acknowledged, and still once.
          const create = () => client.user.create({ name: `n${i}`, email: `e${i}@x.org` }, { operationId: `op${i}` })
          const made = await untilDone(create)
          expect(made).toMatchObject({ id: String(exact + 1), email: `e${i}@x.org` })
          exact++
        }
      }
      expect(proxy.connections - before).toBeGreaterThanOrEqual(CUT_OPERATIONS / 4 - 1)
      expect(done + unknown).toBeLessThanOrEqual(CUT_OPERATIONS / 2)
      const { points } = JSON.parse((await raw("GET", "user:sum")) as string) as { points: number }
      expect(unknown).toBeGreaterThan(0)
      expect(points).toBeGreaterThanOrEqual(done)
      expect(points).toBeLessThanOrEqual(done + unknown)
      expect(await raw("SCARD", "user:list")).toBe(exact + 1)
      expect(await raw("GET", "user:counter")).toBe(String(exact))
      expect(await indexViolations(raw, [userRule])).toEqual([])
      await expectClean({ $keyspace: kitchen, $driver: () => beside })
      await client.$close()
      await subject.close()
      await beside.close()
    })
  }
})

async function untilDone<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof OutcomeUnknown) && !(error instanceof NotApplied)) throw error
    }
  }
}
