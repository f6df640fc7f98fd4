/* What is kept of an operation's answer, so that a repetition with the same operation id
 * is answered as the first one was. It is kept as JSON, in which ids that a script
 * allocates are placeholders until then. Values that JSON cannot represent are written as
 * `{ "~": [name, …] }`.
 *
 * A larger answer is not kept, nor is one that is made of more than plain data. */

import { halfWritten, operationDone } from "../../errors/transaction.ts"
import { inPairs } from "../call/reply.ts"

/** Where nothing is kept: the answer was too large, or not plain data. */
export const NOT_KEPT = ""
/** Before the error of an operation that failed after it had begun to write: apply.lua notes it. No JSON begins so. */
const HALF_WRITTEN = "!"
const MOST_BYTES = 16_384

/** The answer as it is kept. */
export function keepAnswer(value: unknown): string {
  let json: string
  try {
    json = JSON.stringify(written(value, 0))
  } catch (error) {
    if (error instanceof NotPlain) return NOT_KEPT
    throw error
  }
  return Buffer.byteLength(json) > MOST_BYTES ? NOT_KEPT : json
}

/** The answer that was kept. Throws where none was: `what` is the operation. */
export function keptAnswer(kept: string, what: string): unknown {
  if (kept.startsWith(HALF_WRITTEN)) throw halfWritten(kept.slice(HALF_WRITTEN.length))
  if (kept === NOT_KEPT)
    throw operationDone(what, `Its answer was not kept: it was larger than ${MOST_BYTES} bytes, or not plain data.`)
  try {
    return readBack(JSON.parse(kept))
  } catch {
    throw operationDone(what, "Its stored answer cannot be read: another program or an import wrote it.")
  }
}

class NotPlain extends Error {}
const DEEPEST = 100

function written(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) throw new NotPlain()
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { "~": ["number", Object.is(value, -0) ? "-0" : String(value)] }
    case "bigint":
      return { "~": ["bigint", String(value)] }
    case "undefined":
      return { "~": ["undefined"] }
    case "object":
      return writtenObject(value, depth + 1)
    default:
      throw new NotPlain()
  }
}

function writtenObject(value: object | null, depth: number): unknown {
  if (value === null) return null
  const each = (items: Iterable<unknown>) => Array.from(items, (item) => written(item, depth))
  if (Array.isArray(value)) return each(value)
  if (value instanceof Date) return { "~": ["Date", value.getTime()] }
  if (value instanceof Map) return { "~": ["Map", each([...value].flat(1))] }
  if (value instanceof Set) return { "~": ["Set", each(value)] }
  if (value instanceof Uint8Array) return { "~": ["bytes", Buffer.from(value).toString("base64")] }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new NotPlain()
  const fields = Object.entries(value).map(([name, item]) => [name, written(item, depth)] as const)
  const object = Object.fromEntries(fields)
  return "~" in object ? { "~": ["object", object] } : object
}

function readBack(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(readBack)
  const marked = (value as Readonly<Record<string, unknown>>)["~"]
  return Array.isArray(marked) ? readMarked(marked[0], marked[1]) : readFields(value)
}

const readFields = (value: object): object =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, readBack(item)]))

function readMarked(name: unknown, given: unknown): unknown {
  switch (name) {
    case "number":
      return Number(given)
    case "bigint":
      return BigInt(given as string)
    case "undefined":
      return undefined
    case "Date":
      return new Date(given === null ? Number.NaN : (given as number))
    case "bytes":
      return Buffer.from(given as string, "base64")
    case "Set":
      return new Set((given as unknown[]).map(readBack))
    case "Map":
      return new Map(inPairs((given as unknown[]).map(readBack)))
    default:
      return readFields(given as object)
  }
}
