/* Exact integers from ioredis, which reads them into numbers and so rounds what
 * lies beyond 2^53. Unless the client was made with `stringNumbers`, the commands
 * that can get there are run as a script, which returns such a value as text:
 * still one atomic step and one round trip.
 *
 * What remains rounded: BITFIELD with more than 53 bits, and integers that a script of
 * yours returns: beyond 2^53, where Lua has rounded them before, or a little below. */

import type { Command } from "../driver.ts"

/**
 * Who may change a key need not be allowed to read it: then the change was made, and only its result is not known.
 * The parser of ioredis rounds a little below 2^53, too.
 */
const changing = (read: string) => `
local changed = redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))
if changed < 9000000000000000 and changed > -9000000000000000 then
  return changed
end
local exact = redis.pcall(${read})
return type(exact) == "string" and exact or ""`
const COUNTER = changing(`"GET", KEYS[1]`)
const FIELD = changing(`"HGET", KEYS[1], ARGV[2]`)
const SOURCES: ReadonlyMap<string, string> = new Map([
  ...["INCR", "DECR", "INCRBY", "DECRBY"].map((name) => [name, COUNTER] as const),
  ["HINCRBY", FIELD],
])

/** The command to send instead, whose reply is the integer, or its text; or undefined. */
export function exactly(command: Command): Command | undefined {
  const [name, key, ...args] = command
  const source = typeof name === "string" ? SOURCES.get(name.toUpperCase()) : undefined
  if (source === undefined || key === undefined || name === undefined) return undefined
  return ["EVAL", source, "1", key, name, ...args]
}
