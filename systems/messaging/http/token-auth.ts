/* Whose request it is, by `Authorization: Token <access token>`; `Bearer` does as well
 * (MSG-4). What belongs to a service is for tokens of that service. */

import type { IncomingMessage } from "node:http"
import type { Auth } from "../../platform/http/auth.ts"
import { fewAtOnce } from "../../platform/few-at-once.ts"
import { forbidden, unavailable } from "../../platform/http/problem.ts"
import { badToken } from "../services/refusals.ts"
import type { Principal } from "../services/scope.ts"
import type { Tokens } from "../services/tokens.ts"

const HEADER = /^(?:Token|Bearer) +(\S+) *$/i

export interface TokenAuths {
  readonly any: Auth<Principal>
  /** A token of the messaging service. */
  readonly roc: Auth<Principal>
  /** The same, for what costs the more the more people, channels and bans somebody has. */
  readonly few: Auth<Principal> & { inTurn<T>(caller: Principal, work: () => Promise<T>): Promise<T> }
}

/** Requests of one user at once. */
const AT_ONCE = 4

export function tokenAuths(tokens: Tokens, redis: { readonly isUp: boolean }): TokenAuths {
  const checkRedis = (): void => {
    if (!redis.isUp) throw unavailable("redis_unavailable", "Redis does not answer")
  }
  const check = async ({ headers }: IncomingMessage): Promise<Principal> => {
    const token = HEADER.exec(headers.authorization ?? "")?.[1]
    if (token === undefined) throw badToken("this needs an access token")
    checkRedis()
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
    async check(request) {
      const principal = await check(request)
      if (principal.code !== "roc") throw forbidden("this is for tokens of the service roc", "wrong_service")
      return principal
    },
  }
  const inTurn = fewAtOnce(AT_ONCE)
  const few: TokenAuths["few"] = {
    ...roc,
    inTurn: ({ project, service, user }, work) =>
      inTurn(`${project} ${service} ${user}`, () => {
        checkRedis() // It may have gone away since.
        return work()
      }),
  }
  return { any: { name: "token", scheme, check }, roc, few }
}
