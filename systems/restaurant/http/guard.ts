/* Routes that need a permission. Each says which roles have it from the first start on;
 * from then on the database decides. */

import { bearerOf, type Auth } from "../../platform/http/auth.ts"
import { fewOfEach } from "../../platform/few-at-once.ts"
import { unauthorized } from "../../platform/http/problem.ts"
import { routeFor, splitRequest, type RouteFor } from "../../platform/http/route.ts"
import type { Permission, RestaurantContext } from "../context.ts"
import type { Access, Caller } from "../services/access.ts"
import type { SeededPermission, RoleName } from "../services/seed.ts"
import type { Shared } from "../shared.ts"
import type { Tokens } from "../services/tokens.ts"

export const everyone: readonly RoleName[] = ["ADMIN", "STAFF", "USER"]
export const staff: readonly RoleName[] = ["ADMIN", "STAFF"]
export const admins: readonly RoleName[] = ["ADMIN"]

interface Guarded {
  readonly roles: readonly RoleName[]
  /** For routes whose cost grows with the data: a user has only some of their requests under way at once. */
  readonly isFew?: boolean
}
/** Requests of one user at once, where `isFew`. */
const AT_ONCE = 4

type Served = Pick<RestaurantContext, "redis" | "addressOf">

export function guard(
  tokens: Tokens,
  access: Access,
  { redis, addressOf }: Served,
  { turns: ofClients }: Pick<Shared, "turns">,
) {
  const grants: SeededPermission[] = []

  const inTurn = fewOfEach(redis, AT_ONCE, ofClients)
  const turns: Pick<Auth<Caller>, "inTurn"> = {
    inTurn: ({ user }, work, request) => inTurn(user.id, addressOf(request), work),
  }

  const authOf = (method: string, path: string): Auth<Caller> => ({
    name: "user",
    scheme: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The access token of POST /login." },
    errors: [403],
    async check(request, params) {
      const token = bearerOf(request)
      if (token === undefined) throw unauthorized("this needs an access token: POST /login")
      return access.enter(await tokens.bearer(token), { method, path, params })
    },
  })

  const guarded =
    (module: string, { roles, isFew = false }: Guarded): RouteFor<Caller> =>
    (request, options) => {
      const [method, path] = splitRequest(request)
      grants.push({ name: options.summary, apiPath: path, method: method as Permission["method"], module, roles })
      return routeFor({ ...authOf(method, path), ...(isFew && turns) })(request, options)
    }

  return { guarded, grants: grants as readonly SeededPermission[] }
}

export type Guard = ReturnType<typeof guard>["guarded"]
