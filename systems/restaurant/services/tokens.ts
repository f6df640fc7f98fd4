/* Access tokens are JWTs that live for an hour. Refresh tokens are JWTs too, and good for
 * one use: the user's record keeps the digest of the latest one, so that whoever reads
 * the database, or an export of it, cannot log in with what stands there. */

import { createHash, randomBytes, randomUUID } from "node:crypto"
import { jwtVerify, SignJWT } from "jose"
import { unauthorized } from "../../platform/http/problem.ts"
import type { RestaurantContext } from "../context.ts"

export const ACCESS_SECONDS = 3600
export const REFRESH_SECONDS = 30 * 86_400
const MOST_KNOWN = 10_000

/** Who an access token is for. The role is what it was then: a hint for reading ahead. */
export interface Bearer {
  readonly userId: string
  readonly roleId: string
}

interface Known extends Bearer {
  readonly until: number
}

export function tokens({ settings, clock, log }: Pick<RestaurantContext, "settings" | "clock" | "log">) {
  if (settings.jwtSecret === undefined)
    log.warn("no restaurant.jwtSecret: one was made at random, and logins end with this process")
  const secret = settings.jwtSecret === undefined ? randomBytes(32) : Buffer.from(settings.jwtSecret)
  const known = new Map<string, Known>()
  const seconds = () => Math.floor(clock.now().getTime() / 1000)

  const sign = (use: string, subject: string, lifetime: number, more: Record<string, unknown> = {}) =>
    new SignJWT({ ...more, use, jti: randomUUID() })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(subject)
      .setIssuedAt(seconds())
      .setExpirationTime(seconds() + lifetime)
      .sign(secret)

  const read = async (token: string, use: string) => {
    try {
      const { payload } = await jwtVerify(token, secret, { algorithms: ["HS256"], currentDate: clock.now() })
      return payload["use"] === use && payload.sub !== undefined ? payload : undefined
    } catch {
      return undefined // Forged, expired, or no token at all: it is the same to the caller.
    }
  }

  return {
    access: ({ id, roleId }: { readonly id: string; readonly roleId: string }) =>
      sign("access", id, ACCESS_SECONDS, { role: roleId }),
    refresh: (userId: string) => sign("refresh", userId, REFRESH_SECONDS),

    /** Whose access token it is; 401 otherwise. Signatures that were checked before are not checked again. */
    async bearer(token: string): Promise<Bearer> {
      const before = known.get(token)
      if (before !== undefined && before.until > seconds()) return before
      const payload = await read(token, "access")
      if (payload === undefined) throw unauthorized("the access token is not valid, or has expired")
      const found = { userId: payload.sub!, roleId: String(payload["role"]), until: payload.exp! }
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(token, found)
      return found
    },

    /** Whose refresh token it is, as far as the token itself tells. */
    refresher: async (token: string): Promise<string | undefined> => (await read(token, "refresh"))?.sub,
  }
}

/** What is stored of a refresh token. */
export const digestOf = (token: string): string => createHash("sha256").update(token).digest("base64url")

export type Tokens = ReturnType<typeof tokens>
