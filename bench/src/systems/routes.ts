/* The routes that are measured. A system adds its own here, and the same route by hand
 * in by-hand/<system>.mjs. */

import type { GoalText } from "../harness-stats.ts"
import { asked } from "./ask.ts"
import { cartoRoutes } from "./carto-routes.ts"
import type { LoadPlan } from "./http-load.ts"
import { restaurantRoutes } from "./restaurant-routes.ts"

export interface MeasuredRoute {
  readonly name: string
  readonly system: string
  /** More of the command line. */
  readonly args: readonly string[]
  /** Requests per second, of what the route by hand has. Default: at least as many. */
  readonly goal?: GoalText
  /** Round trips to Redis for one request. */
  readonly roundTrips: GoalText
  /** Creates what the request needs, and returns it. The server by hand has the same routes for that. */
  readonly prepare: (url: string, connections: number) => Promise<LoadPlan>
}

const ADMIN = "admin-token-of-the-bench"

export const routes: readonly MeasuredRoute[] = [
  {
    name: "POST /views",
    system: "shop",
    args: ["--set", "shop.openLogin=true"],
    roundTrips: "<=1",
    // Each connection is a separate session. Of one session, several views in a millisecond would by hand change nothing.
    prepare: (url, connections) =>
      Promise.all(
        Array.from({ length: connections }, async (_, i) => {
          const { token } = await asked(url, "POST /login", { user: `bench-${i}` })
          return [{ method: "POST", path: "/views", token: token!, body: { item: `item${i % 10}` }, status: 204 }]
        }),
      ),
  },
  {
    name: "GET /v1/roc/status",
    system: "messaging",
    args: ["--admin-token", ADMIN],
    roundTrips: "<=3",
    async prepare(url) {
      return { method: "GET", path: "/v1/roc/status", token: await talker(url), status: 200 }
    },
  },
  {
    name: "POST /v1/roc/messages",
    system: "messaging",
    args: ["--admin-token", ADMIN],
    // The third publishes the event; the answer does not wait for it.
    roundTrips: "<=3",
    async prepare(url) {
      const body = { receiver: "u2", body: "Shall we meet at eight?" }
      return { method: "POST", path: "/v1/roc/messages", token: await talker(url), body, status: 202 }
    },
  },
  ...restaurantRoutes,
  ...cartoRoutes,
]

/** The token of somebody with ten contacts, of whom five are online. */
async function talker(url: string): Promise<string> {
  const login = async (user: string) => {
    const grant = { tenant: "1", account: "1", project: "456", serviceId: "789", service: "roc", user }
    const { refreshToken } = await asked(url, "POST /v1/saas/tokens", grant, ADMIN)
    return (await asked(url, "POST /v1/auth/token", { refreshToken }))["accessToken"]!
  }
  const contacts = Array.from({ length: 10 }, (_, i) => `u${i + 2}`)
  await asked(url, "PUT /source/456/789/users/u1", { contacts }, ADMIN)
  for (const user of contacts.slice(0, 5)) await login(user)
  return login("u1")
}
