/* Each request has an id, the caller's own or one of ours, in the header of the answer
 * and in the log. It is set on Node's response directly: that way it is on every answer,
 * whichever part makes it. */

import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"

const process = randomBytes(6).toString("base64url")
let count = 0

export function requestId(incoming: IncomingMessage, outgoing: ServerResponse): string {
  const known = outgoing.getHeader("x-request-id")
  if (typeof known === "string") return known
  const given = incoming.headers["x-request-id"]
  const id = typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : `${process}-${(count++).toString(36)}`
  outgoing.setHeader("x-request-id", id)
  return id
}
