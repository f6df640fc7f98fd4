/* A plan: what must hold, and what is written if it does. Made here, carried out by
 * apply.lua in one step. Everything that can fail is a check, or a change of a set
 * that is undone when a later one fails: nothing is ever half written.
 *
 * An id that the script allocates is a placeholder until then: in keys, members and
 * values alike. */

import { randomBytes, randomUUID } from "node:crypto"
import { clusterSlot } from "../driver/cluster-slot.ts"
import type { CallOptions, Reply, Wire } from "../driver/driver.ts"
import type { KeywrightError } from "../errors/error.ts"
import { crossSlot, planTooLarge } from "../errors/transaction.ts"
import { chunksOf, MOST_ARGUMENTS, MOST_WORDS } from "./command-chunks.ts"
import { digestOf, orderOf } from "./digest.ts"
import type { Lane } from "./lane.ts"
import { applyScript } from "./lua/index.ts"
import { slotTag } from "./slot-tag.ts"

const REMEMBERED_MS = 60_000

/** Says what a failed check means: `found` is what stood there. */
export type OnFailure = (found: Reply) => KeywrightError

/** Before and after the id in a record's key. */
export interface RecordKey {
  readonly head: string
  readonly tail: string
}

/** What became of a plan. */
export interface Applied {
  /** The ids that were allocated, by placeholder. */
  readonly ids: ReadonlyMap<string, string>
  /** It had been carried out before, with the same operation id. */
  readonly replayed: boolean
}

const placeholderPattern = /kwid[0-9a-f]{24}/g
const newPlaceholder = (): string => `kwid${randomBytes(12).toString("hex")}`

/** Whether a text is made of an id that is not allocated yet. */
export const isDerived = (text: Wire): boolean =>
  typeof text === "string" && text.includes("kwid") && text.search(placeholderPattern) >= 0

/** Where the result of an operation is remembered: in a cluster, in the slot of its first key. */
export const operationKey = (first: string, cluster: boolean, operationId: string): string =>
  `keywright:op:${slotTag(first, cluster)}${operationId}`

/** Sets that one member is added to, and those that it is removed from. */
interface SetGroup {
  readonly member: string
  readonly derived: boolean
  readonly adds: string[]
  readonly removes: string[]
  readonly failures: { adds: OnFailure[]; removes: OnFailure[] }
}

export class Plan {
  readonly #checkKeys: string[] = []
  readonly #checks: Wire[] = []
  readonly #failures: OnFailure[] = []
  readonly #counters: string[] = []
  readonly #allocations: Wire[] = []
  readonly #placeholders: string[] = []
  readonly #types: string[] = []
  readonly #typeFailures: OnFailure[] = []
  readonly #groups: SetGroup[] = []
  readonly #commandKeys: string[] = []
  readonly #commands: Wire[] = []
  readonly #derived: string[] = []
  /** Unique values that records of this plan take, and those that they give up, by key: whose they are. */
  readonly taken = new Map<string, string>()
  readonly released = new Map<string, string>()
  /** How many replicas have to confirm it. */
  replicas = 0

  /** The string at `key` is exactly `value`; undefined: there is no such key. */
  expectString(key: string, value: Wire | undefined, onFailure: OnFailure): void {
    if (value === undefined) this.#check(onFailure, key, "-")
    else this.#check(onFailure, key, "=", value)
  }

  /** Nobody else's: free, held by `id`, or by a record that is gone. */
  expectFree(key: string, id: string, record: RecordKey, onFailure: OnFailure): void {
    this.#check(onFailure, key, "u", id, record.head, record.tail)
  }

  /** Nothing, or a key of this Redis type. */
  expectType(key: string, type: string, onFailure: OnFailure): void {
    if (this.#placeholders.length > 0 && isDerived(key)) {
      this.#types.push(key, type)
      this.#typeFailures.push(onFailure)
    } else this.#check(onFailure, key, "t", type)
  }

  /** Nothing, or a number that can be added to: the whole string, or a field of a hash. */
  expectNumber(key: string, field: string, whole: boolean, onFailure: OnFailure): void {
    if (!isDerived(key)) this.#check(onFailure, key, "n", field, whole ? "i" : "f")
  }

  /** A list that has an element at this position. */
  expectElement(key: string, position: Wire, onFailure: OnFailure): void {
    this.#check(onFailure, key, "l", position)
  }

  /** Reading it again gives the same. `words` are the command without its key. */
  expectReply(key: string, words: readonly Wire[], reply: Reply, onFailure: OnFailure): void {
    if (words.length > MOST_WORDS) throw planTooLarge(words.length)
    const order = orderOf(words[0]!)
    this.#check(onFailure, key, order, digestOf(reply, order), String(words.length), ...words)
  }

  /** A new id from a counter: the placeholder stands for it in keys and values. */
  allocate(counter: string, record: RecordKey): string {
    const placeholder = newPlaceholder()
    this.#counters.push(counter)
    this.#allocations.push(placeholder, record.head, record.tail)
    this.#placeholders.push(placeholder)
    return placeholder
  }

  /** SADD. What stands there may be another type: then nothing is written. */
  add(key: string, member: string, onWrongType: OnFailure): void {
    const group = this.#group(key, member)
    group.adds.push(key)
    group.failures.adds.push(onWrongType)
  }

  /** SREM. */
  remove(key: string, member: string, onWrongType: OnFailure): void {
    const group = this.#group(key, member)
    group.removes.push(key)
    group.failures.removes.push(onWrongType)
  }

  /** A command on one key, after all checks. It must not be able to fail. */
  write(name: string, key: string, ...words: Wire[]): void {
    for (const part of chunksOf(name, words)) this.#write(name, key, part)
  }

  /** Whether there is nothing to write: then nothing need be compared either. */
  get writesNothing(): boolean {
    return this.#commands.length === 0 && this.#groups.length === 0
  }

  /** The commands that it writes with, for people. */
  get writes(): readonly (readonly string[])[] {
    const sets = this.#groups.flatMap(({ member, adds, removes }) => [
      ...adds.map((key) => ["SADD", key, member]),
      ...removes.map((key) => ["SREM", key, member]),
    ])
    const counters = this.#counters.map((counter) => ["INCR", counter])
    const commands: string[][] = []
    let key = 0
    for (let at = 0; at < this.#commands.length;) {
      const [count, name] = [Number(this.#commands[at]), String(this.#commands[at + 1])]
      const own = count < 0 ? String(this.#commands[at + 2]) : ""
      const from = at + (count < 0 ? 3 : 2)
      const to = from + (count < 0 ? -count - 1 : count)
      commands.push([name, own === "" ? this.#commandKeys[key++]! : own, ...this.#commands.slice(from, to).map(String)])
      at = to
    }
    return [...sets, ...counters, ...commands]
  }

  /** Carries it out. Throws what the failed check stands for. */
  async carryOut(
    lane: Lane,
    options: CallOptions & { readonly operationId?: string | undefined } = {},
  ): Promise<Applied> {
    const { operationId = lane.driver.resends ? randomUUID() : undefined, ...rest } = options
    lane.explain?.(this)
    const { cluster } = lane.driver
    if (cluster) checkSlots([...this.#keys(), ...this.#derived])
    const { keys, args } = this.encoded(operationId, cluster)
    if (keys.length + args.length > MOST_ARGUMENTS) throw planTooLarge(keys.length + args.length)
    const [done, ...found] = (await lane.script(
      applyScript,
      keys,
      args,
      operationId === undefined ? rest : { ...rest, safe: true },
    )) as [number, ...Reply[]]
    if (done < 1) throw this.#failure(done, Number(found[0]), found[1] ?? null)
    return {
      ids: new Map(this.#placeholders.map((placeholder, i) => [placeholder, String(found[i])])),
      replayed: done === 2,
    }
  }

  /** What is sent: KEYS and ARGV of apply.lua. */
  encoded(operationId?: string, cluster = false): { readonly keys: string[]; readonly args: Wire[] } {
    const keys = this.#keys()
    const args: Wire[] = [
      "",
      String(this.#failures.length),
      ...this.#checks,
      String(this.#placeholders.length),
      ...this.#allocations,
      String(this.#typeFailures.length),
      ...this.#types,
      String(this.#groups.length),
    ]
    for (const { member, derived, adds, removes } of this.#groups) {
      const flag = derived ? "k" : this.#fills(member) ? "m" : ""
      args.push(flag, member, String(adds.length), String(removes.length))
      if (derived) for (const key of [...adds, ...removes]) args.push(key)
    }
    for (const word of this.#commands) args.push(word)
    if (operationId !== undefined) {
      args[0] = String(REMEMBERED_MS)
      keys.push(operationKey(keys[0] ?? "", cluster, operationId))
    }
    return { keys, args }
  }

  #keys(): string[] {
    const keys = [...this.#checkKeys, ...this.#counters]
    for (const { derived, adds, removes } of this.#groups) if (!derived) keys.push(...adds, ...removes)
    for (const key of this.#commandKeys) keys.push(key)
    return keys
  }

  #failure(done: number, number: number, found: Reply): KeywrightError {
    if (done === 0) return this.#failures[number - 1]!(found)
    if (done === -2) return this.#typeFailures[number - 1]!(found)
    const all = this.#groups.flatMap(({ failures }) => [...failures.adds, ...failures.removes])
    return all[number - 1]!(found)
  }

  #fills(word: Wire): boolean {
    return this.#placeholders.length > 0 && isDerived(word)
  }

  #check(onFailure: OnFailure, key: string, ...words: Wire[]): void {
    this.#checkKeys.push(key)
    this.#checks.push(...words)
    this.#failures.push(onFailure)
  }

  /** The group of a member: keys with placeholders stand in one of their own. */
  #group(key: string, member: string): SetGroup {
    const derived = this.#fills(key)
    if (derived) this.#derived.push(key)
    for (let i = this.#groups.length - 1; i >= 0 && this.#groups[i]!.member === member; i--)
      if (this.#groups[i]!.derived === derived) return this.#groups[i]!
    const group: SetGroup = { member, derived, adds: [], removes: [], failures: { adds: [], removes: [] } }
    this.#groups.push(group)
    return group
  }

  #write(name: string, key: string, words: readonly Wire[]): void {
    const derived = this.#fills(key)
    if (derived) this.#derived.push(key)
    else this.#commandKeys.push(key)
    if (derived || (this.#placeholders.length > 0 && words.some(isDerived)))
      this.#commands.push(String(-words.length - 1), name, derived ? key : "")
    else this.#commands.push(String(words.length), name)
    for (const word of words) this.#commands.push(word)
  }
}

/** The placeholders in a value, at any depth, replaced by the ids that were allocated. */
export function withIds<T>(value: T, ids: ReadonlyMap<string, string>): T {
  if (ids.size === 0) return value
  if (typeof value === "string") return value.replace(placeholderPattern, (found) => ids.get(found) ?? found) as T
  if (Array.isArray(value)) return value.map((item: unknown) => withIds(item, ids)) as T
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withIds(item, ids)])) as T
  }
  return value
}

function checkSlots(keys: readonly string[]): void {
  const [first, ...others] = keys
  if (first === undefined) return
  const slot = clusterSlot(first)
  const other = others.find((key) => clusterSlot(key) !== slot)
  if (other !== undefined) throw crossSlot(first, other)
}
