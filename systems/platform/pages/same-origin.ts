/* For what only the page itself asks for. Browsers say where a request comes from; a page
 * of another site that sends somebody here gets nothing out of it, and neither does one
 * that embeds the answer. Programs say nothing, and are let through. */

import { isOfOwnPage } from "../http/own-page.ts"
import { forbidden } from "../http/problem.ts"
import { problemResponse } from "../http/answer.ts"
import { requestId } from "../http/request-id.ts"
import type { Http } from "../http/route.ts"

export function forOwnPage<T extends Response | Promise<Response>>(http: Http, answer: () => T): T | Response {
  requestId(http.env.incoming, http.env.outgoing)
  if (!isOfOwnPage(http.env.incoming)) return problemResponse(http, forbidden("only the page itself may call this"))
  return answer()
}
