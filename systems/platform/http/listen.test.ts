/* What no route sees, and Node itself could not read. */

import { connect } from "node:net"
import { afterAll, beforeAll, expect, it } from "vitest"
import { listen, type Listening } from "./listen.ts"

let server: Listening
beforeAll(async () => {
  server = await listen(() => new Response("{}"), 0, "127.0.0.1")
})
afterAll(() => server.close())

const sent = (request: string) =>
  new Promise<string>((resolve) => {
    let answer = ""
    const socket = connect(server.port, "127.0.0.1", () => socket.write(request))
    socket.on("data", (part) => (answer += part.toString()))
    socket.on("error", () => undefined)
    socket.on("close", () => resolve(answer))
  })

it.each([
  ["nonsense", "nonsense\r\n\r\n", 400, "malformed_request"],
  ["a byte that is none of a URL", "GET /\u00ff HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformed_request"],
  ["large headers", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431, "headers_too_large"],
  ["no Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "invalid_url"],
])("ALL-12: answers %s in the one shape of an error", async (_, request, status, error) => {
  const answer = await sent(request)
  expect(answer).toContain(`HTTP/1.1 ${status} `)
  expect(JSON.parse(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1))).toEqual({
    error,
    message: expect.any(String),
  })
})
