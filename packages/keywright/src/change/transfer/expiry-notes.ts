/* The notes on when records expire, which no pattern of the schema owns: in a cluster there
 * is one sorted set for each hash tag, on a single server one for each entity. So they are
 * taken apart, and put together as the other place has them. */

import {
  EXPIRY,
  type EndingPatterns,
  endingPatterns,
  expiryKey,
  noteOf,
  readEnding,
} from "../../client/entity/expiry.ts"
import type { Command, Driver, Reply } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import { ScanCursor } from "../../driver/scan-cursor.ts"
import { KeywrightError } from "../../errors/error.ts"
import { pace, type WalkOptions } from "../../inspect/walk/walk.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { locate, slotsOf } from "../../schema/locate.ts"
import type { Relocate } from "./relocate.ts"

interface ExpiringEntity {
  readonly record: Key
  readonly patterns: EndingPatterns
}

const PART = 1000

type NotesPace = Pick<WalkOptions, "rate" | "signal">

/** Copies all notes to the driver of each record's database. Those of records that have gone are harmless: a sweep removes them. */
export class ExpiryNotes {
  readonly #entities: readonly ExpiringEntity[]
  readonly #relocate: Relocate

  constructor(keyspace: Keyspace, relocate: Relocate) {
    this.#entities = keyspace.keys
      .filter(({ entity, ttl }) => entity?.role === "record" && ttl !== undefined && ttl.on !== "never")
      .map((record) => ({ record, patterns: endingPatterns(keyspace, record.entity!.name) }))
    this.#relocate = relocate
  }

  /** Whether a key holds such notes. */
  static isOne = (key: string): boolean => key.startsWith(EXPIRY)

  /** As many as there are now: what comes meanwhile is copied by the next round, and a source that never ends is. */
  async copy(from: Driver, key: string, to: (db: number) => Driver, options: NotesPace = {}): Promise<void> {
    const entity = this.#entities.find(({ record }) => key.endsWith(`:${record.pattern}`))
    if (entity === undefined) return
    const size = Number(await from.send(["ZCARD", key], SAFE))
    const place = new ScanCursor("ZCARD")
    place.advance(key, size)
    if (place.isLong) await place.requireRoom(from)
    const started = performance.now()
    for (let at = 0; at < size; at += PART) {
      const found = await from.send(["ZRANGE", key, String(at), String(at + PART - 1), "WITHSCORES"], SAFE)
      const flat = found as readonly Reply[]
      if (flat.length === 0) return
      await this.#write(entity, flat.slice(0, 2 * PART), to)
      if (options.rate !== undefined) await pace(options.rate, at + PART, started, options.signal)
    }
  }

  async #write(
    { record, patterns }: ExpiringEntity,
    flat: readonly Reply[],
    to: (db: number) => Driver,
  ): Promise<void> {
    const commands = new Map<Driver, Command[]>()
    for (let i = 0; i + 1 < flat.length; i += 2) {
      const ended = readEnding(String(flat[i]), patterns)
      const there = ended && this.#relocate(record, ended.record)
      if (ended === undefined || there === undefined) continue
      const driver = to(there.row.db)
      const { head, bound } = splitRecordKey(there.row, there.key)
      const own = Object.entries(ended.texts).filter(([name]) => !Object.hasOwn(record.params, name))
      const note = noteOf(ended.id, { ...bound, ...Object.fromEntries(own) })
      const key = expiryKey(there.row.pattern, head, driver.cluster)
      commands.set(driver, [...(commands.get(driver) ?? []), ["ZADD", key, String(flat[i + 1]), note]])
    }
    for (const [driver, list] of commands)
      for (const reply of await driver.batch(list, SAFE)) if (reply instanceof KeywrightError) throw reply
  }
}

/** What is before the id in the key of a record, and the texts of the parameters there. */
function splitRecordKey({ pattern, params }: Key, key: string): { head: string; bound: Record<string, string> } {
  const [first, slots] = slotsOf(pattern, params)
  const texts = locate(key, first, slots) ?? {}
  const bound: Record<string, string> = {}
  let head = first
  for (const { name, tail } of slots.slice(0, -1)) {
    bound[name] = texts[name] ?? ""
    head += bound[name] + tail
  }
  return { head, bound }
}
