/* Hostile requests, each refused, in one table; and the door itself. Requests are made
 * with Node's own client, so that every header is exactly as it stands here. */

import { connect } from "node:net"
import { type Engine, start } from "@keywright/embedded"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startStudio, type RunningStudio } from "./start-studio.ts"
import { ask, enter, type StudioClient } from "./studio-client.cases.ts"
import { fillRestaurant, PASSWORD, restaurant } from "./studio-data.cases.ts"

let engine: Engine
let studio: RunningStudio
let page: StudioClient
let own: Record<string, string>

beforeAll(async () => {
  engine = await start()
  await fillRestaurant({ engine })
  studio = await startStudio({ systems: [{ keyspace: restaurant, server: { engine } }] })
  page = await enter(studio)
  await page.event("scan", ({ state }) => state === "done")
  own = { cookie: page.cookie, host: `127.0.0.1:${studio.port}`, origin: `http://127.0.0.1:${studio.port}` }
})

afterAll(async () => {
  await studio?.close()
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

  "no cookie": { headers: { cookie: undefined }, status: 401, code: "STUDIO.NO_SESSION" },
  "a wrong cookie": {
    headers: { cookie: "keywright-studio-PORT=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "an empty cookie": { headers: { cookie: "keywright-studio-PORT=" }, status: 401, code: "STUDIO.NO_SESSION" },
  "a cookie of another port": { headers: { cookie: "OTHER" }, status: 401, code: "STUDIO.NO_SESSION" },
  "two cookies of this name": {
    headers: { cookie: "keywright-studio-PORT=x; COOKIE" },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "the page without a cookie": { path: "/", headers: { cookie: undefined }, status: 401, code: "STUDIO.NO_SESSION" },
  "a file of the page without a cookie": {
    path: "/app.js",
    headers: { cookie: undefined },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "the stream of events without a cookie": {
    path: "/api/events",
    headers: { cookie: undefined },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },
  "the token a second time": {
    path: "/?token=TOKEN",
    headers: { cookie: undefined },
    status: 401,
    code: "STUDIO.TOKEN",
  },
  "a wrong token": {
    path: "/?token=AAAAAAAAAAAAAAAA",
    headers: { cookie: undefined },
    status: 401,
    code: "STUDIO.TOKEN",
  },
  "the token at the API": {
    path: "/api/session?token=TOKEN",
    headers: { cookie: undefined },
    status: 401,
    code: "STUDIO.NO_SESSION",
  },

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

  "a reference that is none": { path: `${KEY}?db=0&ref=../../etc/passwd`, status: 400, code: "STUDIO.REF" },
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
  "a limit that is no number": {
    path: "/api/systems/restaurant/keys?pattern=dish&limit=1e9",
    status: 400,
    code: "STUDIO.QUERY",
  },
  "a cursor that is none": {
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
  "an edit that is none": {
    method: "POST",
    path: "/api/systems/restaurant/edit/preview",
    headers: JSON_TYPE,
    body: '{"op":"flushall"}',
    status: 400,
    code: "STUDIO.BODY",
  },
}

describe("hostile requests", () => {
  test("are at least forty", () => expect(Object.keys(HOSTILE).length).toBeGreaterThanOrEqual(40))

  for (const [name, { method = "GET", path = "/api/session", headers = {}, body, status, code }] of Object.entries(
    HOSTILE,
  ))
    test(`refuses ${name}`, async () => {
      const fill = (text: string) =>
        text
          .replaceAll("PORT", String(studio.port))
          .replaceAll("TOKEN", new URL(studio.url).searchParams.get("token")!)
          .replaceAll("COOKIE", page.cookie)
          .replaceAll("OTHER", page.cookie.replace(String(studio.port), "1"))
      const sent: Record<string, string> = { ...own }
      for (const [header, value] of Object.entries(headers)) {
        if (value === undefined) delete sent[header]
        else sent[header] = fill(value)
      }
      if (body !== undefined) sent["content-length"] = String(Buffer.byteLength(body))
      const answer = await ask(studio.port, {
        method,
        path: fill(path),
        headers: sent,
        ...(body !== undefined && { body }),
      })
      expect(answer.status).toBe(status)
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code } })
      expect(answer.headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" })
      expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'")
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined()
      expect(answer.headers["set-cookie"]).toBeUndefined()
      expect(answer.text).not.toContain(PASSWORD)
    })

  test("changed nothing", async () => {
    const { findings } = await page.call("GET /api/systems/:system/audit/findings", { system: "restaurant" })
    expect(findings).toEqual([])
    expect((await page.call("GET /api/log")).entries).toEqual([])
  })
})

describe("the door", () => {
  test("turns the token into a strict cookie, once, and leads on without it", async () => {
    const other = await startStudio({ systems: [{ keyspace: restaurant, server: { engine } }] })
    try {
      const { searchParams } = new URL(other.url)
      const path = `/restaurant/keys?x=1&token=${searchParams.get("token")}`
      const first = await ask(other.port, { path })
      expect(first.status).toBe(303)
      expect(first.headers["location"]).toBe("/restaurant/keys?x=1")
      expect(String(first.headers["set-cookie"])).toMatch(
        /^keywright-studio-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
      )
      expect((await ask(other.port, { path })).status).toBe(401)
    } finally {
      await other.close()
    }
  })

  test("is not open on other addresses of this machine", async () => {
    const refused = await new Promise((resolve) => {
      const socket = connect(studio.port, "127.0.0.2")
      socket.on("connect", () => (socket.destroy(), resolve(false)))
      socket.on("error", () => resolve(true))
    })
    expect(refused).toBe(true)
  })

  test("answers the page with a policy that allows no inline script and no other origin", async () => {
    const answer = await ask(studio.port, { path: "/api/session", headers: own })
    const policy = String(answer.headers["content-security-policy"])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(answer.headers["cache-control"]).toBe("no-store")
  })

  test("tells a person without a session what to do, in HTML without script", async () => {
    const answer = await ask(studio.port, { path: "/x", headers: { host: own["host"]!, accept: "text/html" } })
    expect(answer.status).toBe(401)
    expect(answer.text).toContain("start the studio again")
    expect(answer.text).not.toContain("<script")
  })

  test("ends the stream of events when the page goes", async () => {
    for (let i = 0; i < 40; i++) await page.event("scan")
    expect((await page.call("GET /api/session")).systems.length).toBe(1)
  })
})
