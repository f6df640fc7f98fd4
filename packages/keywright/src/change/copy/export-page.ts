/* A page of keys as an export reads them: values by the type in the schema, together with
 * deadlines, in one batch; what turns out to be larger, of another type or not text is
 * read separately. */

import type { Command, Driver, Reply, Wire } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { SAFE } from "../../driver/safe.ts"
import { isRefusal, isTooLarge, isUnknownCommand, reasonOfRefusal } from "../../inspect/walk/refusal.ts"
import { sizeOfReply } from "../../inspect/walk/wire.ts"
import { askEach } from "../ask-each.ts"
import { KeyDigest } from "./digest.ts"
import { expiringHashes, expiringParts } from "./field-deadlines.ts"
import { type WrittenKey, type OwnedKey, writeKey, writeParts, writeUnreadable } from "./key-lines.ts"
import { digestPart, firstRead, readValueParts, typeOf, type ValuePart, wholeOf } from "./key-value.ts"
import type { LineWriter } from "./line-writer.ts"
import type { KeyType } from "./lines.ts"
import { isRestorable } from "./restorable.ts"

export interface ReadKey extends OwnedKey {
  readonly pexpireat: number | undefined
  /** Undefined when it has to be read part by part. */
  readonly whole: ValuePart | undefined
  /** Why it could not be read: nothing else is known of it then. */
  readonly refusal?: KeywrightError
}

/** How many keys are read at once at first, and how many characters from then on. */
const FIRST_KEYS = 32
const AT_ONCE = 8_000_000
/** In characters: after so much of a page, each of the other keys is read separately. */
const MOST_OF_PAGE = 32_000_000
/** In bytes: a longer string is read separately. */
const MOST_OF_STRING = 65_536

/**
 * Everything of some keys; those that have gone are passed over, those that could not be read say why. Of keys whose
 * values are large, only some: a page of them could be more than fits into memory.
 */
export async function readPage(driver: Driver, keys: readonly OwnedKey[]): Promise<ReadKey[]> {
  const types = await typesOf(driver, keys)
  const read: ReadKey[] = []
  let size = 0
  let count = FIRST_KEYS
  for (let from = 0; from < keys.length;) {
    const to = from + count
    const some = await readSome(driver, keys.slice(from, to), types.slice(from, to), size < MOST_OF_PAGE)
    read.push(...some.read)
    size += some.size
    // The others are likely to be as large as these.
    count = Math.max(1, Math.floor((count * AT_ONCE) / (some.size + 1)))
    from = to
  }
  return read
}

/** `withValues`: otherwise, each value is read separately. */
async function readSome(
  driver: Driver,
  keys: readonly OwnedKey[],
  types: readonly (KeyType | KeywrightError)[],
  withValues: boolean,
): Promise<{ readonly read: readonly ReadKey[]; readonly size: number }> {
  const commands: Command[] = []
  for (let i = 0; i < keys.length; i++) {
    const { key } = keys[i]!
    const type = types[i]!
    commands.push(["PEXPIRETIME", key], withValues && !isRefusal(type) ? beginning(type, key) : ["EXISTS", key])
  }
  const replies = await driver.batch(commands, SAFE)
  await askOldServer(driver, keys, replies)
  const read: ReadKey[] = []
  for (let i = 0; i < keys.length; i++) {
    const deadline = replies[2 * i]!
    if (deadline === -2) continue
    const value = replies[2 * i + 1]!
    const { key, owner } = keys[i]!
    const type = types[i]!
    // GETRANGE and EXISTS may be refused where what reads the value is not.
    const isRead = commands[2 * i + 1]![0] === firstRead(type as KeyType, key)[0]
    const refusal = [type, deadline, isRead ? value : null].find(isRefusal)
    if (refusal !== undefined || isRefusal(type)) {
      read.push({ key, owner, pexpireat: undefined, whole: undefined, refusal: refusal! })
      continue
    }
    const elements = withValues && isWhole(type, value) ? wholeOf(type, value) : undefined
    const whole = elements === undefined || elements.length === 0 ? undefined : { type, elements }
    read.push({ key, owner, pexpireat: expiry(deadline), whole })
  }
  return { read, size: sizeOfReply(replies) }
}

/** What is read of a value with others. Streams and values of modules are always read separately. */
function beginning(type: KeyType, key: Wire): Command {
  if (type === "stream" || type === "other") return ["EXISTS", key]
  return type === "string" ? ["GETRANGE", key, "0", String(MOST_OF_STRING - 1)] : firstRead(type, key)
}

/** False: it is to be read separately. GETRANGE answers an empty text where the key has gone meanwhile. */
function isWhole(type: KeyType, value: Reply): boolean {
  if (value === null || value instanceof KeywrightError) return false
  return type !== "string" || (value !== "" && Buffer.byteLength(value as string) < MOST_OF_STRING)
}

/** Servers before 7.0 know how long a key has left, and not until when: that is as exact as can be had. In place. */
async function askOldServer(driver: Driver, keys: readonly OwnedKey[], replies: Reply[]): Promise<void> {
  const open = keys.flatMap((_, i) => (isUnknownCommand(replies[2 * i]) ? [i] : []))
  if (open.length === 0) return
  const left = await askEach(driver, open, (i) => ["PTTL", keys[i]!.key])
  const now = Date.now()
  open.forEach((i, at) => {
    const ms = left[at]!
    replies[2 * i] = typeof ms === "number" && ms >= 0 ? now + ms : ms
  })
}

/** The type in the schema, and for keys that no pattern owns the type on the server, or why it could not be read. */
async function typesOf(driver: Driver, keys: readonly OwnedKey[]): Promise<(KeyType | KeywrightError)[]> {
  const types: (KeyType | KeywrightError | undefined)[] = keys.map(({ owner }) => owner.type)
  const open = types.flatMap((type, i) => (type === undefined ? [i] : []))
  if (open.length > 0) {
    const replies = await askEach(driver, open, (i) => ["TYPE", keys[i]!.key])
    open.forEach((i, at) => {
      const reply = replies[at]!
      types[i] = isRefusal(reply) ? reply : typeOf(reply)
    })
  }
  return types as (KeyType | KeywrightError)[]
}

const expiry = (deadline: Reply): number | undefined => (Number(deadline) > 0 ? Number(deadline) : undefined)

/**
 * Writes the lines of keys that were read; `flush` takes them whenever they are many. Reports what became of each key.
 * `fieldDeadlines`: the server can have some.
 */
export async function writePage(
  driver: Driver,
  read: readonly ReadKey[],
  fieldDeadlines: boolean,
  lines: LineWriter,
  flush: () => Promise<void>,
  note: (key: OwnedKey, ended: WrittenKey) => void,
): Promise<void> {
  const expiring = fieldDeadlines ? await expiringHashes(driver, read) : undefined
  for (const one of read) {
    if (lines.size >= MOST_BYTES) await flush()
    const { key, whole, pexpireat, refusal } = one
    const reason = expiring?.get(key) ?? (refusal && reasonOfRefusal(refusal, key))
    if (reason !== undefined) note(one, writeUnreadable(lines, driver.db, one, reason))
    else if (whole !== undefined) note(one, writeKey(lines, driver.db, one, pexpireat, whole))
    else {
      const written = await writeSeparately(driver, one, fieldDeadlines, lines, flush)
      if (written !== undefined) note(one, written)
    }
  }
}

/** A key that is read part by part; undefined when it has gone. */
async function writeSeparately(
  driver: Driver,
  one: OwnedKey,
  fieldDeadlines: boolean,
  lines: LineWriter,
  flush: () => Promise<void>,
): Promise<WrittenKey | undefined> {
  const { key } = one
  const unreadable = (reason: string) => writeUnreadable(lines, driver.db, one, reason)
  let begun: KeyType | undefined
  lines.begin()
  try {
    const [type, pexpireat] = await typeAndDeadline(driver, key)
    if (type === undefined) return undefined
    const ending = fieldDeadlines && type === "hash" ? await expiringParts(driver, key) : undefined
    if (ending !== undefined) return unreadable(ending)
    const values = type === "other" ? await moduleValue(driver, key) : readValueParts(driver, key, type)
    if (values === "unreadable") return unreadable(UNKNOWN_TYPE)
    return await writeParts(lines, driver.db, one, type, pexpireat, values, () => {
      begun = type
      return flush()
    })
  } catch (error) {
    if (!isTooLarge(error) && !isServerError(error)) throw error
    lines.drop() // The part that was read before it has an open line.
    return writeUnreadable(lines, driver.db, one, reasonOfRefusal(error, key), begun)
  }
}

const isServerError = (error: unknown): error is KeywrightError =>
  error instanceof KeywrightError && error.code.startsWith("SERVER.")

const UNKNOWN_TYPE = "a value of an unknown type, which is not that of a module"

/** The value of a key whose type is not Redis' own, as DUMP has it; no import would take any but a module's. */
async function moduleValue(driver: Driver, key: Wire): Promise<readonly ValuePart[] | "unreadable"> {
  const parts: ValuePart[] = []
  for await (const part of readValueParts(driver, key, "other")) {
    if (!(await isRestorable(part))) return "unreadable"
    parts.push(part)
  }
  return parts
}

const MOST_BYTES = 4_000_000

/** No type when there is no such key. Throws when one of them could not be read. */
export async function typeAndDeadline(
  driver: Driver,
  key: Wire,
): Promise<[type: KeyType | undefined, pexpireat: number | undefined]> {
  const replies = await askEach(driver, ["TYPE", "PEXPIRETIME"], (name) => [name, key])
  if (isUnknownCommand(replies[1])) {
    const [left] = await driver.batch([["PTTL", key]], SAFE)
    replies[1] = typeof left === "number" && left >= 0 ? Date.now() + left : left!
  }
  const refusal = replies.find(isRefusal)
  if (refusal !== undefined) throw refusal
  const [type, deadline] = replies as [Reply, Reply]
  return [type === "none" ? undefined : typeOf(type), expiry(deadline)]
}

/** The digest of a key as it is on a server now; undefined when there is no such key. */
export async function digestOnServer(driver: Driver, key: Wire): Promise<string | undefined> {
  const [type, pexpireat] = await typeAndDeadline(driver, key)
  return type === undefined ? undefined : (await digestOfParts(driver, key, type, pexpireat)).toString()
}

/** The digest that a key has, or would have under the name `as`. */
export async function digestOfParts(
  driver: Driver,
  key: Wire,
  type: KeyType,
  pexpireat: number | undefined,
  as: Wire = key,
): Promise<KeyDigest> {
  const digest = KeyDigest.of(type, as)
  for await (const part of readValueParts(driver, key, type)) digestPart(digest, part)
  return digest.end(pexpireat)
}

/** The digests of many keys that should be of these types, by key; those that are not there are missing. */
export async function digestsOnServer(
  driver: Driver,
  keys: readonly { readonly key: Wire; readonly type: KeyType }[],
): Promise<Map<Wire, string>> {
  const owned = keys.map(({ key, type }) => ({
    key,
    owner: { row: undefined, name: "", type, leave: undefined, toolkit: false },
  }))
  const digests = new Map<Wire, string>()
  for (const { key, whole, pexpireat, refusal } of await readPage(driver, owned)) {
    if (refusal !== undefined) throw refusal
    const digest = whole === undefined ? await digestOnServer(driver, key) : digestOf(key, whole, pexpireat)
    if (digest !== undefined) digests.set(key, digest)
  }
  return digests
}

export function digestOf(key: Wire, whole: ValuePart, pexpireat: number | undefined): string {
  const digest = KeyDigest.of(whole.type, key)
  digestPart(digest, whole)
  return digest.end(pexpireat).toString()
}
