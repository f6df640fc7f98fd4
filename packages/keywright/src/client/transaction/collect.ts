/* A write of a handle, as part of a plan. Only commands are taken that cannot fail
 * once their key was looked at: nothing may go wrong when others have been carried out. */

import type { Command, Wire } from "../../driver/driver.ts"
import { transactionCommand, transactionElement, transactionNumber, transactionType } from "../../errors/transaction.ts"
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

/** Commands that need a number, and whether a whole one. */
const counts: Readonly<Record<string, boolean>> = {
  INCR: true,
  INCRBY: true,
  DECRBY: true,
  HINCRBY: true,
  INCRBYFLOAT: false,
  HINCRBYFLOAT: false,
}

export function collect(plan: Plan, command: Command): void {
  const [name, key, ...words] = command as [string, string, ...Wire[]]
  const type = types[name]
  if (type === undefined) throw transactionCommand(name, "It may fail after others have been carried out.")
  if (name === "DEL" || name === "UNLINK") {
    for (const one of [key, ...(words as string[])]) plan.write(name, one)
    return
  }
  if (name === "XADD" && !words.includes("*"))
    throw transactionCommand("XADD with an id", "The id may be behind that of another entry.")
  if (type !== "any") plan.expectType(key, type, (found) => transactionType(key, String(found), type))
  if (name in counts) plan.adds(key, words.at(-1)!, counts[name]!)
  if (name in counts)
    plan.expectNumber(key, type === "hash" ? String(words[0]) : "", counts[name]!, () => transactionNumber(key))
  if (name === "LSET") plan.expectElement(key, words[0]!, () => transactionElement(key))
  plan.write(name, key, ...words)
}
