/* How a plan goes over the wire: the scripts that carry plans out, and what each is given
 * in KEYS and ARGV. Nothing else knows that; the headers of the scripts say what it means.
 *
 * Most saves change one record: these have short scripts of their own. Everything else is
 * sorted into the parts that apply.lua takes, because a script's time goes into calling
 * commands: one MGET compares all strings, one MSET writes them. */

import type { Script, Wire } from "../../driver/driver.ts"
import { applyScript, saveHashScript, saveScript } from "../lua/index.ts"
import { neverKeys } from "../call/slot-tag.ts"
import type { Absent } from "./checks/absent.ts"
import { type Check, isReadCheck } from "./checks/check.ts"
import type { StringIs } from "./checks/string-is.ts"
import { MOST_WORDS } from "./command-chunks.ts"
import type { Plan } from "./plan.ts"
import type { MoveMember } from "./writes/move-member.ts"
import type { KeyWrite } from "./writes/write.ts"

/** Under which key a plan is remembered, and for how long. */
export interface RememberedAs {
  readonly key: string
  readonly ms: number
  /** Ids that were chosen by the client. */
  readonly ids: readonly string[]
}

export interface EncodedPlan {
  readonly script: Script
  readonly keys: string[]
  readonly args: Wire[]
  /** The checks, each at the position of its key. */
  readonly checks: readonly (Check | undefined)[]
}

export const encodePlan = (plan: Plan, cluster: boolean, operation?: RememberedAs): EncodedPlan =>
  (operation === undefined ? encodeSave(plan) : undefined) ?? encodeApply(plan, cluster, operation)

/** For a plan that compares and writes one record and moves its id between sets; undefined for any other plan. */
function encodeSave({ checks, writes, ids }: Plan): EncodedPlan | undefined {
  const [check] = checks
  const [write, second] = writes
  if (checks.length !== 1 || writes.length > 2 || write?.write !== "command" || ids !== undefined) return undefined
  const { key, name, words } = write
  if (key !== check!.key) return undefined
  // One word: the value, without a TTL.
  if (check!.check === "string" && name === "SET" && words.length === 1 && (!second || second.write === "move")) {
    const { member, enters, leaves } = second ?? NO_MOVE
    const args = [member, String(enters.length), check!.value, words[0]!]
    return { script: saveScript, keys: [key, ...enters, ...leaves], args, checks }
  }
  if (check!.check !== "hash" || name !== "HSET" || second) return undefined
  const args = [String(check!.pairs.length), ...check!.pairs, ...words]
  return { script: saveHashScript, keys: [key], args, checks }
}

const NO_MOVE = { member: "", enters: [], leaves: [] } as const

function encodeApply(plan: Plan, cluster: boolean, operation: RememberedAs | undefined): EncodedPlan {
  const keys: string[] = []
  const args: Wire[] = []
  const checks: (Check | undefined)[] = []
  if (operation !== undefined) {
    const ms = plan.remembers ? operation.ms : -operation.ms
    const { identity, replicas, answer } = plan
    args.push("operation", "1", String(ms), identity, String(replicas), operation.ids.join(","), answer)
  }
  /** Adds one part to ARGV, if it is not empty: its name, the number of items, and what `encode` adds for each item. */
  const part = <T>(name: string, all: readonly T[], encode: (one: T) => void): void => {
    if (all.length === 0) return
    args.push(name, String(all.length))
    for (const one of all) encode(one)
  }
  const sorted = sortChecks(plan.checks)
  const ids = plan.ids ?? []
  part("is-string", sorted.strings, (check) => {
    checks[keys.push(check.key) - 1] = check
    args.push(check.value)
  })
  for (const { counter } of ids) keys.push(counter)
  part("is-absent", sorted.absent, (check) => {
    checks[keys.push(check.key) - 1] = check
  })
  part("ids", ids, ({ record, placeholders }) => {
    args.push(String(placeholders.length), record.head, record.tail, ...placeholders)
  })
  part("checks", sorted.others, (check) => {
    checks[keys.push(check.key) - 1] = check
    pushCheck(args, check)
  })
  const writes = sortWrites(plan)
  const firstWritten = keys.length
  const { moves, many } = writes.moves.length < FEW ? { moves: writes.moves, many: NO_MANY } : collectMany(writes.moves)
  part("move-many", many, ({ key, name, members }) => {
    keys.push(key)
    args.push(name)
    pushAll(args, members)
  })
  part("move", moves, ({ member, enters, leaves }) => {
    for (const key of enters) keys.push(key)
    for (const key of leaves) keys.push(key)
    args.push(member, String(enters.length), String(leaves.length))
  })
  part("mset", writes.strings, ([key, value]) => {
    keys.push(key)
    args.push(value)
  })
  part("unlink", writes.unlinked, (key) => {
    keys.push(key)
  })
  part("commands", writes.others, (write) => {
    keys.push(write.key)
    pushWrite(args, write)
  })
  if (operation !== undefined) keys.push(operation.key)
  // The key of an operation serves the same purpose: it does not exist before the first time.
  else if (cluster && hasRepeated(keys, firstWritten)) keys.push(...neverKeys(keys[0]!, cluster))
  return { script: applyScript, keys, args, checks }
}

/** Whether a key is written more than once, so that it may not exist for a moment. */
const hasRepeated = (keys: readonly string[], from: number): boolean =>
  new Set(keys.slice(from)).size < keys.length - from

type OtherCheck = Exclude<Check, StringIs | Absent>

/** The type of a set is known where its members are compared. */
function sortChecks(checks: readonly Check[]) {
  const [strings, absent, reads, demands]: [StringIs[], Absent[], OtherCheck[], OtherCheck[]] = [[], [], [], []]
  let sets: Set<string> | undefined
  for (const check of checks) {
    if (check.check === "string") strings.push(check)
    else if (check.check === "absent") absent.push(check)
    else if (isReadCheck(check)) reads.push(check)
    else if (check.check !== "type" || check.type !== "set" || !(sets ??= keysOfSets(checks)).has(check.key))
      demands.push(check)
  }
  return { strings, absent, others: reads.length === 0 ? demands : [...reads, ...demands] }
}

function keysOfSets(checks: readonly Check[]): Set<string> {
  const keys = new Set<string>()
  for (const check of checks) if (check.check === "set") keys.add(check.key)
  return keys
}

/**
 * Commands that write many keys at once come first, for keys on which nothing else is done earlier. A key that is
 * deleted only if it holds a value needs no second look where that was compared already.
 */
function sortWrites({ checks, writes }: Plan) {
  const moves: MoveMember[] = []
  const strings: [string, Wire][] = []
  const unlinked: string[] = []
  const others: KeyWrite[] = []
  const written = new Set<string>()
  let compared: Map<string, Wire> | undefined
  const isCompared = (key: string, value: string): boolean => (compared ??= stringsIn(checks)).get(key) === value
  for (const write of writes) {
    if (write.write === "move") {
      moves.push(write)
      continue
    }
    const isFirst = !written.has(write.key)
    written.add(write.key)
    if (isFirst && write.write === "command" && write.name === "SET" && write.words.length === 1)
      strings.push([write.key, write.words[0]!])
    else if (isFirst && write.write === "command" && write.name === "UNLINK") unlinked.push(write.key)
    else if (isFirst && write.write === "delete-if" && isCompared(write.key, write.value)) unlinked.push(write.key)
    else others.push(write)
  }
  return { moves, strings, unlinked, others }
}

function stringsIn(checks: readonly Check[]): Map<string, Wire> {
  const strings = new Map<string, Wire>()
  for (const check of checks) if (check.check === "string") strings.set(check.key, check.value)
  return strings
}

/** Several members that enter one set, or leave it. */
interface MoveMany {
  readonly key: string
  readonly name: "SADD" | "SREM"
  readonly members: string[]
}

const NO_MANY: readonly MoveMany[] = []
/** Many at once cost two commands (SCARD, then SADD or SREM), a single member one: so that pays from three members on. */
const FEW = 3

/** Collects the members of each set that gains or loses at least three. A set that does both is left out: there the order matters. */
function collectMany(all: readonly MoveMember[]): { moves: readonly MoveMember[]; many: readonly MoveMany[] } {
  const entering = new Map<string, string[]>()
  const leaving = new Map<string, string[]>()
  for (const { member, enters, leaves } of all) {
    for (const key of enters) pushTo(entering, key, member)
    for (const key of leaves) pushTo(leaving, key, member)
  }
  const many: MoveMany[] = []
  const isCollected = new Set<string>()
  for (const [name, sets, others] of [
    ["SADD", entering, leaving],
    ["SREM", leaving, entering],
  ] as const)
    for (const [key, members] of sets) {
      if (members.length < FEW || others.has(key)) continue
      isCollected.add(key)
      for (let i = 0; i < members.length; i += MOST_WORDS)
        many.push({ key, name, members: members.slice(i, i + MOST_WORDS) })
    }
  if (many.length === 0) return { moves: all, many }
  const isAlone = (key: string) => !isCollected.has(key)
  const moves = all.map((move) => ({
    ...move,
    enters: move.enters.filter(isAlone),
    leaves: move.leaves.filter(isAlone),
  }))
  return { moves: moves.filter(({ enters, leaves }) => enters.length + leaves.length > 0), many }
}

function pushTo(sets: Map<string, string[]>, key: string, member: string): void {
  const members = sets.get(key)
  if (members === undefined) sets.set(key, [member])
  else members.push(member)
}

function pushCheck(args: Wire[], check: OtherCheck): void {
  args.push(check.check)
  switch (check.check) {
    case "hash":
      return pushAll(args, check.pairs)
    case "set":
      return pushAll(args, check.members)
    case "reply":
      args.push(check.order, check.digest)
      return pushAll(args, check.words)
    case "unique-free":
      args.push(check.id, check.record.head, check.record.tail, check.isQuoted ? "1" : "0")
      return
    case "unique-unheld":
      args.push(check.id, check.isQuoted ? "1" : "0")
      return
    case "type":
      args.push(check.type)
      return
    case "ahead":
      args.push(String(check.at), String(check.ms))
      return
    case "number":
      args.push(check.field === undefined ? "string" : "hash", check.isWhole ? "integer" : "float", check.field ?? "")
      return
    case "element":
      args.push(check.position)
  }
}

function pushWrite(args: Wire[], write: KeyWrite): void {
  if (write.write === "command") {
    args.push(write.name)
    return pushAll(args, write.words)
  }
  args.push(write.write)
  pushAll(args, oursOf(write))
}

/** The arguments of one of our own commands: see lua/include/apply/commands.lua. */
function oursOf(write: Exclude<KeyWrite, { readonly write: "command" }>): readonly string[] {
  switch (write.write) {
    case "delete-if":
      return [write.value]
    case "live-as":
      return [write.record]
    case "note-end":
      return [write.member, String(write.ms), write.record ?? ""]
    case "remove-by-type":
      return [write.member]
  }
}

/** The count, then all of them. Not spread, because there may be more than a call can take. */
function pushAll(args: Wire[], words: readonly Wire[]): void {
  args.push(String(words.length))
  for (const word of words) args.push(word)
}
