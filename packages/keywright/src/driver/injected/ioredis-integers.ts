/* Exact integers from ioredis, which reads them into numbers and so rounds what
 * lies beyond 2^53. Unless the client was made with `stringNumbers`, the commands
 * that can get there are run as a script of two commands that returns the new
 * value as text: still one atomic step and one round trip.
 *
 * What remains rounded: BITFIELD with more than 53 bits, and integers beyond 2^53
 * that a script of yours returns, which Lua has rounded before. */

import type { Command } from "../driver.ts"

const CHANGE = `redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))`
const COUNTER = `${CHANGE} return redis.call("GET", KEYS[1])`
const FIELD = `${CHANGE} return redis.call("HGET", KEYS[1], ARGV[2])`
const SOURCES: ReadonlyMap<string, string> = new Map([
  ...["INCR", "DECR", "INCRBY", "DECRBY"].map((name) => [name, COUNTER] as const),
  ["HINCRBY", FIELD],
])

/** The command to send instead, whose reply is the integer as text; or undefined. */
export function exactly(command: Command): Command | undefined {
  const [name, key, ...args] = command
  const source = typeof name === "string" ? SOURCES.get(name.toUpperCase()) : undefined
  if (source === undefined || key === undefined || name === undefined) return undefined
  return ["EVAL", source, "1", key, name, ...args]
}
