/* Texts in double quotes, as a JSON document holds them, and as Spring's
 * GenericJackson2JsonRedisSerializer stores members of sets and values that are one text:
 * the id 123 is `"123"`, with its quotes.
 *
 *   set("role:{roleId}:permissions", quoted(permissionId))
 *
 * Bare texts are read too, since a keyspace may be changing from one form to the other;
 * audit finds them, and repair puts the quotes around them. */

import { codecRefused } from "../../errors/codec.ts"
import { codec, type AnyCodec, type TextCodec } from "./codec.ts"
import { parsedJson } from "./json-checks.ts"
import { hiddenWith } from "./wrap.ts"

/**
 * A value in double quotes, as Java programs store a text with a JSON serializer.
 * @example
 * console.log(quoted(text).encode("17")) // → "17"
 */
export const quoted = <C extends TextCodec>(of: C): C => {
  const { mask: _mask, allow: _allow, numeric: _numeric, unbounded: _unbounded, document: _document, ...rest } = of
  const made = {
    ...rest,
    name: `${of.name} in quotes`,
    spec: { codec: "quoted", of: of.spec },
    example: quote(of.example),
    encode: (value: unknown) => quote(of.encode(value)),
    decode: (raw: string) => of.decode(unquote(raw)),
  }
  return codec(hiddenWith([of], made as unknown as TextCodec)) as C
}

/** Whether texts are stored in quotes there, whatever other codecs wrap them. */
export function isQuoted(of: AnyCodec | undefined): boolean {
  let spec = of?.spec
  while (spec?.codec === "secret" || spec?.codec === "optional") spec = spec.of
  return spec?.codec === "quoted"
}

const CONTROL = /[^\P{Cc}\x7f-\x9f]/u
const ESCAPED = /["\\]|[^\P{Cc}\x7f-\x9f]/gu
const SHORT: Readonly<Record<string, string>> = { "\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r" }

/** A text as Jackson prints it: as JSON.stringify does, but with hexadecimal digits in capitals. */
export const quote = (text: string): string =>
  CONTROL.test(text) ? `"${text.replaceAll(ESCAPED, escape)}"` : JSON.stringify(text)

const escape = (one: string): string =>
  `\\${one === '"' || one === "\\" ? one : (SHORT[one] ?? `u${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`)}`

/** The text without its quotes; a text that has none, unchanged. */
export function unquote(raw: string): string {
  if (!raw.startsWith('"')) return raw
  const end = raw.length - 1
  if (end > 0 && raw.endsWith('"') && raw.indexOf('"', 1) === end && !raw.includes("\\") && !CONTROL.test(raw))
    return raw.slice(1, end)
  const text = parsedJson(raw)
  if (typeof text !== "string") throw codecRefused("QUOTED", "a text in quotes", raw)
  return text
}

/** The same for an id that is only looked at: what cannot be read is taken as it is. */
export const idIn = (raw: string): string => {
  try {
    return unquote(raw)
  } catch {
    return raw
  }
}
