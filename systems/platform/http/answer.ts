/* The answer of a route, with all its headers in one plain object: setting them one by one on
 * Node's response takes longer than everything else that an answer needs. Whatever is answered
 * elsewhere (pages, errors, the router) gets the same headers from `secured`. */

import type { ServerResponse } from "node:http"
import { securityHeaderPairs, securityHeaders } from "./security-headers.ts"

const COMPLETE = Symbol("has all headers")
type Outgoing = ServerResponse & { [COMPLETE]?: true }

/** An answer in JSON, or without a body. */
export function routeAnswer(outgoing: ServerResponse, status: number, result: unknown, id: string): Response {
  ;(outgoing as Outgoing)[COMPLETE] = true
  const headers: Record<string, string> = { ...securityHeaders, "X-Request-Id": id }
  if (result === undefined) return new Response(null, { status, headers })
  headers["Content-Type"] = "application/json"
  return new Response(JSON.stringify(result), { status, headers })
}

/** The headers of every other answer; those that it has itself are kept. */
export function secured(response: Response, outgoing: ServerResponse): Response {
  if ((outgoing as Outgoing)[COMPLETE] !== true && !outgoing.headersSent) setSecurityHeaders(outgoing)
  return response
}

/** For an answer that a route writes to Node's response itself. */
export function setSecurityHeaders(outgoing: ServerResponse): void {
  for (const [name, value] of securityHeaderPairs) outgoing.setHeader(name, value)
}
