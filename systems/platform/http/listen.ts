/* The HTTP server, and how it ends: no new connections, requests under way are answered,
 * idle connections are closed; those that take too long are cut off. */

import { getRequestListener, type HttpBindings } from "@hono/node-server"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { secured } from "./answer.ts"
import { arrived, connected } from "./arrival.ts"
import { addressFrom } from "./client-address.ts"
import { MOST_CONNECTIONS, patience as usualPatience, watchConnections, type Patience } from "./connections.ts"
import type { Direct } from "./direct-router.ts"
import { GatheringMessage } from "./gathering-message.ts"
import { type HostPattern, proxied } from "./hosts.ts"
import { Problem } from "./problem.ts"
import { requestId } from "./request-id.ts"
import { checkTarget } from "./request-target.ts"
import { MOST_UNREAD } from "./unread-answers.ts"
import { securityHeaderPairs, securityHeaders } from "./security-headers.ts"

export interface Listening {
  readonly port: number
  close(): Promise<void>
}

export interface ListenOptions {
  readonly port: number
  readonly host: string
  /** Names that are served; none: all. */
  readonly hosts?: readonly HostPattern[]
  /** Every request comes from a proxy that says where from. */
  readonly behindProxy?: boolean
  readonly patience?: Partial<Patience>
  readonly mostConnections?: number
  /** Bytes of answers that wait to be read. */
  readonly mostUnread?: number
}

type Fetch = Parameters<typeof getRequestListener>[0]
type ListeningApp = { readonly fetch: Fetch; readonly direct?: Direct }

const LONGEST_CLOSE_MS = 10_000
/** Far more than browsers and proxies send. Node limits only their bytes: thousands of short ones would take milliseconds to read, and many times their size in memory. */
const MOST_HEADERS = 200
/** Requests are still accepted for this long: one may be on its way on a connection that looks idle. */
const GRACE_MS = 50

export async function listen({ fetch, direct }: ListeningApp, options: ListenOptions): Promise<Listening> {
  const { port, host, hosts = [], behindProxy = false } = options
  const { mostConnections = MOST_CONNECTIONS, mostUnread = MOST_UNREAD } = options
  const patience: Patience = { ...usualPatience, ...options.patience }
  const answered: Fetch = (request, env) => {
    const { outgoing } = env as HttpBindings
    const response = fetch(request, env) as Response | Promise<Response>
    return response instanceof Promise ? response.then((one) => secured(one, outgoing)) : secured(response, outgoing)
  }
  const listener = getRequestListener(answered, { errorHandler: invalidUrl })
  let isClosing = false
  const server = createServer({
    headersTimeout: patience.headersMs,
    requestTimeout: patience.requestMs,
    connectionsCheckingInterval: patience.checkMs,
    requireHostHeader: false,
    IncomingMessage: GatheringMessage,
  })
  const most = { connections: mostConnections, unread: mostUnread }
  const connections = watchConnections(server, patience, most, behindProxy ? addressFrom(true) : undefined)
  const begin = (incoming: IncomingMessage, outgoing: ServerResponse, handle: () => void) => {
    if (behindProxy) proxied(incoming)
    if (isClosing) outgoing.setHeader("connection", "close")
    // Nobody reads the body of such a request: its chunks would be kept until the answer ends, which may be a stream of events.
    if (incoming.method === "GET" || incoming.method === "HEAD") incoming.resume()
    try {
      if (hasTooManyHeaders(incoming)) throw tooManyHeaders()
      checkTarget(incoming, hosts)
      handle()
    } catch (error) {
      connections.last(incoming.socket)
      refuseEarly(incoming, outgoing, error as Problem)
    }
  }
  const receive = (incoming: IncomingMessage, outgoing: ServerResponse, handle: () => void) => {
    arrived(incoming)
    // The headers that were left out may have described its body, so that is not kept.
    if (hasTooManyHeaders(incoming)) incoming.resume()
    connections.serve(incoming, outgoing, () => begin(incoming, outgoing, handle))
  }
  // Node drops what is beyond its maximum: a second Host, a coding, or what a proxy added at the end. So it may keep one more than is served, and such a request is refused.
  server.maxHeadersCount = MOST_HEADERS + 1
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) =>
    receive(incoming, outgoing, () => {
      if (direct?.(incoming, outgoing) !== true) void listener(incoming, outgoing)
    }),
  )
  // Node's own answer would lack the security headers.
  server.on("checkExpectation", (incoming: IncomingMessage, outgoing: ServerResponse) =>
    receive(incoming, outgoing, () => {
      throw new Problem(417, "expectation_failed", "Expect can only be 100-continue")
    }),
  )
  server.on("connection", connected)
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable && error.code !== "ECONNRESET")
      connections.refuse(socket as never, answerToUnreadable(error.code))
    else socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      isClosing = true
      await new Promise((resolve) => setTimeout(resolve, GRACE_MS))
      await new Promise<void>((resolve) => {
        const idle = setInterval(() => server.closeIdleConnections(), 20)
        const cutOff = setTimeout(() => server.closeAllConnections(), LONGEST_CLOSE_MS)
        server.close(() => {
          clearInterval(idle)
          clearTimeout(cutOff)
          resolve()
        })
      })
    },
  }
}

const JSON_TYPE = "application/json"

const hasTooManyHeaders = ({ rawHeaders }: IncomingMessage): boolean => rawHeaders.length > 2 * MOST_HEADERS
const tooManyHeaders = () => new Problem(431, "headers_too_large", `there are more than ${MOST_HEADERS} headers`)

/** Refused before any route saw it, in the same shape. */
function refuseEarly(incoming: IncomingMessage, outgoing: ServerResponse, { status, code, message }: Problem): void {
  requestId(incoming, outgoing)
  outgoing.writeHead(status, { ...securityHeaders, "Content-Type": JSON_TYPE, Connection: "close" })
  outgoing.end(JSON.stringify({ error: code, message }))
}

/** What no router sees, such as a Host header that is not a host. */
const invalidUrl = () =>
  new Response(INVALID_URL, { status: 400, headers: { ...securityHeaders, "Content-Type": JSON_TYPE } })
const INVALID_URL = JSON.stringify({ error: "invalid_url", message: "the URL or the Host header is not valid" })

/** What Node itself could not read is answered in the same shape as everything else. */
function answerToUnreadable(code: string | undefined): string {
  const [status, error, message] =
    code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "headers_too_large", "the headers are too large"]
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "request_timeout", "the request took too long to arrive"]
        : ["400 Bad Request", "malformed_request", "this is not HTTP"]
  const body = JSON.stringify({ error, message })
  const head = ["Connection: close", `Content-Type: ${JSON_TYPE}`, `Content-Length: ${Buffer.byteLength(body)}`]
  const safe = securityHeaderPairs.map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status}`, ...head, ...safe, "", body].join("\r\n")
}
