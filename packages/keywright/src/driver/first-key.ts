/* Which argument of a command is its first key: what a cluster routes by. */

import type { Command, Wire } from "./driver.ts"

/** Rules that are not the position of the first key. */
const COUNTED_AT_1 = -1
const COUNTED_AT_2 = -2
const AFTER_STREAMS = -3
const ALL_ARE_KEYS = -4

/** Commands whose first key is not at position 1. Zero: no key; `COUNTED`: it follows the number of keys, which is there. */
const NAMES: readonly (readonly [rule: number, names: string])[] = [
  [
    0,
    "ACL AUTH BGREWRITEAOF BGSAVE CLIENT CLUSTER COMMAND CONFIG DBSIZE ECHO FAILOVER FLUSHALL FLUSHDB FUNCTION HELLO INFO " +
      "KEYS LASTSAVE LATENCY LOLWUT MODULE PING PUBLISH PUBSUB RANDOMKEY REPLICAOF ROLE SAVE SCAN SCRIPT SELECT " +
      "SHUTDOWN SLAVEOF SLOWLOG SWAPDB TIME WAIT WAITAOF",
  ],
  [2, "BITOP DEBUG MEMORY OBJECT XGROUP XINFO"],
  [COUNTED_AT_1, "LMPOP SINTERCARD ZDIFF ZINTER ZINTERCARD ZMPOP ZUNION"],
  [COUNTED_AT_2, "EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO BLMPOP BZMPOP"],
  [AFTER_STREAMS, "XREAD XREADGROUP"],
  // Every argument is a key, so that they can be taken apart.
  [ALL_ARE_KEYS, "MGET DEL UNLINK EXISTS TOUCH"],
]

const RULE_OF: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap(([rule, names]) => names.split(" ").map((name) => [name, rule] as const)),
)

/**
 * Rules by command name as the caller wrote it, so that a call costs one lookup. Bounded, because callers choose
 * the names.
 */
const RULES = new Map<Wire | undefined, number>()
const MOST_RULES = 1000

function ruleOf(name: Wire | undefined): number {
  const known = RULES.get(name)
  if (known !== undefined) return known
  const rule = RULE_OF.get(String(name).toUpperCase()) ?? 1
  if (typeof name === "string" && RULES.size < MOST_RULES) RULES.set(name, rule)
  return rule
}

/** The first key of a command that has one at a fixed position and stays whole; undefined for all others. */
export function fixedKey(command: Command): Wire | undefined {
  const rule = ruleOf(command[0])
  return rule > 0 ? command[rule] : undefined
}

/** The first key, or undefined for a command without keys. */
export function firstKey(command: Command): Wire | undefined {
  const rule = ruleOf(command[0])
  if (rule > 0) return command[rule]
  if (rule === 0) return undefined
  if (rule === ALL_ARE_KEYS) return command[1]
  if (rule === AFTER_STREAMS) {
    return command[command.findIndex((arg) => typeof arg === "string" && /^streams$/i.test(arg)) + 1]
  }
  return String(command[-rule]) === "0" ? undefined : command[-rule + 1]
}
