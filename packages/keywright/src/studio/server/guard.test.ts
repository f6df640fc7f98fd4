/* Hostile requests, each refused, in one table; and the door itself. Requests are made
 * with Node's own client, so that every header is exactly as it is here. */

import { connect } from "node:net"
import { type Engine, start } from "@keywright/embedded"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Guard, HEADERS } from "./guard.ts"
import { startStudio, type RunningStudio } from "./start-studio.ts"
import { ask, enter, type StudioClient } from "./studio-client.cases.ts"
import { fillRestaurant, PASSWORD, restaurant } from "./studio-data.cases.ts"

let engine: Engine
let studio: RunningStudio
let page: StudioClient
const mistakes: unknown[] = []
let own: Record<string, string>
let otherStudio: RunningStudio
let other: StudioClient

beforeAll(async () => {
  engine = await start()
  await fillRestaurant({ engine })
  studio = await startStudio({
    systems: [{ keyspace: restaurant, server: { engine } }],
    onError: (error) => mistakes.push(error),
  })
  page = await enter(studio)
  otherStudio = await startStudio({ systems: [{ keyspace: restaurant, server: { engine } }] })
  other = await enter(otherStudio)
  await page.event("scan", ({ state }) => state === "done")
  own = { ...page.own }
})

afterAll(async () => {
  await studio?.close()
  await otherStudio?.close()
  await engine?.stop()
})

interface Hostile {
  readonly method?: string
  readonly path?: string
  /** Instead of, or beside, those of the studio's own page; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string
  readonly status: number
  readonly code: string
}

const JSON_TYPE = { "content-type": "application/json" }
const AUDIT = "/api/systems/restaurant/audit"
const KEY = "/api/systems/restaurant/key"

const HOSTILE: Readonly<Record<string, Hostile>> = {
  "a name that was rebound to this address": { headers: { host: "evil.example" }, status: 403, code: "STUDIO.HOST" },
  "a rebound name with the right port": { headers: { host: "evil.example:PORT" }, status: 403, code: "STUDIO.HOST" },
  "the right address with another port": { headers: { host: "127.0.0.1:1" }, status: 403, code: "STUDIO.HOST" },
  "the right address without a port": { headers: { host: "127.0.0.1" }, status: 403, code: "STUDIO.HOST" },
  "an address that ends like ours": { headers: { host: "1127.0.0.1:PORT" }, status: 403, code: "STUDIO.HOST" },
  "a name that begins like ours": {
    headers: { host: "127.0.0.1.evil.example:PORT" },
    status: 403,
    code: "STUDIO.HOST",
  },
  "a list of codings that ends as ours": {
    headers: { "transfer-encoding": "xchunked, chunked" },
    status: 400,
    code: "STUDIO.QUERY",
  },
  "an IPv6 name": { headers: { host: "[::1]:PORT" }, status: 403, code: "STUDIO.HOST" },
  "an address in another spelling": { headers: { host: "0x7f.0.0.1:PORT" }, status: 403, code: "STUDIO.HOST" },
  "all addresses": { headers: { host: "0.0.0.0:PORT" }, status: 403, code: "STUDIO.HOST" },

  "another page reads": { headers: { origin: "https://evil.example" }, status: 403, code: "STUDIO.ORIGIN" },
  "a page without an origin": { headers: { origin: "null" }, status: 403, code: "STUDIO.ORIGIN" },
  "a page on another port of this machine": {
    headers: { origin: "http://127.0.0.1:3000" },
    status: 403,
    code: "STUDIO.ORIGIN",
  },
  "our origin by TLS": { headers: { origin: "https://127.0.0.1:PORT" }, status: 403, code: "STUDIO.ORIGIN" },
  "the other name's origin": { headers: { origin: "http://localhost:PORT" }, status: 403, code: "STUDIO.ORIGIN" },
  "a page of another site fetches": { headers: { "sec-fetch-site": "cross-site" }, status: 403, code: "STUDIO.ORIGIN" },
  "a page of the same site fetches": { headers: { "sec-fetch-site": "same-site" }, status: 403, code: "STUDIO.ORIGIN" },
  "somebody navigates to the API by a link": {
    headers: { "sec-fetch-site": "none" },
    status: 403,
    code: "STUDIO.ORIGIN",
  },
  "an unknown word for where it comes from": {
    headers: { "sec-fetch-site": "own" },
    status: 403,
    code: "STUDIO.ORIGIN",
  },
  "another site links to the page": {
    path: "/",
    headers: { "sec-fetch-site": "cross-site" },
    status: 403,
    code: "STUDIO.ORIGIN",
  },
  "another site links to the page with a token that it made up": {
    path: "/?token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
    status: 403,
    code: "STUDIO.ORIGIN",
  },
  "the page in a frame": { path: "/", headers: { "sec-fetch-dest": "iframe" }, status: 403, code: "STUDIO.ORIGIN" },
  "another page opens the stream of events": {
    path: "/api/events",
    headers: { origin: "https://evil.example" },
    status: 403,
    code: "STUDIO.ORIGIN",
  },
  "another site's stream of events": {
    path: "/api/events",
    headers: { "sec-fetch-site": "cross-site" },
    status: 403,
    code: "STUDIO.ORIGIN",
  },
  "a write of another page": {
    method: "POST",
    path: AUDIT,
    headers: { ...JSON_TYPE, origin: "https://evil.example" },
    body: "{}",
    status: 403,
    code: "STUDIO.ORIGIN",
  },
  "a write without an origin": {
    method: "POST",
    path: AUDIT,
    headers: { ...JSON_TYPE, origin: undefined },
    body: "{}",
    status: 403,
    code: "STUDIO.ORIGIN",
  },

  "no session": { headers: { authorization: undefined }, status: 401, code: "STUDIO.NO_SESSION" },
  "a wrong session": {
    headers: { authorization: "Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "an empty session": { headers: { authorization: "Bearer " }, status: 401, code: "STUDIO.NO_SESSION" },
  "the token as the session": { headers: { authorization: "Bearer TOKEN" }, status: 401, code: "STUDIO.NO_SESSION" },
  "the session of another studio": { headers: { authorization: "OTHER" }, status: 401, code: "STUDIO.NO_SESSION" },
  "the session by another scheme": {
    headers: { authorization: "Basic SESSION" },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "two sessions": {
    headers: { authorization: "Bearer SESSION, Bearer SESSION" },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "the session in a cookie, which every port of this machine is sent": {
    headers: { authorization: undefined, cookie: "keywright-studio-PORT=SESSION" },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "the session in the address": {
    path: "/api/session?session=SESSION&authorization=Bearer%20SESSION",
    headers: { authorization: undefined },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "the stream of events without a session": {
    path: "/api/events",
    headers: { authorization: undefined },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "the token at the API": {
    path: "/api/session?token=TOKEN",
    headers: { authorization: undefined },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  ...Object.fromEntries(
    [
      "/%61pi/session",
      "/ap%69/session",
      "/api%2Fsession",
      "/./api/session",
      "/x/../api/session",
      "/app.js/../api/session",
      "/index.html/../api/session",
      "/%2e/api/session",
      "/API/session",
      "/api/enter/../session",
      "/;/api/session",
    ].map((path): [string, Hostile] => [
      `a call without a session, spelled ${path}`,
      { path, headers: { authorization: undefined }, status: 401, code: "STUDIO.NO_SESSION" },
    ]),
  ),
  "a POST without a session, spelled like the entry": {
    method: "POST",
    path: "/api/enter/../systems/restaurant/audit",
    headers: { ...JSON_TYPE, authorization: undefined },
    body: "{}",
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "a path that leads to another host after normalising, with a token": {
    path: "/.//evil.example/?token=x",
    headers: { authorization: undefined },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "the same, encoded": {
    path: "/%2e//evil.example/?token=x",
    headers: { authorization: undefined },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "the token a second time": {
    method: "POST",
    path: "/api/enter",
    headers: { ...JSON_TYPE, authorization: undefined },
    body: '{"token":"TOKEN"}',
    status: 401,
    code: "STUDIO.TOKEN",
  },
  "a wrong token": {
    method: "POST",
    path: "/api/enter",
    headers: { ...JSON_TYPE, authorization: undefined },
    body: '{"token":"AAAAAAAAAAAAAAAA"}',
    status: 401,
    code: "STUDIO.TOKEN",
  },
  "a token that is not text": {
    method: "POST",
    path: "/api/enter",
    headers: { ...JSON_TYPE, authorization: undefined },
    body: '{"token":["TOKEN"]}',
    status: 400,
    code: "STUDIO.BODY",
  },
  "the token, sent by another page": {
    method: "POST",
    path: "/api/enter",
    headers: { ...JSON_TYPE, authorization: undefined, origin: "http://127.0.0.1:3000" },
    body: '{"token":"TOKEN"}',
    status: 403,
    code: "STUDIO.ORIGIN",
  },
  "the token without an origin": {
    method: "POST",
    path: "/api/enter",
    headers: { ...JSON_TYPE, authorization: undefined, origin: undefined },
    body: '{"token":"TOKEN"}',
    status: 403,
    code: "STUDIO.ORIGIN",
  },
  "the token as a form": {
    method: "POST",
    path: "/api/enter",
    headers: { "content-type": "application/x-www-form-urlencoded", authorization: undefined },
    body: "token=TOKEN",
    status: 415,
    code: "STUDIO.NOT_JSON",
  },
  "a GET of the entry": {
    path: "/api/enter?token=TOKEN",
    headers: { authorization: undefined },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "a fragment in the target": { path: "/api/session#/app.js", status: 400, code: "STUDIO.QUERY" },

  "a form that posts": {
    method: "POST",
    path: AUDIT,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "match=*",
    status: 415,
    code: "STUDIO.NOT_JSON",
  },
  "JSON that calls itself text": {
    method: "POST",
    path: AUDIT,
    headers: { "content-type": "text/plain" },
    body: "{}",
    status: 415,
    code: "STUDIO.NOT_JSON",
  },
  "a body that does not say what it is": {
    method: "POST",
    path: AUDIT,
    body: "{}",
    status: 415,
    code: "STUDIO.NOT_JSON",
  },
  "a body that is no JSON": {
    method: "POST",
    path: AUDIT,
    headers: JSON_TYPE,
    body: "{",
    status: 400,
    code: "STUDIO.BODY",
  },
  "a body that is a list": {
    method: "POST",
    path: AUDIT,
    headers: JSON_TYPE,
    body: "[]",
    status: 400,
    code: "STUDIO.BODY",
  },
  "a body that is too large": {
    method: "POST",
    path: AUDIT,
    headers: JSON_TYPE,
    body: `{"match":"${"x".repeat(1_100_000)}"}`,
    status: 413,
    code: "STUDIO.BODY_TOO_LARGE",
  },
  "a token that is too large, from somebody without a session": {
    method: "POST",
    path: "/api/enter",
    headers: { ...JSON_TYPE, authorization: undefined },
    body: `{"token":"${"x".repeat(1100)}"}`,
    status: 413,
    code: "STUDIO.BODY_TOO_LARGE",
  },
  "a preflight": {
    method: "OPTIONS",
    headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    status: 405,
    code: "STUDIO.METHOD",
  },
  "a DELETE": { method: "DELETE", path: KEY, status: 405, code: "STUDIO.METHOD" },
  "a PUT": { method: "PUT", path: AUDIT, headers: JSON_TYPE, body: "{}", status: 405, code: "STUDIO.METHOD" },
  "a TRACE": { method: "TRACE", status: 405, code: "STUDIO.METHOD" },
  "a POST to the page": {
    method: "POST",
    path: "/",
    headers: JSON_TYPE,
    body: "{}",
    status: 405,
    code: "STUDIO.METHOD",
  },

  "an edit without --write": {
    method: "POST",
    path: "/api/systems/restaurant/edit",
    headers: JSON_TYPE,
    body: "{}",
    status: 403,
    code: "STUDIO.READ_ONLY",
  },
  "a repair without --write": {
    method: "POST",
    path: `${AUDIT}/apply`,
    headers: JSON_TYPE,
    body: "{}",
    status: 403,
    code: "STUDIO.READ_ONLY",
  },
  "a server of the page's choice": {
    path: "/api/systems/redis%3A%2F%2Fevil%3A6379/schema",
    status: 404,
    code: "STUDIO.NOT_FOUND",
  },
  "a system named like a property": { path: "/api/systems/__proto__/schema", status: 404, code: "STUDIO.NOT_FOUND" },
  "a pattern named like a property": {
    path: "/api/systems/restaurant/keys?pattern=constructor",
    status: 404,
    code: "STUDIO.NOT_FOUND",
  },
  "a path that climbs out": { path: "/../../package.json", status: 404, code: "STUDIO.NOT_FOUND" },
  "a path that climbs out, encoded": { path: "/%2e%2e%2fpackage.json", status: 404, code: "STUDIO.NOT_FOUND" },
  "a file that is not the page's": { path: "/server.js", status: 404, code: "STUDIO.NOT_FOUND" },
  "a path with backslashes": { path: "/..\\..\\package.json", status: 400, code: "STUDIO.QUERY" },
  "a path that is another host": { path: "//evil.example/", status: 400, code: "STUDIO.QUERY" },
  "a call that there is not": { path: "/api/systems/restaurant/eval", status: 404, code: "STUDIO.NOT_FOUND" },

  "what is not a reference": { path: `${KEY}?db=0&ref=../../etc/passwd`, status: 400, code: "STUDIO.REF" },
  "an empty reference": { path: `${KEY}?db=0&ref=`, status: 400, code: "STUDIO.REF" },
  "a reference that was tampered with": {
    path: `${KEY}?db=0&ref=~AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`,
    status: 400,
    code: "STUDIO.REF",
  },
  "a short sealed reference": { path: `${KEY}?db=0&ref=~AA`, status: 400, code: "STUDIO.REF" },
  "a reference with other letters": { path: `${KEY}?db=0&ref=kZGlzaDo3%0A`, status: 400, code: "STUDIO.REF" },
  "a database that the schema does not name": {
    path: `${KEY}?db=9&ref=kZGlzaDo3`,
    status: 404,
    code: "STUDIO.NOT_FOUND",
  },
  "a database below zero": { path: `${KEY}?db=-1&ref=kZGlzaDo3`, status: 400, code: "STUDIO.QUERY" },
  "two databases": { path: `${KEY}?db=0&db=1&ref=kZGlzaDo3`, status: 400, code: "STUDIO.QUERY" },
  "a huge limit": {
    path: "/api/systems/restaurant/keys?pattern=dish&limit=1000000000",
    status: 400,
    code: "STUDIO.QUERY",
  },
  "a limit that is not a number": {
    path: "/api/systems/restaurant/keys?pattern=dish&limit=1e9",
    status: 400,
    code: "STUDIO.QUERY",
  },
  "what is not a cursor": {
    path: "/api/systems/restaurant/keys?pattern=dish&cursor=0;FLUSHALL",
    status: 400,
    code: "STUDIO.QUERY",
  },
  "a filter on a parameter that there is not": {
    path: "/api/systems/restaurant/keys?pattern=dish&p.__proto__=x",
    status: 400,
    code: "STUDIO.QUERY",
  },
  "a slice that is too long": {
    path: "/api/systems/restaurant/bytes?db=0&ref=kZGlzaDo3&from=0&count=999999",
    status: 400,
    code: "STUDIO.QUERY",
  },
  "the bytes of a secret": {
    path: "/api/systems/restaurant/bytes?db=0&ref=kdXNlcjox&from=0",
    status: 400,
    code: "STUDIO.QUERY",
  },
  "live commands of a system that there is not": {
    path: "/api/events?live=evil",
    status: 404,
    code: "STUDIO.NOT_FOUND",
  },
  "a plan that there is not": { path: `${AUDIT}/plan?id=1`, status: 404, code: "STUDIO.NOT_FOUND" },
  "deletions that there are not": {
    method: "POST",
    path: `${AUDIT}/plan`,
    headers: JSON_TYPE,
    body: '{"delete":["everything"]}',
    status: 400,
    code: "STUDIO.BODY",
  },
  "what is not an edit": {
    method: "POST",
    path: "/api/systems/restaurant/edit/preview",
    headers: JSON_TYPE,
    body: '{"op":"flushall"}',
    status: 400,
    code: "STUDIO.BODY",
  },
}

describe("hostile requests", () => {
  for (const [name, { method = "GET", path = "/api/session", headers = {}, body, status, code }] of Object.entries(
    HOSTILE,
  ))
    test(`refuses ${name}`, async () => {
      const fill = (text: string) =>
        text
          .replaceAll("PORT", String(studio.port))
          .replaceAll("TOKEN", new URL(studio.url).searchParams.get("token")!)
          .replaceAll("SESSION", page.own["authorization"]!.slice("Bearer ".length))
          .replaceAll("OTHER", other.own["authorization"]!)
      const sent: Record<string, string> = { ...own }
      for (const [header, value] of Object.entries(headers)) {
        if (value === undefined) delete sent[header]
        else sent[header] = fill(value)
      }
      const text = body === undefined ? undefined : fill(body)
      if (text !== undefined) sent["content-length"] = String(Buffer.byteLength(text))
      const answer = await ask(studio.port, {
        method,
        path: fill(path),
        headers: sent,
        ...(text !== undefined && { body: text }),
      })
      expect(answer.status).toBe(status)
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code } })
      expect(answer.headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" })
      expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'")
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined()
      expect(answer.headers["set-cookie"]).toBeUndefined()
      expect(answer.headers["location"]).toBeUndefined()
      expect(answer.text).not.toContain(PASSWORD)
    })

  test("changed nothing", async () => {
    const { findings } = await page.call("GET /api/systems/:system/audit/findings", { system: "restaurant" })
    expect(findings).toEqual([])
    expect((await page.call("GET /api/log")).entries).toEqual([])
  })
})

describe("the door", () => {
  test("gives the session for the token once, in an answer that is not kept, and no cookie", async () => {
    const fresh = await startStudio({ systems: [{ keyspace: restaurant, server: { engine } }] })
    try {
      const token = new URL(fresh.url).searchParams.get("token")!
      const enterOnce = () =>
        ask(fresh.port, {
          method: "POST",
          path: "/api/enter",
          headers: { ...JSON_TYPE, origin: `http://127.0.0.1:${fresh.port}` },
          body: JSON.stringify({ token }),
        })
      const first = await enterOnce()
      expect(first.status).toBe(200)
      expect(JSON.parse(first.text)).toEqual({ session: expect.stringMatching(/^[\w-]{43}$/) })
      expect(first.text).not.toContain(token)
      expect(first.headers["set-cookie"]).toBeUndefined()
      expect(first.headers["cache-control"]).toBe("no-store")
      expect((await enterOnce()).status).toBe(401)
    } finally {
      await fresh.close()
    }
  })

  test("of many who bring the token at once, lets one in", async () => {
    const fresh = await startStudio({ systems: [{ keyspace: restaurant, server: { engine } }] })
    try {
      const entered = await Promise.allSettled(Array.from({ length: 20 }, () => enter(fresh)))
      const answers = await Promise.all(
        entered.flatMap((one) => (one.status === "fulfilled" ? one.value.raw("GET /api/session") : [])),
      )
      expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    } finally {
      await fresh.close()
    }
  })

  test("shows the page's files without a session, and nothing in them is a secret", async () => {
    const session = page.own["authorization"]!.slice("Bearer ".length)
    const token = new URL(studio.url).searchParams.get("token")!
    for (const path of ["/", `/?token=${token}`, "/index.html", "/app.js", "/app.css", "/icon.svg"]) {
      const answer = await ask(studio.port, { path, headers: { host: own["host"]! } })
      expect([200, 404], path).toContain(answer.status) // 404 before the page is built
      for (const secret of [session, token, PASSWORD, "restaurant"]) expect(answer.text).not.toContain(secret)
      expect(answer.headers["content-security-policy"]).toContain("default-src 'none'")
      expect(answer.headers["location"]).toBeUndefined()
    }
  })

  test("takes a body in chunks as one whose length was announced", async () => {
    const chunked = (body: string, path = AUDIT) =>
      ask(studio.port, {
        method: "POST",
        path,
        headers: { ...own, ...JSON_TYPE, "transfer-encoding": "chunked" },
        body,
      })
    expect((await chunked("{}", "/api/systems/restaurant/scan")).status).toBe(200)
    const wrong = await chunked("{")
    expect([wrong.status, JSON.parse(wrong.text).error.code]).toEqual([400, "STUDIO.BODY"])
    const large = await chunked(`{"match":"${"x".repeat(1_100_000)}"}`)
    expect([large.status, JSON.parse(large.text).error.code]).toEqual([413, "STUDIO.BODY_TOO_LARGE"])
    expect(mistakes).toEqual([])
  })

  const RAW: Readonly<Record<string, readonly [string, number]>> = {
    "bytes that are not HTTP": ["\0\x01\x02\r\n\r\n", 400],
    "no host": ["GET / HTTP/1.1\r\n\r\n", 403],
    "its own host and another": ["GET / HTTP/1.1\r\nhost: HOST\r\nhost: evil.example\r\n\r\n", 403],
    "its own origin and another": [
      "GET / HTTP/1.1\r\nhost: HOST\r\norigin: http://HOST\r\norigin: http://evil.example\r\n\r\n",
      403,
    ],
    "HTTP 1.0 without a host": ["GET / HTTP/1.0\r\n\r\n", 403],
    "a header that is too long": [`GET / HTTP/1.1\r\nx: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    "two lengths": ["POST / HTTP/1.1\r\nhost: HOST\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", 400],
    "a length and chunks": [
      "POST / HTTP/1.1\r\nhost: HOST\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    "an unknown expectation": ["GET /api/session HTTP/1.1\r\nhost: HOST\r\nexpect: more\r\n\r\n", 401],
    "an upgrade": ["GET /api/session HTTP/1.1\r\nhost: HOST\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n", 401],
    "a whole address as the target": ["GET http://evil.example/ HTTP/1.1\r\nhost: HOST\r\n\r\n", 400],
    "an asterisk as the target": ["GET * HTTP/1.1\r\nhost: HOST\r\n\r\n", 400],
  }
  for (const [name, [sent, status]] of Object.entries(RAW))
    test(`answers ${name} with ${status}, and with the same headers as everything`, async () => {
      const answer = await rawAnswer(studio.port, sent.replaceAll("HOST", own["host"]!))
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      for (const [header, value] of Object.entries(HEADERS))
        expect(answer.toLowerCase()).toContain(`${header}: ${value.toLowerCase()}`)
    })

  test("is not open on other addresses of this machine", async () => {
    const refused = await new Promise((resolve) => {
      const socket = connect(studio.port, "127.0.0.2")
      socket.on("connect", () => (socket.destroy(), resolve(false)))
      socket.on("error", () => resolve(true))
    })
    expect(refused).toBe(true)
  })

  test("is opened by a link that a page of another origin was given, by a navigation and once", async () => {
    const { pathname, search, hash } = new URL(studio.link("/browse/restaurant/dish"))
    expect(hash).toBe("#/browse/restaurant/dish")
    const linked = { host: own["host"]!, "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" }
    const follow = (dest: string) =>
      ask(studio.port, { path: pathname + search, headers: { ...linked, "sec-fetch-dest": dest } })
    expect((await follow("iframe")).status).toBe(403)
    expect((await follow("document")).status).not.toBe(403)
    const entering = { host: own["host"]!, origin: `http://${own["host"]!}`, ...JSON_TYPE }
    const body = JSON.stringify({ token: new URLSearchParams(search).get("token") })
    const enters = () => ask(studio.port, { method: "POST", path: "/api/enter", headers: entering, body })
    expect((await enters()).status).toBe(200)
    expect((await enters()).status).toBe(401)
    expect((await follow("document")).status).toBe(403)
  })

  test("answers the page with a policy that allows no inline script and no other origin", async () => {
    const answer = await ask(studio.port, { path: "/api/session", headers: own })
    const policy = String(answer.headers["content-security-policy"])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(answer.headers["cache-control"]).toBe("no-store")
  })

  test("tells a person at another path what to do, in HTML without script", async () => {
    const answer = await ask(studio.port, { path: "/x", headers: { host: own["host"]!, accept: "text/html" } })
    expect(answer.status).toBe(401)
    expect(answer.text).toContain("start the studio again")
    expect(answer.text).not.toContain("<script")
  })

  test("opens no stream of events of which nobody reads a body", async () => {
    for (let i = 0; i < 40; i++)
      expect((await ask(studio.port, { method: "HEAD", path: "/api/events", headers: own })).status).toBe(405)
    await page.event("scan")
  })

  test("does not take a body that breaks off for a mistake of its own", async () => {
    const before = mistakes.length
    await new Promise<void>((resolve) => {
      const head = `POST /api/enter HTTP/1.1\r\nhost: HOST\r\norigin: http://HOST\r\ncontent-type: application/json`
      const socket = connect(studio.port, "127.0.0.1", () => {
        socket.write(`${head}\r\ncontent-length: 9\r\n\r\n{`.replaceAll("HOST", own["host"]!))
        setTimeout(() => socket.destroy(), 50)
      })
      socket.on("close", () => resolve())
    })
    await page.call("GET /api/session")
    expect(mistakes.length).toBe(before)
  })

  test("ends the stream of events when the page goes", async () => {
    for (let i = 0; i < 40; i++) await page.event("scan")
    expect((await page.call("GET /api/session")).systems.length).toBe(1)
  })
})

test("the printed link opens the studio, however many further ones were made that nobody has followed", () => {
  const guard = new Guard(1)
  const printed = guard.newToken()
  const [first, ...others] = Array.from({ length: 200 }, () => guard.newToken())
  expect(() => guard.enter(first!)).toThrow()
  expect(guard.enter(printed)).toBe(guard.enter(others.at(-1)!))
  expect(() => guard.enter(printed)).toThrow()
})

/** Everything that comes back for these bytes, until the server closes or has said one answer. */
const rawAnswer = (port: number, sent: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(sent, "latin1"))
    let text = ""
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1")
      if (text.includes("\r\n\r\n")) socket.destroy()
    })
    socket.on("error", reject)
    socket.on("close", () => resolve(text))
  })
