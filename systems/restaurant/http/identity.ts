import * as z from "zod"
import { cookieOf } from "../../platform/http/auth.ts"
import { route, type Http } from "../../platform/http/route.ts"
import type { User } from "../context.ts"
import type { Identity } from "../services/identity.ts"
import { REFRESH_SECONDS } from "../services/tokens.ts"
import type { Users } from "../services/users.ts"
import { Email, Gender, Name, Password, Short, ShownUser, stamps } from "./fields.ts"

const COOKIE = "refresh_token"

/** HttpOnly: no script of a page reads it; sent only with requests of our own pages. */
const keep = (http: Http, token: string, seconds: number) =>
  http.header("Set-Cookie", `${COOKIE}=${token}; Max-Age=${seconds}; HttpOnly; Path=/; SameSite=Strict`)

/** As others may see it: the fields that are listed, and no others. */
export const shownUser = (user: User) => ShownUser.parse(user)

export const identityRoutes = (identity: Identity, users: Users) => [
  route({
    method: "POST",
    path: "/register",
    summary: "Makes an account, with the role USER.",
    body: z.strictObject({
      username: Name,
      email: Email,
      password: Password,
      phone: Short.optional(),
      address: Short.optional(),
      gender: Gender.optional(),
    }),
    ignored: ["id", "roleId", "role", "refreshToken", ...stamps],
    answer: ShownUser,
    status: 201,
    errors: [409],
    handle: async ({ body }) => shownUser(await users.create(body, body.email)),
  }),
  route({
    method: "POST",
    path: "/login",
    summary: "An access token, and a refresh token as a cookie.",
    body: z.strictObject({ username: z.string().max(1024), password: z.string().max(1024) }),
    answer: z.object({ accessToken: z.string(), user: ShownUser }),
    errors: [401],
    async handle({ body, http }) {
      const email = Email.safeParse(body.username)
      const { user, accessToken, refreshToken } = await identity.login(
        email.success ? email.data : "nobody@nowhere",
        body.password,
      )
      keep(http, refreshToken, REFRESH_SECONDS)
      return { accessToken, user: shownUser(user) }
    },
  }),
  route({
    method: "POST",
    path: "/refresh",
    summary: "New tokens for the refresh token of the cookie, which is spent then.",
    answer: z.object({ accessToken: z.string() }),
    errors: [401],
    async handle({ http }) {
      const { accessToken, refreshToken } = await identity.refresh(cookieOf(http.env.incoming, COOKIE))
      keep(http, refreshToken, REFRESH_SECONDS)
      return { accessToken }
    },
  }),
  route({
    method: "POST",
    path: "/logout",
    summary: "Forgets the refresh token.",
    async handle({ http }) {
      await identity.logout(cookieOf(http.env.incoming, COOKIE))
      keep(http, "", 0)
    },
  }),
]
