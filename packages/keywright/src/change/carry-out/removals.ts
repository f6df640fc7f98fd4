/* What a repair does most: an id goes from a set, because its record does not exist or
 * belongs elsewhere. Such actions go together: ids that leave one set, and entries that
 * rest on one record, which is read and compared once for all of them. */

import type { Wire } from "../../driver/driver.ts"
import type { Action } from "../plan/plan.ts"
import { type Word, wireOf } from "../plan/word.ts"
import type { Batch } from "./action-batches.ts"

export interface Removal {
  readonly set: Word
  readonly record: Word
  readonly id: Wire
  /** The digest of the record's document; without it, there must be no record. */
  readonly digest: string | undefined
}

/** The action as a removal; undefined when it is something else. */
export function asRemoval({ expects, commands }: Pick<Action, "expects" | "commands">): Removal | undefined {
  const [expectation] = expects
  const [command] = commands
  if (commands.length !== 1 || expects.length !== 1 || command![0] !== "SREM" || command!.length !== 3) return undefined
  const { db, read, is } = expectation!
  if (db !== undefined) return undefined
  const digest = typeof is === "object" && is !== null && "sha1" in is ? is.sha1 : undefined
  const isRemoval = digest === undefined ? read[0] === "EXISTS" && is === 0 : read[0] === "GET"
  return isRemoval ? { set: command![1]!, record: read[1]!, id: wireOf(command![2]!), digest } : undefined
}

/** Removals one after another that can be written as one part of a call. */
export interface Run {
  /** False when it does not fit in. */
  add(removal: Removal, action: number): boolean
  end(batch: Batch): void
}

export const runOf = (removal: Removal): Run => (removal.digest === undefined ? new Dangling(removal) : new Stale())

/** Ids of one set whose records do not exist. */
class Dangling implements Run {
  readonly #set: Word
  readonly #ids: Wire[] = []
  readonly #records: Wire[] = []
  readonly #actions: number[] = []

  constructor({ set }: Removal) {
    this.#set = set
  }

  add({ set, record, id, digest }: Removal, action: number): boolean {
    if (set !== this.#set || digest !== undefined) return false
    this.#ids.push(id)
    this.#records.push(wireOf(record))
    this.#actions.push(action)
    return true
  }

  end({ actions, keys, args }: Batch): void {
    actions.push(...this.#actions)
    keys.push(wireOf(this.#set), ...this.#records)
    args.push("dangling", String(this.#ids.length), ...this.#ids)
  }
}

interface StaleSet {
  readonly key: Wire
  readonly ids: Wire[]
  /** The number of each id's record. */
  readonly records: number[]
  readonly actions: number[]
}

/** Ids of several sets whose records are others' than the sets say. */
class Stale implements Run {
  readonly #sets = new Map<string, StaleSet>()
  readonly #records: Wire[] = []
  readonly #digests: string[] = []
  #last = ""

  add({ set, record, id, digest }: Removal, action: number): boolean {
    if (digest === undefined) return false
    const name = exactName(record)
    if (this.#records.length === 0 || this.#last !== name || this.#digests.at(-1) !== digest) {
      this.#last = name
      this.#records.push(wireOf(record))
      this.#digests.push(digest)
    }
    const from = this.#set(set)
    from.ids.push(id)
    from.records.push(this.#records.length)
    from.actions.push(action)
    return true
  }

  #set(word: Word): StaleSet {
    const name = exactName(word)
    let set = this.#sets.get(name)
    if (set === undefined) this.#sets.set(name, (set = { key: wireOf(word), ids: [], records: [], actions: [] }))
    return set
  }

  end({ actions, keys, args }: Batch): void {
    args.push("stale", String(this.#sets.size), String(this.#records.length), ...this.#digests)
    for (const set of this.#sets.values()) {
      actions.push(...set.actions)
      keys.push(set.key)
      args.push(String(set.ids.length), set.records.join(), ...set.ids)
    }
    keys.push(...this.#records)
  }
}

/** Bytes and texts of the same spelling are two names. */
const exactName = (word: Word): string => (typeof word === "string" ? word : `\0${word.base64}`)
