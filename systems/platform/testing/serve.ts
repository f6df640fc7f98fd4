/* A system served in the process of the test, over real HTTP. Every answer is checked
 * against the OpenAPI document of the running server: what is served is what is written. */

import { expect } from "vitest"
import { catalog, known } from "../../catalog.ts"
import { openLog } from "../log.ts"
import { readOptions } from "../options.ts"
import { startServer } from "../server.ts"
import { documented, type Document } from "./documented.ts"
import { serveProcess } from "./serve-process.ts"
import type { TestServer } from "./servers.ts"

export const ADMIN = "admin-token-of-the-tests"

/** Answers that are held back for hasty clients would add up: tests that are about them ask for it. */
const WITH_HASTE = new Set(["messaging", "restaurant"])

export interface CallOptions {
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** `Authorization: Bearer …` */
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** Parsed when it is JSON. */
  readonly body: never
}

export interface Served {
  readonly url: string
  /** `call("PUT /cart/items/item1", { body: { quantity: 1 }, token })` */
  call(request: string, options?: CallOptions): Promise<Reply>
  /** The same with the admin token. */
  admin(request: string, body?: unknown): Promise<Reply>
  /** All that was logged. */
  logged(): string
  close(): Promise<void>
}

/**
 * `serveForTest(server(), "shop", "--set", "shop.openLogin=true")`; jobs do not run by themselves by default.
 * `--patient` is for tests that count on every answer: for them, a busy machine does not count as an outage of Redis.
 */
export async function serveForTest(
  server: Pick<TestServer, "redis" | "engine" | "settings" | "told">,
  systems: string,
  ...args: string[]
): Promise<Served> {
  const names = systems.split(",")
  const jobs = names.flatMap((system) => ["--set", `${system}.jobs=false`])
  const haste = names.flatMap((system) => (WITH_HASTE.has(system) ? ["--set", `${system}.haste=0`] : []))
  const placed = Object.entries(server.settings ?? {}).flatMap(([name, value]) =>
    names.flatMap((system) => ["--set", `${system}.${name}=${value}`]),
  )
  const redis = server.redis === undefined || args.includes("--redis") ? [] : ["--redis", server.redis]
  const admin = args.includes("--no-admin") ? [] : ["--admin-token", ADMIN]
  const rest = args.filter((arg) => arg !== "--no-admin" && arg !== "--patient")
  const all = [systems, "--port", "0", ...redis, ...admin, ...jobs, ...haste, ...placed, ...rest]
  const running = await (WORKERS === undefined ? inProcess(all, server, args.includes("--patient")) : inWorkers(all))
  const document = (await (await fetch(`${running.url}/openapi.json`)).json()) as Document

  const call = async (request: string, options: CallOptions = {}): Promise<Reply> => {
    const answer = await send(running.url, request, options)
    const { status, headers } = answer
    const body = server.settings === undefined ? answer.body : told(answer.body, server.told)
    expect(documented(document, request, status, body), `${request} → ${status} ${JSON.stringify(body)}`).toBe(
      "documented",
    )
    expect(headers.get("x-request-id")).toMatch(/./)
    return { status, headers, body: body as never }
  }
  return {
    url: running.url,
    call,
    admin: (request, body) => call(request, { token: ADMIN, ...(body !== undefined && { body }) }),
    logged: () => (server.told === undefined ? running.logged() : server.told(running.logged())),
    close: running.close,
  }
}

/** Tests know keys by the document's names. */
const told = (body: unknown, by = withoutTags): unknown =>
  typeof body === "object" ? JSON.parse(by(JSON.stringify(body))) : body
const withoutTags = (text: string): string => text.replaceAll(/\{[\w-]+\}:/g, "")

interface Running extends Pick<Served, "url" | "logged" | "close"> {}

async function inProcess(args: string[], { engine }: Pick<TestServer, "engine">, isPatient: boolean): Promise<Running> {
  let logged = ""
  const log = openLog((text) => (logged += text))
  const patience = isPatient ? { timeoutMs: 20_000 } : {}
  const plan = await readOptions(args, catalog)
  const { url, close } = await startServer({ ...plan, ...patience, known, log, ...(engine && { engine }) })
  const read = () => {
    log.flush()
    return logged
  }
  return { url, close, logged: read }
}

/** The same suites over several processes: `KEYWRIGHT_TEST_WORKERS=2`, on a real server. */
const WORKERS = process.env["KEYWRIGHT_TEST_WORKERS"]

async function inWorkers(args: string[]): Promise<Running> {
  const { url, stderr, stop } = await serveProcess(...args, "--workers", WORKERS!)
  return { url, logged: stderr, close: async () => void (await stop()) }
}

/** One request, without looking at the document. */
export async function send(
  url: string,
  request: string,
  { body, token, headers = {} }: CallOptions = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const [method = "", path = ""] = request.split(" ")
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
  return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as unknown }
}
