/* The routes that are measured. A system adds its own here, and the same route by hand
 * in by-hand/<system>.mjs. */

import type { GoalText } from "../harness-stats.ts"
import type { LoadRequest } from "./http-load.ts"

export interface MeasuredRoute {
  readonly name: string
  readonly system: string
  /** More of the command line. */
  readonly args: readonly string[]
  /** Round trips to Redis for one request. */
  readonly roundTrips: GoalText
  /** Makes what the request needs, and gives it. The server by hand has the same routes for that. */
  readonly prepare: (url: string) => Promise<LoadRequest>
}

export const routes: readonly MeasuredRoute[] = [
  {
    name: "POST /views",
    system: "shop",
    args: ["--set", "shop.openLogin=true"],
    roundTrips: "<=1",
    async prepare(url) {
      const login = await fetch(`${url}/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ user: "bench" }),
      })
      const { token } = (await login.json()) as { token: string }
      return { method: "POST", path: "/views", token, body: { item: "item1" }, status: 204 }
    },
  },
]
