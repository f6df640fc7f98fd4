/* The studio over HTTP, for requests that the guard has let in: calls, the page's own
 * files, and errors as data. */

import { type Context, Hono } from "hono"
import { isKeywrightError } from "../../errors/error.ts"
import { methodRefused, notFound } from "../../errors/studio.ts"
import { failureOf, statusOf } from "./answer.ts"
import type { Guard } from "./guard.ts"
import type { PageFile } from "./page-files.ts"
import { addRoutes } from "./routes.ts"
import type { Studio } from "./studio.ts"

export interface HttpAppOptions {
  readonly files: ReadonlyMap<string, PageFile>
  /** Called with internal errors of the studio. */
  readonly onError?: (error: unknown) => void
}

export function httpApp(studio: Studio, guard: Guard, { files, onError }: HttpAppOptions): Hono {
  const app = new Hono()

  addRoutes(app, studio, guard)
  app.get("*", (c) => pageAnswer(c, files))
  app.all("*", (c) => {
    throw methodRefused(c.req.method)
  })

  app.onError((error, c) => {
    if (!isKeywrightError(error)) onError?.(error)
    return c.json(failureOf(error), statusOf(error) as 400)
  })
  return app
}

function pageAnswer(c: Context, files: ReadonlyMap<string, PageFile>): Response {
  const name = c.req.path.slice(1) || "index.html"
  const file = files.get(name)
  if (file === undefined)
    throw notFound(name === "index.html" ? "page: it has not been built (npm run build)" : "such file")
  c.header("etag", file.tag)
  c.header("cache-control", "no-cache")
  if (c.req.header("if-none-match") === file.tag) return c.body(null, 304)
  c.header("content-type", file.type)
  c.header("vary", "accept-encoding")
  if (!/\bgzip\b/.test(c.req.header("accept-encoding") ?? "")) return c.body(new Uint8Array(file.bytes))
  c.header("content-encoding", "gzip")
  return c.body(new Uint8Array(file.gzipped))
}
