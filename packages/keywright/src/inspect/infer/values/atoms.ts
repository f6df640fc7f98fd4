/* What a piece of text looks like: a number, a date, a digest, a word. Everything
 * that infer says about segments, fields and members begins with this. */

export type Atom =
  | "empty"
  | "int"
  | "digits"
  | "float"
  | "uuid"
  | "ulid"
  | "hex"
  | "day"
  | "month"
  | "week"
  | "date"
  | "instant"
  | "email"
  | "ip"
  | "mac"
  | "phone"
  | "url"
  | "token"
  | "word"
  | "mixed"
  | "slug"
  | "other"

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const DAY = /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const MONTH = /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/
const DATE = /^(?:19|20|21)\d\d([-/._])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])$/
const WEEK = /^(?:19|20|21)\d\d-?(?:W[0-5]\d|[QH]\d)$/
const INSTANT =
  /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/
const EMAIL = /^[^\s@:/|]+@[^\s@:/|]+\.[A-Za-z]{2,}$/
const IP = /^(?:\d{1,3}\.){3}\d{1,3}$|^(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}$/i
const MAC = /^[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}$/
const PHONE = /^\+[1-9]\d{7,14}$/
const URL = /^[a-z][a-z+.-]{1,9}:\/\/[^\s/]/i
const FLOAT = /^[-+]?(?:\d+\.\d*|\.\d+|\d+(?:\.\d+)?e[-+]?\d+)$/i
const WORD = /^[\p{L}_][\p{L}\p{M}]*(?:[-_.][\p{L}\p{M}]+)*_?$/u
const HEX = /^(?:[0-9a-f]{8,}|[0-9A-F]{8,})$/
const MIXED = /^[A-Za-z0-9]+$/
const SLUG = /^[\p{L}\p{N}]+(?:[-_.~][\p{L}\p{N}]*)+$/u
const LETTER = /[A-Za-z]/
const DIGIT = /\d/
const TOKEN = /^[A-Za-z0-9_+/=.-]{16,}$/

/** A whole number as Redis and JavaScript both print it. */
export const isInt = (text: string): boolean =>
  text.length <= 17 && /^(?:0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text))

/** A day that the calendar has. */
const isDay = (text: string): boolean =>
  DAY.test(text) && Number(text.slice(8)) <= new Date(Date.UTC(+text.slice(0, 4), +text.slice(5, 7), 0)).getUTCDate()

export function atomOf(text: string): Atom {
  if (text === "") return "empty"
  const first = text.charCodeAt(0)
  if ((first > 47 && first < 58) || first === 45 || first === 46 || first === 43) {
    if (isInt(text)) return "int"
    if (/^\d+$/.test(text)) return "digits"
    if (PHONE.test(text)) return "phone"
    if (FLOAT.test(text) && Number.isFinite(Number(text))) return "float"
    if (isDay(text)) return "day"
    if (MONTH.test(text)) return "month"
    if (WEEK.test(text)) return "week"
    if (INSTANT.test(text) && isDay(text.slice(0, 10))) return "instant"
    if (DATE.test(text)) return "date"
  }
  if (text.length === 36 && UUID.test(text)) return "uuid"
  if (WORD.test(text)) return isRandom(text) ? "token" : "word"
  if (HEX.test(text) && LETTER.test(text)) return "hex"
  if (text.length === 26 && ULID.test(text)) return "ulid"
  if (text.includes("@") && EMAIL.test(text)) return "email"
  if (text.length === 17 && MAC.test(text)) return "mac"
  if (text.includes("://") && URL.test(text)) return "url"
  if (IP.test(text)) return "ip"
  if (isRandom(text)) return "token"
  if (MIXED.test(text)) return "mixed"
  return SLUG.test(text) ? "slug" : "other"
}

/** It contains a word, between separators or at an end. */
const SPELLED = /^[a-z]{4,}[-_./]|[-_./][a-z]{4,}$|\/[a-z]{4,}\//

/** `SessionRepository`: no capital after a capital. */
const CAMEL = /^[A-Z]?[a-z]+(?:[A-Z][a-z]+)+$/

/** Long, and letters and digits or cases change more often than in words. */
export function isRandom(text: string): boolean {
  if (text.length < 16 || !TOKEN.test(text) || SPELLED.test(text) || CAMEL.test(text)) return false
  let changes = 0
  for (let i = 1; i < text.length; i++) {
    const [before, now] = [text.charAt(i - 1), text.charAt(i)]
    if (DIGIT.test(before) !== DIGIT.test(now)) changes++
    else if (/[a-z]/.test(before) && /[A-Z]/.test(now)) changes++
  }
  return changes >= 3 && changes >= text.length / 8
}

/** Names that contain digits and are not ids: `oauth2`, `v1`. */
export const isTechnical = (text: string): boolean =>
  /^(?:v\d{1,2}|oauth2?|utf8|s3|ec2|i18n|l10n|k8s|h26[45]|mp[34]|md5|sha\d{1,3}|base64|2fa|http2|ipv[46])$/i.test(text)

const LANGUAGES = new Set(
  "ar bg bn ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko lt lv mk ms nb nl nn no pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh".split(
    " ",
  ),
)

/** `en`, `pt-BR`, `zh_Hans`. */
export const isLocale = (word: string): boolean =>
  /^[a-z]{2}(?:[-_](?:[A-Za-z]{2}|[A-Z][a-z]{3}))?$/.test(word) && LANGUAGES.has(word.slice(0, 2))

/** Eight digits that are a calendar day. */
export const isCompactDay = (text: string): boolean =>
  text.length === 8 && isDay(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`)
