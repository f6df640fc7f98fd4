/* Writes whole keys, each in one step or not at all. In a cluster that is a script for each
 * key; on one server, one script for all of them. */

import { neverKeys } from "../../client/call/slot-tag.ts"
import type { Driver, Wire } from "../../driver/driver.ts"
import { importScript } from "../lua/index.ts"
import { commandsFor } from "./import-line.ts"
import type { ValuePart } from "./key-value.ts"
import { requireRestorable } from "./restorable.ts"

export interface WholeKey {
  readonly key: Wire
  readonly part: ValuePart
  readonly pexpireat: number | undefined
  /** `overwrite`; `skip` where there is a key; `counter` is never lowered. */
  readonly mode: "overwrite" | "skip" | "counter"
}

/** Whether a deadline has passed: nothing is written then. */
export const isOver = (pexpireat: number | undefined): boolean => pexpireat !== undefined && pexpireat <= Date.now()

const LETTERS = { overwrite: "o", skip: "s", counter: "c" }

/** A digit for each key: 1 written, 0 left as it is. */
export async function writeKeys(driver: Driver, keys: readonly WholeKey[]): Promise<string> {
  for (const { key, part } of keys) await requireRestorable(key, part)
  const groups = driver.cluster ? keys.map((one) => [one]) : keys.length === 0 ? [] : [keys]
  const outcomes = await Promise.all(groups.map((group) => send(driver, group)))
  return outcomes.join("")
}

async function send(driver: Driver, keys: readonly WholeKey[]): Promise<string> {
  const args: Wire[] = []
  for (const { part, pexpireat, mode } of keys) {
    const commands = commandsFor(part, true)
    args.push(LETTERS[mode], pexpireat === undefined ? "" : String(pexpireat), String(commands.length))
    for (const [name, ...words] of commands) args.push(name!, String(words.length), ...words)
  }
  const names = keys.map(({ key }) => key)
  return String(await driver.run(importScript, [...names, ...neverKeys(names[0]!, driver.cluster)], args))
}
