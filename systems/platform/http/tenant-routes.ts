/* The same routes for several tenants: each request goes to the routes of the tenant that its
 * path or its host names, before anything else is looked at. Who calls is asked there too, so
 * nobody is somebody at one tenant because of what another one knows. */

import type { IncomingMessage } from "node:http"
import * as z from "zod"
import type { PathParams } from "./auth.ts"
import type { Exchange } from "./exchange.ts"
import { hostnameOf } from "./hosts.ts"
import { notFound } from "./problem.ts"
import type { Route } from "./route.ts"

/** By name; each has the same routes in the same order. */
export type Tenants = ReadonlyMap<string, readonly Route[]>

/** Which tenant a request is for: its route, or a 404. */
type Choose = (at: number, request: IncomingMessage, params: PathParams) => Route

interface Input {
  readonly caller: unknown
  readonly params: PathParams
  readonly http: Exchange
}

/** A caller, and the route that knows them. */
interface Called {
  readonly of: Route
  readonly caller: unknown
}

/** `/cart` → `/r/{restaurant}/cart`, for each of the tenants. */
export function routesByPath(prefix: string, param: string, tenants: Tenants): Route[] {
  const [model = []] = tenants.values()
  const choose: Choose = (at, _, params) => tenantOf(tenants, params[param] ?? "", param)[at]!
  const name = z.string().max(64)
  return model.map((route, at) => ({
    ...chosen(route, at, choose),
    path: `${prefix}/{${param}}${route.path}`,
    params: { ...route.params, [param]: name },
  }))
}

/** The routes as they are: for a tenant under the host name of one, and for `other` under every other name. */
export function routesByHost(domain: string, param: string, tenants: Tenants, other: readonly Route[]): Route[] {
  const below = `.${domain}`
  const choose: Choose = (at, { headers }) => {
    const host = hostnameOf(headers.host ?? "")
    return host.endsWith(below) ? tenantOf(tenants, host.slice(0, -below.length), param)[at]! : other[at]!
  }
  return other.map((route, at) => chosen(route, at, choose))
}

function tenantOf(tenants: Tenants, name: string, what: string): readonly Route[] {
  const found = tenants.get(name)
  if (found === undefined) throw notFound(`there is no such ${what}`, `no_such_${what}`)
  return found
}

function chosen(model: Route, at: number, choose: Choose): Route {
  const { auth } = model
  const errors = [...(model.errors ?? []), 404]
  if (auth === undefined) {
    const handle = (input: Input) => choose(at, input.http.env.incoming, input.params).handle(input as never)
    return { ...model, errors, handle: handle as Route["handle"] }
  }
  const handle = ({ caller: called, ...input }: Input) => {
    const { of, caller } = called as Called
    return of.handle({ ...input, caller } as never)
  }
  const check = async (request: IncomingMessage, params: PathParams): Promise<Called> => {
    const of = choose(at, request, params)
    return { of, caller: await of.auth!.check(request, params) }
  }
  const confirm = async ({ of, caller }: Called, params: PathParams | undefined) => of.auth!.confirm?.(caller, params)
  // Where one takes turns, all do: they have the same routes.
  const inTurn = <T>({ of, caller }: Called, work: () => Promise<T>, request: IncomingMessage): Promise<T> =>
    of.auth!.inTurn!(caller, work, request)
  return {
    ...model,
    errors,
    auth: {
      ...auth,
      check,
      confirm: confirm as NonNullable<typeof auth.confirm>,
      ...(auth.inTurn && { inTurn: inTurn as typeof auth.inTurn }),
    },
    handle: handle as Route["handle"],
  }
}
