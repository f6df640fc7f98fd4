/* What is inside of a value that some program packed, where it can be read safely: without executing anything, in
 * bounded memory. */

import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib"
import type { Wire } from "../../../driver/driver.ts"
import { isKeywrightError } from "../../../errors/error.ts"
import { readMessagePack } from "../../../schema/codec/message-pack-read.ts"
import { readPhp } from "../../../schema/codec/php-read.ts"
import { isText } from "../../walk/wire.ts"
import type { Blob } from "./blob.ts"

/** What a few bytes may blow up to while they are looked at. */
const MOST_BYTES = 1 << 20

export type Unpacked = { readonly document: unknown } | { readonly text: string }

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const inflated = (inflate: typeof inflateSync) => (raw: Wire) => {
  const text = utf8.decode(inflate(isText(raw) ? Buffer.from(raw) : raw, { maxOutputLength: MOST_BYTES }))
  return documentIn(text) ?? { text }
}

const READERS: Partial<Record<Blob, (raw: Wire) => Unpacked>> = {
  php: (raw) => ({ document: readPhp(isText(raw) ? raw : utf8.decode(raw)) }),
  messagePack: (raw) => ({ document: readMessagePack(isText(raw) ? Buffer.from(raw) : raw) }),
  gzip: inflated(gunzipSync),
  zlib: inflated(inflateSync),
  deflate: inflated(inflateRawSync),
}

/** Undefined for what cannot be read: other formats, damage, and what is too large. */
export function unpack(blob: Blob, raw: Wire): Unpacked | undefined {
  try {
    return READERS[blob]?.(raw)
  } catch (error) {
    if (isKeywrightError(error) || error instanceof TypeError || isZlibError(error)) return undefined
    throw error
  }
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && /^(?:Z_|ERR_BUFFER_TOO_LARGE)/.test(String((error as { readonly code?: unknown }).code))

/** Objects and lists; a number or a word alone is text as well. */
function documentIn(text: string): Unpacked | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return { document: JSON.parse(text) as unknown }
  } catch {
    return undefined // It only begins like JSON.
  }
}
