/* A plan: what must hold, and what is written if it does. Made here, carried out by
 * apply.lua in one step. Everything that can fail is a check, or a change of a set
 * that is undone when a later one fails: nothing is ever half written.
 *
 * An id that the script allocates is a placeholder until then: in keys, members and
 * values alike. */

import { clusterSlot } from "../../driver/cluster-slot.ts"
import type { CallOptions, Reply, Wire } from "../../driver/driver.ts"
import type { KeywrightError } from "../../errors/error.ts"
import { crossSlot, operationReused, planTooLarge, sumTooLarge } from "../../errors/transaction.ts"
import { chunksOf, MOST_ARGUMENTS, MOST_WORDS } from "./command-chunks.ts"
import { counterFault } from "./counter-fault.ts"
import { digestOf, orderOf } from "./digest.ts"
import type { Lane } from "../call/lane.ts"
import { applyScript } from "../lua/index.ts"
import { NOT_KEPT } from "./operation-answer.ts"
import { operationKey, type OperationNotes, rememberedMs } from "./operation-key.ts"
import { isDerived, newPlaceholder } from "./placeholder.ts"
import { append, encodeSets, type SetGroup, type SetOwner, setCommands } from "./plan-sets.ts"
import { type OnFailure, Texts } from "./plan-texts.ts"
import { listOf, textOf, unexpected } from "../call/reply.ts"
import { slotTag } from "../call/slot-tag.ts"

/** Before and after the id in a record's key. */
export interface RecordKey {
  readonly head: string
  readonly tail: string
}

/** What is known of an operation that was carried out before. */
export interface Replayed {
  /** See operation-answer.ts. */
  readonly answer: string
  /** How many replicas must have it. */
  readonly replicas: number
}

/** What became of a plan. */
export interface Applied {
  /** The ids that were allocated, by placeholder. */
  readonly ids: ReadonlyMap<string, string>
  /** It had been carried out before, with the same operation id: what was kept then. */
  readonly replayed?: Replayed
}

/** Where the result of a plan is remembered: `purpose` tells calls with the same operation id apart. */
export const planKey = (operationId: string | undefined, purpose: string, first: string, cluster: boolean): string =>
  operationKey(operationId, purpose, cluster ? [slotTag(first, true)] : [], cluster)

/** Ids from one counter. */
interface IdGroup extends RecordKey {
  readonly counter: string
  /** The counter as it may be printed. */
  readonly shown: string
  readonly placeholders: string[]
}

/** A key with placeholders whose type is looked at when it is known. */
interface DerivedType {
  readonly key: string
  readonly type: string
  readonly onFailure: OnFailure
}

/** Most plans allocate no id: they share this, and never add to it. */
const NONE: never[] = []

/** Sets of so many members, each so long, are compared as they are: that is cheaper than a digest. */
const FEW = 64

/** A number may be up to 4e18 before (apply.lua): with this it stays below 2^63. */
const MOST_ADDED = 4e18
const MOST_ADDED_FLOAT = 1e300

type CarryOutOptions = CallOptions & OperationNotes

export class Plan {
  /** Strings that are compared; those of them that are set then, and what to; and those that are removed. */
  readonly #texts = new Texts()
  readonly #changed = new Texts()
  readonly #changedTo: Wire[] = []
  readonly #gone = new Texts()
  readonly #absent: string[] = []
  readonly #absentFailures: OnFailure[] = []
  /** What was read comes before everything else that must hold: when that has changed, the rest was decided on nothing. */
  readonly #reads = new Checks()
  readonly #demands = new Checks()
  readonly #groups: SetGroup[] = []
  /** Strings that are set. */
  readonly #setKeys: string[] = []
  readonly #setValues: Wire[] = []
  readonly #removed: string[] = []
  readonly #commandKeys: string[] = []
  readonly #commands: Wire[] = []
  /** Keys that are written: a second command on one of them has to come after the first. */
  #written: Set<string> | string | undefined
  /** From here on only with ids that are allocated. */
  #ids: IdGroup[] | undefined
  #types: DerivedType[] = NONE
  /** Strings whose key or value holds placeholders: the key, or "" where it does not, and the value. */
  #derivedSets: Wire[] = NONE
  #derivedSetKeys: string[] = NONE
  #derived: string[] = NONE
  #added = 0
  #dropped: Set<string> | undefined
  #taken: Map<string, string> | undefined
  #released: Map<string, string> | undefined
  /** How many replicas have to confirm it. */
  replicas = 0
  /** What it does and to which record: with the operation id, the name of its result. */
  purpose = ""
  /** Tells it from other plans of the same name: a repetition has the same. */
  identity = ""
  /** What a repetition is answered with: see operation-answer.ts. */
  answer = NOT_KEPT
  /** Whether it is remembered under its operation id; otherwise that is only looked up. */
  remembers = true

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
    if (value === undefined) {
      this.#absent.push(key)
      this.#absentFailures.push(onFailure)
    } else this.#texts.push(key, value, onFailure)
  }

  /** A hash of exactly these fields and values, in any order. */
  expectPairs(key: string, pairs: readonly Wire[], onFailure: OnFailure): void {
    const words = this.#reads.begin(key, onFailure)
    words.push("p", String(pairs.length))
    append(words, pairs)
  }

  /** Nobody else's: free, held by `id` (in quotes, perhaps), or by a record that is gone. */
  expectFree(key: string, id: string, record: RecordKey, isQuoted: boolean, onFailure: OnFailure): void {
    this.#demands.begin(key, onFailure).push(isQuoted ? "q" : "u", id, record.head, record.tail)
  }

  /** Nothing, or a key of this Redis type. */
  expectType(key: string, type: string, onFailure: OnFailure): void {
    if (this.#fills(key)) this.#types.push({ key, type, onFailure })
    else this.#demands.begin(key, onFailure).push("t", type)
  }

  /** An instant (Unix milliseconds) that lies ahead by at most `ms`, by the server's clock. Found: "past" or "late". */
  expectAhead(key: string, at: number, ms: number, onFailure: OnFailure): void {
    this.#demands.begin(key, onFailure).push("e", String(at), String(ms))
  }

  /** Nothing, or a number that can be added to: the whole string, or a field of a hash. */
  expectNumber(key: string, field: string, whole: boolean, onFailure: OnFailure): void {
    if (this.#fills(key)) return
    this.#demands.begin(key, onFailure).push("n", field, whole ? "i" : "f")
  }

  /** How much is added to numbers in all: what there is, checked before, must not overflow with it. */
  adds(key: string, by: Wire, whole: boolean): void {
    this.#added += Math.abs(Number(by))
    if (this.#added > (whole ? MOST_ADDED : MOST_ADDED_FLOAT)) throw sumTooLarge(key)
  }

  /** A list that has an element at this position. */
  expectElement(key: string, position: Wire, onFailure: OnFailure): void {
    this.#demands.begin(key, onFailure).push("l", position)
  }

  /** Reading it again gives the same. `words` are the command without its key. */
  expectReply(key: string, words: readonly Wire[], reply: Reply, onFailure: OnFailure): void {
    if (words.length > MOST_WORDS) throw planTooLarge(words.length)
    const check = this.#reads.begin(key, onFailure)
    if (words[0] === "SMEMBERS" && isSmall(reply)) {
      check.push("m", String(reply.length))
      append(check, reply)
    } else {
      const order = orderOf(words[0]!)
      check.push(order, digestOf(reply, order), String(words.length))
      append(check, words)
    }
  }

  /** A new id from a counter: the placeholder stands for it in keys and values. */
  allocate(counter: string, { head, tail }: RecordKey, shown = counter): string {
    const placeholder = newPlaceholder()
    if (this.#ids === undefined) {
      this.#ids = []
      this.#types = []
      this.#derivedSets = []
      this.#derivedSetKeys = []
      this.#derived = []
    }
    const same = this.#ids.find((group) => group.counter === counter && group.head === head && group.tail === tail)
    if (same) same.placeholders.push(placeholder)
    else this.#ids.push({ counter, shown, head, tail, placeholders: [placeholder] })
    return placeholder
  }

  /** A set that goes as a whole: what would be removed from it need not be. */
  drop(key: string): void {
    ;(this.#dropped ??= new Set()).add(key)
    this.write("UNLINK", key)
  }

  /** SADD. What stands there may be another type: then nothing is written. */
  add(key: string, member: string, owner: SetOwner): void {
    this.#group(key, member, owner).adds.push(key)
  }

  /** SREM. */
  remove(key: string, member: string, owner: SetOwner): void {
    if (this.#dropped?.has(key) !== true) this.#group(key, member, owner).removes.push(key)
  }

  /** A command on one key, after all checks. It must not be able to fail. */
  write(name: string, key: string, ...words: Wire[]): void {
    if (words.length <= MOST_WORDS) return this.#write(name, key, words)
    for (const part of chunksOf(name, words)) this.#write(name, key, part)
  }

  /** What was read so far must still be so, and nothing is written. An operation id is looked up, and not remembered. */
  readsOnly(): Plan {
    const plan = new Plan()
    for (const texts of [this.#texts, this.#changed, this.#gone])
      texts.keys.forEach((key, i) => plan.#texts.push(key, texts.values[i]!, texts.failures[i]!))
    append(plan.#absent, this.#absent)
    append(plan.#absentFailures, this.#absentFailures)
    plan.#reads.take(this.#reads)
    plan.remembers = false
    return plan
  }

  /** Whether nothing must hold. */
  get isEmpty(): boolean {
    return this.#texts.keys.length + this.#absent.length + this.#reads.keys.length + this.#demands.keys.length === 0
  }

  /** Whether there is nothing to write. */
  get writesNothing(): boolean {
    return this.#written === undefined && this.#groups.length === 0
  }

  /** The commands that it writes with, for people. */
  get writes(): readonly (readonly string[])[] {
    const sets = setCommands(this.#groups, this.#ids !== undefined).map(({ name, key, members }) => [
      name,
      key,
      ...members,
    ])
    const counters = (this.#ids ?? NONE).map(({ counter, placeholders }) =>
      placeholders.length === 1 ? ["INCR", counter] : ["INCRBY", counter, String(placeholders.length)],
    )
    const strings = this.#changed.keys.flatMap((key, i) => [key, String(this.#changedTo[i])])
    this.#setKeys.forEach((key, i) => strings.push(key, String(this.#setValues[i])))
    let next = 0
    this.#derivedSets.forEach((word, i) =>
      strings.push(word === "" && i % 2 === 0 ? this.#derivedSetKeys[next++]! : String(word)),
    )
    const removed = [...this.#gone.keys, ...this.#removed]
    const commands: string[][] = []
    if (strings.length > 0) commands.push([strings.length > 2 ? "MSET" : "SET", ...strings])
    if (removed.length > 0) commands.push(["UNLINK", ...removed])
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
    const { driver } = lane
    const operation = operationOf(lane, options)
    const call: CallOptions | undefined = operation ? callOf(options!) : options
    const { keys, args } = this.encoded(operation, driver.cluster)
    if (driver.cluster) checkSlots([...keys, ...this.#derived])
    if (keys.length + args.length > MOST_ARGUMENTS) throw planTooLarge(keys.length + args.length)
    let reply: Reply
    try {
      // With an operation id, sending it again does no harm.
      reply = await lane.script(applyScript, keys, args, operation ? { ...call, safe: true } : call)
    } catch (error) {
      throw await counterFault(error, driver, this.#ids ?? NONE, call ?? {})
    }
    if (reply === 1) return APPLIED
    const [done, ...found] = listOf(reply) as [number, ...Reply[]]
    if (done < 1) throw this.#failure(done, Number(found[0]), found[1] ?? null) ?? misread(reply)
    const [answer, replicas] = done === 2 ? found.splice(0, 2).map(textOf) : []
    const placeholders = (this.#ids ?? NONE).flatMap((group) => group.placeholders)
    if ((done !== 1 && answer === undefined) || found.length < placeholders.length) throw misread(reply)
    const ids = new Map(placeholders.map((one, i) => [one, String(found[i])]))
    return answer === undefined ? { ids } : { ids, replayed: { answer, replicas: Number(replicas) } }
  }

  /** What is sent: KEYS and ARGV of apply.lua. */
  encoded(operation?: Operation, cluster = false): { readonly keys: string[]; readonly args: Wire[] } {
    const short = operation === undefined ? this.#short() : undefined
    if (short) return short
    const [changed, texts, gone, ids] = [this.#changed, this.#texts, this.#gone, this.#ids ?? NONE]
    const sets = setCommands(this.#groups, this.#ids !== undefined)
    const args: Wire[] = [
      counts([
        operation === undefined ? 0 : 1,
        changed.keys.length,
        texts.keys.length,
        gone.keys.length,
        this.#removed.length,
        this.#absent.length,
        this.#reads.keys.length + this.#demands.keys.length,
        ids.length,
        this.#types.length,
        sets.length,
        this.#setKeys.length,
        this.#derivedSets.length / 2,
      ]),
    ]
    if (operation !== undefined)
      args.push(
        String(this.remembers ? operation.ms : -operation.ms),
        this.identity,
        String(this.replicas),
        this.answer,
      )
    const keys = [...changed.keys, ...texts.keys, ...gone.keys, ...this.#removed, ...this.#absent]
    for (const words of [changed.values, texts.values, gone.values, this.#changedTo]) append(args, words)
    for (const checks of [this.#reads, this.#demands]) {
      append(keys, checks.keys)
      append(args, checks.words)
    }
    for (const { counter, head, tail, placeholders } of ids) {
      keys.push(counter)
      args.push(String(placeholders.length), head, tail)
      append(args, placeholders)
    }
    for (const { key, type } of this.#types) args.push(key, type)
    if (sets.length > 0) encodeSets(sets, keys, args)
    for (const words of [this.#setValues, this.#derivedSets, this.#commands]) append(args, words)
    for (const more of [this.#setKeys, this.#derivedSetKeys, this.#commandKeys]) append(keys, more)
    if (operation !== undefined)
      keys.push(planKey(operation.operationId, this.purpose, keys[0] ?? this.#derived[0] ?? "", cluster))
    return { keys, args }
  }

  /** The short forms: one record is compared and written, and its id moves between sets. */
  #short(): { readonly keys: string[]; readonly args: Wire[] } | undefined {
    const compared = this.#texts.keys.length + this.#gone.keys.length + this.#absent.length
    if (this.#ids !== undefined || compared + this.#removed.length + this.#setKeys.length > 0) return undefined
    if (this.#groups.length > 1) return undefined
    const { keys, values } = this.#changed
    if (this.#demands.keys.length > 0) return undefined
    const reads = this.#reads
    if (keys.length === 1 && reads.keys.length + this.#commands.length === 0) {
      const group = this.#groups[0]
      const args = ["=", group?.member ?? "", String(group?.adds.length ?? 0), values[0]!, this.#changedTo[0]!]
      return { keys: group ? [keys[0]!, ...group.adds, ...group.removes] : [keys[0]!], args }
    }
    const [hash] = reads.keys
    const isHash = reads.keys.length === 1 && this.#commandKeys.length === 1 && this.#commandKeys[0] === hash
    if (!isHash || reads.words[0] !== "p" || this.#commands[1] !== "HSET") return undefined
    if (keys.length + this.#groups.length > 0) return undefined
    const args: Wire[] = ["#"]
    for (let i = 1; i < reads.words.length; i++) args.push(reads.words[i]!)
    for (let i = 2; i < this.#commands.length; i++) args.push(this.#commands[i]!)
    return { keys: [hash!], args }
  }

  #failure(done: number, number: number, found: Reply): KeywrightError | undefined {
    if (done === -3) return operationReused()
    if (done === -2) return this.#types[number - 1]?.onFailure(found)
    if (done === 0) {
      const strings = [this.#changed, this.#texts, this.#gone].flatMap(({ failures }) => failures)
      const checks = [...this.#reads.failures, ...this.#demands.failures]
      return [...strings, ...this.#absentFailures, ...checks][number - 1]?.(found)
    }
    // The short form counts the same sets in the same order.
    const command = setCommands(this.#groups, this.#ids !== undefined)[number - 1]
    return command?.owner.wrongType(command.key, "set", found)
  }

  #fills(word: Wire): boolean {
    return this.#ids !== undefined && isDerived(word)
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
    const isFirst = this.#noteWritten(key)
    const derived = this.#fills(key)
    if (derived) this.#derived.push(key)
    const fills = derived || (this.#ids !== undefined && words.some(isDerived))
    if (isFirst && name === "SET" && words.length === 1) {
      if (fills) {
        if (!derived) this.#derivedSetKeys.push(key)
        this.#derivedSets.push(derived ? key : "", words[0]!)
      } else if (this.#texts.moveLast(key, this.#changed)) this.#changedTo.push(words[0]!)
      else {
        this.#setKeys.push(key)
        this.#setValues.push(words[0]!)
      }
    } else if (isFirst && !derived && name === "UNLINK") {
      if (!this.#texts.moveLast(key, this.#gone)) this.#removed.push(key)
    } else {
      if (!derived) this.#commandKeys.push(key)
      if (fills) this.#commands.push(String(-words.length - 1), name, derived ? key : "")
      else this.#commands.push(String(words.length), name)
      for (const word of words) this.#commands.push(word)
    }
  }

  /** Whether no command has written this key before. */
  #noteWritten(key: string): boolean {
    if (this.#written === undefined) {
      this.#written = key
      return true
    }
    if (typeof this.#written === "string") this.#written = new Set([this.#written])
    if (this.#written.has(key)) return false
    this.#written.add(key)
    return true
  }
}

const operationOf = (lane: Lane, options: CarryOutOptions | undefined): Operation | undefined =>
  options?.operationId === undefined
    ? undefined
    : { operationId: options.operationId, ms: rememberedMs(lane, options.rememberFor) }

/** What the driver is told. */
const callOf = ({ operationId: _id, rememberFor: _for, ...call }: CarryOutOptions): CallOptions => call

const misread = (reply: Reply): Error => unexpected(reply, "what became of the plan")

const APPLIED: Applied = Object.freeze({ ids: new Map<string, string>() })

/** Checks of one sort: their keys, what is sent of them, and what it means when one fails. */
class Checks {
  readonly keys: string[] = []
  readonly words: Wire[] = []
  readonly failures: OnFailure[] = []

  take(others: Checks): void {
    append(this.keys, others.keys)
    append(this.words, others.words)
    append(this.failures, others.failures)
  }

  /** A check of this key: its words are to be added. */
  begin(key: string, onFailure: OnFailure): Wire[] {
    this.keys.push(key)
    this.failures.push(onFailure)
    return this.words
  }
}

/** Under which id a plan is remembered, and for how long. */
interface Operation {
  readonly operationId: string
  readonly ms: number
}

/** How many there are of each part: a character each, or where one is too large for that, six digits. */
const counts = (numbers: readonly number[]): string =>
  numbers.every((number) => number <= 90)
    ? String.fromCharCode(...numbers.map((number) => number + 32))
    : numbers.map((number) => String(number).padStart(6, "0")).join("")

const isSmall = (reply: Reply): reply is string[] =>
  Array.isArray(reply) &&
  reply.length <= FEW &&
  reply.every((member) => typeof member === "string" && member.length <= FEW)

function checkSlots(keys: readonly string[]): void {
  const [first, ...others] = keys
  if (first === undefined) return
  const slot = clusterSlot(first)
  const other = others.find((key) => clusterSlot(key) !== slot)
  if (other !== undefined) throw crossSlot(first, other)
}
