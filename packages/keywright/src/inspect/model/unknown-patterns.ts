/* Keys that no pattern owns, grouped by what their pattern may be: what looks like
 * a number, a date, a digest or a token is taken for a parameter. A light version of
 * what `infer` does, from one key at a time and in bounded memory. */

import type { Wire } from "../../driver/driver.ts"
import { beginningOfName } from "../rdb/long-key.ts"
import { isText, showWire } from "../walk/wire.ts"

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const DATE = /(?<!\d)\d{4}-\d{2}(?:-\d{2})?(?!\d)/g
/** Only from where such a text begins: from each of its characters, a long key would be read over and over. */
const EMAIL = /(?<![^\s:/|#@])[^\s:/|#@]+@[^\s:/|#@]+\.[a-z]{2,}/gi
const LONG = /[\w-]{16,}/g
const WORD = /[A-Za-z0-9]+/g
/** Random bytes, a third of which can be read; more than the header of a text that Java has serialised. */
const RAW = /(?:\\x[0-9a-f]{2}(?:[^\\]|\\(?!x)){0,4}){7,}/g

/** Characters of a key: it may have millions. */
const LOOKED_AT = 2000
/** Characters of what is said about it. */
const SHOWN = 200

const isRandom = (text: string): boolean =>
  (/^[0-9a-f]{8,}$/i.test(text) && /\d/.test(text) && /[a-f]/i.test(text)) ||
  (text.length >= 16 && /\d/.test(text) && /[A-Za-z]/.test(text) && !/[-_].*[-_]/.test(text)) ||
  text.length >= 24

/**
 * What the pattern of a key may be that no schema explains.
 * @example
 * console.log(likelyPattern("lock:9f86d081:7")) // → lock:{hex}:{number}
 */
export function likelyPattern(key: Wire): string {
  if (!isText(key)) return "{bytes}"
  const pattern = beginningOf(beginningOfName(key), LOOKED_AT)
    .replace(EMAIL, "{email}")
    .replace(UUID, "{uuid}")
    .replace(DATE, "{date}")
    .replace(LONG, (text) => (isRandom(text) && !/^\d+$/.test(text) ? "{token}" : text))
    .replace(/\{\w+\}|[A-Za-z0-9]+/g, (text) => (text.startsWith("{") ? text : wordPattern(text)))
  return beginningOf(pattern, SHOWN)
}

/** A copy: a part of a text keeps the whole of it in memory. */
const beginningOf = (text: string, most: number): string =>
  text.length <= most ? text : Buffer.from(text.slice(0, most), "utf16le").toString("utf16le")

function wordPattern(word: string): string {
  if (/^\d+$/.test(word)) return "{number}"
  if (isRandom(word)) return "{hex}"
  return /^[A-Za-z]{1,3}\d{2,}$/.test(word) ? word.replace(/\d+/, "{number}") : word
}

/**
 * A key of no pattern as it may be printed: what looks like a token or a digest could be a secret.
 * @example
 * console.log(showUnknown("session:5d41402abc4b2a76b9719d911017c592")) // → session:…
 */
export function showUnknown(key: Wire): string {
  const text = isText(key)
    ? beginningOf(beginningOfName(key), LOOKED_AT)
    : showWire(key.subarray(0, LOOKED_AT)).replace(RAW, "…")
  const shown = text
    .replace(UUID, "…")
    .replace(LONG, (word) => (isRandom(word) && !/^\d+$/.test(word) ? "…" : word))
    .replace(WORD, (word) => (isRandom(word) && !/^\d+$/.test(word) ? "…" : word))
  return shown.length > SHOWN ? `${beginningOf(shown, SHOWN)}…` : shown
}

const MOST_GROUPS = 2000

/**
 * Groups keys by their likely pattern. When there are very many, those that come later are grouped by their first word
 * alone.
 * @example
 * const groups = new UnknownPatterns(() => ({ keys: 0 }))
 * for (const key of ["lock:1", "lock:2"]) groups.of(key).keys++
 * console.log([...groups.groups]) // → [ [ 'lock:{number}', { keys: 2 } ] ]
 */
export class UnknownPatterns<T> {
  readonly groups = new Map<string, T>()
  readonly #make: () => T

  constructor(make: () => T) {
    this.#make = make
  }

  of(key: Wire): T {
    let pattern = likelyPattern(key)
    let group = this.groups.get(pattern)
    if (group !== undefined) return group
    if (this.groups.size >= MOST_GROUPS) {
      pattern = this.groups.size >= 2 * MOST_GROUPS ? "{rest}" : `${/^[^:/|_.-]{0,32}/.exec(pattern)![0]}{rest}`
      group = this.groups.get(pattern)
    }
    if (group === undefined) this.groups.set(pattern, (group = this.#make()))
    return group
  }
}
