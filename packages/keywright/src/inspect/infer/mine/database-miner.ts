/* The keys of one logical database, one after another: the first thousands are kept
 * and learned from; from then on a key is known by its pattern, which is counted, and
 * only what no pattern owns is kept and learned from in its turn.
 *
 * What is counted stays true: a pattern never loses a key that was counted for it, and
 * once a key has been counted as owned by nobody, no more patterns are learned. */

import type { Wire } from "../../../driver/driver.ts"
import { gapsOf, literalsOf } from "../../walk/gaps.ts"
import { isText } from "../../walk/wire.ts"
import { UnknownPatterns } from "../../model/unknown-patterns.ts"
import { classifierOf, leavesAll, type RowClassifier } from "./classify-rows.ts"
import { type Learned, mine, type Mined } from "./mine.ts"
import { RESERVED } from "./mine-words.ts"
import { forbidden } from "../../../schema/locate.ts"
import { OwnKeyCounter } from "./own-keys.ts"
import { type OfType, MinedRow, takes, wantsValue } from "./row.ts"
import { shapeOf } from "../values/shape.ts"
import { strays } from "../thresholds.ts"
import { straysIn } from "./strays.ts"
import { inOrder, type ReadValue } from "../values/values.ts"

/** A key, its TTL as PTTL has it, and its value, which is read where `wants` says so. */
export interface Observed {
  readonly key: string
  readonly ttlMs: number
  readonly type: string
}

/** A key whose name is not text. */
interface UnnamedKey extends Omit<Observed, "key"> {
  readonly key: Wire
}

const hasName = (observed: UnnamedKey): observed is Observed => isText(observed.key)

interface KeptKey extends Observed, Learned {
  readonly reading: ReadValue | undefined
}

const LEARN = 3000
const MOST_ROUNDS = 12
const MOST_BYTES = 24_000_000
const MOST_WAITING = 1000
const LONGEST_RESERVED = 8

const sizeOf = (key: string, reading: ReadValue | undefined): number =>
  reading?.elements.reduce((sum, element) => sum + element.length, key.length + 64) ?? key.length + 64

export class DatabaseMiner {
  readonly db: number
  rows: MinedRow[] = []
  keys = 0
  /** Keys whose name is not text. */
  binary = 0
  readonly strangers = new UnknownPatterns<Strangers>(() => ({ keys: 0, types: new Map(), examples: [] }))
  /** Some keys, of a small database all, and who owns them. */
  readonly witnesses: (readonly [key: string, owner: MinedRow | undefined])[] = []
  readonly own = new OwnKeyCounter()
  #classifier: RowClassifier | undefined
  #pending: KeptKey[] = []
  #bytes = 0
  #rounds = 0
  /** A cheap source of chance: which values are read may not follow the keys. */
  #chance = 0x2545f491

  constructor(db: number) {
    this.db = db
  }

  /** Counts a key. What it returns takes its value, if that is worth reading. */
  note(observed: Observed | UnnamedKey): ((reading: ReadValue | undefined) => void) | undefined {
    this.keys++
    if (!hasName(observed)) {
      this.binary++
      return undefined
    }
    if (this.own.note(observed)) return undefined
    const of = this.#known(observed, this.#isLearned)
    if (of !== undefined)
      return wantsValue(of, this.#random()) ? (reading) => reading && of.take(observed.key, reading) : undefined
    if (!this.#isLearned) return (reading) => this.#keep(observed, reading)
    this.#stranger(observed)
    return undefined
  }

  /** Some keys that no pattern may own. */
  get unowned(): string[] {
    return [...this.strangers.groups.values(), this.own].flatMap(({ examples }) => examples)
  }

  /** How many elements of a collection to read: all of the first ones. */
  elements(): number {
    return this.#classifier === undefined ? 200 : 60
  }

  /** Learns from what is left. */
  end(): void {
    // Sorted, so that a server and its file, which return keys in different orders, yield the same.
    const kept = this.#pending.sort((a, b) => (a.key < b.key ? -1 : 1))
    this.#pending = []
    if (this.#isLearned || kept.length === 0) return
    let left: readonly KeptKey[] = kept
    for (let round = 0; round < 3 && left.length > 0; round++) {
      for (const one of mine(left)) this.#row(one)
      left = this.#settle(kept)
    }
    for (let round = 0; round < 3 && left.filter((one) => this.#widen(one)).length > 0; round++)
      left = this.#settle(kept)
    for (const one of kept) {
      this.witnesses.push([one.key, this.rows[this.#classifier!.classify(one.key)]])
      const of = this.#known(one, true)
      if (of === undefined) this.#stranger(one)
      else if (one.reading !== undefined) of.take(one.key, one.reading)
    }
  }

  /** From now on a key is what the patterns say about it: one that was found to have none must not get one later. */
  get #isLearned(): boolean {
    return this.#rounds >= MOST_ROUNDS
  }

  /** The pattern of a key; `loose`: also where a parameter does not look as usual, if no other pattern owns the key. */
  #known({ key, type, ttlMs }: Observed, loose: boolean): OfType | undefined {
    const at = this.#classifier?.classify(key) ?? -1
    if (at < 0) return undefined
    const row = this.rows[at]!
    const { spans } = this.#classifier!
    const fits = this.#takes(row, key)
    if (!loose && (!fits || this.#isOdd(row, key, type))) return undefined
    const { params, texts } = row
    const full = row.count < 1000 || (row.count & 63) === 0
    for (let i = 0; i < params.length; i++) {
      if (full) texts[i]!.add(key.slice(spans[2 * i], spans[2 * i + 1]))
      else texts[i]!.note(key, spans[2 * i], spans[2 * i + 1])
    }
    const of = row.add(key, type, ttlMs)
    if (!fits && of.misfits++ < 2) of.misfitting.push(key)
    return of
  }

  /** Whether the key that was classified last has a type, or a word for an id, that says that it is something else. */
  #isOdd({ count, params, types }: MinedRow, key: string, type: string): boolean {
    const last = params.length - 1
    if (count < strays.leastOfPattern || last < 0 || params[last]!.kind !== "text") return false
    if (!types.has(type)) return true
    const { spans } = this.#classifier!
    const [start, end] = [spans[2 * last]!, spans[2 * last + 1]!]
    return end - start <= LONGEST_RESERVED && RESERVED.has(key.slice(start, end))
  }

  /** Whether every parameter of the key that was classified last is of its kind. */
  #takes({ params, matching }: MinedRow, key: string): boolean {
    const { spans } = this.#classifier!
    for (let i = 0; i < params.length; i++)
      if (!takes(params[i]!.kind, key, spans[2 * i]!, spans[2 * i + 1]!)) return false
    if (matching === undefined) return true
    return matching.whole.test(key.slice(spans[2 * matching.param], spans[2 * matching.param + 1]))
  }

  #keep(observed: Observed, given: ReadValue | undefined): void {
    // Another page may have taught its pattern meanwhile.
    const of = this.#known(observed, this.#isLearned)
    if (of !== undefined) return given && of.take(observed.key, given)
    if (this.#isLearned) return this.#stranger(observed)
    const reading = given && inOrder(given)
    const size = sizeOf(observed.key, reading)
    this.#bytes += size
    const kept = this.#bytes < MOST_BYTES || size < 512
    const shape = reading === undefined ? { shape: observed.type } : shapeOf(reading)
    this.#pending.push({ ...observed, ...shape, reading: kept ? reading : undefined })
    if (this.#pending.length >= LEARN) this.#learn()
  }

  #learn(): void {
    const kept = this.#pending
    this.#rounds++
    const mined = mine(kept)
    const isNamed = ({ parts }: Mined) => parts.some((part) => typeof part !== "string")
    for (const one of mined.filter(isNamed)) this.#row(one)
    this.#settle(kept)
    // A key without parameters may be one of several of a kind that come yet: it waits, unless a pattern would take it.
    const single = mined.filter((one) => !isNamed(one))
    const isTaken = ({ keys }: Mined) => this.#classifier!.classify(keys[0]!.key) >= 0
    const areMany = this.#isLearned || single.length >= MOST_WAITING
    for (const one of single) if (areMany || isTaken(one)) this.#row(one)
    const left = new Set(this.#settle(kept))
    if (left.size >= LEARN / 2) this.#rounds = MOST_ROUNDS
    this.#pending = this.#isLearned ? [] : [...left]
    this.#bytes = this.#pending.reduce((sum, { key, reading }) => sum + sizeOf(key, reading), 0)
    for (const one of kept) {
      if (!this.#isLearned && left.has(one)) continue
      const of = this.#known(one, true)
      if (of === undefined) this.#stranger(one)
      else if (one.reading !== undefined) of.take(one.key, one.reading)
    }
  }

  /** Lets a pattern take a key that has its form except for one parameter. False if it has no such pattern, or takes it. */
  #widen({ key }: KeptKey): boolean {
    const { classify, spans } = this.#classifier!
    const row = this.rows[classify(key)]
    const narrow = row?.params.findIndex(({ kind }, i) => !takes(kind, key, spans[2 * i]!, spans[2 * i + 1]!)) ?? -1
    if (narrow < 0) return false
    return this.#change(row!, () => row!.widen(narrow))
  }

  /** Changes a pattern, unless it has keys and the change could take some from another. */
  #change(row: MinedRow, change: () => void): boolean {
    const { parts, params, id, allow } = row
    row.allow = [...allow]
    change()
    if (row.count === 0 || leavesAll(this.rows, row)) return true
    Object.assign(row, { parts, params, id, allow })
    return false
  }

  /** Decides again which pattern owns which key, without patterns that own none; the keys that are left. */
  #settle(kept: readonly KeptKey[]): KeptKey[] {
    for (;;) {
      const { rows, classifier } = classifierOf(this.rows)
      this.#classifier = classifier
      const used = new Set(rows.filter(({ count }) => count > 0))
      const left = kept.filter(({ key }) => {
        const row = rows[classifier.classify(key)]
        if (row !== undefined) used.add(row)
        return row === undefined || !this.#takes(row, key)
      })
      this.rows = rows.filter((row) => used.has(row))
      if (this.rows.length === rows.length) return left
    }
  }

  #row({ parts, keys, known: software }: Mined): void {
    const made = new MinedRow(parts)
    const known = this.rows.find(({ id }) => id === made.id)
    if (known === undefined) this.rows.push(made)
    ;(known ?? made).known ??= software
    this.#change(known ?? made, () => teach(known ?? made, keys))
  }

  /** Leaves keys that nothing else resembles without a pattern. */
  disownStrays(): void {
    const strays = new Set(straysIn(this.rows, this.keys))
    for (const row of strays) this.#stranger({ key: row.pattern(), type: "string", ttlMs: -1 })
    this.rows = this.rows.filter((row) => !strays.has(row))
  }

  #stranger({ key, type }: Observed): void {
    const group = this.strangers.of(key)
    group.keys++
    group.types.set(type, (group.types.get(type) ?? 0) + 1)
    if (group.examples.length < 3) group.examples.push(key)
  }

  #random(): number {
    this.#chance = Math.imul(this.#chance, 1664525) + 1013904223
    return (this.#chance >>> 0) / 2 ** 32
  }
}

interface Strangers {
  keys: number
  readonly types: Map<string, number>
  readonly examples: string[]
}

/** Notes some texts of the parameters of a pattern, and which unusual characters they have. */
function teach(row: MinedRow, keys: readonly Learned[]): void {
  row.weight += keys.length
  if (row.params.length === 0) return
  const literals = literalsOf(
    row.parts.flatMap((part) => (typeof part === "string" ? part : part.tag ? ["{", undefined, "}"] : [undefined])),
  )
  for (const [at, { key }] of keys.entries()) {
    if (at >= MOST_TAUGHT && !UNUSUAL.test(key)) continue
    gapsOf(key, literals)?.forEach((text, i) => {
      if (row.learned[i]!.length < MOST_TAUGHT) row.learned[i]!.push(text)
      for (const char of text) if (forbidden(char, row.allow[i]) !== undefined) row.allow[i] += char
    })
  }
}

const MOST_TAUGHT = 100
const UNUSUAL = /[\s\p{Cc}:{}*?[\]\\]/u
