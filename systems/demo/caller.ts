/* Requests to a system as anybody would make them: over HTTP, in JSON. */

export interface Caller {
  /** `call("PUT /cart/items/a", { quantity: 1 }, token)`; throws unless the answer is one of success. */
  call(request: string, body?: unknown, token?: string): Promise<JsonObject>
  /** The same as the administrator. */
  admin(request: string, body?: unknown): Promise<JsonObject>
}

type JsonObject = Readonly<Record<string, unknown>>

class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** As somebody who logs in again when their token has ended: a demonstration may run for days. */
export async function loggedIn(
  call: Caller["call"],
  logIn: () => Promise<string>,
): Promise<(request: string, body?: unknown) => Promise<JsonObject>> {
  let token = await logIn()
  return async (request, body) => {
    try {
      return await call(request, body, token)
    } catch (error) {
      if (!(error instanceof Refused && error.status === 401)) throw error
      token = await logIn()
      return call(request, body, token)
    }
  }
}

/** `url` with the prefix of the system. */
export function callerOf(url: string, adminToken: string): Caller {
  const call = async (request: string, body?: unknown, token?: string): Promise<JsonObject> => {
    const [method, path] = request.split(" ") as [string, string]
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok)
      throw new Refused(answer.status, `${request} was answered with ${answer.status}: ${text.slice(0, 300)}`)
    return answer.headers.get("content-type")?.includes("json") ? (JSON.parse(text) as JsonObject) : {}
  }
  return { call, admin: (request, body) => call(request, body, adminToken) }
}
