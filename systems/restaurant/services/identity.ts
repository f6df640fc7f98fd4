/* Who somebody is: registration, login, and refresh tokens that are good for one use (RST-9). */

import { timingSafeEqual } from "node:crypto"
import { unauthorized } from "../../platform/http/problem.ts"
import type { RestaurantContext, User } from "../context.ts"
import { isPassword } from "./passwords.ts"
import { digestOf, type Tokens } from "./tokens.ts"

export interface Login {
  readonly user: User
  readonly accessToken: string
  readonly refreshToken: string
}

const denied = () => unauthorized("the e-mail or the password is wrong", "wrong_credentials")
const spent = () => unauthorized("the refresh token is not valid any more: log in", "invalid_refresh_token")

export function identity({ db }: RestaurantContext, tokens: Tokens) {
  return {
    async login(email: string, password: string): Promise<Login> {
      const found = await db.user.find("email", { email })
      if (!(await isPassword(found?.password, password)) || found === undefined) throw denied()
      const [accessToken, refreshToken] = await Promise.all([tokens.access(found), tokens.refresh(found.id)])
      const stored = digestOf(refreshToken)
      const user = await db.user.update(
        found.id,
        (current) => {
          if (current.password !== found.password) throw denied()
          return { refreshToken: stored }
        },
        { by: found.email },
      )
      return { user, accessToken, refreshToken }
    },

    /** A new pair of tokens for a refresh token, which is spent then. Of two at once, one succeeds. */
    async refresh(token: string | undefined): Promise<Login> {
      const userId = token === undefined ? undefined : await tokens.refresher(token)
      const found = userId === undefined ? undefined : await db.user.get(userId)
      if (found === undefined) throw spent()
      const [accessToken, refreshToken] = await Promise.all([tokens.access(found), tokens.refresh(found.id)])
      const stored = digestOf(refreshToken)
      const user = await db.user.update(
        found.id,
        (current) => {
          if (!isStored(current, token!)) throw spent()
          return { refreshToken: stored }
        },
        { by: found.email },
      )
      return { user, accessToken, refreshToken }
    },

    /** Forgets the refresh token. Whoever has none is logged out already. */
    async logout(token: string | undefined): Promise<void> {
      const userId = token === undefined ? undefined : await tokens.refresher(token)
      const found = userId === undefined ? undefined : await db.user.get(userId)
      if (found === undefined || !isStored(found, token!)) return
      await db.user.update(
        found.id,
        (current) => ({ refreshToken: isStored(current, token!) ? null : (current.refreshToken ?? null) }),
        { by: found.email },
      )
    },
  }
}

function isStored({ refreshToken }: User, token: string): boolean {
  const [stored, given] = [Buffer.from(refreshToken ?? ""), Buffer.from(digestOf(token))]
  return stored.length === given.length && timingSafeEqual(stored, given)
}

export type Identity = ReturnType<typeof identity>
