/* Key → parameters. A segment runs up to the first character that follows it in
 * the pattern, so there is one way only to take a key apart. */

import type { TextCodec } from "./codec/codec.ts"
import { parsePattern } from "./pattern.ts"

export type ParamCodecsOf = Readonly<Record<string, TextCodec>>

/** A parameter, and the literal after it (empty at the pattern's end). */
export interface Slot {
  readonly name: string
  readonly codec: TextCodec | undefined
  readonly tail: string
}

/** `"a:{x}:b"` → `["a:", [{ name: "x", tail: ":b" }]]` */
export function slotsOf(pattern: string, codecs: ParamCodecsOf = {}): [head: string, slots: Slot[]] {
  const slots: Slot[] = []
  let head = ""
  parsePattern(pattern).forEach((segment, i, segments) => {
    if (typeof segment !== "string") {
      slots.push({
        name: segment.param,
        codec: codecs[segment.param],
        tail: (segments[i + 1] as string | undefined) ?? "",
      })
    } else if (i === 0) head = segment
  })
  return [head, slots]
}

/** `"viewed:{token}"` → `["token"]` */
export const paramNames = (pattern: string): string[] => slotsOf(pattern)[1].map((slot) => slot.name)

// White space, control characters, lone surrogates, the separator, braces and globs.
const unsafe = /[\s\p{Cc}\p{Cs}:{}*?[\]\\]/gu

/** The first character that is not allowed in a segment. */
export const forbidden = (segment: string, allow = ""): string | undefined =>
  segment.match(unsafe)?.find((char) => !allow.includes(char))

/** Key → the texts of its parameters, not decoded; undefined when the key is not of this pattern. */
export function locate(key: string, head: string, slots: readonly Slot[]): Record<string, string> | undefined {
  if (!key.startsWith(head)) return undefined
  const found: Record<string, string> = {}
  let at = head.length
  for (const { name, codec, tail } of slots) {
    const end = tail === "" ? key.length : key.indexOf(tail[0]!, at)
    const segment = key.slice(at, end)
    if (end <= at || !key.startsWith(tail, end) || forbidden(segment, codec?.allow)) return undefined
    found[name] = segment
    at = end + tail.length
  }
  return at === key.length ? found : undefined
}

/** Key → decoded parameters; undefined also when a codec refuses one. */
export function parseKey(key: string, head: string, slots: readonly Slot[]): Record<string, unknown> | undefined {
  const found: Record<string, unknown> | undefined = locate(key, head, slots)
  try {
    for (const { name, codec } of found ? slots : []) if (codec) found![name] = codec.decode(found![name] as string)
    return found
  } catch {
    return undefined // A codec that refuses: the key is not of this pattern.
  }
}
