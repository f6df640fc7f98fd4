/* Where a call goes, and what is left to do when it has several keys. */

import type { KeywrightError } from "../../errors/error.ts"
import type { Command, Script, Wire } from "../driver.ts"
import { clusterSlot } from "../cluster-slot.ts"
import { firstKey } from "../first-key.ts"
import { ANY_NODE, type CallKind } from "../resp/call.ts"

/** For commands whose arguments are all keys: how the replies to the parts become the reply to the whole. */
type Join = "sum" | "list"

const JOINS: ReadonlyMap<Wire | undefined, Join> = new Map(
  (
    [
      ["MGET", "list"],
      ["DEL", "sum"],
      ["UNLINK", "sum"],
      ["EXISTS", "sum"],
      ["TOUCH", "sum"],
    ] as const
  ).flatMap(([name, join]) => [[name, join] as const, [name.toLowerCase(), join] as const]),
)

/** One slot's part of a command: its keys, and their positions in the whole command. */
export interface Part {
  readonly command: readonly Wire[]
  readonly places: readonly number[]
}

/** The slot of a command; ANY_NODE when it has no key. */
export function slotOf(command: Command): number {
  const key = firstKey(command)
  return key === undefined ? ANY_NODE : clusterSlot(key)
}

/** The slot of a call; undefined when its commands have several slots. */
export function slotOfCall(
  kind: CallKind,
  command: Command,
  commands: readonly Command[] | undefined,
  script: Script | undefined,
): number | undefined {
  if (script !== undefined) return command[0] === "0" ? ANY_NODE : clusterSlot(command[1]!)
  if (kind === "one" || commands === undefined) return slotOf(command)
  let slot = ANY_NODE
  for (const one of commands) {
    const found = slotOf(one)
    if (found === slot || found === ANY_NODE) continue
    if (slot !== ANY_NODE) return undefined
    slot = found
  }
  return slot
}

/** The parts of a command that has keys of several slots and can be taken apart; undefined for all others. */
export function partsBySlot(command: Command): { readonly join: Join; readonly parts: readonly Part[] } | undefined {
  if (command.length < 3) return undefined
  const join = JOINS.get(command[0])
  if (join === undefined) return undefined
  const first = clusterSlot(command[1]!)
  let i = 2
  while (i < command.length && clusterSlot(command[i]!) === first) i++
  if (i === command.length) return undefined
  const bySlot = new Map<number, { command: Wire[]; places: number[] }>()
  for (let at = 1; at < command.length; at++) {
    const key = command[at]!
    const slot = clusterSlot(key)
    let part = bySlot.get(slot)
    if (part === undefined) bySlot.set(slot, (part = { command: [command[0]!], places: [] }))
    part.command.push(key)
    part.places.push(at - 1)
  }
  return { join, parts: [...bySlot.values()] }
}

/** How the answers of all primaries become one. */
export type JoinAll = "sum" | "list" | "first" | "scan"

const EVERYWHERE: ReadonlyMap<string, JoinAll> = new Map([
  ["SCAN", "scan"],
  ["DBSIZE", "sum"],
  ["KEYS", "list"],
  ["FLUSHALL", "first"],
  ["FLUSHDB", "first"],
])

/** Commands that concern all keys. */
export const meansAllNodes = (command: Command): JoinAll | undefined =>
  typeof command[0] === "string" ? EVERYWHERE.get(command[0].toUpperCase()) : undefined

/** Whether it concerns its own connection: then commands sent with it must stay together. */
export const isOfConnection = (command: Command): boolean =>
  typeof command[0] === "string" && /^(WAIT|WAITAOF|CLIENT)$/i.test(command[0])

const PASSING = /^SERVER\.(MOVED|ASK|TRYAGAIN|CLUSTERDOWN|READONLY|MASTERDOWN|LOADING)$/

/** Whether a node refused something for now only, and carried nothing out. */
export const isPassing = ({ code }: KeywrightError): boolean => PASSING.test(code)
