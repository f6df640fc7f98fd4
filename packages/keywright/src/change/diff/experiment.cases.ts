/* What really happens when programs of two schemas meet on one server: the four of the table, as
 * typed clients that know only their own schema. Every sample of a writer's values is written,
 * every reader compares what it gets with what was meant; the worst that happened is the outcome.
 *
 * Wrong without an error is: another value, nothing at all, a key that ends sooner than the
 * reader's schema promises, an index that does not lead to the record; and for a writer, what
 * audit by the new schema finds of it. */

import { connect, type Keyspace } from "../../index.ts"
import { audit } from "../../inspect/audit/audit.ts"
import type { Driver } from "../../driver/driver.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { Key } from "../../schema/key.ts"
import { samplesOf, type Stored } from "./codec-samples.ts"
import type { Scene } from "./scenes.cases.ts"
import type { Cell, Verdicts } from "./verdict.ts"

type Outcome = Exclude<Cell, "n/a">

// oxlint-disable-next-line typescript/no-explicit-any -- clients of schemas that are data have no types.
type Any = any

const rank: readonly Outcome[] = ["works", "fails to read", "fails", "silent"]
const worst = (found: readonly Outcome[]): Outcome =>
  found.reduce((one, other) => (rank.indexOf(one) < rank.indexOf(other) ? other : one), "works")

/** A program of one schema that works with one entry. */
interface Program {
  readonly keyspace: Keyspace
  readonly key: Key
  readonly items: readonly Item[]
  /** Writes it, and says under which id. */
  write(item: Item): Promise<Item>
  /** The value alone. */
  peek(item: Item): Promise<unknown>
  /** The value, by every way that the schema knows. */
  read(item: Item): Promise<unknown>
  /** Milliseconds that the key has left. */
  left(item: Item): Promise<number>
  /** As if so much time had passed. */
  age(item: Item, ms: number): Promise<unknown>
}

/** Something to be written: under which id, and what. `raw` is a spelling of it that other languages use. */
interface Item {
  readonly params: Readonly<Record<string, unknown>>
  readonly content: unknown
  readonly raw?: string
}

interface Stage {
  readonly old: Program
  readonly now: Program
  readonly driver: Driver
  /** Names of fields that the other side calls otherwise. */
  readonly renamed: Readonly<Record<string, string>>
}

export async function happened(scene: Scene, url: string, driver: Driver): Promise<Verdicts<Outcome>> {
  const [oldName, newName] = scene.names ?? ["x", "x"]
  const options = { sweep: false } as const
  const [oldDb, newDb] = [await connect(scene.before, url, options), await connect(scene.after, url, options)]
  const most = scene.codes.some((code) => /^(CODEC|FIELD|ENUM|LIMIT|CONTENT|PARAM|COLUMN|SCORE|KIND)/.test(code))
    ? 80
    : 4
  try {
    const isEntity = scene.records !== undefined
    const old = isEntity
      ? recordProgram(scene, oldDb, oldName, 0)
      : plainProgram(scene.before, oldDb, oldName, driver, most)
    const now = isEntity
      ? recordProgram(scene, newDb, newName, 1)
      : plainProgram(scene.after, newDb, newName, driver, most)
    const stage = { old, now, driver, renamed: scene.renamed ?? {} }
    return isEntity
      ? both(await meet(stage), await meetOverRecords(stage))
      : both(await meet(stage), await meetOverTime(stage))
  } finally {
    await Promise.all([oldDb.$close(), newDb.$close()])
  }
}

const both = (one: Verdicts<Outcome>, other: Verdicts<Outcome>): Verdicts<Outcome> => ({
  oldReader: worst([one.oldReader, other.oldReader]),
  newReader: worst([one.newReader, other.newReader]),
  oldWriter: worst([one.oldWriter, other.oldWriter]),
  newWriter: worst([one.newWriter, other.newWriter]),
})

async function meet(stage: Stage): Promise<Verdicts<Outcome>> {
  const { old, now, driver } = stage
  const clear = () => driver.send(["FLUSHALL"])
  const found: Record<keyof Verdicts, Outcome[]> = { oldReader: [], newReader: [], oldWriter: [], newWriter: [] }
  // Every value is read once; only the first, and those that were misread, are written over.
  const places = new Set([0, 1, 2])
  const seen = new Map<string, number>()
  const noted = (who: string, outcome: Outcome, i: number) => {
    const count = (seen.get(who + outcome) ?? 0) + 1
    seen.set(who + outcome, count)
    if (outcome !== "works" && count <= 2) places.add(i)
    return outcome
  }
  for (const [i, item] of now.items.entries()) {
    await clear()
    found.oldReader.push(noted("old", await readBy(old, now, await now.write(item), stage), i))
  }
  for (const [i, item] of old.items.entries()) {
    await clear()
    const there = await old.write(item)
    const read = noted("new", await readBy(now, old, there, stage), i)
    found.newReader.push(read)
    found.oldWriter.push(read, ...(i === 0 ? [await damage(stage)] : []))
  }
  for (const i of [...places].filter((one) => one < Math.max(old.items.length, now.items.length))) {
    const [item, mine] = [old.items[i % old.items.length]!, now.items[i % now.items.length]!]
    await clear()
    found.newWriter.push(await updateBy(now, old, await old.write(item), mine, stage))
    if (!(await canName(old, mine))) continue
    await clear()
    const there = await now.write(mine)
    found.oldWriter.push(await updateBy(old, now, there, item, stage), ...(i === 0 ? [await damage(stage)] : []))
    found.oldReader.push(...(await overwritten(stage, item, mine)))
  }
  return {
    oldReader: worst(found.oldReader),
    newReader: worst(found.newReader),
    oldWriter: worst(found.oldWriter),
    newWriter: worst(found.newWriter),
  }
}

/** A program reads what another wrote. */
async function readBy(reader: Program, writer: Program, item: Item, stage: Stage): Promise<Outcome> {
  try {
    const left = await reader.left(item)
    const got = await reader.read(item)
    if (!same(got, item, reader, writer, stage)) return "silent"
    return left < promised(reader.key) ? "silent" : "works"
  } catch (error) {
    return expected(error)
  }
}

/** A program that finds what another wrote: reads it, and writes its own under the same id. */
async function updateBy(program: Program, other: Program, there: Item, item: Item, stage: Stage): Promise<Outcome> {
  let before: unknown
  let first: Outcome = "works"
  let isOtherType = false
  try {
    before = await program.peek(there)
    if (!same(before, there, program, other, stage)) first = "silent"
  } catch (error) {
    first = expected(error) === "fails" ? "fails to read" : "silent"
    isOtherType = (error as { code?: string }).code === "SERVER.WRONGTYPE"
  }
  try {
    const own = await program.write({ ...item, params: there.params })
    // A SET over a key of another type: what was there is gone, and nobody was told.
    if (isOtherType) return "silent"
    const after = await program.read(own)
    if (!same(after, own, program, program, stage)) return "silent"
    return worst([first, isKept(before, after, other.key) ? "works" : "silent"])
  } catch (error) {
    // What made reading fail makes reading again fail.
    return first === "fails to read" && !isOtherType ? first : expected(error)
  }
}

/** The old reader again, where a new program has written over what was there. */
async function overwritten({ old, now, driver }: Stage, item: Item, mine: Item): Promise<Outcome[]> {
  await driver.send(["FLUSHALL"])
  const there = await old.write(item)
  const before = await old.peek(there).catch(() => undefined)
  try {
    await now.write({ ...mine, params: there.params })
  } catch {
    return []
  }
  try {
    return [isKept(before, await old.peek(there), old.key) ? "works" : "silent"]
  } catch (error) {
    return [expected(error)]
  }
}

/** What audit by the new schema finds of what an old writer has left. */
async function damage({ old, now, driver }: Stage): Promise<Outcome> {
  const { summary } = await audit(now.keyspace, driver, { databases: [...new Set([old.key.db, now.key.db])] })
  const codes = Object.keys(summary).filter((code) => !/^(KEY|VALUE\.(?!TOO_MANY)|TTL\.UNDECIDED)/.test(code))
  return codes.length > 0 ? "silent" : "works"
}

async function canName(program: Program, item: Item): Promise<boolean> {
  try {
    await program.left(item)
    return true
  } catch {
    return false
  }
}

/** Thrown on purpose: a mistake in this experiment is none of its outcomes. */
function expected(error: unknown): Outcome {
  const { code } = error as { code?: string }
  if (typeof code === "string" && /^[A-Z_]+\.[A-Z_0-9]+$/.test(code)) return "fails"
  throw error
}

const slack = 60_000

const promised = ({ ttl }: Key): number => {
  if (ttl === undefined || ttl.on === "never") return Infinity
  if (ttl.on === "bound") return 0
  const ms = ttl.on === "choice" ? Math.min(...ttl.choices.map((one) => (one === "never" ? Infinity : one))) : ttl.ms
  return ms - slack
}

// ── over time ──────────────────────────────────────────────────────────────

/** A writer that reads, or writes again, when half of the time is over: where is the deadline then? */
async function meetOverTime({ old, now, driver }: Stage): Promise<Verdicts<Outcome>> {
  const [was, is] = [old.key.ttl, now.key.ttl]
  const counts = (rule: Key["ttl"]) => rule !== undefined && "ms" in rule && rule.on !== "bound"
  if (!counts(was) || !counts(is))
    return { oldReader: "works", newReader: "works", oldWriter: "works", newWriter: "works" }
  const half = Math.min((was as { ms: number }).ms, (is as { ms: number }).ms) / 2
  const reader: Record<"old" | "now", Outcome[]> = { old: [], now: [] }
  const writer: Outcome[] = []
  for (const event of ["read", "write"] as const) {
    for (const [one, other, side] of [
      [old, now, "now"],
      [now, old, "old"],
    ] as const) {
      // Early, and shortly before the end.
      for (const passed of new Set([half, (one.key.ttl as { ms: number }).ms - half])) {
        await driver.send(["FLUSHALL"])
        const item = await one.write(one.items[0]!)
        await one.age(item, passed)
        await (event === "read" ? one.read(item) : one.write(item))
        const left = await one.left(item)
        const due = dueAfter(other.key, passed, event)
        reader[side].push(left < due - slack ? "silent" : "works")
        if (one === old) writer.push(Math.abs(left - due) > slack ? "silent" : "works")
      }
    }
  }
  return { oldReader: worst(reader.old), newReader: worst(reader.now), oldWriter: worst(writer), newWriter: "works" }
}

/** What a schema promises to be left, when this happened after so long. */
function dueAfter({ ttl }: Key, passed: number, event: "read" | "write"): number {
  const { on, ms } = ttl as { on: string; ms: number }
  return on === "access" || (on === "write" && event === "write") ? ms : ms - passed
}

// ── over several records ───────────────────────────────────────────────────

/** What only shows with more than one record: values that two share, ids that two hand out, entries that are left behind. */
async function meetOverRecords(stage: Stage): Promise<Verdicts<Outcome>> {
  const { old, now, driver } = stage
  const clear = () => driver.send(["FLUSHALL"])
  const attempt = async (work: () => Promise<unknown>): Promise<Outcome> => {
    try {
      await work()
      return "works"
    } catch (error) {
      return expected(error)
    }
  }
  const oldWriter: Outcome[] = []
  const newWriter: Outcome[] = []
  // Everything that the one has, updated by the other.
  await clear()
  const theirs: Item[] = []
  for (const item of old.items) await attempt(async () => theirs.push(await old.write(item)))
  for (const item of theirs) {
    const outcome = await attempt(() => now.write(item))
    newWriter.push(outcome === "fails" && (await attempt(() => now.peek(item))) === "fails" ? "fails to read" : outcome)
  }
  // New records beside those of the other.
  for (const [mine, other, outcomes] of [
    [now, old, newWriter],
    [old, now, oldWriter],
  ] as const) {
    await clear()
    await attempt(() => other.write({ ...other.items[0]!, params: { id: "1" } }))
    outcomes.push(await attempt(() => mine.write({ ...mine.items[1]!, params: { id: undefined } })))
  }
  // A value that a record had, and that is free again.
  await clear()
  const first = await old.write(old.items[0]!)
  const changed = await attempt(() => now.write({ ...now.items[1]!, params: first.params }))
  if (changed === "works") oldWriter.push(await attempt(() => old.write({ ...old.items[0]!, params: { id: "9" } })))
  return { oldReader: "works", newReader: "works", oldWriter: worst(oldWriter), newWriter: worst(newWriter) }
}

// ── values ─────────────────────────────────────────────────────────────────

/** Elements that were there and that this reader counts on: they may only be lost to its own cap. */
function isKept(before: unknown, after: unknown, { keep = Infinity, kind }: Key): boolean {
  if (kind !== "list" && kind !== "zset" && kind !== "map") return true
  const [was, is] = [elements(before), new Set(elements(after).map(spell))]
  const room = Math.max(0, keep - (is.size - was.filter((one) => is.has(spell(one))).length))
  return was.filter((one) => is.has(spell(one))).length >= Math.min(was.length, room)
}

const elements = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value instanceof Map ? [...value] : isRecord(value) ? Object.entries(value) : []

/** Whether a reader got what was meant. Text and bytes mean whatever is stored. */
function same(
  got: unknown,
  { content, raw }: Item,
  reader: Program,
  writer: Program,
  { renamed, old }: Stage,
): boolean {
  if (got === undefined) return false
  const [there, from] = [reader.key, writer.key]
  const meant = reader === writer ? content : translated(content, reader === old ? renamed : swapped(renamed))
  const cap = Math.min(there.keep ?? Infinity, from.keep ?? Infinity)
  if (there.kind !== from.kind)
    return comparable(there, from) && spell(known(got, there)) === spell(known(meant, there))
  if (["list", "set", "zset", "map"].includes(there.kind)) {
    const [has, sent] = [elements(got).map((one) => known(one, there)), elements(meant).map((one) => known(one, there))]
    const isPlain = there.kind === "list" || there.kind === "set"
    if (cap < Infinity || (isPlain && (isRaw(there) || isRaw(from)))) return has.length >= Math.min(sent.length, cap)
    return sent.every((one) => has.some((other) => spell(one) === spell(other)))
  }
  if (there.kind === "string" && (isRaw(there) || isRaw(from)) && !isPacked(from) && !isPacked(there))
    return !isRaw(there) || bytesOf(got).equals(bytesOf(raw ?? mainCodec(from)!.encode(meant)))
  const [one, other] = [known(got, there), known(meant, there)]
  return spell(one) === spell(other) || spell(one) === spell(withDefaults(one, other)) || byPlace(one, other)
}

const bytesOf = (value: unknown): Buffer => Buffer.from(value as string)

const comparable = (one: Key, other: Key): boolean =>
  [one, other].every(({ kind }) => kind === "string" || kind === "counter") ||
  [one, other].every(({ kind }) => kind === "hash" || kind === "map")

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Only the fields that the reader's schema knows: of others it says nothing. */
function known(value: unknown, { kind, shape }: Key): unknown {
  const plain = value instanceof Map ? Object.fromEntries(value) : value
  if (!isRecord(plain)) return value
  const { fields, value: codec } = shape as { fields?: object; value?: AnyCodec }
  const schema = codec?.spec?.codec === "json" ? (codec.spec.schema as { properties?: object } | undefined) : undefined
  const names = kind === "map" ? undefined : (fields ?? schema?.properties)
  return names === undefined ? plain : Object.fromEntries(Object.entries(plain).filter(([name]) => name in names))
}

/** A field that was absent may have been filled in by the reader. */
const withDefaults = (got: unknown, meant: unknown): unknown =>
  isRecord(got) && isRecord(meant) ? { ...got, ...meant } : meant

/** Columns of other names are the same by their place. */
const byPlace = (one: unknown, other: unknown): boolean =>
  isRecord(one) &&
  isRecord(other) &&
  Object.keys(one).every((name) => !(name in other)) &&
  Object.keys(one).length === Object.keys(other).length &&
  Object.keys(one).length > 0 &&
  spell(Object.values(one)) === spell(Object.values(other))

const swapped = (names: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(names).map(([one, other]) => [other, one]))

/** The content with the reader's own names: `names` are those of the reader, with the writer's. */
const translated = (content: unknown, names: Readonly<Record<string, string>>): unknown =>
  isRecord(content)
    ? Object.fromEntries(
        Object.entries(content).map(([name, one]) => [
          Object.keys(names).find((own) => names[own] === name) ?? name,
          one,
        ]),
      )
    : content

const baseOf = (spec: { codec: string; of?: never }): string =>
  ["secret", "optional", "id", "trimmed"].includes(spec.codec) ? baseOf(spec.of as never) : spec.codec

const mainCodec = ({ shape }: Key): AnyCodec | undefined => Object.values(shape as Record<string, AnyCodec>)[0]

const isRaw = (key: Key): boolean => {
  const codec = mainCodec(key)
  return codec?.spec !== undefined && ["text", "bytes"].includes(baseOf(codec.spec as never))
}

const isPacked = (key: Key): boolean => {
  const codec = mainCodec(key)
  return codec?.spec !== undefined && ["compressed", "packedInts"].includes(baseOf(codec.spec as never))
}

/** A value as text: numbers of all types alike, columns by name. */
function spell(value: unknown): string {
  if (value instanceof Date) return `t${value.getTime()}`
  if (value instanceof Uint8Array) return Buffer.from(value).toString("latin1")
  if (value instanceof Map) return spell(Object.fromEntries([...value].map(([name, one]) => [spell(name), one])))
  if (Array.isArray(value)) return `[${value.map(spell).join()}]`
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => `${name}:${spell(one)}`)
      .sort()
      .join()}}`
  return String(value)
}

// ── plain keys ─────────────────────────────────────────────────────────────

function plainProgram(keyspace: Keyspace, db: Any, name: string, driver: Driver, most: number): Program {
  const key = keyspace.keys.find((one) => one.name === name)!
  const entry = name.split(".").reduce((at, part) => at[part], db)
  const names = Object.keys(key.params)
  const handle = ({ params }: Item): Any => {
    // Ids are handed over as they are meant; parameters of another name by their place.
    const given = Object.values(params)
    const own = names.map((one, i) => [one, carried(one in params ? params[one] : (given[i] ?? "1"), key.params[one]!)])
    return names.length === 0 ? entry() : entry(Object.fromEntries(own))
  }
  const verbs = verbsOf[key.kind]!
  const notes = key.ttl?.on === "choice" ? { ttl: shortest(key) } : key.ttl?.on === "bound" ? { ttl: "1h" } : undefined
  const read = async (item: Item) => verbs.read(handle(item), item.content)
  return {
    keyspace,
    key,
    items: itemsOf(key).slice(0, most),
    write: async (item) => {
      await verbs.write(handle(item), item.content, notes)
      if (item.raw !== undefined) await driver.send(["SET", handle(item).key, item.raw])
      return item
    },
    read,
    peek: read,
    left: async (item) => {
      const left = await handle(item).ttl()
      return left === "never" ? Infinity : left === "missing" ? 0 : left
    },
    age: async (item, ms) => {
      const left = (await handle(item).ttl()) as number
      return driver.send(["PEXPIRE", handle(item).key, String(left - ms)])
    },
  }
}

/** The same id for another codec: a number where text is wanted, and the other way round. */
function carried(id: unknown, codec: AnyCodec): unknown {
  const forms = [id, String(id), ...(String(Number(id)) === id ? [Number(id)] : [])]
  const fits = (form: unknown) => {
    try {
      codec.encode(form)
      return true
    } catch {
      return false
    }
  }
  return forms.find(fits) ?? id
}

const shortest = ({ ttl }: Key): string => {
  const choices = ttl?.on === "choice" ? ttl.choices : []
  return choices.includes("never") ? "never" : `${Math.min(...(choices as number[]))}ms`
}

interface Verbs {
  write(handle: Any, content: Any, notes: object | undefined): Promise<unknown>
  read(handle: Any, content: Any): Promise<unknown>
}

const verbsOf: Readonly<Record<string, Verbs>> = {
  string: { write: (h, c, n) => h.set(c, n), read: (h) => h.get() },
  counter: { write: (h, c, n) => h.set(c, n), read: async (h) => ((await h.exists()) ? h.get() : undefined) },
  hash: { write: (h, c, n) => h.replace(c, n), read: (h) => h.get() },
  map: { write: (h, c, n) => h.setMany(c, n), read: async (h) => emptyAs(await h.all()) },
  list: { write: (h, c, n) => h.pushRightMany(c, n), read: async (h) => emptyAs(await h.range(0, -1)) },
  set: { write: (h, c, n) => h.addMany(c, n), read: async (h) => emptyAs(await h.members()) },
  zset: { write: (h, c, n) => h.addMany(c, n), read: async (h) => emptyAs(await h.rangeWithScores(0, -1)) },
  stream: {
    write: (h, c, n) => h.append(c, n),
    read: async (h) => {
      const found = await h.range()
      return found.at(-1)?.value
    },
  },
  bitmap: {
    write: (h, c, n) => h.setMany(c, true, n),
    read: async (h) => ((await h.exists()) ? bits(await h.getMany([...Array(64).keys()])) : undefined),
  },
  hyperloglog: {
    write: (h, c, n) => h.addMany(c, n),
    read: async (h, c) => ((await h.exists()) && (await h.count()) === c.length ? c : (await h.count(), undefined)),
  },
  geo: {
    write: (h, c, n) => h.addMany(c, n),
    read: async (h, c) =>
      (await h.size()) === c.length ? h.positions(c.map(([member]: [unknown]) => member)).then(() => c) : undefined,
  },
}

const bits = (found: boolean[]): number[] => found.flatMap((bit, i) => (bit ? [i] : []))

const emptyAs = <T>(found: T): T | undefined =>
  (Array.isArray(found) && found.length === 0) || (found instanceof Map && found.size === 0) ? undefined : found

const SEGMENT = /^[^\s:{}*?[\]\\\p{Cc}]+$/u

/** Ids first, each with one content; then every content under one id. */
function itemsOf(key: Key): Item[] {
  const contents = contentsOf(key)
  const ids = idsOf(key)
  const params = ids[0]!
  return [
    ...contents.slice(0, 1).map((content) => ({ params, content })),
    ...ids.slice(1).map((other) => ({ params: other, content: contents[0] })),
    ...contents.slice(1).map((content) => ({ params, content })),
    ...foreignSpellings(key).map(([content, raw]) => ({ params, content, raw })),
  ]
}

/** Texts that the codec reads and does not write itself: what programs in other languages write. */
function foreignSpellings({ kind, shape }: Key): [unknown, string][] {
  const codec = (shape as { value?: AnyCodec }).value
  if (kind !== "string" || codec === undefined || codec.decodeBytes) return []
  return samplesOf(codec.spec).flatMap((text): [unknown, string][] => {
    const content = codec.decode(text as string)
    return codec.spec.codec !== "json" && codec.encode(content) !== text ? [[content, text as string]] : []
  })
}

function idsOf({ params }: Key): Record<string, unknown>[] {
  const all = Object.entries(params).map(
    ([name, codec]) => [name, values(codec).filter((one) => SEGMENT.test(String(codec.encode(one))))] as const,
  )
  const count = Math.max(1, ...all.map(([, found]) => Math.min(found.length, 14)))
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(all.map(([name, found], j) => [name, found[(i + j) % found.length]])),
  )
}

/** Values that a codec writes. */
function values(codec: AnyCodec): unknown[] {
  const read = (raw: Stored) => (codec.decodeBytes ? codec.decodeBytes(Buffer.from(raw)) : codec.decode(raw as string))
  return samplesOf(codec.spec).map(read)
}

function contentsOf({ kind, shape, keep }: Key): unknown[] {
  const { value, field, item, member, score, fields } = shape as Record<string, AnyCodec> & {
    fields: Record<string, AnyCodec>
  }
  switch (kind) {
    case "string":
    case "counter":
      return values(value!)
    case "hash":
    case "stream":
      return records(fields)
    case "map":
      return zip(values(field!), values(value!)).map((pair) => [pair])
    case "list":
      return [values(item!).slice(0, keep === undefined ? undefined : 20), ...values(item!).map((one) => [one])]
    case "set":
      return values(member!).map((one) => [one])
    case "zset":
      return [
        unique(zip(values(member!), values(score!))),
        ...zip(values(member!), values(score!)).map((pair) => [pair]),
      ]
    case "hyperloglog":
      return [["a", "b", "c"]]
    case "geo":
      return [[["a", { longitude: 13.4, latitude: 52.5 }]]]
    default:
      return [[1, 7, 9]]
  }
}

const unique = (pairs: [unknown, unknown][]) => [...new Map(pairs.map((pair) => [spell(pair[0]), pair])).values()]

const zip = (one: readonly unknown[], other: readonly unknown[]): [unknown, unknown][] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, i) => [one[i % one.length], other[i % other.length]])

/** With everything, and with only what is required. */
function records(fields: Readonly<Record<string, AnyCodec>>): Record<string, unknown>[] {
  const all = Object.entries(fields).map(([name, codec]) => [name, values(codec), codec.optional === true] as const)
  const count = Math.max(...all.map(([, found]) => found.length))
  const whole = Array.from({ length: count }, (_, i) =>
    Object.fromEntries(all.map(([name, found]) => [name, found[i % found.length]])),
  )
  return [
    ...whole,
    Object.fromEntries(all.filter(([, , optional]) => !optional).map(([name, found]) => [name, found[0]])),
  ]
}

// ── records ────────────────────────────────────────────────────────────────

/** Reads by every way that the schema knows: by id, by each index and mirror, from the set of all. */
function recordProgram({ records, before, after }: Scene, db: Any, name: string, side: 0 | 1): Program {
  const keyspace = side === 0 ? before : after
  const all = (side === 0 ? records!.before : records!.after) as Record<string, unknown>[]
  const entity = (keyspace.entries as Any)[name]
  const client = db[name]
  const key = keyspace.keys.find((one) => one.name === name)!
  const peek = async ({ params, content }: Item) => {
    const got = await client.get(params["id"])
    if (got === undefined) return undefined
    const { createdAt: _, updatedAt: __, ...rest } = got
    return { ...rest, id: (content as Any).id }
  }
  const isFound = async (id: string, got: Any): Promise<boolean> => {
    for (const [index, { fields, where, patterns }] of Object.entries(entity.index as Record<string, Any>)) {
      const isIn = Object.entries((where ?? {}) as object).every(([field, one]) => got[field] === one)
      if ((await client.listIds(index, pick(got, fields))).includes(id) !== isIn) return false
      for (const mirror of patterns.slice(1))
        if ((await db.$driver().send(["SISMEMBER", spelled(mirror, got), id])) !== 1) return false
    }
    for (const [index, { fields }] of Object.entries(entity.unique as Record<string, Any>))
      if ((await client.find(index, pick(got, fields)))?.id !== id) return false
    if (entity.all !== undefined && !(await client.ids()).includes(id)) return false
    return entity.stamps.every((stamp: string) => stamp in got)
  }
  return {
    keyspace,
    key,
    items: all.map((record) => ({ params: { id: record["id"] }, content: record })),
    write: async ({ params, content }) => {
      const id = params["id"]
      if (id !== undefined && (await client.exists(id))) {
        await client.replace(id, { ...(content as object), id })
        return { params, content }
      }
      const { id: _, ...rest } = content as Record<string, unknown>
      const made = await client.create(entity.ids === "counter" ? rest : { ...rest, id: id ?? "2" })
      return { params: { id: made.id }, content }
    },
    peek,
    read: async (item) => {
      const got = await client.get(item.params["id"])
      return got !== undefined && (await isFound(item.params["id"] as string, got)) ? peek(item) : undefined
    },
    left: async () => Infinity,
    age: async () => undefined,
  }
}

const spelled = (pattern: string, record: Any): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => String(record[name]))

const pick = (record: Any, fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, record[field]]))
