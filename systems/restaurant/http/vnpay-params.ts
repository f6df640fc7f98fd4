/* VNPay's parameters, from the query or from a body: a form or JSON. One that is given
 * twice makes the whole unreadable: which of the two was signed? */

import type { IncomingMessage } from "node:http"
import { IncomingBody } from "../../platform/http/body.ts"
import type { Exchange } from "../../platform/http/exchange.ts"
import { badRequest, Problem } from "../../platform/http/problem.ts"
import type { VnPayParams } from "../services/vnpay.ts"

const LIMIT = 16 * 1024

export async function vnPayParams({ env: { incoming } }: Exchange): Promise<VnPayParams> {
  const params: Record<string, string> = {}
  const { searchParams } = new URL(incoming.url!, "http://localhost")
  const take = (name: string, value: string) => {
    if (!name.startsWith("vnp_")) return
    if (Object.hasOwn(params, name)) throw badRequest("invalid_signature", `${name.slice(0, 50)} is given twice`)
    params[name] = value
  }
  for (const [name, value] of searchParams) take(name, value)
  if (incoming.method === "POST") for (const [name, value] of await bodyOf(incoming)) take(name, value)
  return params
}

async function bodyOf(incoming: IncomingMessage): Promise<Iterable<[string, string]>> {
  const type = (incoming.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase()
  const text = (await new IncomingBody(incoming, LIMIT).bytes()).toString("utf8")
  if (text === "") return []
  if (type === "application/x-www-form-urlencoded") return new URLSearchParams(text)
  if (type !== "application/json")
    throw new Problem(415, "unsupported_media_type", "the body has to be a form or application/json")
  return jsonEntries(text)
}

function jsonEntries(text: string): [string, string][] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw badRequest("malformed_json", "the body is not JSON")
  }
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw badRequest("invalid_input", "the body has to be an object")
  return Object.entries(body).map(([name, value]) => {
    if (typeof value !== "string" && typeof value !== "number")
      throw badRequest("invalid_input", `body.${name.slice(0, 50)}: has to be a text or a number`)
    return [name, String(value)]
  })
}
