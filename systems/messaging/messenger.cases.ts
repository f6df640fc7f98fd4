/* A messenger served for a test, and people in it. */

import { expect } from "vitest"
import { serveForTest, type CallOptions, type Reply, type Served } from "../platform/testing/serve.ts"
import type { TestServer } from "../platform/testing/servers.ts"

export const SCOPE = { project: "456", service: "789" }
/** The prefix of all keys of the service. */
export const X = `P:${SCOPE.project}:S:${SCOPE.service}`

export interface Person {
  readonly id: string
  readonly access: string
  readonly refresh: string
  /** A request with the user's access token. */
  call(request: string, body?: unknown, options?: CallOptions): Promise<Reply>
  /** The same, and its status. */
  status(request: string, body?: unknown): Promise<number>
}

export interface Messenger extends Served {
  /** A first refresh token. */
  issue(user: string, given?: Readonly<Record<string, string>>): Promise<string>
  exchange(refreshToken: string): Promise<Reply>
  login(user: string, given?: Readonly<Record<string, string>>): Promise<Person>
  putUser(user: string, row: object): Promise<void>
  putChannel(channel: string, row?: object): Promise<void>
}

export async function messengerForTest(server: TestServer, ...args: string[]): Promise<Messenger> {
  const served = await serveForTest(server, "messaging", ...args)
  return messengerOf(served)
}

export function messengerOf(served: Served): Messenger {
  const issue = async (user: string, given = {}) => {
    const grant = { tenant: "123", account: "007", project: "456", serviceId: "789", service: "roc", user, ...given }
    const { status, body } = await served.admin("POST /v1/saas/tokens", grant)
    expect(status).toBe(201)
    return body["refreshToken"] as string
  }
  const exchange = (refreshToken: string) => served.call("POST /v1/auth/token", { body: { refreshToken } })
  const put = async (path: string, row: object) =>
    expect((await served.admin(`PUT /source/456/789/${path}`, row)).status).toBe(204)
  return {
    ...served,
    issue,
    exchange,
    async login(user, given) {
      const { status, body } = await exchange(await issue(user, given))
      expect(status).toBe(200)
      const access = body["accessToken"] as string
      const call = (request: string, sent?: unknown, options: CallOptions = {}) =>
        served.call(request, { token: access, ...(sent !== undefined && { body: sent }), ...options })
      return {
        id: user,
        access,
        refresh: body["refreshToken"] as string,
        call,
        status: async (request, sent) => (await call(request, sent)).status,
      }
    },
    putUser: (user, row) => put(`users/${user}`, row),
    putChannel: (channel, row = {}) =>
      put(`channels/${channel}`, {
        name: "News",
        description: "New events.",
        type: "private",
        subscribers: [],
        owners: [],
        managers: [],
        ...row,
      }),
  }
}
