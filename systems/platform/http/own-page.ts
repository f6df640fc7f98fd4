/* Browsers send where a request comes from (Sec-Fetch-Site), and a page cannot change that.
 * Another port of this host is another origin, but the same site: its pages send our cookies
 * along, whatever SameSite says. Older browsers send only the origin of a POST; behind
 * a proxy the name of this server may differ from it, so it decides only there. Programs send
 * nothing, and are let through. */

import type { IncomingMessage } from "node:http"
import { forbidden } from "./problem.ts"

/** Whether a page of ours sent it, a person by hand, or a program. */
export function isOfOwnPage({ headers }: IncomingMessage): boolean {
  const { "sec-fetch-site": site, origin, host } = headers
  if (site !== undefined) return site === "same-origin" || site === "none"
  return origin === undefined || origin.replace(/^https?:\/\//, "") === host?.toLowerCase()
}

/** 403 for what a page of another origin sent: for routes that go by a cookie. */
export function checkOwnPage(request: IncomingMessage): void {
  if (!isOfOwnPage(request)) throw forbidden("this request came from a page of another origin", "cross_origin")
}
