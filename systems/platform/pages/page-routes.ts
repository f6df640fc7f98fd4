/* The pages, beside the routes. A page is answered to GET and HEAD whose Accept names
 * text/html, at a system's own address (and, of several, at the front); other requests get
 * the same answer as without pages. What the pages need is under /-/, which no system
 * uses:
 *
 *   /-/assets/{name}     scripts and styles, under names that hold their digest
 *   /-/about             what runs here, and whether one may look; in a demonstration, also who may log in
 *   /-/commands/{id}     what a recorded request did to Redis: in a demonstration, or for administrators
 *   /-/studio?to=        in a demonstration: on to the studio, by a link that works once */

import type { HttpBindings } from "@hono/node-server"
import type { Hono } from "hono"
import type { IncomingMessage } from "node:http"
import { forOwnPage } from "./same-origin.ts"
import { notFound } from "../http/problem.ts"
import { problemResponse } from "../http/answer.ts"
import { requestId } from "../http/request-id.ts"
import type { Http } from "../http/route.ts"
import type { PageFiles } from "./page-files.ts"
import { EXPLORER_POLICY, PAGE_POLICY, pageHtml, wantsHtml } from "./page-html.ts"
import type { Recorded, Recorder } from "./recorder.ts"
import type { ExplainedRequest } from "./explained-request.ts"

/** What a demonstration adds. */
export interface DemoPages {
  /** Who may log in, and as what: shown to everybody who opens the page. */
  readonly access: () => Readonly<Record<string, unknown>>
  readonly hasStudio?: () => boolean
  /** A new link to this view of the studio, where older ones make room for it; undefined while there is no studio. */
  readonly studio?: (view: string) => string | undefined
  /** Its own pages and calls. */
  readonly add?: (app: Hono<{ Bindings: HttpBindings }>, page: ServePage) => void
}

/** Answers with one of the built pages; with a system, as a part of its page. */
export type ServePage = (http: Http, name: string, base: string, title: string, system?: string) => Response

export interface PageSystem {
  readonly name: string
  readonly doc: string
  readonly prefix: string
  readonly explain: (recorded: Recorded) => ExplainedRequest
}

export interface PageOptions {
  readonly files: PageFiles
  readonly systems: readonly PageSystem[]
  readonly recorder: Recorder
  /** Whether this request may see what was recorded. */
  readonly mayLook: (request: IncomingMessage) => boolean
  readonly isDemo: boolean
  readonly demo?: DemoPages | undefined
}

type App = Hono<{ Bindings: HttpBindings }>

export function addPages(app: App, options: PageOptions): void {
  const { files, systems, demo } = options
  const icon = Object.values(files.pages).length > 0 ? iconOf(files) : undefined

  const servePage: ServePage = (http, name, base, title, of = name) => {
    const parts = files.pages[name]
    if (parts === undefined) return nothing(http)
    requestId(http.env.incoming, http.env.outgoing)
    const system = systems.find((one) => one.name === of)?.name
    const html = pageHtml({ title, parts, icon, base, ...(system !== undefined && { system }) })
    return http.html(html, 200, {
      "Content-Security-Policy": name === "docs" ? EXPLORER_POLICY : PAGE_POLICY,
      Vary: "Accept",
    })
  }
  const page = (path: string, name: string, base: string, title: string) =>
    app.get(path, (http, next) =>
      wantsHtml(http.env.incoming.headers.accept) ? servePage(http as Http, name, base, title) : next(),
    )

  const [only, ...others] = systems
  if (only !== undefined && others.length === 0) page("/", only.name, "", titleOf(only.name))
  else {
    page("/", "front", "", "Keywright: the systems")
    for (const { name, prefix } of systems) {
      page(prefix, name, prefix, titleOf(name))
      page(`${prefix}/`, name, prefix, titleOf(name))
    }
  }
  page("/docs", "docs", "", "Keywright: the API")
  addCalls(app, options)
  demo?.add?.(app, servePage)
}

/** What the pages ask for besides the systems' own routes. */
function addCalls(app: App, { files, systems, recorder, mayLook, isDemo, demo }: PageOptions): void {
  app.get("/-/assets/:name", (http) => {
    const file = files.file(http.req.param("name"))
    if (file === undefined) return nothing(http as Http)
    const isGzipped = /\bgzip\b/.test(http.env.incoming.headers["accept-encoding"] ?? "")
    return http.body((isGzipped ? file.gzipped : file.bytes) as Uint8Array<ArrayBuffer>, 200, {
      "Content-Type": file.type,
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
      ...(isGzipped && { "Content-Encoding": "gzip" }),
    })
  })
  app.get("/-/about", (http) =>
    forOwnPage(http as Http, () =>
      http.json({
        systems: systems.map(({ name, doc, prefix }) => ({ name, doc, prefix })),
        demo: isDemo,
        mayLook: mayLook(http.env.incoming),
        ...(demo && { access: demo.access() as never, studio: demo.hasStudio?.() ?? false }),
      }),
    ),
  )
  app.get("/-/commands/:id", (http) =>
    forOwnPage(http as Http, async () => {
      const found = mayLook(http.env.incoming) ? await recorder.find(http.req.param("id")) : undefined
      const explain = systems.find(({ name }) => name === found?.system)?.explain
      return found === undefined || explain === undefined ? nothing(http as Http) : http.json(explain(found) as never)
    }),
  )
  app.get("/-/studio", (http) =>
    forOwnPage(http as Http, () => {
      const view = http.req.query("to") ?? "/overview"
      const link = /^\/[\w/.%~?=&#-]*$/.test(view) ? demo?.studio?.(view) : undefined
      return link === undefined ? nothing(http as Http) : http.redirect(link, 302)
    }),
  )
}

const titleOf = (name: string): string => `Keywright: the ${name}`
const iconOf = (files: PageFiles): string | undefined => files.pages["icon"]?.styles[0]

/** As the router says it where there is no route. */
function nothing(http: Http): Response {
  requestId(http.env.incoming, http.env.outgoing)
  return problemResponse(http, notFound("there is nothing at this path", "no_such_route"))
}
