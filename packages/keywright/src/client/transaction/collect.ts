/* A write of a handle, as part of a plan. Only commands that cannot fail once their key
 * has been checked are accepted: nothing may go wrong after others have been carried out. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import {
  sumTooLarge,
  transactionCommand,
  transactionElement,
  transactionNumber,
  transactionType,
} from "../../errors/transaction.ts"
import type { Plan } from "../plan/plan.ts"

/** The commands that are accepted, by the Redis type that they write to; "any" for those that take every key. */
const COMMANDS = {
  any: "SET DEL UNLINK PEXPIRE PEXPIREAT PERSIST",
  hash: "HSET HDEL HSETNX HINCRBY HINCRBYFLOAT",
  list: "LPUSH RPUSH LREM LTRIM LPOP RPOP LSET",
  set: "SADD SREM SPOP",
  zset: "ZADD ZREM ZINCRBY ZREMRANGEBYRANK ZREMRANGEBYSCORE ZPOPMIN ZPOPMAX GEOADD",
  stream: "XADD XTRIM XDEL",
  string: "GETDEL INCR INCRBY INCRBYFLOAT DECRBY APPEND SETRANGE SETBIT",
}

const types: ReadonlyMap<string, string> = new Map(
  Object.entries(COMMANDS).flatMap(([type, names]) => names.split(" ").map((name) => [name, type] as const)),
)

/** Commands that need a number, and whether it must be an integer. */
const counts: ReadonlyMap<string, boolean> = new Map([
  ...["INCR", "INCRBY", "DECRBY", "HINCRBY"].map((name) => [name, true] as const),
  ...["INCRBYFLOAT", "HINCRBYFLOAT"].map((name) => [name, false] as const),
])

/** `show`: a key as errors may show it. */
export function collect(plan: Plan, command: Command, show: (key: string) => string): void {
  const [name, key, ...words] = command as [string, string, ...Wire[]]
  const type = types.get(name)
  if (type === undefined) throw transactionCommand(name, "It may fail after other writes have been carried out.")
  if (name === "DEL" || name === "UNLINK") {
    for (const one of [key, ...(words as string[])]) plan.write(name, one)
    return
  }
  if (name === "XADD" && words[words[0] === "MAXLEN" ? 3 : 0] !== "*")
    throw transactionCommand("XADD with an id", "The id may be behind that of another entry.")
  if (type !== "any") {
    const onFailure = (found: Reply) => transactionType(show(key), String(found), type)
    plan.checks.push({ check: "type", key, type, onFailure })
  }
  const isWhole = counts.get(name)
  if (isWhole !== undefined) {
    if (addsTooMuch(plan, words.at(-1)!, isWhole)) throw sumTooLarge(show(key))
    const field = type === "hash" ? words[0]! : undefined
    plan.checks.push({ check: "number", key, field, isWhole, onFailure: () => transactionNumber(show(key)) })
  }
  if (name === "LSET")
    plan.checks.push({ check: "element", key, position: words[0]!, onFailure: () => transactionElement(show(key)) })
  plan.write(name, key, ...words)
}

/** A number may be up to 4e18 before (apply.lua): with this it stays below 2^63. */
const MOST_ADDED = 4e18
const MOST_ADDED_FLOAT = 1e300

/** The present value is checked first; the total that is added must not make it overflow. */
function addsTooMuch(plan: Plan, by: Wire, isWhole: boolean): boolean {
  plan.added += Math.abs(Number(by))
  return plan.added > (isWhole ? MOST_ADDED : MOST_ADDED_FLOAT)
}
