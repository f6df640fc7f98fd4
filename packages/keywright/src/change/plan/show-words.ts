/* An action as it may be printed: whether its words may be, and how. */

import type { Wire } from "../../driver/driver.ts"
import { secretFields, secretParams } from "../../schema/secret-params.ts"
import { isText, showWire } from "../../inspect/walk/wire.ts"
import { codecsIn } from "../../schema/codecs-in.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { Action } from "./plan.ts"
import { isSameWord } from "./plan-grammar.ts"
import { wireOf } from "./word.ts"

/** Makes the function that says whether keys and elements of a pattern may hold secrets. */
export function secrecyOf(keyspace: Keyspace): (name: string | undefined) => boolean {
  const known = new Map(keyspace.keys.map((row) => [row.name, hides(row, keyspace.keys)]))
  return (name) => name !== undefined && (known.get(name) ?? true)
}

function hides(row: Key, keys: readonly Key[]): boolean {
  const record = row.entity && keys.find(({ name }) => name === row.entity!.name)
  const own = record === undefined || record === row ? [row] : [row, record]
  if (own.some((one) => secretParams(one, keys).size > 0 || codecsIn(one.shape).some(({ secret }) => secret)))
    return true
  const fields = secretFields(row, keys)
  return fields === true || (fields.length > 0 && (row.entity === undefined || row.entity.role === "record"))
}

const LONGEST = 80

/**
 * A command of an action as it may be printed: on the action's own key, which is that of its last command, or on another.
 * @example
 * const lines = (action: Action) => action.commands.map((words) => showCommand(action, words))
 */
export function showCommand({ secret, key, commands }: Action, words: Action["commands"][number]): string {
  const [name, place, ...rest] = words
  const isOwn = place !== undefined && isSameWord(place, commands.at(-1)![1]!)
  // What RESTORE writes is a whole value: bytes that say nothing to people, and what a key that no pattern owns holds.
  const isHidden = (at: number) => secret || (name === "RESTORE" && at === 1)
  const shown = rest.map((word, at) => (isHidden(at) ? "…" : cut(wireOf(word))))
  return [name as string, isOwn ? key : secret ? "…" : cut(wireOf(place!)), ...shown].join(" ")
}

/** An action as data that may be printed. */
export interface ShownAction extends Pick<Action, "code" | "db" | "pattern" | "key" | "place" | "why"> {
  readonly commands: readonly string[]
}

export function showAction(action: Action): ShownAction {
  const { code, db, pattern, key, place, why } = action
  const commands = action.commands.map((words) => showCommand(action, words))
  return { code, db, pattern, key, ...(place !== undefined && { place }), why, commands }
}

const cut = (word: Wire): string => {
  const text = isText(word) ? word : showWire(word)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
