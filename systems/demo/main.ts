/* npm start: the systems on one server, with people in them and some damage, a page for
 * each, and the studio beside. Without --redis everything is in memory; nothing is kept.
 *
 * Prints `ready <url>` on standard output once the systems answer, as `serve` does, then
 * `studio <url>`, `docs <url>` and `<system> <url>`; the rest is for people, on standard error. */

import { randomBytes } from "node:crypto"
import { start as startEngine } from "@keywright/embedded"
import type { Keyspace, Target } from "keywright"
import { startStudio, type RunningStudio } from "keywright/studio"
import { catalog, known } from "../catalog.ts"
import { openLog } from "../platform/log.ts"
import { readOptions } from "../platform/options.ts"
import { startServer } from "../platform/server.ts"
import { UsageError } from "../platform/usage-error.ts"
import { demoArgs, pageAccess, placesOfDemo, prefixOf, type DemoAccess } from "./access.ts"
import { checkEmpty } from "./check-empty.ts"
import { startDemo } from "./demo.ts"
import { freePort } from "./free-port.ts"
import { readStartOptions, startUsage, type StartOptions } from "./start-options.ts"
import { addSandbox } from "./vnpay-sandbox.ts"

const say = (text: string) => void process.stderr.write(`${text}\n`)
const secret = () => randomBytes(18).toString("base64url")

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
  const options = readStartOptions(process.argv.slice(2), Object.keys(catalog))
  if (options.help) {
    process.stdout.write(`${startUsage(Object.keys(catalog))}\n`)
    process.exit(0)
  }
  await run(options)
} catch (error) {
  say((error as Error).message)
  await end(error instanceof UsageError ? 2 : 1)
}

async function run({ names, redis, seed, ...ports }: StartOptions): Promise<void> {
  const access: DemoAccess = {
    adminToken: secret(),
    boss: { email: "boss@example.com", password: secret() },
    vnpaySecret: secret(),
  }
  // Requests of the traffic, and warnings that everything is in memory, would drown what matters.
  const log = openLog((text) => {
    for (const line of text.split("\n")) if (line.includes(`"level":"error"`)) say(line)
  })
  const port = await portNear(ports.port, "port")
  const url = `http://127.0.0.1:${port}`
  const args = demoArgs(names, access, url)
  const plan = await readOptions([names.join(), "--port", String(port), ...args], catalog)

  const target = await openTarget(redis, names)
  let studio: RunningStudio | undefined
  const server = await startServer({
    ...plan,
    ...(typeof target === "string" ? { redis: target } : { engine: target.engine }),
    known,
    log,
    demoPages: {
      access: () => pageAccess(access),
      hasStudio: () => studio !== undefined,
      studio: (view) => studio?.link(view),
      add: (app, servePage) => {
        if (names.includes("restaurant")) addSandbox(app, servePage, access, url + prefixOf(names, "restaurant"))
      },
    },
  })
  open.push(() => server.close())
  process.stdout.write(`ready ${server.url}\n`)
  const where = redis === undefined ? "one embedded engine, in memory" : "the server that was given"
  say(`\n${names.length === 1 ? names[0] : `${names.length} systems`} on ${where}`)
  say("simulated users start using the systems …")
  const demo = await startDemo(names, target, placesOfDemo, { url: server.url, ...access, seed, log })
  open.push(() => demo.stop())

  const studioPort = await portNear(ports.studioPort, "studio-port")
  studio = await startStudio({
    port: studioPort,
    write: true,
    systems: plan.systems.map((system) => ({
      name: system.name,
      keyspace: system.schema(plan.settings[system.name] as never) as Keyspace,
      ...(system.rules && { rules: system.rules(plan.settings[system.name] as never) }),
      server: target,
      ...(system.databases.length === 1 && { db: system.databases[0]! }),
      url: `${server.url}${prefixOf(names, system.name)}`,
    })),
  })
  open.push(() => studio!.close())
  process.stdout.write(`studio ${studio.url}\ndocs ${server.url}/docs\n`)
  for (const name of names) process.stdout.write(`${name} ${server.url}${prefixOf(names, name) || "/"}\n`)
  say(`
Open any of these. Each system has a page, which shows what every action does to Redis; ${server.url}/docs
is for trying single calls. As administrator: Authorization: Bearer ${access.adminToken}

Some careless scripts have done damage. Find it: Audit, in the studio. Ctrl-C ends everything.`)
}

/** The engine is ours to end; a server stays as it is. */
async function openTarget(
  redis: string | undefined,
  names: readonly string[],
): Promise<Extract<Target, string> | { readonly engine: Awaited<ReturnType<typeof startEngine>> }> {
  if (redis !== undefined) {
    await checkEmpty(redis, names)
    return redis
  }
  const engine = await startEngine()
  open.push(() => engine.stop())
  return { engine }
}

/** The port that is wanted, or the next free one, said aloud. */
async function portNear(wanted: number, option: string): Promise<number> {
  const port = await freePort(wanted)
  if (wanted !== 0 && port !== wanted) say(`port ${wanted} is taken: using ${port} (--${option} chooses another)`)
  return port
}
