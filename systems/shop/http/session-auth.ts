/* The session token travels as the cookie `session` or as `Authorization: Bearer`. Here
 * only its form is checked: whether there is such a session is part of each step, and is
 * asked apart where the input is refused before that. */

import { bearerOf, type Auth } from "../../platform/http/auth.ts"
import { tokenCookie } from "../../platform/http/cookie.ts"
import { unauthorized } from "../../platform/http/problem.ts"
import type { Sessions } from "../services/sessions.ts"

/** Its name is part of what clients know. */
export const sessionCookie = tokenCookie({ name: "session", sameSite: "Lax", hostPrefix: false })

export const sessionAuth = (sessions: Pick<Sessions, "userOf">): Auth<string> => ({
  name: "session",
  scheme: {
    type: "http",
    scheme: "bearer",
    description: "The token of POST /login; the cookie `session` works as well.",
  },
  check(request) {
    const token = bearerOf(request) ?? sessionCookie.read(request)
    if (token === undefined || !/^[A-Za-z0-9-]{1,64}$/.test(token))
      throw unauthorized("this needs a session: POST /login")
    return token
  },
  confirm: (token) => sessions.userOf(token),
})
