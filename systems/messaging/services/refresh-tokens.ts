/* What refresh tokens are made of: the home of their user, 256 random bits, and a secret that all tokens of one login
 * share, so that a spent one still says which login it belonged to. The secret is masked with what comes before it:
 * only a whole token reveals it; a part of one, as logs may show it, is useless. */

import { createHash, randomBytes } from "node:crypto"
import { homeOfToken } from "./homes.ts"

const RANDOM_CHARS = 43
const SECRET_BYTES = 16
const SECRET_CHARS = 22
const HOME_CHARS = 4
const LENGTH = HOME_CHARS + RANDOM_CHARS + SECRET_CHARS

/** The first of a login: with a new secret. */
export const firstRefreshToken = (home: string): string => withSecret(home, randomBytes(SECRET_BYTES))

/** The next token of the same login; after a token that another program made, the first of a new one. */
export function successorOf(token: string, home: string): string {
  const secret = secretOf(token)
  return secret === undefined ? firstRefreshToken(home) : withSecret(home, secret)
}

/** Identifies the login of a token, without revealing its secret. Undefined unless it is a whole token of ours. */
export function familyOf(token: string): string | undefined {
  const secret = secretOf(token)
  if (secret === undefined) return undefined
  const digest = createHash("sha256").update(secret).digest("base64url")
  return (homeOfToken(token) + digest).slice(0, SECRET_CHARS)
}

function withSecret(home: string, secret: Buffer): string {
  const head = home + randomBytes(32).toString("base64url")
  return head + masked(secret, head).toString("base64url")
}

function secretOf(token: string): Buffer | undefined {
  if (token.length !== LENGTH) return undefined
  const [head, tail] = [token.slice(0, -SECRET_CHARS), token.slice(-SECRET_CHARS)]
  const bytes = Buffer.from(tail, "base64url")
  // The last character has bits to spare: only one spelling counts.
  return bytes.toString("base64url") === tail ? masked(bytes, head) : undefined
}

/** Once to hide it, and once more to get it back. */
function masked(secret: Buffer, head: string): Buffer {
  const mask = createHash("sha256").update(head).digest()
  return Buffer.from(secret.map((byte, i) => byte ^ mask[i]!))
}
