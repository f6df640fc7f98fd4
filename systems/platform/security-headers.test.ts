/* The headers of every answer of every system, and the table in the README. */

import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, it } from "vitest"
import { catalog } from "../catalog.ts"
import { securityHeaderPairs } from "./http/security-headers.ts"
import { rawRequest } from "./testing/raw-http.ts"
import { send, serveForTest, type Served } from "./testing/serve.ts"

let served: Served
beforeAll(async () => {
  served = await serveForTest(
    { redis: undefined, engine: undefined },
    Object.keys(catalog).join(),
    "--set",
    "shop.openLogin=true",
  )
})
afterAll(() => served.close())

it.each([
  "GET /health",
  "GET /metrics",
  "GET /openapi.json",
  "GET /nowhere",
  "DELETE /health",
  "POST /shop/login",
  "GET /shop/pages?item=%3Cscript%3E",
  "GET /shop/session",
  "PUT /shop/rows/1/schedule",
  "GET /messaging/v1/ping",
  "GET /messaging/v1/roc/me",
  "GET /carto/lookup?host=dev",
  "GET /carto/databases",
  "GET /recommender/status",
  "GET /restaurant/api/dishes",
  "GET /restaurant/api/users",
  "POST /restaurant/logout",
  "GET /restaurant/payment/vnpay/callback",
])("%s has them", async (request) => {
  const { headers } = await send(served.url, request)
  for (const [name, value] of securityHeaderPairs) expect([name, headers.get(name)]).toEqual([name, value])
})

it("has them where Node would answer by itself", async () => {
  const { status, head } = await rawRequest(served.url, "POST /shop/login", { host: "a", expect: "a miracle" })
  expect(status).toBe(417)
  for (const [name, value] of securityHeaderPairs)
    expect(head.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase())
})

it("are in the table of the README, and nothing else is", () => {
  const page = readFileSync(new URL("README.md", import.meta.url), "utf8")
  const table = page.slice(page.indexOf("| header | value |")).split("\n\n")[0]!.trim().split("\n").slice(2)
  expect(table).toEqual(securityHeaderPairs.map(([name, value]) => `| \`${name}\` | \`${value}\` |`))
})
