/* All routes of all systems in one Hono app: at the root when one is served, under its
 * name when several are. */

import type { HttpBindings } from "@hono/node-server"
import { Hono } from "hono"
import { errorFields, type Log } from "../log.ts"
import { endpoint, type Answered, type EndpointContext } from "./endpoint.ts"
import { missing } from "./missing.ts"
import { openApi } from "./openapi.ts"
import { Problem } from "./problem.ts"
import { problemResponse } from "./problem-response.ts"
import { requestId } from "./request-id.ts"
import type { Http, Route } from "./route.ts"

export interface Served extends EndpointContext {
  readonly doc: string
  readonly prefix: string
  readonly routes: readonly Route[]
}

export interface AppOptions {
  readonly systems: readonly Served[]
  readonly health: () => Promise<{ readonly status: "ok" | "degraded" }>
  readonly metrics: { readonly contentType: string; text(): Promise<string> }
  readonly answered: (request: Answered) => void
  readonly log: Log
  /** Adds the pages, where they have been built. */
  readonly pages?: ((app: Hono<{ Bindings: HttpBindings }>) => void) | undefined
}

export function makeApp({
  systems,
  health,
  metrics,
  answered,
  log,
  pages,
}: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const all: { method: Route["method"]; path: string }[] = []
  const add = (method: Route["method"], path: string, handler: (http: Http) => Response | Promise<Response>) => {
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ":$1"), handler)
    all.push({ method, path })
  }
  for (const served of systems) {
    for (const route of served.routes) add(route.method, served.prefix + route.path, endpoint(route, served))
  }

  /** Large, and always the same: made once. */
  const document = JSON.stringify(
    openApi(systems.map(({ system, doc, prefix, routes }) => ({ name: system, doc, prefix, routes }))),
  )
  add("GET", "/health", async (http) => {
    const found = await health()
    requestId(http.env.incoming, http.env.outgoing)
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
    return problemResponse(http, new Problem(500, "internal", "something went wrong here; the log has it"))
  })
  return app
}
