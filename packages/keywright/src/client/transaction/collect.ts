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

/** The Redis type that a command writes to; "any" for those that take every key. */
const types: Readonly<Record<string, string>> = {
  SET: "any",
  DEL: "any",
  UNLINK: "any",
  PEXPIRE: "any",
  PEXPIREAT: "any",
  PERSIST: "any",
  HSET: "hash",
  HDEL: "hash",
  HSETNX: "hash",
  HINCRBY: "hash",
  HINCRBYFLOAT: "hash",
  LPUSH: "list",
  RPUSH: "list",
  LREM: "list",
  LTRIM: "list",
  LPOP: "list",
  RPOP: "list",
  LSET: "list",
  SADD: "set",
  SREM: "set",
  SPOP: "set",
  ZADD: "zset",
  ZREM: "zset",
  ZINCRBY: "zset",
  ZREMRANGEBYRANK: "zset",
  ZREMRANGEBYSCORE: "zset",
  ZPOPMIN: "zset",
  ZPOPMAX: "zset",
  GEOADD: "zset",
  XADD: "stream",
  XTRIM: "stream",
  XDEL: "stream",
  GETDEL: "string",
  INCR: "string",
  INCRBY: "string",
  INCRBYFLOAT: "string",
  DECRBY: "string",
  APPEND: "string",
  SETRANGE: "string",
  SETBIT: "string",
}

/** Commands that need a number, and whether it must be an integer. */
const counts: Readonly<Record<string, boolean>> = {
  INCR: true,
  INCRBY: true,
  DECRBY: true,
  HINCRBY: true,
  INCRBYFLOAT: false,
  HINCRBYFLOAT: false,
}

/** `show`: a key as errors may show it. */
export function collect(plan: Plan, command: Command, show: (key: string) => string): void {
  const [name, key, ...words] = command as [string, string, ...Wire[]]
  const type = types[name]
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
  const isWhole = counts[name]
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
