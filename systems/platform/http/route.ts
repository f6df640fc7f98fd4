/* A route as data: method, path, who may call, what comes in, what goes out, and the
 * function between. A system's http/ folder is a list of these; serving, validation
 * and the OpenAPI document are made from it.
 *
 *   route("PUT /cart/items/{item}", {
 *     summary: "Sets how many of an item are wanted.",
 *     auth: session, params: { item: Item }, body: z.strictObject({ quantity: Quantity }),
 *     answer: Cart,
 *     handle: ({ caller, params, body }) => carts.set(caller, params.item, body.quantity),
 *   }) */

import type { HttpBindings } from "@hono/node-server"
import type { Context } from "hono"
import type * as z from "zod"
import type { RouteReply } from "./answer.ts"
import type { Auth } from "./auth.ts"
import type { Exchange } from "./exchange.ts"

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
/** A method and a path, its parameters in braces as in OpenAPI: `"PUT /rows/{id}/schedule"`. */
export type MethodAndPath = `${Method} /${string}`
export type Http = Context<{ Bindings: HttpBindings }>
export type InputSchemas = Readonly<Record<string, z.ZodType>>
type Out<S> = { readonly [N in keyof S]: S[N] extends z.ZodType ? z.output<S[N]> : never }

export interface Input<C, P, Q, B, A> {
  /** What `auth` found out. */
  readonly caller: C
  readonly params: Out<P>
  readonly query: Out<Q>
  readonly body: B extends z.ZodType ? z.output<B> : undefined
  /** For headers (`http.env.outgoing.setHeader(…)`); where the answer is not JSON, Hono's context to make it with. */
  readonly http: A extends OtherAnswer ? Http : Exchange
}

export interface RouteOptions<C, P, Q, B, A> {
  readonly summary: string
  readonly auth?: Auth<C>
  /** The parameters of the path. */
  readonly params?: P
  /** Parameters that are not listed are refused; `"any"` takes all. */
  readonly query?: Q | "any"
  /** Parameters of an `"any"` query that the OpenAPI document names; the handler checks them. */
  readonly named?: InputSchemas
  /** A strict object: what it does not know is refused. */
  readonly body?: B
  /** Fields of a body that belong to the server (ids, stamps, totals): dropped, not refused. */
  readonly ignored?: readonly string[]
  /** Bytes that a body may have. Default: 1 MiB, and 64 KiB where anybody may call. */
  readonly bodyLimit?: number
  /** The handler reads the stream of the request itself. */
  readonly readsBody?: true
  /** What is answered, as JSON; left out: 204 and nothing. `"html"` for pages, `"ndjson"` for a JSON value a line, `"events"` for a stream of events. */
  readonly answer?: A
  /** 200, or 204 without an answer. */
  readonly status?: 200 | 201 | 202 | 204 | 302
  /** A second status of success, with the same answer: the handler returns a RouteReply with it. */
  readonly orStatus?: 200 | 201
  /** Statuses of errors specific to the route, besides those that follow from the rest: `[404, 409]`. */
  readonly errors?: readonly number[]
  /** It has an answer without Redis: it is tried even while Redis is known to be away. */
  readonly withoutRedis?: boolean
  /** Returns what `answer` declares, or a RouteReply; where it is not JSON, a Response made with `http`. */
  readonly handle: (input: Input<C, P, Q, B, A>) => Handled<A>
}

type Handled<A> = Awaitable<A extends OtherAnswer ? Response : (A extends z.ZodType ? z.input<A> : void) | RouteReply>
type Awaitable<T> = T | Promise<T>

/** Answers that are not JSON: the handler makes them with `http`. */
export type OtherAnswer = "html" | "ndjson" | "events"

/** A route whose types are forgotten: what a list of routes holds. */
export interface Route extends Omit<
  RouteOptions<unknown, InputSchemas, InputSchemas, z.ZodType, z.ZodType | OtherAnswer>,
  "handle"
> {
  readonly method: Method
  readonly path: string
  readonly handle: (input: never) => Awaitable<unknown>
}

/** Declares a route whose callers are known already: `const forAdmin = routeFor(admin)`. */
export type RouteFor<C> = <
  const P extends InputSchemas = {},
  const Q extends InputSchemas = {},
  B extends z.ZodType | undefined = undefined,
  A extends z.ZodType | OtherAnswer | undefined = undefined,
>(
  request: MethodAndPath,
  options: Omit<RouteOptions<C, P, Q, B, A>, "auth">,
) => Route

export const routeFor =
  <C>(auth: Auth<C>): RouteFor<C> =>
  (request, options) =>
    route(request, { ...options, auth } as never)

export function route<
  C = undefined,
  const P extends InputSchemas = {},
  const Q extends InputSchemas = {},
  B extends z.ZodType | undefined = undefined,
  A extends z.ZodType | OtherAnswer | undefined = undefined,
>(request: MethodAndPath, options: RouteOptions<C, P, Q, B, A>): Route {
  const [method, path] = splitRequest(request)
  return { ...options, method, path } as unknown as Route
}

export const splitRequest = (request: MethodAndPath) => request.split(" ") as [method: Method, path: string]
