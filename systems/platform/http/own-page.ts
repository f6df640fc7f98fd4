/* Browsers say where a request comes from (Sec-Fetch-Site), and a page cannot say anything else.
 * Another port of this host is another origin, but the same site: its pages send our cookies
 * along, whatever SameSite says. Programs say nothing, and are let through. */

import type { IncomingMessage } from "node:http"
import { forbidden } from "./problem.ts"

const OWN = new Set([undefined, "same-origin", "none"])

/** Whether a page of ours sent it, a person by hand, or a program. */
export const isOfOwnPage = ({ headers }: IncomingMessage): boolean =>
  OWN.has(headers["sec-fetch-site"] as string | undefined)

/** 403 for what a page of another origin sent: for routes that go by a cookie. */
export function checkOwnPage(request: IncomingMessage): void {
  if (!isOfOwnPage(request)) throw forbidden("a page of another origin sent this", "cross_origin")
}
