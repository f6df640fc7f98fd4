/* The target of a request, before anybody looks at it. The router, the parameters and the
 * checks each read it in their own way, so it has to have one meaning only: a path and a
 * query. What a URL may hold elsewhere (a fragment, a backslash, another host) is refused
 * or taken off here. */

import type { IncomingMessage } from "node:http"
import { badRequest, Problem } from "./problem.ts"
import { isServed, type HostPattern } from "./hosts.ts"

const ABSOLUTE = /^https?:\/\/([^/?#@]+)(?=[/?]|$)/i

/** Makes the target a path and a query, and checks what Node leaves open. Throws a 400, or a 421 for a host that is not served. */
export function checkTarget(incoming: IncomingMessage, hosts: readonly HostPattern[]): void {
  if (incoming.url!.charCodeAt(0) !== 47) toOriginForm(incoming)
  const target = incoming.url!
  if (target.includes("#")) throw badRequest("invalid_url", "a request target has no fragment: # is %23 in a path")
  if (target.includes("\\")) throw badRequest("invalid_url", "a request target has no backslash: it is %5C in a path")
  if (hostsIn(incoming) > 1) throw badRequest("invalid_url", "there is more than one Host header")
  checkFraming(incoming)
  if (hosts.length > 0 && !isServed(hosts, incoming.headers.host ?? ""))
    throw new Problem(421, "unknown_host", "this server does not serve that host name")
}

/**
 * Where a body ends has one meaning, too: Node reads any list of codings that ends with `chunked`, and a proxy in front of
 * this server may have read the body by another one of them (RFC 9112, 6.1).
 */
function checkFraming({ headers, httpVersion }: IncomingMessage): void {
  const coding = headers["transfer-encoding"]
  if (coding === undefined && httpVersion === "1.1") return
  if (!httpVersion.startsWith("1.")) throw badRequest("malformed_request", "this is not HTTP/1.1")
  if (coding === undefined) return
  if (coding.toLowerCase() !== "chunked" || httpVersion === "1.0")
    throw badRequest("malformed_request", "a body needs a Content-Length, or chunked as its only transfer coding")
}

/** `GET http://host/path` means what `GET /path` with that Host means, whatever the header says (RFC 9112, 3.2.2). */
function toOriginForm(incoming: IncomingMessage): void {
  const found = ABSOLUTE.exec(incoming.url!)
  if (found === null) throw badRequest("invalid_url", "a request target begins with a slash")
  if (incoming.headers.host === undefined) throw badRequest("invalid_url", "there is no Host header")
  const rest = incoming.url!.slice(found[0].length)
  incoming.headers.host = found[1]!
  incoming.url = rest.startsWith("/") ? rest : `/${rest}`
}

/** Node keeps the first and forgets the others; a proxy in front of this server may have kept the last. */
function hostsIn({ rawHeaders }: IncomingMessage): number {
  let found = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === "host") found += 1
  }
  return found
}
