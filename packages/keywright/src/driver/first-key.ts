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

/** Of these every argument is a key, so they can be taken apart. */
const ONLY_KEYS: ReadonlySet<string> = new Set(names("MGET DEL UNLINK EXISTS TOUCH"))

/** The position of the first key; 0 for none; negative for a special rule. */
const COUNTED_AT_1 = -1
const COUNTED_AT_2 = -2
const AFTER_STREAMS = -3
const ALL_ARE_KEYS = -4

/**
 * Rules by command name as the caller wrote it, so that a call costs one lookup. Bounded, because callers choose
 * the names.
 */
const RULES = new Map<Wire | undefined, number>()
const MOST_RULES = 1000

function ruleOf(name: Wire | undefined): number {
  const known = RULES.get(name)
  if (known !== undefined) return known
  const upper = String(name).toUpperCase()
  const counted = COUNTED.get(upper)
  let rule = POSITIONS.get(upper) ?? 1
  if (counted !== undefined) rule = counted === 1 ? COUNTED_AT_1 : COUNTED_AT_2
  else if (ONLY_KEYS.has(upper)) rule = ALL_ARE_KEYS
  else if (upper === "XREAD" || upper === "XREADGROUP") rule = AFTER_STREAMS
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
