/* The systems over HTTP: requests per second of one process, on a real server.
 *
 * Each route is compared with the same route written by hand on Hono and node-redis
 * with its timer off (systems/by-hand/), and with a bare handler of the same method,
 * body and answer, which is all that HTTP itself leaves room for. Servers run in
 * processes of their own; the load comes from here, over connections kept open. */

import { fileURLToPath } from "node:url"
import { startRedis } from "../../test/real-redis.ts"
import type { Bench } from "./harness.ts"
import { openLoad } from "./systems/http-load.ts"
import { roundTrips } from "./systems/round-trips.ts"
import { routes } from "./systems/routes.ts"
import { startProgram } from "./systems/start-program.ts"

const serve = fileURLToPath(new URL("../../systems/dist/serve.js", import.meta.url))
const byHand = fileURLToPath(new URL("../src/systems/by-hand/server.mjs", import.meta.url))
const CONNECTIONS = 32

export default async function (bench: Bench): Promise<void> {
  const redis = await startRedis()
  try {
    for (const [i, route] of routes.entries()) {
      const [db, other] = [2 * i, 2 * i + 1]
      const args = ["--port", "0", "--redis", `${redis.url}/${db}`, "--set", `${route.system}.jobs=false`]
      const ours = await startProgram(serve, [route.system, ...args, ...route.args])
      const theirs = await startProgram(byHand, [route.system, `${redis.url}/${other}`])
      try {
        const request = await route.prepare(ours.url)
        const [we, they] = [
          openLoad(ours.url, request, CONNECTIONS),
          openLoad(theirs.url, await route.prepare(theirs.url), CONNECTIONS),
        ]
        const bare = openLoad(theirs.url, { ...request, path: `/bare${request.path}` }, CONNECTIONS)
        bench.report(
          `${route.name}: round trips`,
          await roundTrips(redis.port, () => we.loop(1)),
          route.roundTrips,
          "reads",
        )
        await bench.compare({ name: `${route.name} / by hand`, goal: ">=0.8", ours: we, theirs: they, targetMs: 150 })
        await bench.compare({ name: `${route.name} / bare handler`, ours: we, theirs: bare, targetMs: 150 })
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

async function perSecond(load: { loop(n: number): Promise<void> }): Promise<number> {
  const [n, started] = [20_000, performance.now()]
  await load.loop(n)
  return (n / (performance.now() - started)) * 1000
}
