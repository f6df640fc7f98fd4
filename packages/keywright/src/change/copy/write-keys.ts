/* Writes whole keys, each in one step or not at all. In a cluster that is a script for each
 * key; on one server, one script for all of them. */

import { neverKeys } from "../../client/call/slot-tag.ts"
import type { Driver, Reply, Wire } from "../../driver/driver.ts"
import { importScript } from "../lua/index.ts"
import { commandsFor, MOST_WORDS } from "./import-line.ts"
import type { ValuePart } from "./key-value.ts"
import { LargeKey } from "./large-key.ts"
import { requireRestorable } from "./restorable.ts"

export interface WholeKey {
  readonly key: Wire
  readonly part: ValuePart
  readonly pexpireat: number | undefined
  /** `overwrite`; `skip` where there is a key; `counter` is never lowered, and keeps the deadline that it has. */
  readonly mode: "overwrite" | "skip" | "counter"
}

/** Whether a deadline has passed: nothing is written then. */
export const isOver = (pexpireat: number | undefined): boolean => pexpireat !== undefined && pexpireat <= Date.now()

/** A digit for each key: 1 written, 0 left as it is. */
export async function writeKeys(driver: Driver, keys: readonly WholeKey[]): Promise<string> {
  for (const { key, part } of keys) await requireRestorable(key, part)
  let outcomes = ""
  let narrow: WholeKey[] = []
  const flush = async () => {
    const groups = driver.cluster ? narrow.map((one) => [one]) : narrow.length === 0 ? [] : [narrow]
    narrow = []
    outcomes += (await Promise.all(groups.map((group) => send(driver, group)))).join("")
  }
  for (const one of keys) {
    if (!isWide(one)) narrow.push(one)
    else {
      await flush()
      outcomes += await sendWide(driver, one)
    }
  }
  await flush()
  return outcomes
}

/** An entry of a stream has more words than a script can pass on. */
const isWide = ({ part: { type, elements } }: WholeKey): boolean =>
  type === "stream" && elements.some((entry) => (entry as readonly [Reply, readonly Reply[]])[1].length > MOST_WORDS)

async function sendWide(driver: Driver, { key, part, pexpireat, mode }: WholeKey): Promise<string> {
  const beside = new LargeKey(driver, key, part.type)
  await beside.drop()
  await beside.add(part)
  return (await beside.move(mode === "overwrite" ? "overwrite" : "skip", pexpireat)) ? "1" : "0"
}

async function send(driver: Driver, keys: readonly WholeKey[]): Promise<string> {
  const args: Wire[] = []
  for (const { part, pexpireat, mode } of keys) {
    const commands = commandsFor(part, true)
    args.push(mode, pexpireat === undefined ? "" : String(pexpireat), String(commands.length))
    for (const [name, ...words] of commands) args.push(name!, String(words.length), ...words)
  }
  const names = keys.map(({ key }) => key)
  return String(await driver.run(importScript, [...names, ...neverKeys(names[0]!, driver.cluster)], args))
}
