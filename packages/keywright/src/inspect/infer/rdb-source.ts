/* An RDB file as a source, as of when it was written. What becomes of a value is decided when its key has been
 * read, so that most values are passed over. Questions are answered by reading the
 * file once more. */

import type { Wire } from "../../driver/driver.ts"
import { LONGEST_NAME, type RdbKey, type RdbRecord, readRdb } from "../rdb/index.ts"
import { elementsOf } from "../snapshot/snapshot-key.ts"
import { savedAt } from "../snapshot/saved-at.ts"
import { asWire, maybeMangled } from "../walk/wire.ts"
import type { InferOptions } from "./infer.ts"
import { groupBy } from "../../schema/group-by.ts"
import type { ProbeAnswer, Probe, KeySource } from "./source.ts"
import { LARGE_BYTES, MOST_ELEMENTS, MOST_LARGE, MOST_PROBED, STRING_BYTES } from "./value-limits.ts"
import type { ReadValue } from "./values/values.ts"

const LIMITS = {
  maxElements: MOST_ELEMENTS,
  maxBytes: LARGE_BYTES,
  prefix: STRING_BYTES + 1,
  streams: "newest",
  longestName: LONGEST_NAME,
} as const

export function rdbSource(
  path: string,
  { databases, signal }: Pick<InferOptions, "databases" | "signal"> = {},
): KeySource {
  const isMeant = (db: number) => databases === undefined || databases.includes(db)
  return {
    async read(minerOf) {
      // What takes the value of each key since the last batch, in their order.
      let taking: ({ readonly take: (reading: ReadValue) => void; readonly most: number } | undefined)[] = []
      let large = 0
      let time: ReturnType<typeof savedAt> | undefined
      const values = (asked: RdbKey) => {
        const { db, text, type, expireAtMs } = asked
        time ??= savedAt(reader.facts)
        const ttlMs = Number.isNaN(expireAtMs) ? -1 : Math.max(0, expireAtMs - time.latest)
        const key = maybeMangled(text) ? asWire(asked.key) : text
        const isThere = isMeant(db) && !(expireAtMs <= time.earliest)
        const miner = isThere ? minerOf(db) : undefined
        const take = miner?.note({ key, type, ttlMs })
        taking.push(take && { take, most: miner!.elements() })
        return take === undefined ? "skip" : "full"
      }
      const reader = readRdb(path, { values, ...LIMITS })
      for await (const batch of reader) {
        signal?.throwIfAborted()
        for (let i = 0; i < batch.length; i++) {
          const { take, most } = taking[i] ?? {}
          take?.(readingOf(batch.record(i), most!, () => large++ < MOST_LARGE))
        }
        taking = taking.slice(batch.length)
      }
    },
    ask: (probes) => ask(path, probes),
  }
}

/** What a server would have returned for this record when asked for `most` elements. */
function readingOf(record: RdbRecord, most: number, takesLarge: () => boolean): ReadValue {
  const { type, encoding, value } = record
  const isCut = record.cut === true || value === undefined
  if (type === "string" && value !== undefined && value.length > STRING_BYTES) {
    const isWhole = takesLarge() && !isCut
    return { type, elements: [asWire(isWhole ? value : value.subarray(0, STRING_BYTES + 1))], cut: !isWhole }
  }
  const elements = elementsOf(record)
  // A server returns a packed collection as a whole, and of others about as many elements as it is asked for.
  const isWhole = type === "string" || (type !== "list" && type !== "stream" && PACKED.test(encoding))
  if (isWhole || (record.length ?? 0) <= most) return { type, elements, cut: isCut }
  return { type, elements: firstOf(elements, type, most), cut: true }
}

const PACKED = /^(?:listpack|listpackex|ziplist|zipmap|intset)$/

function firstOf(elements: readonly Wire[], type: string, most: number): readonly Wire[] {
  if (type !== "stream") return elements.slice(0, type === "hash" || type === "zset" ? 2 * most : most)
  let at = 0
  for (let left = most; left > 0 && at < elements.length; left--) at += 1 + Number(elements[at])
  return elements.slice(0, at)
}

/** Reads the file again, but only what is requested. */
async function ask(path: string, probes: readonly Probe[]): Promise<(ProbeAnswer | undefined)[]> {
  const answers: (ProbeAnswer | undefined)[] = Array.from(probes, () => undefined)
  if (probes.length === 0) return answers
  const byKey = groupBy(probes.entries(), ([, { db, key }]) => `${db} ${key}`)
  const sieve = new Sieve()
  for (const { key } of probes) sieve.add(key)
  const values = ({ db, text }: RdbKey) => (sieve.has(text) && byKey.has(`${db} ${text}`) ? "full" : "skip")
  for await (const batch of readRdb(path, { values, ...LIMITS, maxElements: Infinity, checksum: false })) {
    for (let i = 0; i < batch.length; i++) {
      if (batch.value(i) === undefined) continue
      const record = batch.record(i)
      const asked = (byKey.get(`${record.db} ${record.key.toString()}`) ?? []).filter(
        ([, { type }]) => type === record.type,
      )
      const isWhole = asked.some(([, { member }]) => member === undefined)
      const elements = isWhole ? firstOf(elementsOf(record), record.type, MOST_PROBED) : []
      const members = membersIn(record, new Set(asked.flatMap(([, { member }]) => member ?? [])))
      for (const [at, { member }] of asked) {
        const found = member === undefined ? elements : members.has(member) ? [member] : []
        answers[at] = { elements: found, deadline: record.expireAtMs }
      }
    }
  }
  return answers
}

/** Most keys are not requested: a few of their characters are enough to see that. */
class Sieve {
  readonly #bits = new Uint8Array(1 << 17)

  add(key: string): void {
    this.#bits[this.#place(key)] = 1
  }

  has(key: string): boolean {
    return this.#bits[this.#place(key)] === 1
  }

  #place(key: string): number {
    const end = key.length
    let hash = end
    for (let i = Math.max(0, end - 6); i < end; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ key.charCodeAt(end >> 1), 0x01000193)
    return (hash ^ (hash >>> 15)) & 0x1ffff
  }
}

/** Which of these are in a collection. No text is made of an element that cannot be one of them. */
function membersIn({ value }: RdbRecord, wanted: ReadonlySet<string>): Set<string> {
  const found = new Set<string>()
  if (wanted.size === 0 || !Array.isArray(value)) return found
  const likely = new Uint8Array(1 << 16)
  const place = (bytes: Uint8Array) =>
    ((bytes.length & 63) << 10) ^ (bytes[bytes.length - 1]! << 3) ^ bytes[bytes.length >> 1]!
  for (const member of wanted) likely[place(Buffer.from(member))] = 1
  for (const element of value as readonly (Buffer | readonly [Buffer, unknown])[]) {
    const bytes = Buffer.isBuffer(element) ? element : element[0]
    if (likely[place(bytes)] !== 1) continue
    const text = bytes.toString()
    if (wanted.has(text)) found.add(text)
  }
  return found
}
