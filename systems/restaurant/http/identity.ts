import * as z from "zod"
import { arrivalOf } from "../../platform/http/arrival.ts"
import { bearerOf } from "../../platform/http/auth.ts"
import { tokenCookie } from "../../platform/http/cookie.ts"
import { checkOwnPage } from "../../platform/http/own-page.ts"
import { route } from "../../platform/http/route.ts"
import type { RegistrationLimits } from "../../platform/limits/limits.ts"
import type { RestaurantContext, User } from "../context.ts"
import type { Identity } from "../services/identity.ts"
import { REFRESH_SECONDS, type Tokens } from "../services/tokens.ts"
import type { Users } from "../services/users.ts"
import { Email, Gender, Name, passwordOf, Short, ShownUser, stamps } from "./fields.ts"

/** Sent only with requests of our own pages. A browser may be logged in at several restaurants of one host. */
const refreshCookieOf = (restaurant: string | undefined) => {
  const name = restaurant === undefined ? "refresh_token" : `refresh_token_${restaurant}`
  return tokenCookie({ name, sameSite: "Strict", hostPrefix: true })
}

/** As others may see it: the fields that are listed, and no others. */
export const shownUser = (user: User) => ShownUser.parse(user)

export const identityRoutes = (
  identity: Identity,
  users: Users,
  registrations: RegistrationLimits,
  tokens: Pick<Tokens, "bearer">,
  { addressOf, settings }: Pick<RestaurantContext, "addressOf" | "settings">,
  restaurant?: string,
) => {
  const refreshCookie = refreshCookieOf(restaurant)
  return [
    route("POST /register", {
      summary: "Creates an account, with the role USER.",
      body: z.strictObject({
        username: Name,
        email: Email,
        password: passwordOf(settings),
        phone: Short.optional(),
        address: Short.optional(),
        gender: Gender.optional(),
      }),
      ignored: ["id", "roleId", "role", "refreshToken", ...stamps],
      answer: ShownUser,
      status: 201,
      errors: [409, 429],
      async handle({ body, http }) {
        const address = addressOf(http.env.incoming)
        await registrations.count(address)
        return shownUser(await users.create(body, { by: body.email, client: address }))
      },
    }),
    route("POST /login", {
      summary: "An access token, and a refresh token as a cookie.",
      body: z.strictObject({ username: z.string().max(1024), password: z.string().max(1024) }),
      answer: z.object({ accessToken: z.string(), user: ShownUser }),
      errors: [401, 429],
      async handle({ body, http }) {
        const email = Email.safeParse(body.username)
        const account = email.success ? email.data : "nobody@nowhere"
        const attempt = { account, address: addressOf(http.env.incoming) }
        const { user, accessToken, refreshToken } = await identity.login(attempt, body.password)
        refreshCookie.set(http, refreshToken, REFRESH_SECONDS)
        return { accessToken, user: shownUser(user) }
      },
    }),
    route("POST /refresh", {
      summary: "Exchanges the refresh token of the cookie, once, for new tokens.",
      answer: z.object({ accessToken: z.string() }),
      errors: [401, 403],
      async handle({ http }) {
        checkOwnPage(http.env.incoming)
        const { accessToken, refreshToken } = await identity.refresh(
          refreshCookie.read(http.env.incoming),
          arrivalOf(http.env.incoming, addressOf),
        )
        refreshCookie.set(http, refreshToken, REFRESH_SECONDS)
        return { accessToken }
      },
    }),
    route("POST /logout", {
      summary: "Ends the session: its refresh token, and all of its access tokens.",
      errors: [403],
      async handle({ http }) {
        const { incoming } = http.env
        checkOwnPage(incoming)
        const access = bearerOf(incoming)
        const bearer = access === undefined ? undefined : await tokens.bearer(access).catch(() => undefined)
        await identity.logout(refreshCookie.readAll(incoming), bearer)
        refreshCookie.clear(http)
      },
    }),
  ]
}
