/* doctor, told the address of sentinels: what it says of the primary, and of the sentinels themselves. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import {
  primaryOf,
  type RealSentinels,
  SERVICE,
  startSentinels,
  untilFollowed,
} from "../../../../../test/redis-sentinel.ts"
import type { Driver } from "../../driver/driver.ts"
import { openServer } from "../../driver/resp/open-resp.ts"
import { text } from "../../schema/codec/text.ts"
import { string } from "../../schema/define.ts"
import { type Keyspace, keyspace } from "../../schema/keyspace.ts"
import { doctor } from "./doctor.ts"

const schema = keyspace({ page: string("page:{hash}", text, { ttl: "never" }) }) as unknown as Keyspace

describe.runIf(needs("redis-server"))("doctor on a primary that sentinels watch", () => {
  let servers: RealSentinels
  let driver: Driver

  beforeAll(async () => {
    servers = await startSentinels()
    await untilFollowed(servers)
    driver = openServer(servers.url, { timeoutMs: 20_000 })
  }, 120_000)
  afterAll(async () => {
    await driver?.close()
    await servers?.stop()
  })
  const codes = async () => (await doctor(schema, driver)).findings.map(({ code }) => code)
  const OF_SENTINELS = /FAILOVER|SENTINEL/

  it("looks at the primary, warns of writes that a failover loses, and finds nothing wrong with the sentinels", async () => {
    const { server, findings } = await doctor(schema, driver)
    expect(server).toMatchObject({ mode: "standalone", role: "primary", replicas: 1 })
    expect(server.label).toContain(`/${SERVICE}/`)
    const splitBrain = findings.find(({ code }) => code === "DOCTOR.SPLIT_BRAIN")
    expect(splitBrain?.why).toContain("SENTINEL FAILOVER")
    // A sentinel has little time to answer, and the machine may be busy.
    await expect.poll(async () => (await codes()).filter((code) => OF_SENTINELS.test(code))).toEqual([])
    const primary = openServer((await primaryOf(servers)).url)
    await primary.send(["CONFIG", "SET", "min-replicas-to-write", "1"])
    await primary.close()
    expect(await codes()).not.toContain("DOCTOR.SPLIT_BRAIN")
  })

  it("names sentinels that are gone, and says when too few are left", async () => {
    const [first, second] = servers.sentinels
    await second!.kill9()
    await expect.poll(codes).toContain("DOCTOR.SENTINEL_AWAY")
    const gone = (await doctor(schema, driver)).findings.find(({ message }) => message.includes(String(second!.port)))
    expect(gone).toBeDefined()
    await first!.kill9()
    await expect.poll(codes).toContain("DOCTOR.NO_FAILOVER")
  })
})
