/* Keys as lines of an export. */

import { HIGHEST_IMPORTED } from "../../client/plan/highest-counter.ts"
import type { Wire } from "../../driver/driver.ts"
import { type Hashes, KeyDigest } from "./digest.ts"
import { isBeyondIds } from "./import-admission.ts"
import { type ValuePart, writeValue } from "./key-value.ts"
import { LineTooLong, type LineWriter } from "./line-writer.ts"
import { type KeyLine, type KeyType, lineWord } from "./lines.ts"
import type { Word } from "../plan/word.ts"
import type { CopiedAs } from "./owners.ts"
import { isWellFormed } from "./value-forms.ts"

export interface OwnedKey {
  readonly key: Wire
  readonly owner: CopiedAs
}

export interface WrittenKey {
  /** The digest of the whole value; undefined when something was left out. */
  readonly digest: Hashes | undefined
  readonly leftOut: boolean
  /** Why nothing of it could be written. */
  readonly unreadable?: string
}

const SECRET: WrittenKey = Object.freeze({ digest: undefined, leftOut: true })

/** A key that fits into one line. */
export function writeKey(
  lines: LineWriter,
  db: number,
  { key, owner }: OwnedKey,
  pexpireat: number | undefined,
  part: ValuePart,
): WrittenKey {
  const rest = owner.leave?.rest(part)
  if (rest === "secret") return writeSecret(lines, db, key, owner, part.type)
  const fault = faultOf(owner, part)
  if (fault !== undefined) return writeUnreadable(lines, db, { key, owner }, fault)
  try {
    const digest = begin(lines, db, key, part.type)
    writeValue(lines, digest, rest?.part ?? part)
    return end(lines, digest, pexpireat, rest?.fields)
  } catch (error) {
    return withoutValue(lines, db, { key, owner }, error)
  }
}

/** Why no import would take it, though a server has it. */
function faultOf({ row }: CopiedAs, part: ValuePart): string | undefined {
  if (isBeyondIds(row, part)) return `it is a counter above ${HIGHEST_IMPORTED}, which has few ids left, or none`
  if (part.end === undefined || isWellFormed({ ...part, elements: [] })) return undefined
  return "a number of its stream is not below 2^53"
}

/** Instead of a line that is too long. Where lines of the key are written already, this one continues them. */
function withoutValue(lines: LineWriter, db: number, one: OwnedKey, error: unknown, begun?: KeyType): WrittenKey {
  // The digest of a stream is taken of a text, too.
  if (!(error instanceof LineTooLong || error instanceof RangeError)) throw error
  lines.drop()
  return writeUnreadable(lines, db, one, "its value would be a longer line than an import reads", begun)
}

/** A key in as many lines as it has parts, one of them in memory at a time: `flush` takes them. */
export async function writeParts(
  lines: LineWriter,
  db: number,
  { key, owner }: OwnedKey,
  type: KeyType,
  pexpireat: number | undefined,
  parts: AsyncIterable<ValuePart> | Iterable<ValuePart>,
  flush: () => Promise<void>,
): Promise<WrittenKey | undefined> {
  let digest: KeyDigest | undefined
  const left = new Set<string>()
  for await (const whole of parts) {
    const rest = owner.leave?.rest(whole)
    if (digest !== undefined) {
      lines.plain(',"more":true}\n')
      await flush()
    }
    if (rest === "secret") return writeSecret(lines, db, key, owner, type)
    const begun = digest === undefined ? undefined : type
    const fault = faultOf(owner, whole)
    if (fault !== undefined) return writeUnreadable(lines, db, { key, owner }, fault, begun)
    for (const field of rest?.fields ?? []) left.add(field)
    try {
      const name = begin(lines, db, key, type)
      digest ??= name
      writeValue(lines, digest, rest?.part ?? whole)
    } catch (error) {
      return withoutValue(lines, db, { key, owner }, error, begun)
    }
  }
  return digest === undefined ? undefined : end(lines, digest, pexpireat, [...left])
}

/** A line that says that this key could not be read; `begun` is its type, where it has lines already. */
export function writeUnreadable(
  lines: LineWriter,
  db: number,
  { key, owner }: OwnedKey,
  reason: string,
  begun?: KeyType,
): WrittenKey {
  const shown = begun === undefined ? (owner.leave?.show?.(key) ?? key) : key
  writeNamed(lines, db, shown, { type: begun ?? "other", unreadable: reason })
  return { digest: undefined, leftOut: false, unreadable: reason }
}

function begin(lines: LineWriter, db: number, key: Wire, type: KeyType): KeyDigest {
  const digest = new KeyDigest(type)
  lines.begin()
  lines.plain('{"db":')
  lines.plain(db === 0 ? "0" : String(db))
  lines.plain(',"key":')
  lines.word(key, digest)
  digest.next()
  lines.plain(',"type":"')
  lines.plain(type)
  lines.plain('","value":')
  return digest
}

function end(
  lines: LineWriter,
  digest: KeyDigest,
  pexpireat: number | undefined,
  left: readonly string[] | undefined,
): WrittenKey {
  if (pexpireat !== undefined) lines.plain(`,"pexpireat":${pexpireat}`)
  if (left !== undefined && left.length > 0) {
    lines.plain(',"leftOut":')
    lines.json(left)
    lines.plain("}\n")
    return SECRET
  }
  lines.plain(',"digest":"')
  lines.digits(digest.end(pexpireat))
  lines.plain('"}\n')
  return { digest, leftOut: false }
}

function writeSecret(lines: LineWriter, db: number, key: Wire, { leave }: CopiedAs, type: KeyType): WrittenKey {
  writeNamed(lines, db, leave?.show?.(key as string) ?? key, { type, leftOut: "secret" })
  return SECRET
}

/** A line that is not imported: a name that is too long for one is cut. */
function writeNamed(lines: LineWriter, db: number, name: Wire, rest: Omit<KeyLine, "db" | "key">): void {
  const write = (key: Word) => lines.json({ db, key, ...rest } satisfies KeyLine)
  lines.begin()
  try {
    write(lineWord(name))
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error
    write(typeof name === "string" ? `${name.slice(0, 100).toWellFormed()}…` : "…")
  }
  lines.plain("\n")
}
