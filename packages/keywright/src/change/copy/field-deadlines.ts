/* Deadlines of single fields (HPEXPIRE, of Redis 7.4 and Valkey 9): a line of an export has no place for them, and
 * without them the fields would last forever. A hash that has some is reported as one that cannot be read. */

import type { Command, Driver, Reply, Wire } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import { isRefusal, isUnknownCommand, reasonOfRefusal } from "../../inspect/walk/refusal.ts"
import { askEach } from "../ask-each.ts"
import type { ReadKey } from "./export-page.ts"
import { readValueParts } from "./key-value.ts"

export const FIELDS_EXPIRE = "a hash whose fields expire"

const ask = (key: Wire, fields: readonly Reply[]): Command => [
  ...["HPEXPIRETIME", key, "FIELDS", String(fields.length)],
  ...(fields as readonly Wire[]),
]

/** Whether a server can have such fields. */
export async function knowsFieldDeadlines(driver: Driver): Promise<boolean> {
  const [reply] = await driver.batch([ask("keywright:none", ["none"])], SAFE)
  return !isUnknownCommand(reply)
}

/** Which of these hashes have some, and of which that could not be found out, with the reason. Not of those that are read in parts. */
export async function expiringHashes(driver: Driver, read: readonly ReadKey[]): Promise<ReadonlyMap<Wire, string>> {
  const hashes = read.filter(({ whole }) => whole?.type === "hash")
  if (hashes.length === 0) return new Map()
  const replies = await askEach(driver, hashes, ({ key, whole }) => ask(key, fieldsOf(whole!.elements)))
  return new Map(
    hashes.flatMap(({ key }, i): [Wire, string][] => {
      const reason = reasonIn(replies[i]!, key)
      return reason === undefined ? [] : [[key, reason]]
    }),
  )
}

/** The same of one that is read in parts. */
export async function expiringParts(driver: Driver, key: Wire): Promise<string | undefined> {
  for await (const { elements } of readValueParts(driver, key, "hash")) {
    const [reply] = await driver.batch([ask(key, fieldsOf(elements))], SAFE)
    const reason = reasonIn(reply!, key)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** For commands that write or remove a field (HSET, HDEL): whether it has, or may have, a deadline that would be lost. */
export async function loseDeadlines(driver: Driver, commands: readonly Command[]): Promise<boolean[]> {
  const replies = await askEach(driver, commands, ([, key, field]) => ask(key!, [field!]))
  return replies.map((reply, i) => !isUnknownCommand(reply) && reasonIn(reply, commands[i]![1]!) !== undefined)
}

const fieldsOf = (pairs: readonly Reply[]): readonly Reply[] => pairs.filter((_, i) => i % 2 === 0)

/** A time for each field, or a number below zero where there is none. */
function reasonIn(reply: Reply, key: Wire): string | undefined {
  if (isRefusal(reply)) return reasonOfRefusal(reply, key)
  return Array.isArray(reply) && reply.some((time) => Number(time) > 0) ? FIELDS_EXPIRE : undefined
}
