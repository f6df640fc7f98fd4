/* The systems over HTTP: requests per second of one process, on a real server.
 *
 * Each route is compared with the same route written by hand on Hono and node-redis
 * with its timer off (systems/by-hand/), and with a bare handler of the same method,
 * body and answer, which is all that HTTP itself leaves room for. Servers run in
 * processes of their own; the load comes from here, over connections kept open.
 *
 *   npm run bench -- systems --workers 2    ours with two processes; by hand still with one */

import { fileURLToPath } from "node:url"
import { startRedis } from "../../test/real-redis.ts"
import type { Bench } from "./harness.ts"
import { competingBuyers } from "./systems/competing-buyers.ts"
import { openLoad, type LoadPlan } from "./systems/http-load.ts"
import { roundTrips } from "./systems/round-trips.ts"
import { routes } from "./systems/routes.ts"
import { startProgram } from "./systems/start-program.ts"

const serve = fileURLToPath(new URL("../../systems/dist/bin/serve.js", import.meta.url))
const byHand = fileURLToPath(new URL("../src/systems/by-hand/server.mjs", import.meta.url))
const CONNECTIONS = 32
const WARM_UP = 10_000

export default async function (bench: Bench): Promise<void> {
  const redis = await startRedis({ args: ["--databases", "64"] })
  try {
    const { orders, retries } = await competingBuyers(serve, { url: `${redis.url}/63`, port: redis.port })
    if (orders !== 10) throw new Error(`30 buyers for a stock of 10 made ${orders} orders`)
    bench.report("30 buyers for a stock of 10: orders", orders, "<=10", "orders")
    bench.report("30 buyers for a stock of 10: retries", retries, undefined, "retries")
    for (const [i, route] of routes.entries()) {
      const [db, otherDb] = [2 * i, 2 * i + 1]
      const workers = bench.workers > 1 ? ["--workers", String(bench.workers)] : []
      const args = ["--port", "0", "--redis", `${redis.url}/${db}`, "--set", `${route.system}.jobs=false`, ...workers]
      const ours = await startProgram(serve, [route.system, ...args, ...route.args])
      const theirs = await startProgram(byHand, [route.system, `${redis.url}/${otherDb}`])
      try {
        const plan = await route.prepare(ours.url, CONNECTIONS)
        const other = await route.prepare(theirs.url, CONNECTIONS)
        // Opened when both are ready: a connection that waits for seconds is closed by the server.
        const [we, they] = [openLoad(ours.url, plan, CONNECTIONS), openLoad(theirs.url, other, CONNECTIONS)]
        const bare = openLoad(theirs.url, bareOf(plan), CONNECTIONS)
        bench.report(
          `${route.name}: round trips`,
          await roundTrips(redis.port, () => once(we, plan)),
          route.roundTrips,
          "reads",
        )
        // A server runs for days: what V8 has not compiled yet after some hundred requests is not what is compared.
        for (const load of [we, they]) await load.loop(WARM_UP)
        await bench.compare({
          name: `${route.name} / by hand`,
          goal: route.goal ?? ">=1",
          ours: we,
          theirs: they,
          targetMs: 130,
        })
        await bench.compare({ name: `${route.name} / bare handler`, ours: we, theirs: bare, targetMs: 30 })
        bench.report(`${route.name}: a second`, await perSecond(we), undefined, "requests")
        for (const load of [we, they, bare]) load.close()
      } finally {
        await ours.stop()
        await theirs.stop()
      }
    }
  } finally {
    await redis.stop()
  }
}

/** The same without doing anything. */
const bareOf = (plan: LoadPlan): LoadPlan =>
  "method" in plan
    ? { ...plan, path: `/bare${plan.path}` }
    : plan.map((turns) => turns.map((request) => ({ ...request, path: `/bare${request.path}` })))

/** All requests of one connection, one after another. */
async function once(load: { loop(n: number): Promise<void> }, plan: LoadPlan): Promise<void> {
  const requests = "method" in plan ? 1 : plan[0]!.length
  for (let i = 0; i < requests; i++) await load.loop(1)
}

async function perSecond(load: { loop(n: number): Promise<void> }): Promise<number> {
  const [n, started] = [20_000, performance.now()]
  await load.loop(n)
  return (n / (performance.now() - started)) * 1000
}
