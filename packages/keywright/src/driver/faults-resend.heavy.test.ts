/* A call that may be sent again is carried out, its answer is lost, and what is sent
 * again is refused. The refusal is certain, the call is not: it must never be
 * reported as not applied. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import { type Proxy, startProxy } from "../../../../test/tcp-proxy.ts"
import { OutcomeUnknown } from "../errors/outcome.ts"
import type { Command, Driver } from "./driver.ts"
import { SUBJECTS } from "./faults-subjects.cases.ts"
import { openResp } from "./resp/open-resp.ts"
import { scriptOf } from "./script.ts"

const SAFE = { safe: true, timeoutMs: 250 } as const
const write = scriptOf("write", "return redis.call('SET', KEYS[1], ARGV[1])")

type Call = (driver: Driver, key: string) => Promise<unknown>

/** Each writes one key, and says what became of it. */
const CALLS: Readonly<Record<string, Call>> = {
  send: (driver, key) => driver.send(["SET", key, "v"], SAFE),
  script: (driver, key) => driver.run(write, [key], ["v"], SAFE),
  multi: (driver, key) => driver.multi([["SET", key, "v"]], SAFE),
  batch: async (driver, key) => {
    const [reply] = await driver.batch([["SET", key, "v"]], SAFE)
    if (reply instanceof Error) throw reply
    return reply
  },
}

describe.runIf(needs("redis-server"))("carried out, the answer lost, and refused when it was sent again", () => {
  let server: RealRedis
  let loading: RealRedis
  let full: RealRedis
  let direct: Driver

  beforeAll(async () => {
    server = await startRedis()
    direct = openResp(server.url, { timeoutMs: 10_000 })
    full = await startRedis({ args: ["--maxmemory", "1"] })
    loading = await startRedis()
    const filler = openResp(loading.url)
    await filler.batch(Array.from({ length: 3000 }, (_, i): Command => ["SET", `k${i}`, "v"]))
    await filler.send(["SAVE"])
    await loading.kill9()
    // The delay for each key, while it answers with LOADING.
    loading
      .restart({ args: ["--key-load-delay", "20000", "--loading-process-events-interval-bytes", "1024"] })
      .catch(() => undefined)
    expect(await filler.send(["INFO", "persistence"], { safe: true, timeoutMs: 10_000 })).toContain("loading:1")
    await filler.close()
  })
  afterAll(async () => {
    await direct?.close()
    await Promise.all([server?.stop(), full?.stop(), loading?.stop()])
  })

  /** What the next connection meets. The one that there is has led to the server. */
  const faults: Readonly<Record<string, (proxy: Proxy) => void | Promise<void>>> = {
    "the server loads": (proxy) => proxy.leadTo(loading.port),
    "the server is out of memory": (proxy) => proxy.leadTo(full.port),
    "connections are refused": (proxy) => proxy.refuse(),
  }

  for (const [name, make] of Object.entries(SUBJECTS))
    test.each(Object.entries(faults))(`${name}: the outcome is unknown when %s`, async (what, fault) => {
      const outcome = async ([kind, call]: [string, Call]) => {
        const proxy = await startProxy(server.port)
        const { driver, close } = await make(proxy.port)
        const key = `${name}:${what}:${kind}`
        await driver.send(["PING"], { safe: true })
        await driver.run(write, ["warm"], ["v"])
        await fault(proxy)
        proxy.cutReplyAfter(0)
        const result = await call(driver, key).catch((error: unknown) => error)
        await close()
        await proxy.close()
        return [kind, await direct.send(["GET", key]), result instanceof OutcomeUnknown ? "unknown" : result]
      }
      const kinds = Object.entries(CALLS)
      expect(await Promise.all(kinds.map(outcome))).toEqual(kinds.map(([kind]) => [kind, "v", "unknown"]))
    })
})
