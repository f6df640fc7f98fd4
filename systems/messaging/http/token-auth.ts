/* Whose request it is, by `Authorization: Token <access token>`; `Bearer` does as well
 * (MSG-4). What belongs to a service is for tokens of that service. */

import type { IncomingMessage } from "node:http"
import type { Auth } from "../../platform/http/auth.ts"
import { forbidden, unavailable } from "../../platform/http/problem.ts"
import { badToken } from "../services/refusals.ts"
import type { Principal } from "../services/scope.ts"
import type { Tokens } from "../services/tokens.ts"

const HEADER = /^(?:Token|Bearer) +(\S+) *$/i

export interface TokenAuths {
  readonly any: Auth<Principal>
  /** A token of the messaging service. */
  readonly roc: Auth<Principal>
}

export function tokenAuths(tokens: Tokens, redis: { readonly isUp: boolean }): TokenAuths {
  const check = async ({ headers }: IncomingMessage): Promise<Principal> => {
    const token = HEADER.exec(headers.authorization ?? "")?.[1]
    if (token === undefined) throw badToken("this needs an access token")
    if (!redis.isUp) throw unavailable("redis_unavailable", "Redis does not answer")
    return tokens.authenticate(token)
  }
  const scheme = {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "`Token <access token>`, of POST /v1/auth/token.",
  }
  return {
    any: { name: "token", scheme, check },
    roc: {
      name: "token",
      scheme,
      async check(request) {
        const principal = await check(request)
        if (principal.code !== "roc") throw forbidden("this is for tokens of the service roc", "wrong_service")
        return principal
      },
    },
  }
}
