/* npm start: all systems on one embedded engine, with people in them and some damage,
 * and the studio beside. Everything is in memory; nothing is kept.
 *
 * Prints `ready <url>` on standard output once the systems answer, as `serve` does, then
 * `studio <url>` and `<system> <url>`; the rest is for people, on standard error. */

import { randomBytes } from "node:crypto"
import { parseArgs } from "node:util"
import { start as startEngine } from "@keywright/embedded"
import type { Keyspace } from "keywright"
import { startStudio } from "keywright/studio"
import { catalog, known } from "../catalog.ts"
import { openLog } from "../platform/log.ts"
import { readOptions } from "../platform/options.ts"
import { startServer } from "../platform/server.ts"
import { demoArgs, placesOfDemo, type DemoAccess } from "./access.ts"
import { startDemo } from "./demo.ts"

const usage = `usage: npm start -- [--port 8080] [--studio-port 8081] [--seed 7]`

function options() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string", default: "8080" },
        "studio-port": { type: "string", default: "8081" },
        seed: { type: "string", default: "7" },
        help: { type: "boolean", default: false },
      },
    })
    return values
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}\n`)
    return process.exit(2)
  }
}

const { port, "studio-port": studioPort, seed, help } = options()
if (help) {
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}

const say = (text: string) => void process.stderr.write(`${text}\n`)
const secret = () => randomBytes(12).toString("base64url")
const access: DemoAccess = { adminToken: secret(), boss: { email: "boss@example.com", password: secret() } }
const names = Object.keys(catalog)
// Requests of the traffic, and warnings that everything is in memory, would drown what matters.
const log = openLog((text) => {
  for (const line of text.split("\n")) if (line.includes(`"level":"error"`)) say(line)
})

/** What is to be closed, the latest first. */
const open: (() => Promise<unknown>)[] = []
let isEnding = false
async function end(status: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  for (const close of open.splice(0).toReversed()) await close()
  process.exit(status)
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(0))

try {
  const plan = await readOptions([names.join(), "--port", port, ...demoArgs(access)], catalog)
  const engine = await startEngine()
  open.push(() => engine.stop())
  const server = await startServer({ ...plan, known, engine, log })
  open.push(() => server.close())
  process.stdout.write(`ready ${server.url}\n`)
  say(`\n${names.length} systems on one embedded engine, in memory: ${names.join(", ")}`)
  say("the demo's people start using the systems …")
  const demo = await startDemo(names, { engine }, placesOfDemo, { url: server.url, ...access, seed: Number(seed), log })
  open.push(() => demo.stop())
  const studio = await startStudio({
    port: Number(studioPort),
    write: true,
    systems: plan.systems.map((system) => ({
      name: system.name,
      keyspace: system.schema(plan.settings[system.name] as never) as Keyspace,
      server: { engine },
      ...(system.databases.length === 1 && { db: system.databases[0]! }),
      url: `${server.url}/${system.name}`,
    })),
  })
  open.push(() => studio.close())
  process.stdout.write(`studio ${studio.url}\n`)
  for (const name of names) process.stdout.write(`${name} ${server.url}/${name}\n`)
  say(`
The studio shows what is in the five systems, and what is wrong in them; you may repair it. Its link works once.
${server.url}/openapi.json has every route; as administrator: Authorization: Bearer ${access.adminToken}

Some scripts in a hurry have done damage. Find it: Audit, in the studio. Ctrl-C ends everything.`)
} catch (error) {
  say((error as Error).message)
  await end(1)
}
