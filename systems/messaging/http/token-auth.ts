/* Whose request it is, by `Authorization: Token <access token>`; `Bearer` does as well
 * (MSG-4). What belongs to a service is for tokens of that service. */

import type { IncomingMessage } from "node:http"
import type { Auth } from "../../platform/http/auth.ts"
import { checkUp, fewWhileUp } from "../../platform/few-at-once.ts"
import { forbidden } from "../../platform/http/problem.ts"
import { routeFor, type RouteFor } from "../../platform/http/route.ts"
import { badToken } from "../services/refusals.ts"
import type { Principal } from "../services/scope.ts"
import type { Tokens } from "../services/tokens.ts"

const HEADER = /^(?:Token|Bearer) +(\S+) *$/i

/** Routes for those who bring an access token. */
export interface ForTokens {
  readonly any: RouteFor<Principal>
  /** A token of the messaging service. */
  readonly roc: RouteFor<Principal>
  /** The same, for what costs the more the more people, channels and bans somebody has. */
  readonly few: RouteFor<Principal>
  /** Where only a part of what a route does costs as much. */
  inTurn<T>(caller: Principal, work: () => Promise<T>): Promise<T>
}

/** Requests of one user at once. */
const AT_ONCE = 4

export function forTokens(tokens: Tokens, redis: { readonly isUp: boolean }): ForTokens {
  const check = async ({ headers }: IncomingMessage): Promise<Principal> => {
    const token = HEADER.exec(headers.authorization ?? "")?.[1]
    if (token === undefined) throw badToken("this needs an access token")
    checkUp(redis)
    return tokens.authenticate(token)
  }
  const scheme = {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "`Token <access token>`, of POST /v1/auth/token.",
  }
  const roc: Auth<Principal> = {
    name: "token",
    scheme,
    errors: [403],
    async check(request) {
      const principal = await check(request)
      if (principal.code !== "roc") throw forbidden("this is for tokens of the service roc", "wrong_service")
      return principal
    },
  }
  const ofUser = fewWhileUp(redis, AT_ONCE)
  const inTurn: ForTokens["inTurn"] = ({ project, service, user }, work) =>
    ofUser(`${project} ${service} ${user}`, work)
  return {
    any: routeFor({ name: "token", scheme, check }),
    roc: routeFor(roc),
    few: routeFor({ ...roc, inTurn }),
    inTurn,
  }
}
