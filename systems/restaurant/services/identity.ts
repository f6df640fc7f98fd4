/* Who somebody is: login, and refresh tokens that are good for one use (RST-9).
 *
 * The user's record keeps `<session>.<instant>.<digest>` of the latest refresh token. A
 * token of the same session that is not the latest was used before. If it comes back after
 * its successor was given out, two have it, and nobody knows which of them is the thief:
 * the session ends, with all of its tokens. So it does where the record has the token of a
 * later login. Two uses at the same moment are one client in haste, and nothing but the
 * second is refused. */

import { randomUUID, timingSafeEqual } from "node:crypto"
import { instant, type Arrival } from "../../platform/http/arrival.ts"
import { isPassword } from "../../platform/hashing.ts"
import { unauthorized } from "../../platform/http/problem.ts"
import type { LogInAttempt } from "../../platform/limits/limits.ts"
import type { RestaurantContext, User } from "../context.ts"
import type { Shared } from "../shared.ts"
import { digestOf, type Bearer, type Tokens } from "./tokens.ts"

const denied = () => unauthorized("wrong e-mail or password", "wrong_credentials")
const spent = () => unauthorized("the refresh token is no longer valid: log in", "invalid_refresh_token")

export function identity(
  { db }: RestaurantContext,
  tokens: Tokens,
  { hashes, successions: order, logins, accountOf }: Shared,
  restaurant?: string,
) {
  /** A pair of tokens, and what the record keeps. */
  const pairFor = async (user: User, session: string) => {
    const [accessToken, refreshToken] = await Promise.all([
      tokens.access(user, session),
      tokens.refresh(user.id, session),
    ])
    return {
      accessToken,
      refreshToken,
      stored: () => `${session}.${instant()}.${digestOf(refreshToken)}`,
    }
  }

  /** Ends a session: neither its refresh token nor any of its access tokens is good any more. */
  const end = (userId: string, session: string): Promise<void> =>
    db.$transaction(async (db) => {
      const user = await db.user.get(userId)
      if (user === undefined) return
      await db.endedSession({ session }).set(userId)
      if (storedIn(user)?.session === session) await db.user.update(userId, { refreshToken: null }, { by: user.email })
    })

  return {
    async login({ account: email, address }: LogInAttempt, password: string) {
      const found = await hashes.inTurn(address, () =>
        logins.take({ ...accountOf(email, restaurant), address }, async () => {
          const user = await db.user.find("email", { email })
          return (await isPassword(user?.password, password)) ? user : undefined
        }),
      )
      if (found === undefined) throw denied()
      const { accessToken, refreshToken, stored } = await pairFor(found, randomUUID())
      const user = await db.user.update(
        found.id,
        (current) => {
          if (current.password !== found.password) throw denied()
          return { refreshToken: stored() }
        },
        { by: found.email },
      )
      return { user, accessToken, refreshToken }
    },

    /**
     * A new pair of tokens for a refresh token, which is spent then. Of two at once, one succeeds. `arrival` knows
     * whether the request was on its way before that.
     */
    async refresh(token: string | undefined, arrival: Arrival) {
      const given = token === undefined ? undefined : await tokens.refresher(token)
      const found = given === undefined ? undefined : await db.user.get(given.userId)
      if (given === undefined || found === undefined) throw spent()
      const { accessToken, refreshToken, stored } = await pairFor(found, given.session)
      let isReplay = false
      try {
        const user = await db.user.update(
          found.id,
          (current) => {
            const latest = storedIn(current)
            // After another login nothing tells a spent token from the latest of its session, and neither is good.
            isReplay = latest?.session !== given.session || order.isReplay(given.session, latest.at, arrival)
            if (!isStored(current, token!)) throw spent()
            return { refreshToken: stored() }
          },
          { by: found.email },
        )
        await order.spent(given.session, arrival)
        return { user, accessToken, refreshToken }
      } catch (error) {
        if (isReplay && (error as { code?: unknown }).code === SPENT) await end(found.id, given.session)
        throw error
      }
    },

    /** Ends the session of a refresh token or an access token. A caller without one is logged out already. */
    async logout(refreshTokens: readonly string[], bearer: Bearer | undefined): Promise<void> {
      const given = await Promise.all(refreshTokens.map((token) => tokens.refresher(token)))
      for (const one of [...given, bearer]) if (one !== undefined) await end(one.userId, one.session)
    },
  }
}

const SPENT = spent().code

interface StoredRefresh {
  readonly session: string
  /** When it was given out. */
  readonly at: number
  readonly digest: string
}

function storedIn({ refreshToken }: Pick<User, "refreshToken">): StoredRefresh | undefined {
  const [session, at, digest] = refreshToken?.split(".") ?? []
  return session === undefined || at === undefined || digest === undefined
    ? undefined
    : { session, at: Number(at), digest }
}

function isStored(user: User, token: string): boolean {
  const [stored, given] = [Buffer.from(storedIn(user)?.digest ?? ""), Buffer.from(digestOf(token))]
  return stored.length === given.length && timingSafeEqual(stored, given)
}

export type Identity = ReturnType<typeof identity>
