/* Whether a codec can read what is stored, and if not, why: in words that quote nothing secret. */

import type { Reply } from "../../driver/driver.ts"
import { isKeywrightError, KeywrightError } from "../../errors/error.ts"
import { codecTooDeep } from "../../errors/json.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { mayHold } from "../../schema/hidden-secrets.ts"
import { asWire, isText, showWire } from "../walk/wire.ts"
import type { KeyModel } from "./model.ts"

/** What the work returns; `otherwise` where an error of ours refuses it. */
export function unlessRefused<T, F>(work: () => T, otherwise: F): T | F {
  try {
    return work()
  } catch (error) {
    if (isKeywrightError(error)) return otherwise
    throw error
  }
}

/** Whether no error of ours refuses it. */
export const isAccepted = (work: () => unknown): boolean =>
  unlessRefused(() => {
    work()
    return true
  }, false)

/** Undefined when the codec reads it; else what is wrong. */
export function undecodable(codec: AnyCodec, raw: Reply, secret: KeyModel["secret"]): string | undefined {
  try {
    decode(codec, raw)
    return undefined
  } catch (error) {
    if (!isKeywrightError(error)) throw error
    return reason(codec, error, secret)
  }
}

export function decode(codec: AnyCodec, raw: Reply): unknown {
  if (codec.decodeBytes) return codec.decodeBytes(raw instanceof Uint8Array ? raw : Buffer.from(String(raw)))
  // Where one part of a value is bytes, all of it is read as bytes.
  const text = asWire(raw)
  if (!isText(text)) throw new KeywrightError("CODEC.UTF8", "bytes that are not UTF-8")
  if (codec.document && text.length > 2 * DEEPEST && nesting(text) > DEEPEST) throw codecTooDeep(DEEPEST)
  return codec.decode(text)
}

/** The same; undefined when the codec does not read it. */
export const decodedOrNone = (codec: AnyCodec, raw: Reply): unknown =>
  unlessRefused(() => decode(codec, raw), undefined)

/** What nests deeper can be read, but neither printed nor saved again: JSON.stringify runs out of stack. */
const DEEPEST = 1000

/** How many brackets of a JSON text are open at once, at most. */
function nesting(text: string): number {
  let [open, most] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') at = endOfString(text, at)
    else if (sign === "[" || sign === "{") most = Math.max(most, ++open)
    else if (sign === "]" || sign === "}") open--
  }
  return most
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1
  return at
}

function reason(codec: AnyCodec, error: KeywrightError, secret: KeyModel["secret"]): string {
  if (codec.secret === true || secret === true) return "a secret value that does not fit"
  if (secret.length === 0) return error.message
  const issues = error.details?.["issues"]
  if (!Array.isArray(issues)) return `a value that is not ${codec.name}`
  // An issue begins with the path of its field; what a validator says about a secret one is left out.
  const shown = (issues as string[]).map((issue) => {
    const field = /^([^:]*):/.exec(issue)?.[1] ?? ""
    return field.split(".").some((name) => secret.includes(name)) ? `${field}: does not fit` : issue
  })
  return `the document does not fit its schema: ${shown.slice(0, 3).join("; ")}`
}

/** An element as it may be printed. Of a document in which some fields are secret, that is nothing. */
export function showElement(codec: AnyCodec | undefined, raw: Reply, row: KeyModel): string {
  if (codec?.secret === true || row.secret === true) return "…"
  if (codec !== undefined && row.secret.length > 0 && mayHold(codec.spec, row.secret)) return "…"
  const text = raw instanceof Uint8Array ? showWire(raw) : String(raw)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
