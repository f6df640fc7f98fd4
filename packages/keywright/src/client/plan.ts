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
import { operationKey } from "./operation-key.ts"
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

/** Nobody can guess one, so that no value of a user's holds one by intent. Drawn many at a time: that is cheaper. */
const newPlaceholder = (): string => {
  if (drawn.length < 24) drawn = randomBytes(1536).toString("hex")
  const placeholder = `kwid${drawn.slice(0, 24)}`
  drawn = drawn.slice(24)
  return placeholder
}
let drawn = ""

/** Whether a text is made of an id that is not allocated yet. */
export const isDerived = (text: Wire): boolean =>
  typeof text === "string" && text.includes("kwid") && text.search(placeholderPattern) >= 0

/** Where the result of a plan is remembered: `purpose` tells calls with the same operation id apart. */
export const planKey = (operationId: string | undefined, purpose: string, first: string, cluster: boolean): string =>
  operationKey(operationId, purpose, cluster ? [slotTag(first, true)] : [], cluster)

/** Whose the sets of a plan are: it says what it means that a key is of another type. */
export interface SetOwner {
  wrongType(key: string, type: "set", found: Reply): KeywrightError
}

/** Sets that one member is added to, and those that it is removed from. */
interface SetGroup {
  readonly member: string
  readonly derived: boolean
  readonly owner: SetOwner
  readonly adds: string[]
  readonly removes: string[]
}

/** A key with placeholders whose type is looked at when it is known. */
interface DerivedType {
  readonly key: string
  readonly type: string
  readonly onFailure: OnFailure
}

/** Most plans allocate no id: they share this, and never add to it. */
const NONE: never[] = []

type CarryOutOptions = CallOptions & { readonly operationId?: string | undefined }

export class Plan {
  readonly #checkKeys: string[] = []
  readonly #checks: Wire[] = []
  readonly #failures: OnFailure[] = []
  readonly #groups: SetGroup[] = []
  readonly #commandKeys: string[] = []
  readonly #commands: Wire[] = []
  #placeholders: string[] | undefined
  #counters: string[] = NONE
  #allocations: Wire[] = NONE
  /** Keys with placeholders whose type is looked at, and those that are written. */
  #types: DerivedType[] = NONE
  #derived: string[] = NONE
  #taken: Map<string, string> | undefined
  #released: Map<string, string> | undefined
  /** How many replicas have to confirm it. */
  replicas = 0
  /** What it does and to which record: with the operation id, the name of its result. */
  purpose = ""

  /** Unique values that records of this plan take, by key: whose they are. */
  get taken(): Map<string, string> {
    return (this.#taken ??= new Map())
  }

  /** Unique values that records of this plan give up. */
  get released(): Map<string, string> {
    return (this.#released ??= new Map())
  }

  /** The string at `key` is exactly `value`; undefined: there is no such key. */
  expectString(key: string, value: Wire | undefined, onFailure: OnFailure): void {
    this.#check(onFailure, key)
    if (value === undefined) this.#checks.push("-")
    else this.#checks.push("=", value)
  }

  /** A hash of exactly these fields and values, in any order. */
  expectPairs(key: string, pairs: readonly Wire[], onFailure: OnFailure): void {
    this.#check(onFailure, key)
    this.#checks.push("p", String(pairs.length))
    for (const word of pairs) this.#checks.push(word)
  }

  /** Nobody else's: free, held by `id`, or by a record that is gone. */
  expectFree(key: string, id: string, record: RecordKey, onFailure: OnFailure): void {
    this.#check(onFailure, key)
    this.#checks.push("u", id, record.head, record.tail)
  }

  /** Nothing, or a key of this Redis type. */
  expectType(key: string, type: string, onFailure: OnFailure): void {
    if (this.#fills(key)) this.#types.push({ key, type, onFailure })
    else {
      this.#check(onFailure, key)
      this.#checks.push("t", type)
    }
  }

  /** Nothing, or a number that can be added to: the whole string, or a field of a hash. */
  expectNumber(key: string, field: string, whole: boolean, onFailure: OnFailure): void {
    if (this.#fills(key)) return
    this.#check(onFailure, key)
    this.#checks.push("n", field, whole ? "i" : "f")
  }

  /** A list that has an element at this position. */
  expectElement(key: string, position: Wire, onFailure: OnFailure): void {
    this.#check(onFailure, key)
    this.#checks.push("l", position)
  }

  /** Reading it again gives the same. `words` are the command without its key. */
  expectReply(key: string, words: readonly Wire[], reply: Reply, onFailure: OnFailure): void {
    if (words.length > MOST_WORDS) throw planTooLarge(words.length)
    const order = orderOf(words[0]!)
    this.#check(onFailure, key)
    this.#checks.push(order, digestOf(reply, order), String(words.length), ...words)
  }

  /** A new id from a counter: the placeholder stands for it in keys and values. */
  allocate(counter: string, record: RecordKey): string {
    const placeholder = newPlaceholder()
    if (this.#placeholders === undefined) {
      this.#placeholders = []
      this.#counters = []
      this.#allocations = []
      this.#types = []
      this.#derived = []
    }
    this.#placeholders.push(placeholder)
    this.#counters.push(counter)
    this.#allocations.push(placeholder, record.head, record.tail)
    return placeholder
  }

  /** SADD. What stands there may be another type: then nothing is written. */
  add(key: string, member: string, owner: SetOwner): void {
    this.#group(key, member, owner).adds.push(key)
  }

  /** SREM. */
  remove(key: string, member: string, owner: SetOwner): void {
    this.#group(key, member, owner).removes.push(key)
  }

  /** A command on one key, after all checks. It must not be able to fail. */
  write(name: string, key: string, ...words: Wire[]): void {
    if (words.length <= MOST_WORDS) return this.#write(name, key, words)
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
  async carryOut(lane: Lane, options?: CarryOutOptions): Promise<Applied> {
    lane.explain?.(this)
    const { cluster, resends } = lane.driver
    const operationId = options?.operationId ?? (resends ? randomUUID() : undefined)
    if (cluster) checkSlots([...this.#keys(), ...this.#derived])
    const { keys, args } = this.encoded(operationId, cluster)
    if (keys.length + args.length > MOST_ARGUMENTS) throw planTooLarge(keys.length + args.length)
    const how = operationId === undefined ? options : { ...options, safe: true }
    const reply = await lane.script(applyScript, keys, args, how)
    if (reply === 1) return APPLIED
    const [done, ...found] = reply as [number, ...Reply[]]
    if (done < 1) throw this.#failure(done, Number(found[0]), found[1] ?? null)
    const ids = new Map(this.#placeholders?.map((placeholder, i) => [placeholder, String(found[i])]))
    return { ids, replayed: done === 2 }
  }

  /** What is sent: KEYS and ARGV of apply.lua. */
  encoded(operationId?: string, cluster = false): { readonly keys: string[]; readonly args: Wire[] } {
    const short = operationId === undefined ? this.#short() : undefined
    if (short) return short
    const keys = this.#keys()
    const args: Wire[] = ["", String(this.#failures.length), ...this.#checks]
    args.push(String(this.#placeholders?.length ?? 0), ...this.#allocations)
    args.push(String(this.#types.length))
    for (const { key, type } of this.#types) args.push(key, type)
    args.push(String(this.#groups.length))
    for (const { member, derived, adds, removes } of this.#groups) {
      args.push(derived ? "k" : this.#fills(member) ? "m" : "", member, String(adds.length), String(removes.length))
      if (derived) args.push(...adds, ...removes)
    }
    for (const word of this.#commands) args.push(word)
    if (operationId !== undefined) {
      args[0] = String(REMEMBERED_MS)
      keys.push(planKey(operationId, this.purpose, keys[0] ?? "", cluster))
    }
    return { keys, args }
  }

  /** The short forms: one record is compared and written, and its id moves between sets. */
  #short(): { readonly keys: string[]; readonly args: Wire[] } | undefined {
    const [key] = this.#commandKeys
    const isOne = this.#checkKeys.length === 1 && this.#commandKeys.length === 1 && this.#checkKeys[0] === key
    if (!isOne || this.#placeholders !== undefined || this.#groups.length > 1) return undefined
    const [kind, expected] = this.#checks
    const name = this.#commands[1]
    if (kind === "=" && name === "SET" && this.#commands.length === 3) {
      const group = this.#groups[0]
      const args = ["=", group?.member ?? "", String(group?.adds.length ?? 0), expected!, this.#commands[2]!]
      return { keys: group ? [key!, ...group.adds, ...group.removes] : [key!], args }
    }
    if (kind !== "p" || name !== "HSET" || this.#groups.length > 0) return undefined
    const args: Wire[] = ["#"]
    for (let i = 1; i < this.#checks.length; i++) args.push(this.#checks[i]!)
    for (let i = 2; i < this.#commands.length; i++) args.push(this.#commands[i]!)
    return { keys: [key!], args }
  }

  #keys(): string[] {
    const keys = [...this.#checkKeys, ...this.#counters]
    for (const { derived, adds, removes } of this.#groups) if (!derived) keys.push(...adds, ...removes)
    for (const key of this.#commandKeys) keys.push(key)
    return keys
  }

  #failure(done: number, number: number, found: Reply): KeywrightError {
    if (done === 0) return this.#failures[number - 1]!(found)
    if (done === -2) return this.#types[number - 1]!.onFailure(found)
    const all = this.#groups.flatMap(({ owner, adds, removes }) => [...adds, ...removes].map((key) => ({ owner, key })))
    const { owner, key } = all[number - 1]!
    return owner.wrongType(key, "set", found)
  }

  #fills(word: Wire): boolean {
    return this.#placeholders !== undefined && isDerived(word)
  }

  #check(onFailure: OnFailure, key: string): void {
    this.#checkKeys.push(key)
    this.#failures.push(onFailure)
  }

  /** The group of a member: keys with placeholders stand in one of their own. */
  #group(key: string, member: string, owner: SetOwner): SetGroup {
    const derived = this.#fills(key)
    if (derived) this.#derived.push(key)
    for (let i = this.#groups.length - 1; i >= 0; i--) {
      const group = this.#groups[i]!
      if (group.member !== member || group.owner !== owner) break
      if (group.derived === derived) return group
    }
    const group: SetGroup = { member, derived, owner, adds: [], removes: [] }
    this.#groups.push(group)
    return group
  }

  #write(name: string, key: string, words: readonly Wire[]): void {
    const derived = this.#fills(key)
    if (derived) this.#derived.push(key)
    else this.#commandKeys.push(key)
    if (derived || (this.#placeholders !== undefined && words.some(isDerived)))
      this.#commands.push(String(-words.length - 1), name, derived ? key : "")
    else this.#commands.push(String(words.length), name)
    for (const word of words) this.#commands.push(word)
  }
}

const APPLIED: Applied = Object.freeze({ ids: new Map<string, string>(), replayed: false })

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
