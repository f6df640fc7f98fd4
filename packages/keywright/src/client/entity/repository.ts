/* What the operations of one entity share: its keys, its store, and how a change of
 * a record becomes a plan. Documents, indexes, mirrors, uniques, the list and the
 * deadline are written together, by one script, or not at all. */

import type { Command, Reply } from "../../driver/driver.ts"
import { recordExists, recordWrongType, RecordChanged, uniqueTaken } from "../../errors/record.ts"
import { text } from "../../schema/codec/text.ts"
import type { Entity } from "../../schema/entity.ts"
import { keyFormat } from "../../schema/key-format.ts"
import { type Declared, redactKey } from "../declared.ts"
import type { Lane } from "../lane.ts"
import { isDerived, type Plan } from "../plan.ts"
import { type IndexEntry, indexEntries, indexKeysOf, type IndexKeys } from "./index-entries.ts"
import { version } from "./known.ts"
import { type Document, type Loaded, type RecordStore, recordStore } from "./record-store.ts"

type Bound = Readonly<Record<string, unknown>>

export class Repository {
  readonly name: string
  readonly entity: Entity
  readonly lane: Lane
  readonly bound: Bound
  readonly store: RecordStore
  readonly record: Declared
  readonly indexes: readonly IndexKeys[]
  /** What stands before and after the id in a record's key. */
  readonly head: string
  readonly tail: string
  readonly counter: string | undefined
  readonly list: string | undefined
  /** Where the deadlines of records with a TTL are noted, for the sweeper. */
  readonly expiry: string
  readonly clock: () => Date
  readonly #redacts: boolean

  constructor(
    entity: Entity,
    name: string,
    declared: ReadonlyMap<string, Declared>,
    lane: Lane,
    bound: Bound,
    clock: () => Date = () => new Date(),
  ) {
    this.clock = clock
    this.name = name
    this.entity = entity
    this.lane = lane
    this.bound = bound
    this.record = declared.get(name)!
    this.store = recordStore(entity.store, this.record.row.pattern)
    this.indexes = indexKeysOf(entity, name, declared)
    const { pattern, params } = this.record.row
    const [head, tail] = keyFormat(pattern, { ...params, [entity.idField]: text })
      .build({ ...bound, [entity.idField]: SPLIT })
      .split(SPLIT)
    this.head = head!
    this.tail = tail!
    this.counter = declared.get(`${name}#counter`)?.build(bound)
    this.list = declared.get(`${name}#all`)?.build(bound)
    this.expiry = `keywright:expiry:${this.head}*${this.tail}`
    this.#redacts = Object.values(this.record.row.params).some((codec) => codec.secret)
  }

  keyOf(id: string): string {
    return this.record.build({ ...this.bound, [this.entity.idField]: id })
  }

  shown(key: string): string {
    return this.#redacts ? redactKey(this.record, key) : key
  }

  load(id: string, raw: Reply): Loaded | undefined {
    return this.store.load(raw, this.shown(this.head + id + this.tail))
  }

  read(key: string): Command {
    return this.store.read(key)
  }

  entriesOf(document: Document): IndexEntry[] {
    return indexEntries(this.name, this.indexes, document, this.bound)
  }

  /** Milliseconds that a record lives from its save on; undefined: forever. */
  get ttlMs(): number | undefined {
    const rule = this.record.row.ttl
    return rule && "ms" in rule ? rule.ms : undefined
  }

  /** The id of a record that comes from the counter: a placeholder until the script has allocated it. */
  allocate(plan: Plan): string {
    this.#expectType(plan, this.counter!, "string")
    return plan.allocate(this.counter!, this)
  }

  /** A record that is not there yet: its id was allocated, or must be free. */
  planCreate(plan: Plan, id: string, allocated: boolean, now: Loaded): void {
    const key = allocated ? this.head + id + this.tail : this.keyOf(id)
    if (!allocated) this.store.expect(plan, key, undefined, () => recordExists(this.name, id, this.shown(key)))
    this.#planEntries(plan, id, [], this.entriesOf(now.document))
    if (this.list !== undefined) {
      this.#expectType(plan, this.list, "set")
      plan.write("SADD", this.list, id)
    }
    this.store.write(plan, key, now, undefined, this.ttlMs, false)
    if (this.ttlMs !== undefined) this.#planExpiry(plan, id, undefined, this.entriesOf(now.document), this.ttlMs)
  }

  /** A record that is there, and is as it was loaded. */
  planUpdate(plan: Plan, id: string, before: Loaded, now: Loaded): void {
    const key = this.keyOf(id)
    const keepTtl = this.record.row.ttl?.on === "creation"
    this.expectUnchanged(plan, id, before)
    this.#planEntries(plan, id, this.entriesOf(before.document), this.entriesOf(now.document))
    this.store.write(plan, key, now, before, this.ttlMs, keepTtl)
    if (this.ttlMs !== undefined)
      this.#planExpiry(plan, id, this.entriesOf(before.document), this.entriesOf(now.document), this.ttlMs)
  }

  planDelete(plan: Plan, id: string, before: Loaded): void {
    this.expectUnchanged(plan, id, before)
    this.#planEntries(plan, id, this.entriesOf(before.document), [])
    if (this.list !== undefined) {
      this.#expectType(plan, this.list, "set")
      plan.write("SREM", this.list, id)
    }
    plan.write("UNLINK", this.keyOf(id))
    if (this.ttlMs !== undefined) this.#planExpiry(plan, id, this.entriesOf(before.document), undefined, this.ttlMs)
  }

  expectUnchanged(plan: Plan, id: string, before: Loaded): void {
    const key = this.keyOf(id)
    this.store.expect(plan, key, before, (found) => this.changed(id, key, found))
  }

  /** What a save finds when somebody else was faster; what stands there now comes along. */
  changed(id: string, key: string, found: Reply): RecordChanged {
    const current =
      this.store.type === "string" && typeof found === "string" ? this.store.load(found, this.shown(key)) : undefined
    return new RecordChanged(this.name, id, this.shown(key), current, current && version(current.raw))
  }

  /** Entries that went are removed, entries that came are written; the others stay as they are. */
  #planEntries(plan: Plan, id: string, before: readonly IndexEntry[], now: readonly IndexEntry[]): void {
    const old = new Map(before.map((entry) => [entry.key, entry]))
    const kept = new Set(now.map((entry) => entry.key))
    const ttlMs = this.ttlMs
    for (const { key, kind } of before) {
      if (kept.has(key)) continue
      if (kind === "unique") plan.write("DELIF", key, id)
      else {
        this.#expectType(plan, key, kind)
        plan.write(kind === "set" ? "SREM" : "ZREM", key, id)
      }
    }
    for (const { key, kind, index, score } of now) {
      const same = old.get(key)
      // A key made of a new id cannot be checked beforehand: the script looks at it when it knows the id.
      const derived = isDerived(key)
      if (kind === "unique") {
        if (same && ttlMs === undefined) continue
        if (!derived)
          plan.expectFree(key, id, this, (holder) =>
            uniqueTaken(this.name, isDerived(id) ? "" : id, index, key, String(holder)),
          )
        plan.write("SET", key, id, ...(ttlMs === undefined ? [] : ["PX", String(ttlMs)]))
      } else if (!same || same.score !== score) {
        if (!derived) this.#expectType(plan, key, kind)
        if (kind === "set") plan.write("SADD", key, id)
        else plan.write("ZADD", key, score!, id)
      }
    }
  }

  /** What the sweeper must know of a record: its id, and the keys whose entries end with it. */
  notedExpiry(id: string, document: Document): string {
    return noted(id, this.entriesOf(document))
  }

  /** Notes when a record ends, and which entries end with it. */
  #planExpiry(
    plan: Plan,
    id: string,
    before: readonly IndexEntry[] | undefined,
    now: readonly IndexEntry[] | undefined,
    ttlMs: number,
  ): void {
    const old = before && noted(id, before)
    const next = now && noted(id, now)
    this.#expectType(plan, this.expiry, "zset")
    if (old !== undefined && old !== next) plan.write("ZREM", this.expiry, old)
    const fixed = this.record.row.ttl?.on === "creation"
    // A deadline that runs from the record's creation stays when the record changes: only its note is moved.
    if (next !== undefined && (!fixed || old === undefined)) plan.write("ZADDIN", this.expiry, String(ttlMs), next)
    else if (next !== undefined && old !== next)
      plan.write("ZADDLEFT", this.expiry, this.keyOf(id), String(ttlMs), next)
  }

  #expectType(plan: Plan, key: string, type: "string" | "set" | "zset"): void {
    plan.expectType(key, type, (found) => recordWrongType(this.name, key, type, String(found)))
  }
}

const noted = (id: string, entries: readonly IndexEntry[]): string =>
  JSON.stringify([id, ...entries.filter(({ kind }) => kind !== "unique").map(({ key }) => key)])

const SPLIT = "0kwsplit0"
