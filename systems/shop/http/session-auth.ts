/* The session token travels as the cookie `session` or as `Authorization: Bearer`. Here
 * only its form is checked: whether there is such a session is part of each step. */

import { bearerOf, cookieOf, type Auth } from "../../platform/http/auth.ts"
import { unauthorized } from "../../platform/http/problem.ts"

export const session: Auth<string> = {
  name: "session",
  scheme: {
    type: "http",
    scheme: "bearer",
    description: "The token of POST /login; the cookie `session` does as well.",
  },
  check(request) {
    const token = bearerOf(request) ?? cookieOf(request, "session")
    if (token === undefined || !/^[A-Za-z0-9-]{1,64}$/.test(token))
      throw unauthorized("this needs a session: POST /login")
    return token
  },
}
