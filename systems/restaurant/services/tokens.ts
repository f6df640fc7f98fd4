/* Access tokens are JWTs that live for an hour; each names the session that it is of, and
 * the password that the session began with. Refresh tokens are JWTs too, and good for one
 * use: the user's record keeps the digest of the latest one, so that somebody who reads
 * the database, or an export of it, cannot log in with what is stored there. */

import { createHash, createHmac, randomUUID } from "node:crypto"
import { jwtVerify, SignJWT } from "jose"
import { unauthorized } from "../../platform/http/problem.ts"
import type { RestaurantContext, User } from "../context.ts"

export const ACCESS_SECONDS = 3600
export const REFRESH_SECONDS = 30 * 86_400
const MOST_KNOWN = 10_000

/** Who an access token is for. The role is what it was then: a hint for reading ahead. */
export interface Bearer {
  readonly userId: string
  readonly roleId: string
  readonly session: string
  /** Whether the password is still the same. */
  readonly passwordMark: string
  /** In seconds since 1970. */
  readonly until: number
  /** The stored hash that the mark was compared with last, if it was of that one. */
  markedHash?: string
}

export function tokens({ clock }: Pick<RestaurantContext, "clock">, secret: Buffer) {
  const known = new Map<string, Bearer>()
  const seconds = () => Math.floor(clock.now().getTime() / 1000)

  const sign = (use: string, subject: string, lifetime: number, more: Record<string, unknown>) =>
    new SignJWT({ ...more, use, jti: randomUUID() })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(subject)
      .setIssuedAt(seconds())
      .setExpirationTime(seconds() + lifetime)
      .sign(secret)

  const read = async (token: string, use: string) => {
    try {
      const { payload } = await jwtVerify(token, secret, { algorithms: ["HS256"], currentDate: clock.now() })
      const isWhole = payload.sub !== undefined && SESSION.test(String(payload["sid"]))
      return payload["use"] === use && isWhole && isAsIssued(token) ? payload : undefined
    } catch {
      return undefined // Forged, expired, or no token at all: it is the same to the caller.
    }
  }

  /** For the stored hash: another password, or the same one set again, has another. */
  const markOf = ({ password }: Pick<User, "password">): string =>
    createHmac("sha256", secret).update(password).digest("base64url").slice(0, 22)

  return {
    access: (user: Pick<User, "id" | "roleId" | "password">, session: string) =>
      sign("access", user.id, ACCESS_SECONDS, { role: user.roleId, sid: session, pwd: markOf(user) }),
    refresh: (userId: string, session: string) => sign("refresh", userId, REFRESH_SECONDS, { sid: session }),

    /** Whose access token it is; 401 otherwise. Signatures that were checked before are not checked again. */
    async bearer(token: string): Promise<Bearer> {
      const before = known.get(token)
      if (before !== undefined && before.until > seconds()) return before
      const payload = await read(token, "access")
      if (payload === undefined) throw unauthorized("the access token is not valid, or has expired")
      const found: Bearer = {
        userId: payload.sub!,
        roleId: String(payload["role"]),
        session: String(payload["sid"]),
        passwordMark: String(payload["pwd"]),
        until: payload.exp!,
      }
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(token, found)
      return found
    },

    /** Whether it was issued for the password that the user has now. Marks are not computed again for the same hash. */
    isCurrent(bearer: Bearer, user: User): boolean {
      if (bearer.markedHash === user.password) return true
      if (bearer.passwordMark !== markOf(user)) return false
      bearer.markedHash = user.password
      return true
    },

    /** Whose refresh token it is, as far as the token itself shows. */
    async refresher(token: string) {
      const payload = await read(token, "refresh")
      return payload && { userId: payload.sub!, session: String(payload["sid"]) }
    },
  }
}

/** Base64 spells some bytes in several ways: a token has one spelling, that in which it was issued. */
function isAsIssued(token: string): boolean {
  const signature = token.slice(token.lastIndexOf(".") + 1)
  return Buffer.from(signature, "base64url").toString("base64url") === signature
}

const SESSION = /^[0-9a-f-]{36}$/

/** What is stored of a refresh token. */
export const digestOf = (token: string): string => createHash("sha256").update(token).digest("base64url")

export type Tokens = ReturnType<typeof tokens>
