/* The routes of a system as one would write them by hand: Hono, node-redis with its
 * timer off, one script where one step is needed, the headers that browsers should get;
 * no validation beyond what the route needs, no metrics, no log. And under /bare, handlers that do nothing at all.
 *
 *   node server.mjs shop redis://127.0.0.1:6379/1 */

import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { createClient } from "redis"
import { securityHeaderPairs } from "../../../../systems/dist/platform/http/security-headers.js"

const [system, url] = process.argv.slice(2)
const client = createClient({ url, commandOptions: { timeout: 0 } })
client.on("error", () => {})
await client.connect()

const app = new Hono()
// On Node's response, which is the fastest way to set them.
app.use(async (c, next) => {
  for (const [name, value] of securityHeaderPairs) c.env.outgoing.setHeader(name, value)
  await next()
})
const { routes, bare } = await import(`./${system}.mjs`)
const bareApp = new Hono()
bare(bareApp)
app.route("/bare", bareApp)
await routes(app, client)

const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
  console.log(`ready http://127.0.0.1:${port}`),
)
process.on("SIGTERM", () => {
  server.close()
  client.destroy()
  process.exit(0)
})
