/* The sandbox signs as VNPay does: only its own page may have it do so, for what the restaurant has signed. */

import { start, type Engine } from "@keywright/embedded"
import { afterAll, beforeAll, expect, it } from "vitest"
import { catalog, known } from "../catalog.ts"
import { openLog } from "../platform/log.ts"
import { readOptions } from "../platform/options.ts"
import { startServer, type Server } from "../platform/server.ts"
import { signature, signedText } from "../restaurant/services/vnpay.ts"
import { TMN_CODE } from "./access.ts"
import { freePort } from "./free-port.ts"
import { addSandbox } from "./vnpay-sandbox.ts"

const vnpaySecret = "a-secret-of-the-tests"
const asked = { vnp_TmnCode: TMN_CODE, vnp_TxnRef: "1", vnp_Amount: "100", vnp_ReturnUrl: "http://127.0.0.1/back" }
const query = `${signedText(asked)}&vnp_SecureHash=${signature(vnpaySecret, signedText(asked))}`

let engine: Engine
const servers: Server[] = []
const serve = async (withSandbox: boolean, ...args: string[]): Promise<string> => {
  const port = await freePort(0)
  const plan = await readOptions(
    ["restaurant", "--port", String(port), "--set", "restaurant.jobs=false", ...args],
    catalog,
  )
  const server = await startServer({
    ...plan,
    known,
    engine,
    log: openLog(() => undefined),
    ...(withSandbox && {
      demoPages: {
        access: () => ({}),
        add: (app, page) => addSandbox(app, page, { vnpaySecret }, `http://127.0.0.1:${port}`),
      },
    }),
  })
  servers.push(server)
  return server.url
}
const pay = async (url: string, body: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${url}/-/vnpay/pay`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  })
  return { status: answer.status, answer: (await answer.json()) as { error?: string; told?: string } }
}

beforeAll(async () => {
  engine = await start()
  await serve(true, "--demo")
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await engine?.stop()
})

it("signs what the restaurant has signed", async () => {
  const { status, answer } = await pay(servers[0]!.url, JSON.stringify({ query, pays: true }))
  expect({ status, told: answer.told }).toEqual({ status: 200, told: expect.any(String) })
})

it.each(["same-site", "cross-site"])("signs nothing for a page of another origin: %s", async (site) => {
  const { status } = await pay(servers[0]!.url, JSON.stringify({ query }), { "sec-fetch-site": site })
  expect(status).toBe(403)
})

it("takes no body that a form of another page could send", async () => {
  const body = JSON.stringify({ query, pays: true })
  expect((await pay(servers[0]!.url, body, { "content-type": "text/plain" })).status).toBe(400)
})

it.each([
  ["null", "null"],
  ["no JSON", "{"],
  ["a list", "[]"],
  ["another type", '{"query":7}'],
  ["no signature", JSON.stringify({ query: signedText(asked) })],
  ["another amount", JSON.stringify({ query: query.replace("vnp_Amount=100", "vnp_Amount=1") })],
  ["very much", JSON.stringify({ query: "a".repeat(1_000_000) })],
])("refuses a body of %s", async (_, body) => {
  expect(await pay(servers[0]!.url, body)).toMatchObject({ status: 400, answer: { error: "bad_signature" } })
})

it("is nowhere but in the demonstration", async () => {
  const url = await serve(false, "--set", `restaurant.jwtSecret=${"x".repeat(40)}`)
  expect((await pay(url, JSON.stringify({ query }))).status).toBe(404)
  expect((await fetch(`${url}/-/vnpay`, { headers: { accept: "text/html" } })).status).toBe(404)
})
