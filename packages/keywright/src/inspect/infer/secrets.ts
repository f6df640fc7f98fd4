/* What looks like a secret: by its name, or by what it is. Marked in the proposal, and
 * redacted wherever infer prints it. */

import { soundsSecret } from "../check-secrets.ts"
import { literalWords, type Pattern } from "./pattern.ts"
import type { Place } from "./places.ts"
import type { Texts } from "./texts.ts"

const BEARERS = new Set(
  "session sessions sess token tokens tok auth login logins oauth otp reset verify verification jwt csrf nonce apikey credential credentials ticket".split(
    " ",
  ),
)
const HARD_TO_GUESS = new Set(["uuid", "hex", "token", "ulid", "digits"])

/** A parameter that whoever knows it can act with: hard to guess, and among words like session. */
export function isSecretParam({ row }: Pattern, param: number): boolean {
  const { atom } = row.params[param]!
  return HARD_TO_GUESS.has(atom) && literalWords(row).some((word) => BEARERS.has(word.toLowerCase()))
}

/** Ids that are hard to guess, in several places, one of which is about sessions or tokens. */
export function isBearer(places: readonly Place[]): boolean {
  const isHard = places.every(({ texts: { atoms } }) => {
    const counts = [...atoms].map(([atom, seen]) => [seen, HARD_TO_GUESS.has(atom) ? seen : 0] as const)
    const [all, hard] = counts.reduce(([sum, part], [seen, own]) => [sum + seen, part + own], [0, 0])
    return hard >= 0.9 * all
  })
  return (
    isHard &&
    places.some(
      ({ pattern, at }) =>
        !("field" in at) && literalWords(pattern.row).some((word) => BEARERS.has(word.toLowerCase())),
    )
  )
}

/** Hashed passwords, private keys, signed tokens. */
export const isSecretText = (text: string): boolean =>
  /^\$(?:argon2|2[aby]|scrypt|pbkdf2)|^-----BEGIN [A-Z ]*PRIVATE KEY|^eyJ[\w-]{8,}\.[\w-]+\.|^(?:sk|rk|pk)_(?:live|test)_|^gh[pousr]_|^xox[abp]-|^AKIA[0-9A-Z]{12}/.test(
    text,
  )

export const isSecretField = (name: string, texts: Texts | undefined): boolean =>
  soundsSecret(name) || (texts !== undefined && texts.samples.length > 0 && texts.samples.every(isSecretText))
