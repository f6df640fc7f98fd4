/* What is known of raw values at one place: plain texts, JSON, or what some program packed. */

import { isUtf8 } from "node:buffer"
import type { Wire } from "../../../driver/driver.ts"
import { asWire, isText } from "../../walk/wire.ts"
import { fromTyped } from "../../../schema/codec/jackson-read.ts"
import { type Blob, blobOf } from "./blob.ts"
import { Delimiters } from "./delimiters.ts"
import { Documents } from "./documents.ts"
import { TextStatistics } from "./text-statistics.ts"
import { unpack } from "./unpack.ts"

const LONGEST_TEXT = 2048
const MOST_CLASSES = 16
const JAVA_CLASS = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/

export class Cells {
  count = 0
  readonly blobs = new Map<Blob, number>()
  documents: Documents | undefined
  /** What is inside of packed values, where it could be read: documents, or texts. */
  unpacked: Documents | undefined
  unpackedTexts = 0
  /** Classes that Jackson named in documents, the first few; their documents are known without them. */
  readonly classes = new Map<string, number>()
  readonly texts = new TextStatistics()
  readonly delimiters = new Delimiters()
  /** Texts too long to be analysed closely. */
  long = 0
  /** Texts in quotes: known without them, and as JSON too, in case that others are more than texts. */
  quoted = 0
  /** Values of which only the beginning was read. */
  cut = 0
  bytes = 0

  add(value: Wire, cut = false): void {
    this.count++
    if (cut) this.cut++
    const raw = cut && !isText(value) ? wholeCharacters(value) : value
    const blob = blobOf(raw)
    if (blob !== undefined) {
      this.blobs.set(blob, (this.blobs.get(blob) ?? 0) + 1)
      if (!isText(raw)) this.bytes++
      if (!cut) this.addUnpacked(blob, raw)
      return
    }
    const text = raw as string
    const parsed = cut ? undefined : jsonOf(text)
    if (parsed !== undefined) (this.documents ??= new Documents()).add(this.plain(parsed.value))
    if (typeof parsed?.value === "string" && text.length <= LONGEST_TEXT) {
      this.quoted++
      this.addText(parsed.value)
    } else if (parsed === undefined) {
      if (text.length > LONGEST_TEXT) this.long++
      else this.addText(text)
    }
  }

  private addUnpacked(blob: Blob, raw: Wire): void {
    const inside = unpack(blob, raw)
    if (inside === undefined) return
    if ("document" in inside) (this.unpacked ??= new Documents()).add(inside.document)
    else this.unpackedTexts++
  }

  private addText(text: string): void {
    this.texts.add(text)
    this.delimiters.add(text)
  }

  private plain(value: unknown): unknown {
    const name = (value as { readonly "@class"?: unknown } | null)?.["@class"]
    if (typeof name !== "string" || !JAVA_CLASS.test(name)) return value
    if (this.classes.has(name) || this.classes.size < MOST_CLASSES)
      this.classes.set(name, (this.classes.get(name) ?? 0) + 1)
    return fromTyped(value, undefined)
  }

  /** Nothing but JSON, and more than texts. */
  get isJson(): boolean {
    return this.documents !== undefined && this.documents.count === this.count && !this.isQuoted
  }

  /** Nothing but short texts in quotes. */
  get isQuoted(): boolean {
    return this.count > 0 && this.quoted === this.count
  }

  /** Nothing but short texts: all of them in quotes, or none. */
  get isPlain(): boolean {
    return this.count > 0 && this.texts.count === this.count && (this.quoted === 0 || this.isQuoted)
  }
}

/** The beginning of a text may end within a character. */
function wholeCharacters(bytes: Uint8Array): Wire {
  for (let end = bytes.length; end > 0 && end > bytes.length - 4; end--)
    if (isUtf8(bytes.subarray(0, end))) return asWire(bytes.subarray(0, end))
  return bytes
}

/** A document, an array or a quoted text; bare numbers and words are plain texts. */
export function jsonOf(text: string): { readonly value: unknown } | undefined {
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  if (
    !(
      (first === 123 && last === 125) ||
      (first === 91 && last === 93) ||
      (first === 34 && last === 34 && text.length > 1)
    )
  )
    return undefined
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined // It only looks like JSON.
  }
}
