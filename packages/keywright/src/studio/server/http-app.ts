/* The studio over HTTP: every request is judged first, every answer has the same
 * headers, every error is data. */

import { type Context, Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import { bodyTooLarge, methodRefused, notFound } from "../../errors/studio.ts"
import { escapeHtml } from "../../render/escape-html.ts"
import { failureOf, isUnexpected, statusOf } from "./answer.ts"
import { type Guard, HEADERS } from "./guard.ts"
import type { PageFile } from "./page-files.ts"
import { addRoutes } from "./routes.ts"
import type { Studio } from "./studio.ts"

const MOST_BODY = 1_048_576

export interface HttpAppOptions {
  readonly files: ReadonlyMap<string, PageFile>
  /** Told of mistakes of the studio's own. */
  readonly onError?: (error: unknown) => void
}

interface Bindings {
  readonly incoming?: { readonly url?: string }
}

export function httpApp(studio: Studio, guard: Guard, { files, onError }: HttpAppOptions): Hono {
  const app = new Hono()

  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value)
    const { pathname, search } = new URL(c.req.url)
    const target = (c.env as Bindings | undefined)?.incoming?.url ?? `${pathname}${search}`
    const verdict = guard.judge({ method: c.req.method, target, header: (name) => c.req.header(name) })
    if ("refused" in verdict) throw verdict.refused
    if (!("cookie" in verdict)) return next()
    c.header("set-cookie", verdict.cookie)
    return c.redirect(verdict.location, 303)
  })
  app.use(
    bodyLimit({
      maxSize: MOST_BODY,
      onError: () => {
        throw bodyTooLarge(MOST_BODY)
      },
    }),
  )
  addRoutes(app, studio)
  app.get("*", (c) => pageAnswer(c, files))
  app.all("*", (c) => {
    throw methodRefused(c.req.method)
  })

  app.onError((error, c) => {
    if (isUnexpected(error)) onError?.(error)
    const failure = failureOf(error)
    const status = statusOf(error) as 400
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value)
    const wantsPage = !c.req.path.startsWith("/api/") && c.req.header("accept")?.includes("text/html") === true
    return wantsPage ? c.html(errorPage(failure.error), status) : c.json(failure, status)
  })
  return app
}

/** The page's own files by name; every other path is a view of the page. */
function pageAnswer(c: Context, files: ReadonlyMap<string, PageFile>): Response {
  const name = c.req.path.slice(1)
  const isFile = /\.\w{1,5}$/.test(name) && !name.includes("/")
  const file = files.get(name) ?? (isFile ? undefined : files.get("index.html"))
  if (file === undefined) throw notFound(isFile ? "such file" : "page: it has not been built (npm run build)")
  c.header("etag", file.tag)
  c.header("cache-control", "no-cache")
  if (c.req.header("if-none-match") === file.tag) return c.body(null, 304)
  c.header("content-type", file.type)
  c.header("vary", "accept-encoding")
  if (!/\bgzip\b/.test(c.req.header("accept-encoding") ?? "")) return c.body(new Uint8Array(file.bytes))
  c.header("content-encoding", "gzip")
  return c.body(new Uint8Array(file.gzipped))
}

const errorPage = ({ message, why, fix }: { message: string; why?: string; fix?: string }): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">` +
  `<title>Keywright Studio</title><h1>Keywright Studio</h1>` +
  [message, why, fix].map((text) => (text === undefined ? "" : `<p>${escapeHtml(text)}</p>`)).join("")
