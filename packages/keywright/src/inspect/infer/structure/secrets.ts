/* What looks like a secret: by its name, or by what it is. Marked in the proposal, and
 * redacted wherever infer prints it. */

import { soundsSecret } from "../../check/check-secrets.ts"
import { literalWords, type Pattern } from "../mine/pattern.ts"
import type { IdPlace } from "./places.ts"
import type { TextStatistics } from "../values/text-statistics.ts"
import { structure } from "../thresholds.ts"
import { atomOf } from "../values/atoms.ts"

const BEARERS = new Set(
  "session sessions sess token tokens tok auth login logins oauth otp reset verify verification jwt csrf nonce apikey credential credentials ticket".split(
    " ",
  ),
)
const HARD_TO_GUESS = new Set(["uuid", "hex", "token", "ulid", "digits"])

/**
 * A parameter that grants access to anyone who knows it: hard to guess, and near words like session, or belonging to a
 * document with a cookie; or a long random text, whatever is around it.
 */
export function isSecretParam({ row, of }: Pattern, param: number): boolean {
  if (row.known !== undefined) return row.known.secret[param]!
  const words = literalWords(row)
  const isHard = HARD_TO_GUESS.has(row.params[param]!.atom) || isHardToGuess(row.texts[param]!)
  const isAbout = words.some((word) => BEARERS.has(word.toLowerCase())) || soundsSecret(words.join(" "))
  if (isLongToken(row.texts[param]!)) return true
  return isHard && (isAbout || (of.values.cells.documents?.objects?.fields?.has("cookie") ?? false))
}

/** Whether the value of such a key grants access, judged by the name of the key or by the value itself. */
export function isSecretValue(pattern: Pattern): boolean {
  const { texts, blobs, count } = pattern.of.values.cells
  if (blobs.get("jwt") === count) return true
  return texts.samples.length > 0 && (isCalledSecret(pattern) || texts.samples.every(isSecretText))
}

/** Whether the name of such a key says that what it holds is secret, and not what it is about. */
export const isCalledSecret = (pattern: Pattern): boolean =>
  soundsSecret(literalWords(pattern.row).join(" ")) && !pattern.row.params.some((_, i) => isSecretParam(pattern, i))

/** Whether nearly all of them are: a single token may happen to look like a word. */
function isHardToGuess({ atoms }: TextStatistics): boolean {
  let [all, hard] = [0, 0]
  for (const [atom, seen] of atoms) {
    all += seen
    if (HARD_TO_GUESS.has(atom)) hard += seen
  }
  return hard > 0 && hard >= structure.shareOfTokens * all
}

/**
 * Nobody makes ids that long for anything but to keep them from being guessed: `rs:web:` and 64 random letters is a
 * session, though no word says so. Digests are hexadecimal.
 */
const isLongToken = (texts: TextStatistics): boolean =>
  texts.samples.length > 0 &&
  isHardToGuess(texts) &&
  texts.samples.every((text) => text.length >= structure.longToken) &&
  texts.samples.filter((text) => atomOf(text) === "token").length >= structure.shareOfTokens * texts.samples.length

/** Members that are put together with such a text: `token:user`. */
export const hasLongTokens = ({ samples }: TextStatistics): boolean =>
  samples.length > 0 &&
  samples.every((text) =>
    text.split(/[:|,; ]/).some((piece) => piece.length >= structure.longToken && atomOf(piece) === "token"),
  )

/** Ids that are hard to guess, in several places, one of which is about sessions or tokens, or a long random text. */
export function isBearer(places: readonly IdPlace[]): boolean {
  const isHard = places.every(({ texts }) => isHardToGuess(texts))
  return (
    isHard &&
    places.some(
      ({ pattern, at, texts }) =>
        ("param" in at && isLongToken(texts)) ||
        (!("field" in at) && literalWords(pattern.row).some((word) => BEARERS.has(word.toLowerCase()))),
    )
  )
}

/** Names in a document or a form that is kept as text, such as one in another document. */
const NAMED = /(?:^|["&?;\s])([\w.-]{1,64})(?:\\{0,9}"\s{0,9}:|=)/g

/** Hashed passwords, private keys, signed tokens; addresses with a password, and texts that name a secret and its value. */
export const isSecretText = (text: string): boolean =>
  /:\/\/[^\s/:@]{0,99}:[^\s/@]{1,999}@/.test(text) ||
  [...text.matchAll(NAMED)].some(([, name]) => soundsSecret(name!)) ||
  /^\$(?:argon2|2[aby]|scrypt|pbkdf2)|^-----BEGIN [A-Z ]*PRIVATE KEY|^eyJ[\w-]{8,}\.[\w-]+\.|^(?:sk|rk|pk)_(?:live|test)_|^gh[pousr]_|^xox[abp]-|^AKIA[0-9A-Z]{12}/.test(
    text,
  )

export const isSecretField = (name: string, texts: TextStatistics | undefined): boolean =>
  soundsSecret(name) ||
  (texts !== undefined &&
    texts.samples.length > 0 &&
    (texts.samples.every(isSecretText) ||
      (/^(?:pass|pw|salt)$|key$/i.test(name) && texts.longest >= 20 && isHardToGuess(texts))))
