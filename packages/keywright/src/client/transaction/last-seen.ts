/* What this client last saw at the keys of transactions that ask for it (`lastSeen: true`):
 * strings and sets, as they were read or as a commit left them. The first attempt of such a
 * transaction reads from here, and needs no round trip before its commit. All that it took
 * from here is compared like everything else that a transaction reads: what has changed
 * since costs a second attempt, and is never written or returned.
 *
 * Where others write the same keys, that second attempt would be the rule. So after a loss
 * some transactions ask the server again, more of them after each loss in a row. */

import type { Wire } from "../../driver/driver.ts"
import { onePer } from "../call/one-per.ts"
import type { ParsedText } from "../entity/recent-texts.ts"
import { placeholderAt, placeholderIn, withIds } from "../plan/placeholder.ts"
import type { IdGroup, Plan } from "../plan/plan.ts"
import type { Applied } from "../plan/send-plan.ts"
import type { Write } from "../plan/writes/write.ts"

/** A string, null where there is none, or the members of a set. */
export type Seen = string | null | readonly string[]

/** What was seen at a key, and what was made of it. */
class SeenAt implements ParsedText {
  readonly seen: Seen
  document: ParsedText["document"] = undefined
  record: ParsedText["record"] = undefined

  constructor(seen: Seen) {
    this.seen = seen
  }
}

const MOST_KEYS = 10_000
/** After how many changes the map is a new one. */
const LONG_USE = 1000
const MOST_HEADS = 1000
/** In characters: what is larger is read. A member of a set counts for some more, which it takes in memory. */
const LARGEST = 8192
const MEMBER = 32
/** After how many losses in a row the number of transactions that ask the server stops growing: 2⁶. */
const MOST_LOSSES = 6

const NONE: ReadonlySet<string> = new Set()

export class LastSeen {
  /** The oldest first. */
  #seen = new Map<string, SeenAt>()
  #changes = 0
  /** What the keys of records that transactions look at begin with: new records of other entities are not kept. */
  readonly #heads = new Set<string>()
  /** Placeholders of the plan that is learnt: of records that nobody looks at. */
  #unseen: ReadonlySet<string> = NONE
  #losses = 0
  /** How many transactions ask the server before the next one reads from here. */
  #pausing = 0

  get size(): number {
    return this.#seen.size
  }

  get(key: string): Seen | undefined {
    return this.#seen.get(key)?.seen
  }

  /** Records whose keys begin with this are looked at. */
  addHead(head: string): void {
    if (this.#heads.size < MOST_HEADS) this.#heads.add(head)
  }

  /** What was made of a text, if it is the one that was last seen at the key. */
  parsedAt(key: string, text: unknown): ParsedText | undefined {
    const at = this.#seen.get(key)
    return at?.seen === text ? at : undefined
  }

  /** Whether the next transaction may read from here. */
  begin(): boolean {
    if (this.#pausing === 0) return true
    this.#pausing--
    return false
  }

  /** A transaction was committed: what it compared and what it wrote is known now. `wasRight`: it had read from here. */
  learn({ checks, writes, ids: groups }: Plan, ids: Applied["ids"], wasRight: boolean): void {
    if (wasRight) this.#losses = 0
    this.#unseen = groups === undefined ? NONE : this.#notLookedAt(groups)
    for (const check of checks) {
      if (check.check === "string") this.#put(check.key, check.value)
      else if (check.check === "absent") this.#put(check.key, null)
      else if (check.check === "set") this.#put(check.key, check.members)
    }
    for (const write of writes) this.#follow(write, ids)
  }

  /** What these keys held was wrong: a transaction that read it has lost. */
  lost(keys: readonly string[]): void {
    for (const key of keys) this.#set(key, undefined)
    this.#pausing = 2 ** this.#losses
    this.#losses = Math.min(this.#losses + 1, MOST_LOSSES)
  }

  #follow(write: Write, ids: Applied["ids"]): void {
    if (write.write === "move") {
      for (const key of write.enters) this.#move(key, write.member, ids, true)
      for (const key of write.leaves) this.#move(key, write.member, ids, false)
      return
    }
    if (this.#isUnseen(write.key)) return
    const key = withIds(write.key, ids)
    if (write.write === "delete-if") this.#put(key, null)
    else if (write.write === "command" && write.name === "SET" && write.words.length === 1)
      this.#put(key, withIds(write.words[0]!, ids))
    else if (write.write !== "live-as") this.#set(key, undefined)
  }

  /** New records that nobody looks at. */
  #notLookedAt(groups: readonly IdGroup[]): ReadonlySet<string> {
    let unseen: Set<string> | undefined
    for (const { record, placeholders } of groups)
      if (!this.#heads.has(record.head)) for (const one of placeholders) (unseen ??= new Set()).add(one)
    return unseen ?? NONE
  }

  /** Whether a key is that of a new record which nobody looks at, or of a set that is named after one. */
  #isUnseen(key: string): boolean {
    const at = this.#unseen.size === 0 ? -1 : placeholderIn(key)
    return at >= 0 && this.#unseen.has(placeholderAt(key, at))
  }

  /** A set that is named after a new id began empty; of any other, all is known or nothing. */
  #move(key: string, member: string, ids: Applied["ids"], isIn: boolean): void {
    if (this.#isUnseen(key)) return
    const name = withIds(key, ids)
    const members = this.get(name) ?? (name !== key ? [] : undefined)
    if (typeof members !== "object" || members === null) return
    const one = withIds(member, ids)
    if (isIn && members.includes(one)) return
    this.#put(name, isIn ? [...members, one] : members.filter((other) => other !== one))
  }

  #put(key: string, value: Wire | null | readonly string[]): void {
    if (this.get(key) === value) return
    this.#set(key, value instanceof Uint8Array || sizeOf(value) > LARGEST ? undefined : value)
  }

  /** Undefined: it is not known any more. */
  #set(key: string, seen: Seen | undefined): void {
    if (seen === undefined) this.#seen.delete(key)
    else this.#seen.set(key, new SeenAt(seen))
    if (++this.#changes >= Math.max(LONG_USE, this.#seen.size) || this.#seen.size > MOST_KEYS) this.#renew()
  }

  /**
   * Begins a new map, without the older half of too many keys. V8 links each table that a map has outgrown to the next
   * one: all that was ever seen would stay in memory until the next full collection.
   */
  #renew(): void {
    this.#changes = 0
    const all = this.#seen
    this.#seen = all.size > MOST_KEYS ? new Map([...all].slice(-MOST_KEYS / 2)) : new Map(all)
  }
}

const sizeOf = (value: string | null | readonly string[]): number =>
  value === null
    ? 0
    : typeof value === "string"
      ? value.length
      : value.reduce((sum, member) => sum + MEMBER + member.length, 0)

/** What was last seen through one lane. */
export const lastSeenOf = onePer<object, LastSeen>(() => new LastSeen())
