/* Who one is in the explorer, in a demonstration: the administrator, and one of the people
 * of each system. Outside of a demonstration nothing is filled in. */

import type { About, DemoAccess } from "../state/about.ts"

type Credentials = Record<string, string>
/** Logs in by the system's own routes; the names are those of its security schemes. */
type LogIn = (post: Post, access: DemoAccess, person: string) => Promise<Credentials>
type Post = (path: string, body: object, bearer?: string) => Promise<Record<string, unknown>>

const logIns: Readonly<Record<string, LogIn>> = {
  shop: async (post, _access, user) => ({ session: String((await post("/login", { user }))["token"]) }),
  messaging: async (post, { adminToken, team: { service, ...team } }, user) => {
    const issued = await post("/v1/saas/tokens", { ...team, serviceId: service, service: "roc", user }, adminToken)
    const { accessToken } = await post("/v1/auth/token", { refreshToken: issued["refreshToken"] })
    return { token: `Token ${String(accessToken)}` }
  },
  carto: async (post, { adminToken, people }) => {
    const { token } = await post("/oauth-tokens", { user_id: 100 }, adminToken)
    // The last one: the first is there to be renamed.
    const { map_key } = await post(`/users/${people["carto"]?.at(-1) ?? ""}/api-key`, {}, adminToken)
    return { oauth: String(token), api_key: String(map_key) }
  },
  restaurant: async (post, { boss: { email, password } }) => ({
    user: String((await post("/login", { username: email, password }))["accessToken"]),
  }),
}

export async function demoCredentials(): Promise<Credentials> {
  const { systems, access } = (await (await fetch("/-/about")).json()) as About
  if (access === undefined) return {}
  const found: Credentials = { admin: access.adminToken }
  for (const { name, prefix } of systems) {
    const [person = ""] = access.people[name] ?? []
    const own: Credentials = (await logIns[name]?.(poster(prefix), access, person).catch(() => undefined)) ?? {}
    for (const [scheme, value] of Object.entries(own)) {
      found[prefix === "" ? scheme : `${name}-${scheme}`] = value
    }
  }
  return found
}

const poster =
  (prefix: string): Post =>
  async (path, body, bearer) => {
    const answer = await fetch(prefix + path, {
      method: "POST",
      credentials: "omit",
      headers: { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
    return (await answer.json()) as Record<string, unknown>
  }
