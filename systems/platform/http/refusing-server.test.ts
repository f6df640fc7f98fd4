/* Redis that answers with errors: a broken or hostile server, a user without rights, a server that is full. Every
 * route of every system then says so with a stable code, and nothing is written. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../../../test/full.ts"
import { type HostileServer, startHostile } from "../../../test/hostile-server.ts"
import { type Proxy, startProxy } from "../../../test/tcp-proxy.ts"
import { until } from "../../../test/until.ts"
import { catalog } from "../../catalog.ts"
import { ADMIN, send, serveForTest, type Served } from "../testing/serve.ts"
import { onRealServer, type TestServer } from "../testing/servers.ts"
import { dump } from "../testing/stored.ts"

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}
interface Request {
  readonly request: string
  readonly body: unknown
}

const COOK = { email: "cook@example.com", password: "long enough for a cook" }
const VALUES: Readonly<Record<string, unknown>> = { ...COOK, category: 1, date: "2020-01-01", db: "a1", table: "a1" }

/** Something that the schema takes, in most cases. */
function sample(name: string, { type, enum: all, anyOf, required = [], properties = {} }: Schema): unknown {
  if (Object.hasOwn(VALUES, name)) return VALUES[name]
  if (all !== undefined) return all[0]
  if (anyOf !== undefined) return sample(name, anyOf[0]!)
  if (type === "object") return Object.fromEntries(required.map((field) => [field, sample(field, properties[field]!)]))
  if (type === "array") return []
  if (type === "boolean") return true
  return type === "integer" || type === "number" ? 1 : "a1"
}

async function requestsOf(served: Served): Promise<Request[]> {
  const { body } = await send(served.url, "GET /openapi.json")
  const { paths } = body as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => {
      const schema = requestBody?.content["application/json"]?.schema
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(VALUES[name] ?? 1))
      return { request: `${method.toUpperCase()} ${filled}`, body: schema && sample("", schema) }
    }),
  )
}

onRealServer("Redis that answers with errors", (server) => {
  let proxy: Proxy
  let hostile: HostileServer
  let reply = ""
  let isLoading = false
  const asked = new Set<string>()
  let served: Served
  let requests: Request[]
  let tokens: Record<string, string>

  const serveOn = async ({ settings, ...rest }: Pick<TestServer, "redis" | "engine" | "settings">): Promise<void> => {
    const cook = [`restaurant.adminEmail=${COOK.email}`, `restaurant.adminPassword=${COOK.password}`]
    const set = ["shop.openLogin=true", ...cook].flatMap((setting) => ["--set", setting])
    served = await serveForTest({ ...rest, ...(settings && { settings }) }, Object.keys(catalog).join(), ...set)
    requests = await requestsOf(served)
    tokens = await tokensOf()
  }
  /** Each system knows its caller, so that what it does for one is reached. */
  const tokensOf = async (): Promise<Record<string, string>> => {
    const post = async (path: string, body: object) => (await served.admin(`POST ${path}`, body)).body
    const shop = (await post("/shop/login", { user: "a1" }))["token"]
    const who = { tenant: "1", account: "1", project: "1", service: "roc", user: "1" }
    const { refreshToken } = (await post("/messaging/v1/saas/tokens", who)) as { refreshToken: string }
    const messaging = (await post("/messaging/v1/auth/token", { refreshToken }))["accessToken"]
    const cook = { username: COOK.email, password: COOK.password }
    return { shop, messaging, restaurant: (await post("/restaurant/login", cook))["accessToken"] }
  }
  /** A part of all routes, another one for each case, unless this is the full run. */
  const some = (from: number) => requests.filter((_, i) => isFull || (i + from) % 4 === 0)
  /** By the user where there is one, and by the administrator. */
  const answersTo = async ({ request, body }: Request): Promise<{ status: number; code: unknown }[]> => {
    const own = tokens[request.split("/")[1]!]
    const answers = []
    for (const token of [ADMIN, ...(own === undefined ? [] : [own])]) {
      if (/\/v1\/roc\/events|\/vnpay\//.test(request)) continue // One stays open; the other is not configured.
      const { status, body: answer } = await send(served.url, request, { token, ...(body !== undefined && { body }) })
      answers.push({ status, code: status < 400 ? undefined : (answer as { error?: unknown }).error })
    }
    return answers
  }

  describe("to every command", () => {
    beforeAll(async () => {
      proxy = await startProxy(server().process!.port)
      hostile = await startHostile(([command = ""]) => {
        asked.add(command)
        return command === "PING" && !isLoading ? "+PONG\r\n" : reply
      })
      await serveOn({ redis: proxy.url, engine: undefined })
      proxy.leadTo(Number(new URL(hostile.url).port))
      proxy.reset()
      await until(() => hostile.opened() > 0)
    })
    afterAll(async () => {
      await served.close()
      await proxy.close()
      await hostile.close()
    })

    it.each([
      ["-ERR nothing works", "redis_unavailable"],
      ["-NOPERM this user has no permissions to run this command", "redis_unavailable"],
      ["-NOAUTH Authentication required.", "redis_unavailable"],
      ["-OOM command not allowed when used memory > 'maxmemory'", "redis_unavailable"],
      ["-READONLY You can't write against a read only replica.", "redis_unavailable"],
      ["-MISCONF Redis is configured to save RDB snapshots", "redis_unavailable"],
      ["-EXECABORT Transaction discarded because of previous errors.", "redis_unavailable"],
      ["-NEVERHEARDOF it", "redis_unavailable"],
      ["-NEVER.HEARD of it", "redis_unavailable"],
      ["-WRONGTYPE Operation against a key holding the wrong kind of value", "wrong_type"],
    ])("%s is %s", async (error, code) => {
      reply = `${error}\r\n`
      for (const one of some(error.length)) {
        for (const answer of await answersTo(one))
          if (answer.status >= 500) expect([code, "redis_unavailable"], one.request).toContain(answer.code)
      }
    })

    it("a walk does not begin on a server that loads its data", async () => {
      for (const path of ["integrity", "stats", "keys/user:1"]) {
        isLoading = false
        reply = "-ERR nothing works\r\n"
        await until(async () => (await send(served.url, "GET /health")).status === 200)
        isLoading = true
        reply = "-LOADING Redis is loading the dataset in memory\r\n"
        asked.clear()
        const { status, body } = await send(served.url, `GET /restaurant/admin/${path}`, { token: ADMIN })
        expect([path, status, (body as { error: string }).error]).toEqual([path, 503, "redis_unavailable"])
        expect([...asked]).toEqual(["PING"])
      }
    })
  })

  describe("to every write", () => {
    const raw = (...command: (string | number)[]) => server().raw(...command)
    const PLACES = [0, 1, 2, 3, 4, 5, 10, 11, 13, 14]
    /** What stays, of all databases. */
    const stored = async () => {
      const found: unknown[] = []
      for (const place of PLACES) {
        await raw("SELECT", place)
        const all = Object.entries(await dump(raw)) as [string, { expires: boolean }][]
        found.push(all.filter(([, { expires }]) => !expires))
      }
      return found
    }

    const ACL = ["ACL", "SETUSER", "default"]
    const MEMORY = ["CONFIG", "SET", "maxmemory"]
    // A full server deletes: also all permissions of a role, whose new list is empty here.
    it.each([
      ["of a user who may only read", [...ACL, "-@write"], [...ACL, "+@all"], /^/],
      ["of a server that is full", [...MEMORY, "1"], [...MEMORY, "0"], /^(?!DELETE|PUT \S+\/permissions$)/],
    ])("%s: nothing is written, and the answer says so", async (_, begin, end, asked) => {
      await serveOn(server())
      const before = await stored()
      await raw(...begin)
      try {
        let refused = 0
        for (const one of some(0)) {
          if (!asked.test(one.request)) continue
          for (const { status, code } of await answersTo(one)) {
            if (status < 500) continue
            expect([one, status, code]).toEqual([one, 503, "redis_unavailable"])
            refused += 1
          }
        }
        expect(refused).toBeGreaterThan(isFull ? 30 : 5)
      } finally {
        await raw(...end)
      }
      expect(await stored()).toEqual(before)
      await served.close()
    })
  })
})
