/* The door: every request is judged before anything else looks at it, and every
 * answer has the same headers, refusals too. */

import type { IncomingMessage, ServerResponse } from "node:http"
import { escapeHtml } from "../../render/page/escape-html.ts"
import { failureOf, statusOf } from "./answer.ts"
import { type Guard, HEADERS } from "./guard.ts"

/** Whether the request may proceed; if not, it has been answered. */
export function admit(guard: Guard, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  for (const [name, value] of Object.entries(HEADERS)) outgoing.setHeader(name, value)
  const { method = "", url = "", headersDistinct } = incoming
  // If a header comes twice, both count: another program may have gone by either.
  const header = (name: string) => headersDistinct[name]?.join(", ")
  const refusal = guard.refusalOf({ method, target: url, header })
  if (refusal === undefined) return true
  const failure = failureOf(refusal)
  const isPage = !url.startsWith("/api/") && header("accept")?.includes("text/html") === true
  const [type, text] = isPage
    ? ["text/html; charset=utf-8", errorPage(failure.error)]
    : ["application/json", JSON.stringify(failure)]
  // What the request still wants to say is not read.
  outgoing.writeHead(statusOf(refusal), { "content-type": type, connection: "close" }).end(text)
  return false
}

const errorPage = ({ message, why, fix }: { message: string; why?: string; fix?: string }): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">` +
  `<title>Keywright Studio</title><h1>Keywright Studio</h1>` +
  [message, why, fix].map((text) => (text === undefined ? "" : `<p>${escapeHtml(text)}</p>`)).join("")
