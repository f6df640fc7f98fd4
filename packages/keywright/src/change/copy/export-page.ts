/* A page of keys as lines of an export: values are read by the type that the schema
 * says, deadlines beside them, in one batch; what turns out to be larger, of another
 * type or not text is read by itself. */

import type { Command, Driver, Reply, Wire } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { SAFE } from "../../inspect/safe.ts"
import { KeyDigest } from "./digest.ts"
import { digestPart, firstRead, lineValue, partsOf, typeOf, type ValuePart, wholeOf } from "./key-value.ts"
import { type KeyLine, type KeyType, lineWord } from "./lines.ts"
import type { Owner } from "./owners.ts"

export interface OwnedKey {
  readonly key: Wire
  readonly owner: Owner
}

/** One key's lines, ready or still to be read part by part. */
export interface ExportedKey {
  readonly key: Wire
  readonly pattern: string
  readonly lines: string | (() => AsyncGenerator<string, Ended | undefined>)
  readonly ended?: Ended
}

export interface Ended {
  readonly digest: string | undefined
  readonly leftOut: boolean
}

/** Everything of some keys of one database; keys that have gone are passed over. */
export async function exportPage(driver: Driver, db: number, keys: readonly OwnedKey[]): Promise<ExportedKey[]> {
  const types = await typesOf(driver, keys)
  const commands: Command[] = []
  keys.forEach(({ key }, i) => commands.push(["PEXPIRETIME", key], firstRead(types[i]!, key)))
  const replies = await driver.batch(commands, SAFE)
  const exported: ExportedKey[] = []
  for (let i = 0; i < keys.length; i++) {
    const deadline = replies[2 * i]!
    const value = replies[2 * i + 1]!
    const one = keys[i]!
    if (deadline === -2) continue
    const pattern = one.owner.name
    const type = types[i]!
    const elements = value === null || value instanceof KeywrightError ? undefined : wholeOf(type, value)
    if (elements === undefined || elements.length === 0) {
      exported.push({ key: one.key, pattern, lines: () => largeKey(driver, db, one) })
      continue
    }
    const { text, ended } = wholeKey(db, one, expiry(deadline), { type, elements })
    exported.push({ key: one.key, pattern, lines: text, ended })
  }
  return exported
}

/** What the schema says, and of keys that nobody owns what the server says. */
async function typesOf(driver: Driver, keys: readonly OwnedKey[]): Promise<KeyType[]> {
  const types: (KeyType | undefined)[] = keys.map(({ owner }) => owner.type)
  const open = types.flatMap((type, i) => (type === undefined ? [i] : []))
  if (open.length > 0) {
    const replies = await driver.batch(
      open.map((i) => ["TYPE", keys[i]!.key]),
      SAFE,
    )
    open.forEach((i, at) => (types[i] = typeOf(replies[at]!)))
  }
  return types as KeyType[]
}

const expiry = (deadline: Reply): number | undefined => (Number(deadline) > 0 ? Number(deadline) : undefined)

/** A key that fits into one line. */
export function wholeKey(
  db: number,
  { key, owner }: OwnedKey,
  pexpireat: number | undefined,
  part: ValuePart,
): { text: string; ended: Ended } {
  const rest = owner.leave?.rest(part)
  if (rest === "secret")
    return { text: secretLine(db, key, owner, part.type), ended: { digest: undefined, leftOut: true } }
  const fields = rest === undefined || rest.fields.length === 0 ? undefined : rest.fields
  const digest = fields === undefined ? digestOf(key, pexpireat, part) : undefined
  // Put together by hand: this is what an export spends its time on.
  let text = `{"db":${db},"key":${JSON.stringify(lineWord(key))},"type":"${part.type}"`
  if (pexpireat !== undefined) text += `,"pexpireat":${pexpireat}`
  text += `,"value":${JSON.stringify(lineValue(rest?.part ?? part))}`
  if (fields !== undefined) text += `,"leftOut":${JSON.stringify(fields)}`
  if (digest !== undefined) text += `,"digest":"${digest}"`
  return { text: `${text}}\n`, ended: { digest, leftOut: fields !== undefined } }
}

function digestOf(key: Wire, pexpireat: number | undefined, part: ValuePart): string {
  const digest = new KeyDigest(part.type)
  digestPart(digest, part)
  return digest.end(key, pexpireat)
}

const secretLine = (db: number, key: Wire, { leave }: Owner, type: KeyType): string => {
  const shown = leave?.show?.(key as string) ?? key
  return `${JSON.stringify({ db, key: lineWord(shown), type, leftOut: "secret" } satisfies KeyLine)}\n`
}

/** A key that is read part by part. */
async function* largeKey(driver: Driver, db: number, one: OwnedKey): AsyncGenerator<string, Ended | undefined> {
  const { key } = one
  const [found, deadline] = await driver.batch(
    [
      ["TYPE", key],
      ["PEXPIRETIME", key],
    ],
    SAFE,
  )
  if (found === "none") return undefined
  const type = typeOf(found!)
  return yield* keyLines(db, one, type, expiry(deadline!), partsOf(driver, key, type))
}

/** A key in as many lines as it has parts, one of them in memory at a time. */
export async function* keyLines(
  db: number,
  { key, owner }: OwnedKey,
  type: KeyType,
  pexpireat: number | undefined,
  parts: AsyncIterable<ValuePart> | Iterable<ValuePart>,
): AsyncGenerator<string, Ended | undefined> {
  const digest = new KeyDigest(type)
  let held: ValuePart | undefined
  const left = new Set<string>()
  const lineOf = (part: ValuePart, rest: Partial<KeyLine>): string => {
    const line: KeyLine = { db, key: lineWord(key), type, ...rest, value: lineValue(part) }
    return `${JSON.stringify(line)}\n`
  }
  for await (const whole of parts) {
    const rest = owner.leave?.rest(whole)
    if (rest === "secret") {
      yield secretLine(db, key, owner, type)
      return { digest: undefined, leftOut: true }
    }
    for (const field of rest?.fields ?? []) left.add(field)
    digestPart(digest, whole)
    if (held !== undefined) yield lineOf(held, { more: true })
    held = rest?.part ?? whole
  }
  if (held === undefined) return undefined
  const sum = left.size === 0 ? digest.end(key, pexpireat) : undefined
  yield lineOf(held, {
    ...(pexpireat !== undefined && { pexpireat }),
    ...(left.size > 0 && { leftOut: [...left] }),
    ...(sum !== undefined && { digest: sum }),
  })
  return { digest: sum, leftOut: left.size > 0 }
}

/** The digest of a key as it is on a server now; undefined when there is no such key. */
export async function digestOnServer(driver: Driver, key: Wire): Promise<string | undefined> {
  const [found, deadline] = await driver.batch(
    [
      ["TYPE", key],
      ["PEXPIRETIME", key],
    ],
    SAFE,
  )
  if (found === "none") return undefined
  const digest = new KeyDigest(typeOf(found!))
  for await (const part of partsOf(driver, key, typeOf(found!))) digestPart(digest, part)
  return digest.end(key, expiry(deadline!))
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
  for (const { key, ended, lines } of await exportPage(driver, driver.db, owned)) {
    const digest = typeof lines === "string" ? ended?.digest : await digestOnServer(driver, key)
    if (digest !== undefined) digests.set(key, digest)
  }
  return digests
}
