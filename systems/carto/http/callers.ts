/* Who calls: the admin by their token, a user by their API key (`?api_key=`, or as a
 * bearer token) or an OAuth token. This only reads the credentials: whether they grant
 * access depends on the request, and is decided elsewhere (services/access.ts). */

import type { IncomingMessage } from "node:http"
import { bearerOf, type Auth, type PathParams } from "../../platform/http/auth.ts"
import { routeFor, type RouteFor } from "../../platform/http/route.ts"
import type { AdminAuth } from "../../platform/limits/admin.ts"
import type { Access, Caller } from "../services/access.ts"
import { badCredentials, noCredentials } from "../services/refusals.ts"

type Opens = (caller: Caller, params: PathParams) => Promise<unknown>

export interface Callers {
  /** The admin, or a caller with credentials. The handler first asks `opens` whether these are sufficient. */
  known(opens: Opens): Auth<Caller>
  /** Routes for the admin, or the user whom the path names. */
  readonly forSelf: RouteFor<Caller>
  readonly anybody: Auth<Caller>
}

/** Too many wrong ones. */
const GUESSED = [429]
const scheme = { type: "apiKey", in: "query", name: "api_key", description: "A user's API key." }
const oauth = {
  name: "oauth",
  scheme: { type: "http", scheme: "bearer", description: "A user's OAuth token or API key." },
}

export function callers(admin: AdminAuth, access: Pick<Access, "user">): Callers {
  const callerOf = (request: IncomingMessage): Caller => {
    const [apiKey, bearer] = [apiKeyOf(request), bearerOf(request)]
    if (apiKey === undefined && bearer === undefined) return { kind: "nobody" }
    admin.listen(request)
    if (admin.isAdmin(request)) return { kind: "admin" }
    return { kind: "user", apiKey, bearer, refused: () => admin.refused(request) }
  }
  const known = (opens: Opens): Auth<Caller> => ({
    name: "api_key",
    scheme,
    or: [admin],
    errors: GUESSED,
    check(request) {
      const caller = callerOf(request)
      if (caller.kind === "nobody") throw noCredentials()
      return caller
    },
    async confirm(caller, params) {
      if (params !== undefined) await opens(caller, params)
      else if (caller.kind === "user") {
        caller.refused()
        throw badCredentials() // Nothing has such a name, so no key grants access to it.
      }
    },
  })
  return {
    known,
    forSelf: routeFor(known((caller, { username }) => access.user(caller, username!))),
    anybody: { name: "api_key", scheme, or: [admin, oauth], optional: true, errors: GUESSED, check: callerOf },
  }
}

function apiKeyOf({ url = "" }: IncomingMessage): string | undefined {
  const mark = url.indexOf("?")
  return mark < 0 ? undefined : (new URLSearchParams(url.slice(mark + 1)).get("api_key") ?? undefined)
}
