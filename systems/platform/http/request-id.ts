/* Each request has an id, the caller's own or one of ours, in the header of the answer
 * and in the log. Where no route answers, it is set on Node's response directly, so that it is
 * on every answer, whichever part makes it. */

import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"

const process = randomBytes(6).toString("base64url")
let count = 0

/** For an answer that does not set the header itself. */
export function requestId(incoming: IncomingMessage, outgoing: ServerResponse): string {
  const known = outgoing.getHeader("x-request-id")
  if (typeof known === "string") return known
  const id = idOf(incoming)
  outgoing.setHeader("x-request-id", id)
  return id
}

/** A new one at each call, unless the caller gave one. */
export function idOf(incoming: IncomingMessage): string {
  const given = incoming.headers["x-request-id"]
  return typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : `${process}-${(count++).toString(36)}`
}
