/* Calls of the studio's server, typed by the contract. What goes wrong is thrown as a
 * `Refusal`, which carries what the server said: code, message, why, fix. */

import type { Api, Failure } from "../../api.ts"
import { authorization } from "./session-token.ts"

export class Refusal extends Error {
  readonly status: number
  readonly error: Failure["error"]

  constructor(status: number, error: Failure["error"]) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

type Name = keyof Api
type Part<N extends Name, P extends string> = Api[N] extends Record<P, infer Value> ? { readonly [K in P]: Value } : {}
type InSystem<N extends Name> = N extends `${string}:system${string}` ? { readonly system: string } : {}
type Ask<N extends Name> = InSystem<N> & Part<N, "query"> & Part<N, "body"> & { readonly signal?: AbortSignal }

export type ApiAnswer<N extends Name> = Api[N]["answer"]

/** `call("GET /api/systems/:system/keys", { system: "shop", query: { pattern: "cart" } })` */
export async function call<N extends Name>(name: N, ask: Ask<N>): Promise<ApiAnswer<N>> {
  const { system, query, body, signal } = ask as {
    system?: string
    query?: Record<string, unknown>
    body?: unknown
    signal?: AbortSignal
  }
  const [method = "GET", path = ""] = name.split(" ")
  const search = queryText(query ?? {})
  const response = await answered(`${path.replace(":system", encodeURIComponent(system ?? ""))}${search}`, {
    method,
    ...(signal && { signal }),
    headers: { ...authorization(), ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Refusal(response.status, await failureOf(response))
  return (await response.json()) as ApiAnswer<N>
}

async function answered(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new Refusal(0, {
      code: "STUDIO.AWAY",
      message: "the studio does not answer",
      why: "It was stopped, or the machine was asleep.",
      fix: "Start it again, and open the link that it prints.",
    })
  }
}

async function failureOf(response: Response): Promise<Failure["error"]> {
  try {
    return ((await response.json()) as Failure).error
  } catch {
    return { code: `HTTP.${response.status}`, message: `the studio answered ${response.status}` }
  }
}

function queryText(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "")
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === "" ? "" : `?${text}`
}

/** Whatever was thrown, as something to show. */
export const failureFrom = (thrown: unknown): Failure["error"] =>
  thrown instanceof Refusal
    ? thrown.error
    : { code: "STUDIO.PAGE", message: thrown instanceof Error ? thrown.message : String(thrown) }
