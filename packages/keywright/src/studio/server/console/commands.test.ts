/* The console's table against a real server: what it calls a read is one, nothing in it can block,
 * administer or run scripts, and the keys that it finds are those that the server finds. */

import { describe, expect, it } from "vitest"
import { needs } from "../../../../../../test/needs.ts"
import { consoleCommands } from "./commands.ts"
import { understand } from "./understand.ts"
import { redisForSuite } from "../../../driver/redis-for-suite.cases.ts"

/** A call of each rule, as a line. */
const LINES = [
  "GET k",
  "MGET k1 k2 k3",
  "EXISTS k1 k2",
  "OBJECT ENCODING k",
  "MEMORY USAGE k",
  "SINTERCARD 2 k1 k2 LIMIT 5",
  "ZUNION 2 k1 k2 WITHSCORES",
  "ZUNIONSTORE d 2 k1 k2",
  "ZRANGESTORE d k 0 -1",
  "SINTERSTORE d k1 k2",
  "XREAD COUNT 1 STREAMS k1 k2 0 0",
  "XINFO STREAM k",
  "XINFO CONSUMERS k g",
  "MSET k1 v1 k2 v2",
  "COPY k1 k2 REPLACE",
  "RENAME k1 k2",
  "SMOVE k1 k2 m",
  "LMOVE k1 k2 LEFT RIGHT",
  "HSET k f v",
  "ZADD k 1 m",
  "XADD k * f v",
  "GEOSEARCH k FROMLONLAT 1 1 BYRADIUS 1 km",
]

describe.runIf(needs("redis-server"))("the commands of the console", () => {
  const server = redisForSuite()

  it("are what the server says of them", async () => {
    for (const [name, { access }] of consoleCommands) {
      const info = await server.driver.send(["COMMAND", "INFO", name.replace(" ", "|").toLowerCase()])
      const [found] = info as unknown as [readonly [string, number, readonly string[], ...unknown[]]]
      const flags = found[2]
      expect([name, flags.includes("write")]).toEqual([name, access === "write"])
      for (const never of ["blocking", "noscript", "admin", "dangerous", "pubsub"])
        // XREAD waits only with BLOCK, which is refused.
        expect([name, flags.includes(never)]).toEqual([name, name === "XREAD" && never === "blocking"])
    }
  })

  it.each(LINES)("%s: the same keys", async (line) => {
    const { keys, words } = understand(line)
    const found = await server.driver.send(["COMMAND", "GETKEYS", ...words.map(String)])
    expect(keys.map(String)).toEqual(found)
  })
})

it.each([
  "CONFIG GET *",
  "CONFIG SET maxmemory 1",
  '"CONFIG GET" x',
  "config get requirepass",
  "ACL LIST",
  "FLUSHALL",
  "FLUSHDB ASYNC",
  "SCRIPT FLUSH",
  "EVAL 'return 1' 0",
  "EVAL_RO 'return 1' 0",
  "EVALSHA abc 0",
  "FUNCTION LIST",
  "FCALL f 0",
  "DEBUG SLEEP 10",
  "SHUTDOWN NOSAVE",
  "REPLICAOF NO ONE",
  "SLAVEOF 127.0.0.1 1",
  "MODULE LIST",
  "MIGRATE h 1 k 0 1",
  "CLUSTER RESET",
  "CLUSTER MEET 1.1.1.1 1",
  "CLUSTER",
  "MONITOR",
  "SUBSCRIBE c",
  "PUBLISH c m",
  "BLPOP k 0",
  "BZPOPMIN k 0",
  "XREADGROUP GROUP g c STREAMS k >",
  "CLIENT LIST",
  "CLIENT KILL 1",
  "KEYS *",
  "SORT k GET *",
  "SORT_RO k GET *",
  "MULTI",
  "EXEC",
  "WATCH k",
  "SELECT 1",
  "SWAPDB 0 1",
  "MOVE k 1",
  "RESTORE k 0 x",
  "DUMP k",
  "SAVE",
  "SLOWLOG GET",
  "OBJECT HELP",
  "MEMORY DOCTOR",
  "MEMORY PURGE",
  "LATENCY RESET",
  "AUTH x",
  "HELLO 3",
  "RESET",
  "FAILOVER",
  "PSYNC a 1",
  "WAIT 1 0",
  "LCS a b",
  "SETBIT k 4294967295 1",
  "SRANDMEMBER k -100000000",
  "GET\u0000",
  "*1\r\n$8\r\nFLUSHALL",
  "nonsense",
  "__proto__ x",
  "constructor",
  "JSON.GET k",
])("%j is never run", (line) => {
  expect(() => understand(line)).toThrow(/the console does not run/)
})

it.each([
  "GET",
  "OBJECT ENCODING",
  "OBJECT ENCODING a b",
  "MEMORY USAGE k SAMPLES 0",
  "MSET a",
  "MSET a 1 b",
  "COPY a b DB 1",
  "COPY a b db 1",
  "XREAD BLOCK 0 STREAMS k 0",
  "XREAD COUNT 1 block 0 STREAMS k 0",
  "XREAD STREAMS k",
  "ZUNION 0",
  "ZUNION -1 k",
  "ZUNION 3 a b",
  "ZUNION two a b",
  "ZUNIONSTORE d 2 a",
  'GET ""',
  "SCAN 0 COUNT 1000000000",
  "SCAN 0 count x",
  "HSCAN k 0 MATCH a*a*a*a*a*a*a*a*a*b",
  'GET "',
  "",
])("%j is not understood", (line) => {
  expect(() => understand(line)).toThrow(/cannot parse this line/)
})
