/* The keys of one logical database, one after another: the first thousands are kept
 * and learned from; from then on a key is known by its pattern, which is counted, and
 * only what no pattern owns is kept and learned from in its turn. */

import { UnknownPatterns } from "../unknown-patterns.ts"
import { classifierOf, type RowClassifier } from "./classify-rows.ts"
import { type Learned, mine } from "./mine.ts"
import { forbidden } from "../../schema/locate.ts"
import { type OfType, Row, takes, wantsValue } from "./row.ts"
import { shapeOf } from "./shape.ts"
import type { Reading } from "./values.ts"

/** A key, its TTL as PTTL has it, and its value, which is read where `wants` says so. */
export interface Observed {
  readonly key: string
  readonly ttlMs: number
  readonly type: string
}

interface Kept extends Observed, Learned {
  readonly reading: Reading | undefined
}

const LEARN = 3000
const MOST_ROUNDS = 12
const MOST_BYTES = 24_000_000

export class DatabaseMiner {
  readonly db: number
  rows: Row[] = []
  keys = 0
  /** Keys whose name is not text. */
  binary = 0
  /** Keys that nothing was learned from any more. */
  readonly strangers = new UnknownPatterns<{ keys: number; types: Map<string, number>; examples: string[] }>(() => ({
    keys: 0,
    types: new Map(),
    examples: [],
  }))
  #classifier: RowClassifier | undefined
  #pending: Kept[] = []
  #bytes = 0
  #rounds = 0
  /** A cheap source of chance: which values are read may not follow the keys. */
  #chance = 0x2545f491

  constructor(db: number) {
    this.db = db
  }

  /** Counts a key. What it returns takes its value, if that is worth reading. */
  note(observed: Observed): ((reading: Reading) => void) | undefined {
    this.keys++
    const of = this.#known(observed)
    if (of !== undefined)
      return wantsValue(of, this.#random()) ? (reading) => of.take(observed.key, reading) : undefined
    if (this.#rounds >= MOST_ROUNDS) {
      this.#stranger(observed)
      return undefined
    }
    return (reading) => this.#keep(observed, reading)
  }

  /** How many elements of a collection to read: all of the first ones. */
  elements(): number {
    return this.#classifier === undefined ? 200 : 60
  }

  /** Learns from what is left. */
  end(): void {
    for (let round = 0; round < 3 && this.#pending.length > 0; round++) this.#learn()
    for (let round = 0; round < 3 && this.#pending.length > 0; round++) this.#widen()
    for (const one of this.#pending) this.#stranger(one)
    this.#pending = []
  }

  #known({ key, type, ttlMs }: Observed): OfType | undefined {
    const classifier = this.#classifier
    const at = classifier === undefined ? -1 : classifier.classify(key)
    if (at < 0) return undefined
    const row = this.rows[at]!
    const { spans } = classifier!
    const { params, texts } = row
    for (let i = 0; i < params.length; i++)
      if (params[i]!.kind !== "text" && !takes(params[i]!.kind, key, spans[2 * i]!, spans[2 * i + 1]!)) return undefined
    const full = row.count < 1000 || (row.count & 63) === 0
    for (let i = 0; i < params.length; i++) {
      if (full) texts[i]!.add(key.slice(spans[2 * i], spans[2 * i + 1]))
      else texts[i]!.note(key, spans[2 * i], spans[2 * i + 1])
    }
    return row.add(key, type, ttlMs)
  }

  #keep(observed: Observed, reading: Reading): void {
    // Another page may have taught its pattern meanwhile.
    const of = this.#known(observed)
    if (of !== undefined) return of.take(observed.key, reading)
    const size = reading.elements.reduce((sum, element) => sum + element.length, observed.key.length + 64)
    this.#bytes += size
    const kept = this.#bytes < MOST_BYTES || size < 512
    this.#pending.push({ ...observed, ...shapeOf(reading), reading: kept ? reading : undefined })
    if (this.#pending.length >= LEARN) this.#learn()
  }

  #learn(): void {
    const kept = this.#pending
    this.#pending = []
    this.#bytes = 0
    this.#rounds++
    for (const { parts, keys } of mine(kept)) this.#row(parts, keys)
    this.#settle(kept)
    if (this.#pending.length >= LEARN / 2) for (const one of this.#pending.splice(0)) this.#stranger(one)
  }

  /** What has the form of a pattern but for its parameters belongs to it all the same: nobody else can own it. */
  #widen(): void {
    const classifier = this.#classifier!
    for (const { key } of this.#pending) {
      const row = this.rows[classifier.classify(key)]
      row?.params.forEach(({ kind }, i) => {
        if (!takes(kind, key, classifier.spans[2 * i]!, classifier.spans[2 * i + 1]!)) row.widen(i)
      })
    }
    const kept = this.#pending
    this.#pending = []
    this.#settle(kept)
  }

  /** Which pattern owns which key, anew; the keys that are left wait. */
  #settle(kept: readonly Kept[]): void {
    const { rows, classifier } = classifierOf(this.rows)
    this.rows = rows
    this.#classifier = classifier
    for (const one of kept) {
      const of = this.#known(one)
      if (of === undefined) this.#pending.push(one)
      else if (one.reading !== undefined) of.take(one.key, one.reading)
    }
  }

  #row(parts: Row["parts"], keys: readonly Learned[]): void {
    const made = new Row(parts)
    const known = this.rows.find(({ id }) => id === made.id)
    const row = known ?? made
    if (known === undefined) this.rows.push(row)
    if (row.params.length > 0) teach(row, keys)
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

/** Notes some texts of the parameters of a pattern, and which unusual characters they have. */
function teach(row: Row, keys: readonly Learned[]): void {
  const spelled = row.parts.map((part) =>
    typeof part === "string" ? part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : part.tag ? "\\{(.+?)\\}" : "(.+?)",
  )
  const form = new RegExp(`^${spelled.join("")}$`, "su")
  for (const [at, { key }] of keys.entries()) {
    if (at >= MOST_TAUGHT && !UNUSUAL.test(key)) continue
    const [, ...texts] = form.exec(key) ?? []
    texts.forEach((text, i) => {
      if (row.learned[i]!.length < MOST_TAUGHT) row.learned[i]!.push(text)
      for (const char of text) if (forbidden(char, row.allow[i]) !== undefined) row.allow[i] += char
    })
  }
}

const MOST_TAUGHT = 100
const UNUSUAL = /[\s\p{Cc}:{}*?[\]\\]/u
