/* A plan: what must hold, and what is written if it does, as plain data. Entities and
 * transactions make plans; encode-plan.ts says how one goes over the wire, carry-out.ts
 * sends it, and a script checks and writes everything in one step: all or nothing, and no
 * other client sees a part of it. A write that is refused after others, for lack of rights,
 * is put back, or reported as PLAN.HALF_WRITTEN where that is not possible.
 *
 * An id that the script allocates is a placeholder until then: in keys, members and values
 * alike. */

import type { Wire } from "../../driver/driver.ts"
import { type Check, isReadCheck } from "./checks/check.ts"
import { chunksOf, MOST_WORDS } from "./command-chunks.ts"
import { NOT_KEPT } from "./operation-answer.ts"
import { forgetPlaceholders, newPlaceholder } from "./placeholder.ts"
import { commandsOf } from "./plan-commands.ts"
import type { MoveMember, SetOwner } from "./writes/move-member.ts"
import type { Write } from "./writes/write.ts"

/** Before and after the id in a record's key. */
export interface RecordKey {
  readonly head: string
  readonly tail: string
}

/** Ids from one counter. */
export interface IdGroup {
  readonly counter: string
  /** The counter as it may be printed. */
  readonly shown: string
  /** The records that have these ids. */
  readonly record: RecordKey
  readonly placeholders: string[]
}

export class Plan {
  readonly checks: Check[] = []
  readonly writes: Write[] = []
  /** New ids, if it needs any. */
  ids: IdGroup[] | undefined
  /** How many replicas have to confirm it. */
  replicas = 0
  /** What it does and to which record: with the operation id, the name of its result. */
  purpose = ""
  /** Distinguishes it from other plans of the same name: a repetition has the same value. */
  identity = ""
  /** What a repetition is answered with: see operation-answer.ts. */
  answer = NOT_KEPT
  /** For a plan that has no keys, in a cluster: a key in the slot that it belongs to. */
  slotKey = ""
  /** Whether it is remembered under its operation id; otherwise that is only looked up. */
  remembers = true
  /** The sum of all that is added to numbers, limited by transaction/collect.ts. */
  added = 0
  #isOver = false
  #unlinkedSets: Set<string> | undefined
  #taken: Map<string, string> | undefined
  #released: Map<string, string> | undefined

  /** Unique values that records of this plan take, by key: whose they are. */
  get taken(): Map<string, string> {
    return (this.#taken ??= new Map())
  }

  /** Unique values that records of this plan give up. */
  get released(): Map<string, string> {
    return (this.#released ??= new Map())
  }

  /** Any of its keys. In a cluster all of them have the same hash tag, and only the tag is used. */
  get firstKey(): string {
    const [check] = this.checks
    const [write] = this.writes
    return check?.key ?? (write?.write === "move" ? [...write.enters, ...write.leaves][0] : write?.key) ?? this.slotKey
  }

  /** What it writes, as commands: for people. */
  get commands(): readonly (readonly string[])[] {
    return commandsOf(this.writes, this.ids ?? [])
  }

  /** A new id from a counter: the placeholder represents it in keys and values. */
  allocate(counter: string, { head, tail }: RecordKey, shown = counter): string {
    const placeholder = newPlaceholder()
    const groups = (this.ids ??= [])
    const same = groups.find(
      ({ counter: one, record }) => one === counter && record.head === head && record.tail === tail,
    )
    if (same) same.placeholders.push(placeholder)
    else groups.push({ counter, shown, record: { head, tail }, placeholders: [placeholder] })
    if (this.#isOver) this.forgetIds()
    return placeholder
  }

  /** It was carried out or given up: its placeholders, and any allocated later, are plain text again. */
  forgetIds(): void {
    this.#isOver = true
    for (const { placeholders } of this.ids ?? []) forgetPlaceholders(placeholders)
  }

  /** A set that is deleted entirely, so its members need not be removed one by one. */
  unlinkSet(key: string): void {
    ;(this.#unlinkedSets ??= new Set()).add(key)
    this.write("UNLINK", key)
  }

  /** SADD: a member enters a set. When the key is of another type, nothing is written. */
  enter(key: string, member: string, owner: SetOwner): void {
    this.#moving(member, owner).enters.push(key)
  }

  /** SREM: a member leaves a set. */
  leave(key: string, member: string, owner: SetOwner): void {
    if (this.#unlinkedSets?.has(key) !== true) this.#moving(member, owner).leaves.push(key)
  }

  /** A command on one key, after all checks. It must not be able to fail. */
  write(name: string, key: string, ...words: Wire[]): void {
    if (words.length <= MOST_WORDS) this.writes.push({ write: "command", name, key, words })
    else for (const part of chunksOf(name, words)) this.writes.push({ write: "command", name, key, words: part })
  }

  /** What was read so far must still be so, and nothing is written. An operation id is looked up, and not remembered. */
  readsOnly(): Plan {
    const plan = new Plan()
    for (const check of this.checks) if (isReadCheck(check)) plan.checks.push(check)
    plan.remembers = false
    return plan
  }

  #moving(member: string, owner: SetOwner): MoveMember {
    const last = this.writes.at(-1)
    if (last?.write === "move" && last.member === member && last.owner === owner) return last
    const moving: MoveMember = { write: "move", member, owner, enters: [], leaves: [] }
    this.writes.push(moving)
    return moving
  }
}
