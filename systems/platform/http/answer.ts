/* Answers in JSON, or without a body, written to Node's response at once with all their headers in one
 * list: setting them one by one, or by way of a Response of the web platform, takes longer than everything
 * else that an answer needs. What is answered elsewhere (pages, streams, the router) gets the same
 * headers from `secured`. */

import type { ServerResponse } from "node:http"
import type { Problem } from "./problem.ts"
import type { Http } from "./route.ts"
import { securityHeaderPairs } from "./security-headers.ts"

/** An answer with another status than its route's, or with headers of its own. */
export class RouteReply {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** A body that is JSON already: several answers may share it. */
export class WrittenJson {
  readonly bytes: Buffer

  constructor(body: unknown) {
    this.bytes = Buffer.from(JSON.stringify(body))
  }
}

const alwaysSent = securityHeaderPairs.flat()
const NONE: Readonly<Record<string, string>> = {}

/** Writes the whole answer; headers that were set before are kept. */
export function send(outgoing: ServerResponse, status: number, body: unknown, id: string, more = NONE): void {
  const headers = [...alwaysSent, "X-Request-Id", id]
  if (more !== NONE) for (const name of Object.keys(more)) headers.push(name, more[name]!)
  if (body === undefined) {
    outgoing.writeHead(status, headers)
    outgoing.end()
    return
  }
  const written = body instanceof WrittenJson ? body.bytes : JSON.stringify(body)
  headers.push("Content-Type", "application/json", "Content-Length", String(Buffer.byteLength(written)))
  outgoing.writeHead(status, headers)
  outgoing.end(written)
}

/** The one shape of an error: `{ error, message, details? }`. */
export function sendProblem(outgoing: ServerResponse, problem: Problem, id: string): void {
  send(outgoing, problem.status, problemBody(problem), id, problem.headers)
}

/** A problem, from where Hono answers. */
export const problemResponse = (http: Http, problem: Problem): Response =>
  http.json(problemBody(problem), problem.status, { ...problem.headers })

const problemBody = ({ code, message, details }: Problem) => ({
  error: code,
  message,
  ...(details !== undefined && { details: details as never }),
})

/** The headers of every other answer; those that it has itself are kept. */
export function secured(response: Response, outgoing: ServerResponse): Response {
  if (!outgoing.headersSent) setSecurityHeaders(outgoing)
  return response
}

/** For an answer that a route writes to Node's response itself. */
export function setSecurityHeaders(outgoing: ServerResponse): void {
  for (const [name, value] of securityHeaderPairs) outgoing.setHeader(name, value)
}

/** Tells Hono's server that the response is being written; it looks at the header only once the body was asked for. */
export function alreadySent(): Response {
  const response = new Response(null, { headers: { "x-hono-already-sent": "true" } })
  void response.body
  return response
}
