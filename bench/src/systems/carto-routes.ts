/* Carto's routes. Its six databases are beyond those that the others get. */

import { ask } from "./ask.ts"
import type { MeasuredRoute } from "./routes.ts"

const ADMIN = "admin-token-of-the-bench"
const args = ["--admin-token", ADMIN, "--set", "carto.dbs=50,51,52,53,54,55"]
const user = { id: 1, username: "bench", database_name: "cartodb_bench_user_1_db" }

async function createUser(url: string): Promise<void> {
  const { status } = await ask(url, "POST /users", user, ADMIN)
  if (status !== 201 && status !== 409) throw new Error(`/users: ${status}`)
}

export const cartoRoutes: readonly MeasuredRoute[] = [
  {
    name: "POST /queries",
    system: "carto",
    args,
    roundTrips: "<=1",
    async prepare() {
      const sql = "select * from places where name = 'a;b'; insert into visits (place) values (7)"
      return { method: "POST", path: "/queries", token: ADMIN, body: { user_id: 1, sql, time: 0.25 }, status: 204 }
    },
  },
  {
    name: "POST /users/{username}/mapviews",
    system: "carto",
    args,
    roundTrips: "<=1",
    async prepare(url) {
      await createUser(url)
      return { method: "POST", path: "/users/bench/mapviews", body: { visualization_id: "v1" }, status: 204 }
    },
  },
]
