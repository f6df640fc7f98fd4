/* The short way and the way through the app give the same answer to every request. Which way a request takes
 * depends on its target and its Host: one for an address of IPv6 goes through the app. */

import { afterAll, beforeAll, expect, it } from "vitest"
import { catalog } from "../../catalog.ts"
import { rawRequest } from "../testing/raw-http.ts"
import { ADMIN, serveForTest, type Served } from "../testing/serve.ts"
import { directRouter } from "./direct-router.ts"

const SHORT_WAY = "localhost"
const THROUGH_APP = "[::1]"

let served: Served
beforeAll(async () => {
  const names = Object.keys(catalog).join()
  served = await serveForTest({ redis: undefined, engine: undefined }, names, "--set", "shop.openLogin=true")
  await served.admin("PUT /shop/source/rows/1", { id: "1", name: "a", qty: 1 })
  await served.admin("POST /carto/users", { id: 1, username: "dev", database_name: "d" })
})
afterAll(() => served.close())

const asAdmin = { authorization: `Bearer ${ADMIN}` }
const asShopper = { cookie: "login=none" }

type Asked = [request: string, headers?: Record<string, string>, body?: string]
const requests: Asked[] = [
  ["GET /shop/inventory/1"],
  ["HEAD /shop/inventory/1"],
  ["GET /shop/inventory/none"],
  ["GET /shop/inventory/%31"],
  ["GET /shop/inventory/%FF"],
  ["GET /shop/inventory/"],
  ["GET /shop//inventory/1"],
  ["GET /shop/./inventory/1"],
  ["GET /shop/inventory/../inventory/1"],
  ["GET /shop/inventory/1?what=no"],
  ["GET /shop/inventory/1?"],
  ["PATCH /shop/inventory/1"],
  ["PROPFIND /shop/inventory/1"],
  ["OPTIONS /shop/inventory/1"],
  ["GET /shop/pages?item=1"],
  ["GET /shop/session", asShopper],
  ["PUT /shop/rows/1/schedule"],
  ["PUT /shop/rows/1/schedule", asAdmin],
  ["PUT /shop/rows/1/schedule", asAdmin, "{"],
  ["PUT /shop/rows/1/schedule", asAdmin, '{"delay":"x","more":1}'],
  ["PUT /shop/rows/1/schedule", asAdmin, '{"delay":5}'],
  ["PUT /shop/rows/1/schedule", { ...asAdmin, "content-type": "text/plain" }, '{"delay":5}'],
  ["PUT /shop/rows/1/schedule", { ...asAdmin, "content-length": "9999999" }, ""],
  ["POST /carto/users/dev/mapviews", {}, '{"visualization_id":"v1"}'],
  ["POST /carto/users/dev/mapviews"],
  ["POST /carto/users/nobody/mapviews"],
  ["POST /carto/users/Not%20A%20Name/mapviews"],
  ["GET /restaurant/api/dishes?page=1"],
  ["GET /restaurant/payment/vnpay/callback?vnp_Amount=1"],
  ["GET /restaurant/payment/vnpay/ipn"],
  ["GET /messaging/v1/ping"],
  ["GET /messaging/v1/roc/events"],
  ["GET /nowhere"],
  ["GET /"],
  ["GET /shop", { accept: "text/html" }],
]

it.each(requests)("%s has one answer, with the headers %o and the body %s", async (...asked) => {
  const [request, headers = {}, body] = asked as Asked
  const answers = []
  for (const host of [SHORT_WAY, THROUGH_APP]) {
    const id = { "x-request-id": "the-same-for-both" }
    const { status, head, body: text } = await rawRequest(served.url, request, { host, ...id, ...headers }, body)
    answers.push({
      status,
      head: head.toLowerCase().split("\r\n").filter(isComparable).sort(),
      text: textOf(head, text),
    })
  }
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]!.status).toBeGreaterThan(0)
})

/** When it was answered, and in how many pieces, may differ. */
const isComparable = (line: string): boolean => !/^(?:date|age|transfer-encoding|content-length):/.test(line)
const textOf = (head: string, body: string): string =>
  (/transfer-encoding: chunked/i.test(head) ? body.replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/g, "") : body).trim()

it("what an endpoint throws is handed over", async () => {
  const failures: unknown[] = []
  const router = directRouter((error) => failures.push(error))
  router.add("GET", "/a/{b}", async (_, params) => {
    throw new Error(JSON.stringify(params))
  })
  const ask = (url: string, host = "a") => router.serve({ url, method: "GET", headers: { host } } as never, {} as never)
  expect([ask("/a/1?c"), ask("/a/%31"), ask("/a"), ask("/a/1", "a b")]).toEqual([true, false, false, false])
  await expect.poll(() => failures).toEqual([new Error('{"b":"1"}')])
})
