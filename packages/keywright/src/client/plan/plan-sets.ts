/* What a plan does to sets, and how apply.lua is told: one command for all members that
 * go into a set, or out of it. */

import type { Reply, Wire } from "../../driver/driver.ts"
import type { KeywrightError } from "../../errors/error.ts"
import { isDerived } from "./placeholder.ts"

/** Whose the sets of a plan are: it says what it means that a key is of another type. */
export interface SetOwner {
  wrongType(key: string, type: "set", found: Reply): KeywrightError
}

/** Sets that one member is added to, and those that it is removed from. */
export interface SetGroup {
  readonly member: string
  readonly derived: boolean
  readonly owner: SetOwner
  readonly adds: string[]
  readonly removes: string[]
}

/** All that is done to one set. */
export interface SetCommand {
  readonly name: "SADD" | "SREM"
  readonly key: string
  readonly owner: SetOwner
  readonly members: string[]
  /** Whether members hold placeholders (2), or the key too (4). */
  flag: 0 | 2 | 4
}

/** So many members are written at a time: what is done to a set is told by one character. */
const MOST_MEMBERS = 14

/** What is done to each set. `fills`: ids are allocated, so members may hold placeholders. */
export function setCommands(groups: readonly SetGroup[], fills: boolean): SetCommand[] {
  const commands: SetCommand[] = []
  const open = groups.length > 1 ? new Map<string, SetCommand>() : undefined
  const enter = (name: SetCommand["name"], key: string, { member, derived, owner }: SetGroup) => {
    const flag = derived ? 4 : fills && isDerived(member) ? 2 : 0
    const known = open?.get(name + key)
    if (known && known.members.length < MOST_MEMBERS) {
      known.members.push(member)
      if (flag > 0) known.flag = flag
      return
    }
    const command: SetCommand = { name, key, owner, members: [member], flag }
    commands.push(command)
    open?.set(name + key, command)
  }
  for (const group of groups) {
    for (const key of group.adds) enter("SADD", key, group)
    for (const key of group.removes) enter("SREM", key, group)
  }
  return commands
}

/** What is done to each set, in one word; then their keys and members. */
export function encodeSets(sets: readonly SetCommand[], keys: string[], args: Wire[]): void {
  const at = args.push("") - 1
  let codes = ""
  let before: readonly string[] = []
  for (const { name, key, flag, members } of sets) {
    const isSame = members.length === before.length && members.every((member, i) => member === before[i])
    codes += String.fromCharCode(32 + 6 * (isSame ? 0 : members.length) + flag + (name === "SREM" ? 1 : 0))
    if (flag === 4) args.push(key)
    else keys.push(key)
    if (!isSame) append(args, members)
    before = members
  }
  args[at] = codes
}

/** Not by spreading: there may be more than a call can take. */
export function append<T>(words: T[], more: readonly T[]): void {
  for (const word of more) words.push(word)
}
