/* Who may do what (RST-10): user → role → its permissions → one with the same method
 * whose path template is that of the matched route. Nothing is allowed without one.
 *
 * Everything is read at each request, so a change counts at the next one. It takes one
 * round trip: the role that the token names, and the permission that fitted this route
 * last time, are read together with the user, and count only if they still hold. */

import type { PathParams } from "../../platform/http/auth.ts"
import { notFound, forbidden, unauthorized } from "../../platform/http/problem.ts"
import type { Permission, RestaurantContext, Transaction, User } from "../context.ts"
import { readAll } from "./pages.ts"
import type { Bearer, Tokens } from "./tokens.ts"

/** A route as permissions see it. */
export interface Guarded {
  readonly method: string
  /** `"/api/users/{id}"` */
  readonly path: string
  /** What the router found in the path, decoded: what is served, whatever the URL looked like. */
  readonly params: PathParams
}

export interface Caller {
  readonly user: User
  /**
   * For requests that had to wait, inside a transaction: it commits only if the session has not ended, and the role has
   * not changed and still allows this.
   */
  confirm(db: Transaction): Promise<void>
  /** Whether the same caller may call another route. */
  may(method: string, path: string): Promise<boolean>
  /** Staff are those who may list all orders. For others, what belongs to somebody else does not exist (RST-12). */
  checkOwns(order: { readonly userId?: string | null | undefined }): Promise<void>
}

export function access({ db, lenient }: RestaurantContext, tokens: Pick<Tokens, "isCurrent">) {
  /** By role and route: the permission that fitted last. */
  const fitted = new Map<string, string>()
  const placeOf = (roleId: string, { method, path }: Omit<Guarded, "params">) => `${roleId} ${method} ${path}`

  /** The permission of a role that allows it, if there is one. */
  const find = async (roleId: string, route: Guarded): Promise<Permission | undefined> => {
    const ids = await db.rolePermissions({ roleId }).members()
    const permissions = await readAll(db.permission, ids, lenient)
    const found = permissions.find((permission) => permission && allows(permission, route))
    if (found) fitted.set(placeOf(roleId, route), found.id)
    else fitted.delete(placeOf(roleId, route))
    return found
  }

  function checkSession(bearer: Bearer, user: User | undefined, isEnded: boolean): asserts user is User {
    if (user === undefined) throw unauthorized("the account is gone")
    if (isEnded || !tokens.isCurrent(bearer, user)) throw unauthorized("the session has ended: log in")
  }

  const checkOwns = async (caller: Caller, owner: string | null | undefined): Promise<void> => {
    if (owner === caller.user.id || (await caller.may("GET", "/api/orders"))) return
    throw notFound("there is no such order")
  }

  return {
    /** Lets a bearer in, or throws a 401 or 403. */
    async enter(bearer: Bearer, route: Guarded): Promise<Caller> {
      const { userId, roleId, session } = bearer
      const hint = fitted.get(placeOf(roleId, route))
      const [user, isEnded, holds, permission] = await Promise.all([
        db.user.get(userId),
        db.endedSession({ session }).exists(),
        hint === undefined ? false : db.rolePermissions({ roleId }).has(hint),
        hint === undefined ? undefined : db.permission.get(hint),
      ])
      checkSession(bearer, user, isEnded)
      const isAllowed =
        (user.roleId === roleId && holds && permission !== undefined && allows(permission, route)) ||
        (await find(user.roleId, route)) !== undefined
      if (!isAllowed) throw notAllowed()
      const caller: Caller = {
        user,
        async confirm(db) {
          const [now, isEnded] = await Promise.all([db.user.get(userId), db.endedSession({ session }).exists()])
          checkSession(bearer, now, isEnded)
          if (now.roleId !== user.roleId || (await find(now.roleId, route)) === undefined) throw notAllowed()
        },
        may: async (method, path) => (await find(user.roleId, { method, path, params: {} })) !== undefined,
        checkOwns: (order) => checkOwns(caller, order.userId),
      }
      return caller
    },
  }
}

const notAllowed = () => forbidden("your role does not allow this")

/**
 * `{…}` matches any value of a parameter; other segments are taken literally, as the value of one or as the route's
 * own.
 */
export function allows({ method, apiPath }: Pick<Permission, "method" | "apiPath">, route: Guarded): boolean {
  if (method !== route.method) return false
  if (apiPath === route.path) return true
  const [wanted, template] = [apiPath.split("/"), route.path.split("/")]
  return (
    wanted.length === template.length &&
    wanted.every((segment, i) => {
      const name = /^\{(\w+)\}$/.exec(template[i]!)?.[1]
      if (/^\{.*\}$/.test(segment)) return name !== undefined
      return segment === (name === undefined ? template[i] : route.params[name])
    })
  )
}

export type Access = ReturnType<typeof access>
