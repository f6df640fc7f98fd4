/* Calls of the system's own routes, the same that everybody uses. What is refused is
 * thrown as a `Refusal`. With a title, a call is an action: what it did to Redis is fetched
 * afterwards, for the drawer. */

import { adminToken, renewAdminToken, showing } from "./about.ts"
import { noteAction } from "./actions.ts"
import { isAway } from "./away.ts"
import { base } from "./place.ts"

export class Refusal extends Error {
  /** 0: nobody answered. */
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export interface Ask {
  readonly body?: unknown
  /** `Authorization`, whole. */
  readonly authorization?: string | undefined
  /** As the administrator. */
  readonly admin?: boolean
  /** What somebody did, for the drawer: "Put Tablet into the cart". */
  readonly title?: string
  /** What the drawer shows as the request, where that is another one. */
  readonly shownAs?: string
  /** Cookies neither sent nor taken: for somebody else in the same page. */
  readonly withoutCookies?: boolean
}

export interface FullAnswer<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

/** `call("PUT /cart/items/203", { body: { quantity: 1 }, title: "…" })` */
export async function call<T = unknown>(request: string, ask: Ask = {}): Promise<T> {
  return (await callFully<T>(request, ask)).body
}

export async function callFully<T = unknown>(request: string, ask: Ask = {}): Promise<FullAnswer<T>> {
  const [method = "GET", path = ""] = request.split(" ")
  const id = ask.title === undefined ? undefined : crypto.randomUUID()
  const answer = await reached(base + path, {
    method,
    headers: headersOf(ask, id),
    ...(ask.withoutCookies && { credentials: "omit" as const }),
    ...(ask.body !== undefined && { body: JSON.stringify(ask.body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true
  const body = isJson ? (JSON.parse(text) as unknown) : text
  if (id !== undefined && ask.title !== undefined) noteAction(id, ask.title, ask.shownAs ?? request, answer.status)
  if (ask.admin && answer.status === 401) await renewAdminToken()
  if (!answer.ok) throw refusalOf(answer.status, body)
  return { status: answer.status, headers: answer.headers, body: body as T }
}

function headersOf({ body, authorization, admin }: Ask, id: string | undefined): Record<string, string> {
  const bearer = admin ? `Bearer ${adminToken.value ?? ""}` : authorization
  return {
    accept: "application/json",
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(bearer !== undefined && { authorization: bearer }),
    ...(id !== undefined && { "x-request-id": id, ...showing() }),
  }
}

async function reached(url: string, init: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(url, init)
    isAway.value = false
    return answer
  } catch {
    isAway.value = true
    throw new Refusal(0, "away", "The server does not answer. This page tries again by itself.")
  }
}

function refusalOf(status: number, body: unknown): Refusal {
  const { error = `http_${status}`, message = `the server answered ${status}` } =
    typeof body === "object" && body !== null ? (body as { error?: string; message?: string }) : {}
  return new Refusal(status, error, message)
}
