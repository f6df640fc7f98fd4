/* For what only the page itself asks for. Browsers say where a request comes from; a page
 * of another site that sends somebody here gets nothing out of it, and neither does one
 * that embeds the answer. Programs say nothing, and are let through. */

import { forbidden } from "../http/problem.ts"
import { problemResponse } from "../http/problem-response.ts"
import { requestId } from "../http/request-id.ts"
import type { Http } from "../http/route.ts"

const OWN = new Set([undefined, "same-origin", "none"])

export function forOwnPage<T extends Response | Promise<Response>>(http: Http, answer: () => T): T | Response {
  requestId(http.env.incoming, http.env.outgoing)
  const site = http.env.incoming.headers["sec-fetch-site"]
  if (typeof site === "string" && !OWN.has(site)) return problemResponse(http, forbidden("this is for the page itself"))
  return answer()
}
