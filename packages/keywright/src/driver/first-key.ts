/* Which argument of a command is its first key: what a cluster routes by. */

import type { Command, Wire } from "./driver.ts"

const names = (text: string) => text.split(" ")

/** Position of the first key, where it is not 1. Zero: no key. */
const POSITIONS: ReadonlyMap<string, number> = new Map([
  ...names(
    "ACL AUTH BGREWRITEAOF BGSAVE CLIENT CLUSTER COMMAND CONFIG DBSIZE ECHO FAILOVER FLUSHALL FLUSHDB FUNCTION HELLO INFO " +
      "KEYS LASTSAVE LATENCY LOLWUT MODULE PING PUBLISH PUBSUB RANDOMKEY REPLICAOF ROLE SAVE SCAN SCRIPT SELECT " +
      "SHUTDOWN SLAVEOF SLOWLOG SWAPDB TIME WAIT WAITAOF",
  ).map((name) => [name, 0] as const),
  ...names("BITOP DEBUG MEMORY OBJECT XGROUP XINFO").map((name) => [name, 2] as const),
])

/** Position of the number of keys; the first key follows it. */
const COUNTED: ReadonlyMap<string, number> = new Map([
  ...names("EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO BLMPOP BZMPOP").map((name) => [name, 2] as const),
  ...names("LMPOP SINTERCARD ZDIFF ZINTER ZINTERCARD ZMPOP ZUNION").map((name) => [name, 1] as const),
])

/** The first key, or undefined for a command without keys. */
export function firstKey(command: Command): Wire | undefined {
  const name = String(command[0]).toUpperCase()
  const counted = COUNTED.get(name)
  if (counted !== undefined) return String(command[counted]) === "0" ? undefined : command[counted + 1]
  if (name === "XREAD" || name === "XREADGROUP") {
    return command[command.findIndex((arg) => typeof arg === "string" && /^streams$/i.test(arg)) + 1]
  }
  const position = POSITIONS.get(name) ?? 1
  return position === 0 ? undefined : command[position]
}
