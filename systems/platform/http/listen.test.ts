/* What no route sees: what Node itself could not read, targets that are not a path and a
 * query, hosts that are not served, and the headers of every answer. */

import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listen, type Listening } from "./listen.ts"
import { securityHeaderPairs } from "./security-headers.ts"

let server: Listening
let named: Listening
beforeAll(async () => {
  const echo = (request: Request) => Response.json({ path: new URL(request.url).pathname })
  server = await listen({ fetch: echo as never }, { port: 0, host: "127.0.0.1" })
  named = await listen(
    { fetch: echo as never },
    { port: 0, host: "127.0.0.1", hosts: ["shop.example", "*.carto.example"] },
  )
})
afterAll(() => Promise.all([server.close(), named.close()]))

const sent = (request: string, { port } = server) =>
  new Promise<string>((resolve) => {
    let answer = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(request, "latin1"))
    socket.on("data", (part) => (answer += part.toString()))
    socket.on("error", () => undefined)
    socket.on("close", () => resolve(answer))
  })
const bodyOf = (answer: string) =>
  JSON.parse(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1)) as Record<string, string>
const get = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, "Connection: close", ...headers, "", ""].join("\r\n")

const post = (framing: string) =>
  ["POST / HTTP/1.1", "Host: a", "Connection: close", framing, "", "0\r\n\r\n"].join("\r\n")
const MALFORMED = "malformed_request"
/** In fewer bytes than it takes. */
const MANY = "a:\r\n".repeat(2010)
/** With the others, one too many. */
const TOO_MANY = "a:\r\n".repeat(199)

const refused: readonly (readonly [what: string, request: string, status: number, error: string])[] = [
  ["nonsense", "nonsense\r\n\r\n", 400, "malformed_request"],
  ["a byte that no URL has", "GET /\u00ff HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformed_request"],
  ["large headers", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431, "headers_too_large"],
  ["no Host", get("/"), 400, "invalid_url"],
  ["two Hosts", get("/", "Host: a", "hOsT: b"), 400, "invalid_url"],
  ["too many headers", get("/", "Host: a", `${TOO_MANY}X: y`), 431, "headers_too_large"],
  ["two Hosts with thousands of headers between them", get("/", "Host: a", `${MANY}Host: b`), 431, "headers_too_large"],
  ["a coding after thousands of headers", post(`${MANY}Transfer-Encoding: gzip, chunked`), 431, "headers_too_large"],
  ["a fragment", get("/dishes/6#/5", "Host: a"), 400, "invalid_url"],
  ["a fragment in a query", get("/dishes/6?a=1#b", "Host: a"), 400, "invalid_url"],
  ["a fragment in an absolute target", get("http://a/dishes/6#/5", "Host: a"), 400, "invalid_url"],
  ["a fragment right after the host", get("http://a#/dishes/6", "Host: a"), 400, "malformed_request"],
  ["a backslash", get("/dishes\\6", "Host: a"), 400, "invalid_url"],
  ["user information", get("http://a@b/dishes", "Host: b"), 400, "invalid_url"],
  ["another scheme", get("ftp://a/dishes", "Host: a"), 400, "invalid_url"],
  ["an absolute target without a Host", get("http://a/dishes"), 400, "invalid_url"],
  ["a list of Hosts", get("/", "Host: a, b"), 400, "invalid_url"],
  ["another version", get("/", "Host: a").replace("HTTP/1.1", "HTTP/2.0"), 400, "malformed_request"],
  ...[
    ...["xchunked, chunked", "gzip, chunked", "identity, chunked", ", chunked", "chunked,", "chunked, chunked"],
    ...["chunked;q=1", "xchunked", "chunked x", "identity", "chunked\r\nTransfer-Encoding: chunked"],
    "chunked\r\nContent-Length: 5",
  ].map(
    (coding) => [`the coding ${JSON.stringify(coding)}`, post(`Transfer-Encoding: ${coding}`), 400, MALFORMED] as const,
  ),
  ["chunks by HTTP/1.0", post("Transfer-Encoding: chunked").replace("1.1", "1.0"), 400, MALFORMED],
  ...["+5", "-5", "0x5", "5, 5", "5 5", "5_0", "", "5\r\nContent-Length: 5", "5\r\nContent-Length: 6"].map(
    (length) => [`the length ${JSON.stringify(length)}`, post(`Content-Length: ${length}`), 400, MALFORMED] as const,
  ),
  ["a header over two lines", get("/", "Host: a", "X: b\r\n c"), 400, MALFORMED],
  ["a space before a colon", get("/", "Host : a"), 400, MALFORMED],
  ["lines without a carriage return", get("/", "Host: a").replaceAll("\r", ""), 400, MALFORMED],
]
it.each(refused)("ALL-12: answers %s in the one shape of an error", async (_, request, status, error) => {
  const answer = await sent(request)
  expect(answer).toContain(`HTTP/1.1 ${status} `)
  expect(bodyOf(answer)).toEqual({ error, message: expect.any(String) })
  for (const [name, value] of securityHeaderPairs)
    expect(answer.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase())
})

it("serves what is asked for by an absolute target, and says so on every answer", async () => {
  const answer = await sent(get("http://a/dishes/6", "Host: other"))
  expect(bodyOf(answer)).toEqual({ path: "/dishes/6" })
  for (const [name, value] of securityHeaderPairs)
    expect(answer.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase())
})

describe("a server that has names", () => {
  it.each([
    ["shop.example", 200],
    ["SHOP.example.:8080", 200],
    ["dev.carto.example", 200],
    ["localhost:3000", 200],
    ["127.0.0.1", 200],
    ["carto.example", 421],
    ["evil.example", 421],
    ["shop.example.evil.example", 421],
    ["evilcarto.example", 421],
    ["127.0.0.1.evil.example", 421],
  ])("answers to %s with %i", async (host, status) => {
    expect(await sent(get("/", `Host: ${host}`), named)).toContain(`HTTP/1.1 ${status} `)
  })

  it("goes by the host of an absolute target, not by the header beside it", async () => {
    expect(await sent(get("http://evil.example/", "Host: shop.example"), named)).toContain("HTTP/1.1 421 ")
  })
})
