import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { entity, hash, keyspace, replicated, secret, string, text, type Keyspace } from "../../index.ts"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { diagnose, doctor } from "./doctor.ts"
import type { ServerSettings } from "./server-settings.ts"
import { slowRows } from "./slow.ts"
import { patternFinder } from "../model/pattern-finder.ts"

const doc = "Something."
const schema = keyspace(
  {
    user: entity("user:{id}", { id: text, password: secret(text) }, { all: "user:list", doc }),
    page: string("cache:{hash}", text, { ttl: "5m", evictable: true, doc }),
    session: hash("session:{ref}", { user: text }, { ttl: "1h", doc }),
  },
  { ttl: "never" },
) as Keyspace

const fine: ServerSettings = {
  flavour: "redis",
  version: "7.4.1",
  mode: "standalone",
  role: "primary",
  info: { used_memory: "1000", connected_slaves: "1", evicted_keys: "0", connected_clients: "3" },
  config: {
    maxmemory: "1000000",
    "maxmemory-policy": "noeviction",
    appendonly: "yes",
    appendfsync: "always",
    save: "",
    "protected-mode": "yes",
    databases: "16",
    maxclients: "10000",
    "min-replicas-to-write": "1",
  },
  password: true,
  slow: [],
  latency: [],
  ping: { p50: 0.1, p99: 0.2 },
  clockAheadMs: 0,
}

const found = (changes: Partial<ServerSettings>, config: Record<string, string> = {}, keys = schema) =>
  diagnose({ ...fine, ...changes, ...(fine.config && { config: { ...fine.config, ...config } }) }, keys).map(
    ({ code, severity }) => `${severity} ${code}`,
  )

describe("what settings endanger", () => {
  it("is nothing on a server that keeps everything", () => {
    expect(found({})).toEqual([])
  })

  it.each([
    [{ "maxmemory-policy": "allkeys-lru" }, "error DOCTOR.EVICTION"],
    [{ "maxmemory-policy": "volatile-ttl" }, "warning DOCTOR.EVICTION"],
    [{ maxmemory: "0" }, "warning DOCTOR.MAXMEMORY"],
    [{ maxmemory: "1050" }, "error DOCTOR.MEMORY_FULL"],
    [{ appendonly: "no" }, "error DOCTOR.NO_PERSISTENCE"],
    [{ appendonly: "no", save: "3600 1" }, "warning DOCTOR.SNAPSHOTS_ONLY"],
    [{ appendfsync: "no" }, "warning DOCTOR.APPENDFSYNC"],
    [{ appendfsync: "everysec" }, "note DOCTOR.APPENDFSYNC"],
    [{ "min-replicas-to-write": "0" }, "note DOCTOR.SPLIT_BRAIN"],
  ])("%j is %s", (config, expected) => {
    expect(found({}, config)).toEqual([expected])
  })

  it.each<[Partial<ServerSettings>, string]>([
    [{ version: "6.0.16" }, "error DOCTOR.VERSION"],
    [{ version: "6.2.1" }, "warning DOCTOR.VERSION"],
    [{ password: false }, "warning DOCTOR.OPEN"],
    [{ clockAheadMs: 5000 }, "warning DOCTOR.CLOCK"],
    [{ info: { ...fine.info, evicted_keys: "5" } }, "warning DOCTOR.EVICTED"],
    [{ info: { ...fine.info, rdb_last_bgsave_status: "err" } }, "error DOCTOR.SAVE_FAILED"],
    [{ info: { ...fine.info, connected_slaves: "0" } }, "note DOCTOR.REPLICAS"],
    [{ role: "replica", info: { ...fine.info, connected_slaves: "1" } }, "warning DOCTOR.ROLE"],
  ])("%j is %s", (changes, expected) => {
    expect(found(changes)).toEqual([expected])
  })

  it("names the patterns: all but caches under allkeys-lru, those with a TTL under volatile-lru", () => {
    const patterns = (policy: string) =>
      diagnose({ ...fine, config: { ...fine.config, "maxmemory-policy": policy } }, schema)[0]?.patterns
    expect(patterns("allkeys-lru")).toEqual(["user:{id}", "user:list", "session:{ref}"])
    expect(patterns("volatile-lru")).toEqual(["session:{ref}"])
  })

  it("names operation ids and leases, which have a deadline even where no pattern has one", () => {
    const lasting = keyspace(
      { n: string("n:{id}", text, { doc }), page: string("cache:{hash}", text, { ttl: "5m", evictable: true, doc }) },
      { ttl: "never" },
    ) as Keyspace
    const [eviction] = diagnose({ ...fine, config: { ...fine.config, "maxmemory-policy": "volatile-lru" } }, lasting)
    expect(eviction).toMatchObject({ code: "DOCTOR.EVICTION", severity: "warning" })
    expect(eviction!.message).toContain("operation ids, and leases")
    expect(found({}, { "maxmemory-policy": "noeviction" }, lasting)).toEqual([])
  })

  it("depends on the schema: caches may be lost, replicas that an entity asks for may not be missing", () => {
    const cache = keyspace({ page: string("cache:{hash}", text, { ttl: "5m", evictable: true, doc }) }) as Keyspace
    expect(found({}, { "maxmemory-policy": "allkeys-lru", appendonly: "no" }, cache)).toEqual([
      "note DOCTOR.NO_PERSISTENCE",
    ])
    const careful = keyspace(
      { user: entity("user:{id}", { id: text }, { durability: replicated(2), doc }) },
      { ttl: "never" },
    )
    expect(found({}, {}, careful as Keyspace)).toEqual(["error DOCTOR.REPLICAS"])
  })

  it("warns of a connection that is not encrypted, where secrets are kept", () => {
    const [tls] = diagnose(fine, schema, { tls: false, local: false })
    expect(tls).toMatchObject({ code: "DOCTOR.TLS", severity: "warning", patterns: ["user:{id}"] })
    expect(diagnose(fine, schema, { tls: false, local: true })).toEqual([])
  })

  it("says when the server does not tell its settings", () => {
    expect(diagnose({ ...fine, config: undefined }, schema).map(({ code }) => code)).toEqual(["DOCTOR.CONFIG_HIDDEN"])
  })
})

it("counts the slow log by command and pattern, without keys and values", () => {
  const slow = (micros: number, ...command: string[]) => ({ at: 0, micros, command })
  const rows = slowRows(
    [
      slow(50_000, "GET", "user:CANARY"),
      slow(10_000, "get", "user:2"),
      slow(99, "KEYS", "*"),
      slow(5, "EVAL", "…", "1", "cache:x"),
    ],
    patternFinder(schema),
  )
  expect(rows).toEqual([
    { command: "GET", pattern: "user:{id}", count: 2, worstMs: 50, totalMs: 60 },
    { command: "KEYS", pattern: null, count: 1, worstMs: 0.1, totalMs: 0.1 },
    { command: "EVAL", pattern: "cache:{hash}", count: 1, worstMs: 0.01, totalMs: 0.01 },
  ])
})

describe.runIf(needs("redis-server"))("on a real server", () => {
  let server: RealRedis
  beforeAll(async () => {
    const args = [
      "--requirepass",
      "CANARY",
      "--maxmemory",
      "100mb",
      "--maxmemory-policy",
      "allkeys-lru",
      "--slowlog-log-slower-than",
      "0",
    ]
    server = await startRedis({ args })
  })
  afterAll(() => server.stop())

  it("reads what it needs, and never repeats the password", async () => {
    const driver = openResp(`redis://:CANARY@127.0.0.1:${server.port}`)
    await driver.send(["HSET", "user:1", "password", "CANARY"])
    const result = await doctor(schema, driver)
    expect(result.summary).toMatchObject({ "DOCTOR.EVICTION": 1, "DOCTOR.NO_PERSISTENCE": 1 })
    expect(result.summary).not.toHaveProperty("DOCTOR.OPEN")
    expect(result.slow.some(({ pattern }) => pattern === "user:{id}")).toBe(true)
    expect(JSON.stringify(result)).not.toContain("CANARY")
    await driver.close()
  })

  it("manages with a user who may read nothing but INFO", async () => {
    const admin = openResp(`redis://:CANARY@127.0.0.1:${server.port}`)
    await admin.send(["ACL", "SETUSER", "guest", "on", ">guest-pw", "+info", "+ping", "+time", "+hello", "+client"])
    const driver = openResp(`redis://guest:guest-pw@127.0.0.1:${server.port}`)
    expect((await doctor(schema, driver)).summary).toHaveProperty("DOCTOR.CONFIG_HIDDEN")
    await Promise.all([driver.close(), admin.close()])
  })
})
