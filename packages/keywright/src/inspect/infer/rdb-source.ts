/* An RDB file as a source. What becomes of a value is decided when its key has been
 * read, so that most values are passed over. Questions are answered by reading the
 * file once more. */

import type { Wire } from "../../driver/driver.ts"
import { type HashPair, type RdbKey, type RdbRecord, readRdb, type ZsetPair } from "../rdb/index.ts"
import { asWire, isText, maybeMangled } from "../wire.ts"
import type { DatabaseMiner } from "./database-miner.ts"
import { groupBy } from "./group-by.ts"
import type { Answer, Probe, Source } from "./source.ts"
import type { Reading } from "./values.ts"

const LONGEST = 1 << 20
const ELEMENTS = 400

export interface RdbSourceOptions {
  readonly databases?: readonly number[]
  readonly signal?: AbortSignal
}

export function rdbSource(path: string, { databases, signal }: RdbSourceOptions = {}): Source {
  const isMeant = (db: number) => databases === undefined || databases.includes(db)
  return {
    async read(minerOf) {
      // What takes the value of each key since the last batch, in their order.
      let taking: (((reading: Reading) => void) | undefined)[] = []
      const now = Date.now()
      const values = ({ db, key, type, expireAtMs }: RdbKey) => {
        const ttlMs = Number.isNaN(expireAtMs) ? -1 : Math.max(0, expireAtMs - now)
        const take = isMeant(db) ? note(minerOf(db), textOf(key), type, ttlMs) : undefined
        taking.push(take)
        return take === undefined ? "skip" : "full"
      }
      for await (const batch of readRdb(path, { values, maxElements: ELEMENTS, maxBytes: LONGEST, checksum: false })) {
        signal?.throwIfAborted()
        for (let i = 0; i < batch.length; i++) taking[i]?.(readingOf(batch.record(i)))
        taking = taking.slice(batch.length)
      }
    },
    ask: (probes) => ask(path, probes),
  }
}

/** A key that is not text is only counted. */
function note(miner: DatabaseMiner, key: Wire, type: string, ttlMs: number): ((reading: Reading) => void) | undefined {
  if (isText(key)) return miner.note({ key, type, ttlMs })
  miner.keys++
  miner.binary++
  return undefined
}

/** Faster than `asWire` where it is text, as it nearly always is. */
function textOf(bytes: Buffer): Wire {
  const text = bytes.toString()
  return maybeMangled(text) ? asWire(bytes) : text
}

const readingOf = (record: RdbRecord): Reading => ({
  type: record.type,
  elements: elementsOf(record),
  cut: record.cut === true || record.value === undefined,
})

function elementsOf({ type, value }: RdbRecord): Wire[] {
  if (value === undefined) return []
  if (type === "string") return [textOf(value as Buffer)]
  if (type === "hash") return (value as readonly HashPair[]).flatMap(([field, cell]) => [textOf(field), textOf(cell)])
  if (type === "zset")
    return (value as readonly ZsetPair[]).flatMap(([member, score]) => [textOf(member), String(score)])
  return type === "list" || type === "set" ? (value as readonly Buffer[]).map(textOf) : []
}

/** Reads the file again, and of it only what is asked for. */
async function ask(path: string, probes: readonly Probe[]): Promise<(Answer | undefined)[]> {
  const answers: (Answer | undefined)[] = Array.from(probes, () => undefined)
  if (probes.length === 0) return answers
  const byKey = groupBy(probes.entries(), ([, { db, key }]) => `${db} ${key}`)
  const sieve = new Sieve()
  for (const { key } of probes) sieve.add(Buffer.from(key))
  const values = ({ db, key }: RdbKey) => (sieve.has(key) && byKey.has(`${db} ${key.toString()}`) ? "full" : "skip")
  for await (const batch of readRdb(path, { values, checksum: false, maxBytes: LONGEST })) {
    for (let i = 0; i < batch.length; i++) {
      if (batch.value(i) === undefined) continue
      const record = batch.record(i)
      const elements = elementsOf(record)
      for (const [at, { type, member }] of byKey.get(`${record.db} ${record.key.toString()}`) ?? []) {
        if (type !== record.type) continue
        const found = member === undefined ? elements : holds(type, elements, member) ? [member] : []
        answers[at] = { elements: found, deadline: record.expireAtMs }
      }
    }
  }
  return answers
}

/** Most keys are not asked for: a few of their bytes tell that without making a text of them. */
class Sieve {
  readonly #bits = new Uint8Array(1 << 16)

  add(key: Uint8Array): void {
    this.#bits[this.#place(key)] = 1
  }

  has(key: Uint8Array): boolean {
    return this.#bits[this.#place(key)] === 1
  }

  #place(key: Uint8Array): number {
    const end = key.length
    let hash = end
    for (let i = Math.max(0, end - 6); i < end; i++) hash = Math.imul(hash ^ key[i]!, 0x01000193)
    hash = Math.imul(hash ^ key[end >> 1]!, 0x01000193)
    return (hash ^ (hash >>> 16)) & 0xffff
  }
}

function holds(type: string, elements: readonly Wire[], member: string): boolean {
  const width = type === "hash" || type === "zset" ? 2 : 1
  for (let i = 0; i < elements.length; i += width) if (elements[i] === member) return true
  return false
}
