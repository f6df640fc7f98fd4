/* One request through one route, in this order, so that a caller without rights learns
 * nothing: who calls (401, 403), is Redis there (503), path and query (400), body (415,
 * 413, 400), who calls once more if the body or the turn took long, and then the handler.
 * There is no middleware: each step is a call, and what a route does not need is not done.
 * The body is received from the start, so that it counts towards the limit on all arriving
 * bodies, and parsed in its place. */

import type { IncomingMessage, ServerResponse } from "node:http"
import { performance } from "node:perf_hooks"
import * as z from "zod"
import { errorFields, type Log } from "../log.ts"
import { RouteReply, send, sendProblem, setSecurityHeaders } from "./answer.ts"
import type { PathParams } from "./auth.ts"
import { type IncomingBody, jsonBody, parseBody } from "./body.ts"
import { answerTo, type Refusals } from "./error-table.ts"
import type { Exchange } from "./exchange.ts"
import { badRequest, Problem, unavailable } from "./problem.ts"
import { idOf } from "./request-id.ts"
import type { Route } from "./route.ts"

export interface EndpointContext {
  readonly system: string
  readonly log: Log
  readonly refusals: Refusals
  readonly redis: { readonly isUp: boolean; suspect(error: unknown): void }
  /** What the system itself does after each request that was handled. */
  readonly handled?: ((request: IncomingMessage, route: Pick<Route, "method" | "path">) => Promise<void>) | undefined
  readonly answered: (request: AnsweredRequest) => void
  /** Records what a request does to Redis, where it asks for that and may. */
  readonly recording?: ((request: IncomingMessage) => Recording | undefined) | undefined
}

/** Does the work, which answers with a status, and keeps what it sent. */
type Recording = (route: string, work: () => Promise<number>) => Promise<number>

/** Serves a request that the router has found the route of. What it returns is an answer that is still to be written. */
export type Endpoint = (exchange: Exchange, params: PathParams) => Promise<Response | undefined>

export interface AnsweredRequest {
  readonly method: string
  /** The path of the route, never that of the request: it may name somebody. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly id: string
}

const BODY_LIMIT = 1024 * 1024
/** For routes that anybody may call: they take a name and a password, and reading a megabyte of brackets takes 0.1 s. */
const STRANGERS_LIMIT = 64 * 1024
/** A caller whose body or turn took longer than this is checked again. */
const CHECK_LASTS_MS = 250
const NONE = Object.freeze({})

export function endpoint(route: Route, context: EndpointContext): Endpoint {
  const { auth, handle, withoutRedis = false, ignored = [] } = route
  const status = route.status ?? (route.answer === undefined ? 204 : 200)
  const bodyIsOptional = route.body?.safeParse(undefined).success ?? true
  const params = route.path.includes("{") ? z.object(route.params ?? {}) : undefined
  const query = route.query === "any" ? undefined : z.strictObject(route.query ?? {})
  /** The query of a request that has none; undefined when such a request is refused. */
  const emptyQuery = query === undefined ? NONE : query.safeParse({}).data

  const limit = route.bodyLimit ?? (auth === undefined ? STRANGERS_LIMIT : BODY_LIMIT)
  const isStream = route.answer === "events"
  // listen.ts discards the body of a GET.
  const ignoresBody = route.body === undefined && route.readsBody !== true && route.method !== "GET"

  /** What is known before the body is there. */
  const headOf = ({ url = "" }: IncomingMessage, given: PathParams) => {
    if (!withoutRedis && !context.redis.isUp) throw unavailable("redis_unavailable", "Redis does not answer")
    const hasNoQuery = emptyQuery !== undefined && !url.includes("?")
    if (query === undefined || (params !== undefined && url.includes("%"))) checkEncoding(url)
    return {
      params: params === undefined ? NONE : checked("path", params, given),
      query: hasNoQuery ? emptyQuery : query === undefined ? NONE : checked("query", query, queryOf(url)),
    }
  }
  const arriving = (incoming: IncomingMessage): IncomingBody | undefined => {
    if (route.body !== undefined) return jsonBody(incoming, limit, bodyIsOptional)
    if (ignoresBody) incoming.resume()
    return undefined
  }
  const bodyOf = (schema: z.ZodType, bytes: Buffer | undefined): unknown => {
    const body = bytes === undefined ? undefined : parseBody(bytes, bodyIsOptional)
    return checked("body", schema, ignored.length === 0 ? body : without(body, ignored))
  }
  const confirm = async (given: PathParams, caller: unknown): Promise<void> => {
    await auth?.confirm?.(caller, params === undefined || params.safeParse(given).success ? given : undefined)
  }
  const problemOf = (error: unknown, id: string): Problem => {
    const { problem, log } = answerTo(error, context.refusals)
    if (problem.code === "redis_unavailable" && !(error instanceof Problem)) context.redis.suspect(error)
    const fields = () => ({
      system: context.system,
      route: route.path,
      id,
      ...errorFields(error, problem.status === 500),
    })
    if (log !== undefined) context.log[log]("request failed", fields())
    return problem
  }
  const note = async (incoming: IncomingMessage, id: string): Promise<void> => {
    try {
      await context.handled?.(incoming, route)
    } catch (error) {
      const fields = { system: context.system, route: route.path, id, ...errorFields(error) }
      context.log.warn("request not noted", fields)
    }
  }

  /** What the handler makes of the request: what the route answers, a RouteReply, or a Response that Hono writes. */
  const resultOf = async (
    exchange: Exchange,
    given: PathParams,
    id: string,
    body: IncomingBody | undefined,
  ): Promise<unknown> => {
    const { incoming, outgoing } = exchange.env
    const called = auth?.check(incoming, given)
    const caller = called instanceof Promise ? await called : called
    const checkedAt = performance.now()
    const input = { caller, params: NONE, query: NONE, body: undefined as unknown, http: exchange }
    /** A caller who had to wait may have been logged out, or have lost a right, meanwhile. */
    const hasWaited = (): boolean => auth !== undefined && performance.now() - checkedAt > CHECK_LASTS_MS
    const checkAgain = async (): Promise<void> => {
      input.caller = await auth!.check(incoming, given)
    }
    try {
      Object.assign(input, headOf(incoming, given))
      if (route.body) input.body = bodyOf(route.body, await body?.bytes())
      if (hasWaited()) await checkAgain()
    } catch (error) {
      if (error instanceof Problem && error.status < 500) await confirm(given, caller)
      throw error
    }
    if (isStream) {
      setSecurityHeaders(outgoing)
      outgoing.setHeader("x-request-id", id)
    }
    if (auth?.inTurn === undefined) return handle(input as never)
    const work = async () => {
      if (hasWaited()) await checkAgain()
      return handle(input as never)
    }
    return auth.inTurn(caller, work, incoming)
  }

  const serve: Endpoint = async (exchange, given) => {
    const { incoming, outgoing } = exchange.env
    const started = performance.now()
    const id = idOf(incoming)
    const body = arriving(incoming)
    let result: unknown
    try {
      result = await resultOf(exchange, given, id, body)
    } catch (error) {
      body?.drop()
      result = problemOf(error, id)
    }
    if (context.handled !== undefined) await note(incoming, id)
    const answeredWith = write(outgoing, result, id)
    const ms = performance.now() - started
    context.answered({ method: route.method, route: route.path, status: answeredWith, ms, id })
    return result instanceof Response ? result : undefined
  }

  /** Writes the answer and says its status. A Response is left to Hono. */
  const write = (outgoing: ServerResponse, result: unknown, id: string): number => {
    if (result instanceof Response) {
      if (!outgoing.headersSent) outgoing.setHeader("x-request-id", id)
      return result.status
    }
    if (outgoing.headersSent) outgoing.destroy()
    else if (result instanceof Problem) sendProblem(outgoing, result, id)
    else if (result instanceof RouteReply) send(outgoing, result.status, result.body, id, result.headers)
    else send(outgoing, status, result, id)
    return result instanceof Problem || result instanceof RouteReply ? result.status : status
  }

  const { recording } = context
  if (recording === undefined || isStream) return serve
  return async (exchange, given) => {
    const record = recording(exchange.env.incoming)
    if (record === undefined) return serve(exchange, given)
    let response: Response | undefined
    await record(`${route.method} ${route.path}`, async () => {
      response = await serve(exchange, given)
      return response?.status ?? exchange.env.outgoing.statusCode
    })
    return response
  }
}

/** The parsed value, or a 400 that says what is wrong and where. */
function checked(where: string, schema: z.ZodType, value: unknown): never {
  const result = schema.safeParse(value)
  if (result.success) return result.data as never
  const details = result.error.issues.slice(0, 20).map((issue) => ({
    at: short([where, ...issue.path].join(".")),
    message: issue.code === "unrecognized_keys" ? unknownFields(issue.keys) : short(issue.message),
  }))
  throw badRequest("invalid_input", `${details[0]!.at}: ${details[0]!.message}`, details)
}

/** Only a bounded part of what a request holds is repeated in an answer. */
const MOST_CHARS = 200
const MOST_NAMES = 5
const short = (text: string): string => (text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}…`)
function unknownFields(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => JSON.stringify(short(name)))
  const rest = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ""
  return `${names.length === 1 ? "Unrecognized key" : "Unrecognized keys"}: ${shown.join(", ")}${rest}`
}

export const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!)

function queryOf(url: string): Record<string, string> {
  const mark = url.indexOf("?")
  if (mark < 0) return NONE
  checkEncoding(url)
  const found: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    if (name in found) throw badRequest("invalid_input", `query.${short(name)}: is given twice`)
    found[name] = value
  }
  return { ...found }
}

function checkEncoding(url: string): void {
  try {
    decodeURIComponent(url)
  } catch {
    throw badRequest("invalid_url", "the URL is not percent-encoded UTF-8")
  }
}

function without(body: unknown, ignored: readonly string[]): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body
  const names = Object.keys(body)
  if (!names.some((name) => ignored.includes(name))) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !ignored.includes(name)))
}
