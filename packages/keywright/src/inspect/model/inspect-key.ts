/* One key, as the schema sees it: whose it is, what it holds, and what it is related to. */

import type { Driver, Reply, Wire } from "../../driver/driver.ts"
import { isKeywrightError, KeywrightError } from "../../errors/error.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { decode, decodedOrNone } from "./decoding.ts"
import { type Document, hidesOrder } from "./entity-model.ts"
import { hidingSecrets } from "./hidden-fields.ts"
import { type Model, modelOf, type KeyModel } from "./model.ts"
import { firstRead, LENGTHS, partOf, readAs, SHORT_BYTES } from "./reading.ts"
import { type Database, databasesOf } from "../walk/databases.ts"
import { type KeyRelation, relationsOf } from "./key-relations.ts"
import { type OwnedKey, ownerIn, patternsIn } from "./owning-patterns.ts"
import { type RawValue, rawValue } from "./raw-value.ts"
import { showUnknown } from "./unknown-patterns.ts"
import { keyOf } from "./unreadable.ts"
import { isRefusal, type RefusedRead, RefusedReads } from "../walk/refusal.ts"
import { SAFE } from "../../driver/safe.ts"
import { showWire } from "../walk/wire.ts"

/**
 * Options of `inspectKey`.
 * @example
 * const options: InspectKeyOptions = { elements: 10 }
 * const cart = await inspectKey(shop, db.$driver(), "cart:EB93", options)
 */
export interface InspectKeyOptions {
  /** The logical database. Default: that of the pattern which owns the key. */
  readonly db?: number
  /** Shows secrets too. */
  readonly secrets?: boolean
  /** How many elements of a collection. Default: 100. */
  readonly elements?: number
}

/**
 * What `inspectKey` returns.
 * @example
 * const exists = ({ type }: InspectedKey) => type !== "none"
 */
export interface InspectedKey {
  readonly schemaVersion: 1
  readonly db: number
  /** Secrets redacted, unless they were asked for. */
  readonly key: string
  /** Absent when no pattern owns it. */
  readonly name?: string
  readonly pattern?: string
  readonly params?: Readonly<Record<string, string>>
  /** `"none"` when there is no such key. */
  readonly type: string
  readonly expectedType?: string
  /** Milliseconds; null for none. */
  readonly ttlMs: number | null
  readonly bytes: number | null
  readonly encoding: string | null
  /** Elements, or bytes of a string. */
  readonly length: number | null
  /**
   * Decoded: a value, or elements as they come; what cannot be decoded is `{ undecodable, raw }`. Where no pattern owns
   * the key, as it is on the server.
   */
  readonly value?: unknown
  /**
   * All of its value is secret, as of Keywright's own keys, or nothing says what is: no pattern owns it, or it has another
   * type. Shown only when secrets were asked for.
   */
  readonly hidden?: true
  /** Not all of the value is there. */
  readonly cut: boolean
  readonly relations: readonly KeyRelation[]
  /** What the server refused to read, by command: what it would have said is not known. */
  readonly unreadable?: readonly RefusedRead[]
}

/**
 * Everything about one key: TYPE, PTTL, MEMORY USAGE, OBJECT ENCODING, its length, its first elements decoded, and what it
 * is related to.
 * @example
 * const { type, ttlMs, value } = await inspectKey(shop, db.$driver(), "cart:EB93")
 */
export async function inspectKey(
  keyspace: Keyspace,
  driver: Driver,
  key: string,
  options: InspectKeyOptions = {},
): Promise<InspectedKey> {
  const { secrets = false, elements = 100 } = options
  const refused = new RefusedReads()
  const places = options.db === undefined ? {} : { databases: [options.db] }
  const databases = await databasesOf(keyspace, driver, places, (_, command, refusal) =>
    refused.note(command, refusal, keyOf(command)),
  )
  const model = modelOf(keyspace, databases, driver.cluster, 0)
  const { database, owned } = await locateKey(model, key)
  const row = owned?.row
  const [type, ttl, bytes, encoding] = await database.driver.batch(
    [
      ["TYPE", key],
      ["PTTL", key],
      ["MEMORY", "USAGE", key],
      ["OBJECT", "ENCODING", key],
    ],
    SAFE,
  )
  const measure = LENGTHS[String(type)]
  const [length = null] = measure === undefined ? [] : await database.driver.batch([[measure, key]], SAFE)
  const fits = row !== undefined && row.type === type
  const hides = !secrets && (!fits || row.secret === true)
  const read = fits && !hides ? await valueOf(database.driver, row, key, elements, secrets) : undefined
  const raw = fits || !secrets ? undefined : await rawValue(database.driver, String(type), key, elements)
  const show = (text: string) => (secrets ? text : row === undefined ? showUnknown(text) : row.show(text))
  return {
    schemaVersion: 1,
    db: database.db,
    key: show(key),
    ...(row !== undefined && {
      name: row.declared.name,
      pattern: row.declared.pattern,
      params: shownParams(row, owned!.params, secrets),
      expectedType: row.type,
    }),
    type: isRefusal(type) ? "unreadable" : String(type),
    ttlMs: typeof ttl === "number" && ttl >= 0 ? ttl : null,
    bytes: typeof bytes === "number" ? bytes : null,
    encoding: typeof encoding === "string" ? encoding : null,
    length: typeof length === "number" ? length : null,
    ...((read ?? raw) && { value: (read ?? raw)!.value }),
    ...(hides && type !== "none" && { hidden: true as const }),
    cut: (read ?? raw)?.cut ?? false,
    relations:
      row === undefined || type === "none"
        ? []
        : await relationsOf({ model, row, key, params: owned!.params, document: read?.document, secrets }),
    ...refused.result(),
  }
}

interface LocatedKey {
  readonly database: Database
  readonly owned: OwnedKey | undefined
}

/** The database that has the key, rather one where a pattern owns it; where none has it, one where it would be. */
async function locateKey(model: Model, key: string): Promise<LocatedKey> {
  const all = model.databases.map((database): LocatedKey => ({
    database,
    owned: ownerIn(patternsIn(model, database.db), key),
  }))
  const places = [...all.filter(({ owned }) => owned !== undefined), ...all.filter(({ owned }) => owned === undefined)]
  if (places.length > 1)
    for (const place of places) {
      const [count] = await place.database.driver.batch([["EXISTS", key]], SAFE)
      if (count === 1) return place
    }
  return places[0]!
}

function shownParams(row: KeyModel, params: Readonly<Record<string, string>>, secrets: boolean) {
  const hides = (name: string) => !secrets && row.secrets.has(name)
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, hides(name) ? "…" : text]))
}

interface ReadValue extends RawValue {
  readonly document?: Document | undefined
}

async function valueOf(
  driver: Driver,
  row: KeyModel,
  key: string,
  most: number,
  secrets: boolean,
): Promise<ReadValue | undefined> {
  const reply = await readAs(driver, row, firstRead(row, key))
  if (reply instanceof KeywrightError) return undefined
  const { elements: found, next } = partOf(row, reply)
  const elements = !secrets && hidesOrder(row) ? byMember(found) : found
  const { kind, shape } = row.declared
  const secret = secretsOf(row)
  const show = (codec: AnyCodec, raw: Reply): unknown => decodedWithoutSecrets(codec, raw, secrets, secret)
  const fields = (shape["fields"] ?? {}) as CodecFields
  const codecOf = (name: Reply) => (Object.hasOwn(fields, String(name)) ? fields[String(name)] : undefined)
  const field = (name: Reply, raw: Reply): [string, unknown] => {
    const codec = codecOf(name)
    return codec
      ? [String(name), show(codec, raw)]
      : [showWire(name as string), { undeclared: secrets ? String(raw) : "…" }]
  }
  const part = (name: string) => shape[name] as AnyCodec
  const pairs = <T>(make: (one: Reply, other: Reply) => T): T[] =>
    elements.flatMap((one, i) => (i % 2 === 0 && i / 2 < most ? [make(one, elements[i + 1]!)] : []))
  const some = elements.slice(0, most)
  const cut = next !== undefined || elements.length > (row.type === "hash" || row.type === "zset" ? 2 * most : most)
  switch (kind) {
    case "string":
    case "counter": {
      if (next !== undefined) return { value: `(a string of more than ${SHORT_BYTES} bytes)`, cut: true }
      const value = show(part("value"), elements[0]!)
      return { value, cut: false, document: asDocument(part("value"), elements[0]!) }
    }
    case "hash": {
      // Not what is shown: relations follow from the fields themselves.
      const read = pairs((name, raw) => {
        const codec = codecOf(name)
        return codec ? [[String(name), decodedOrNone(codec, raw)] as const] : []
      })
      return { value: Object.fromEntries(pairs(field)), cut, document: Object.fromEntries(read.flat()) }
    }
    case "map":
      return { value: pairs((name, raw) => [show(part("field"), name), show(part("value"), raw)]), cut }
    case "zset":
      return { value: pairs((one, score) => [show(part("member"), one), show(part("score"), score)]), cut }
    case "geo":
      return { value: pairs((one) => show(part("member"), one)), cut }
    case "set":
      return { value: some.map((one) => show(part("member"), one)), cut }
    case "list":
      return { value: some.map((one) => show(part("item"), one)), cut }
    case "stream":
      return { value: some.map((entry) => streamEntry(entry, field)), cut }
    default:
      return undefined
  }
}

/** The order of a small sorted set would tell which of two secret scores is the greater. */
const byMember = (elements: readonly Reply[]): Reply[] =>
  elements
    .flatMap((one, i) => (i % 2 === 0 ? [[one, elements[i + 1]!] as const] : []))
    .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))
    .flat()

/** Fields of its documents that are not shown: listed ones, and those that repeat a secret part of the key. */
function secretsOf({ secret, secrets }: KeyModel): readonly string[] | undefined {
  const names = [...(secret === true ? [] : secret), ...secrets]
  return names.length === 0 ? undefined : names
}

function streamEntry(entry: Reply, field: (name: Reply, raw: Reply) => [string, unknown]): unknown {
  const [id, words] = entry as readonly [Reply, readonly Reply[]]
  const values: [string, unknown][] = []
  for (let i = 0; i + 1 < words.length; i += 2) values.push(field(words[i]!, words[i + 1]!))
  return { id: String(id), ...Object.fromEntries(values) }
}

function decodedWithoutSecrets(
  codec: AnyCodec,
  raw: Reply,
  secrets: boolean,
  secret: readonly string[] | undefined,
): unknown {
  if (!secrets && codec.secret === true) return "…"
  try {
    const value = decode(codec, raw)
    if (secrets || secret === undefined) return value
    return hidingSecrets(codec, raw as Wire, value, (field) => secret.includes(field))
  } catch (error) {
    if (!isKeywrightError(error)) throw error
    const hides = !secrets && secret !== undefined
    return { undecodable: codec.name, raw: hides ? "…" : showWire(raw as string).slice(0, 200) }
  }
}

function asDocument(codec: AnyCodec, raw: Reply): Document | undefined {
  const value = decodedOrNone(codec, raw)
  return typeof value === "object" && value !== null ? (value as Document) : undefined
}
