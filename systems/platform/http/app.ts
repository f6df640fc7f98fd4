/* All routes of all systems in one Hono app: at the root when one is served, under its
 * name when several are. Most requests do not go through it: see direct-router.ts. */

import type { HttpBindings } from "@hono/node-server"
import { Hono } from "hono"
import type { IncomingMessage } from "node:http"
import { errorFields, type Log } from "../log.ts"
import { alreadySent, problemResponse, sendProblem } from "./answer.ts"
import { directRouter, honoPath, type Direct } from "./direct-router.ts"
import { endpoint, pathNames, type AnsweredRequest, type Endpoint, type EndpointContext } from "./endpoint.ts"
import { missing } from "./missing.ts"
import { openApi } from "./openapi.ts"
import { Problem } from "./problem.ts"
import { idOf, requestId } from "./request-id.ts"
import type { Http, Route } from "./route.ts"

export interface Served extends EndpointContext {
  readonly doc: string
  readonly prefix: string
  readonly routes: readonly Route[]
}

export interface AppOptions {
  readonly systems: readonly Served[]
  readonly health: (request: IncomingMessage) => Promise<{ readonly status: "ok" | "degraded" }>
  readonly metrics: { readonly contentType: string; text(): Promise<string> }
  readonly answered: (request: AnsweredRequest) => void
  readonly log: Log
  /** Adds the pages, where they have been built. */
  readonly pages?: ((app: Hono<{ Bindings: HttpBindings }>) => void) | undefined
}

export interface App {
  readonly fetch: Hono<{ Bindings: HttpBindings }>["fetch"]
  /** Tried first. */
  readonly direct: Direct
}

export function makeApp({ systems, health, metrics, answered, log, pages }: AppOptions): App {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const all: { method: Route["method"]; path: string }[] = []
  const add = (method: Route["method"], path: string, handler: (http: Http) => Response | Promise<Response>) => {
    app.on(method, honoPath(path), handler)
    all.push({ method, path })
  }
  const failed = new Problem(500, "internal", "internal error; see the log")
  const direct = directRouter((error, incoming, outgoing) => {
    const id = idOf(incoming)
    log.error("request failed", { id, ...errorFields(error, true) })
    if (outgoing.headersSent) outgoing.destroy()
    else sendProblem(outgoing, failed, id)
  })
  for (const served of systems) {
    for (const route of served.routes) {
      const serve = endpoint(route, served)
      const path = served.prefix + route.path
      add(route.method, path, throughHono(serve, pathNames(path)))
      // What is not JSON is made with Hono's context.
      direct.add(route.method, path, typeof route.answer === "string" ? undefined : serve)
    }
  }

  /** Large, and always the same: the same bytes for all who ask. */
  const document = Buffer.from(
    JSON.stringify(openApi(systems.map(({ system, doc, prefix, routes }) => ({ name: system, doc, prefix, routes })))),
  )
  add("GET", "/health", async (http) => {
    requestId(http.env.incoming, http.env.outgoing)
    const found = await health(http.env.incoming)
    return http.json(found, found.status === "ok" ? 200 : 503, found.status === "ok" ? {} : { "Retry-After": "1" })
  })
  add("GET", "/metrics", async (http) => {
    requestId(http.env.incoming, http.env.outgoing)
    return http.body(await metrics.text(), 200, { "Content-Type": metrics.contentType })
  })
  add("GET", "/openapi.json", (http) => {
    requestId(http.env.incoming, http.env.outgoing)
    return http.body(document, 200, { "Content-Type": "application/json" })
  })

  pages?.(app)

  const problemAt = missing(all)
  app.notFound((http) => {
    const id = requestId(http.env.incoming, http.env.outgoing)
    const problem = problemAt(http.req.path)
    answered({ method: http.req.method.slice(0, 10), route: "(none)", status: problem.status, ms: 0, id })
    return problemResponse(http, problem)
  })
  app.onError((error, http) => {
    const id = requestId(http.env.incoming, http.env.outgoing)
    log.error("request failed", { id, ...errorFields(error, true) })
    return problemResponse(http, failed)
  })
  return { fetch: app.fetch, direct: direct.serve }
}

const throughHono =
  (serve: Endpoint, names: readonly string[]) =>
  async (http: Http): Promise<Response> => {
    const params = Object.fromEntries(names.map((name) => [name, http.req.param(name) ?? ""]))
    return (await serve(http, params)) ?? alreadySent()
  }
