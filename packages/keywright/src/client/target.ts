/* Which server? Decided here and nowhere else, in this order: an address or client
 * that was handed over; REDIS_URL; the embedded engine, in memory. In production
 * the last one must be asked for ("memory:"), so that nobody loses orders because a
 * variable was missing. */

import { parseAddress, showAddress } from "../driver/address.ts"
import { showEndpoint } from "../driver/cluster/endpoint.ts"
import type { Driver } from "../driver/driver.ts"
import { embeddedDriver, loadEmbedded, type EngineLike } from "../driver/embedded.ts"
import type { DriverOptions } from "../driver/find-driver.ts"
import { findServerProgram, startLocalServer } from "../driver/local-server.ts"
import { isSentinelAddress, parseSentinelAddress } from "../driver/sentinel/sentinel-address.ts"
import { addressRequired, keepsNothing } from "../errors/connect.ts"

/**
 * Where to connect to: `"redis://…"`, `"memory:"`, `"local:"` (a server of this machine, if there is one), your own
 * client, an engine, or the connection of another client of Keywright (`{ driver: db.$driver() }`), which stays open.
 * @example
 * const target: Target = process.env["REDIS_URL"] ?? "memory:"
 * const db = await connect(shop, target)
 */
export type Target =
  | string
  | { readonly client: unknown }
  | { readonly engine: EngineLike }
  | { readonly driver: Driver }

export interface Opened {
  readonly driver: Driver
  readonly close: () => Promise<void>
}

/** The decision, and what it is based on. */
export interface Choice {
  readonly target: Target
  readonly from: "given" | "REDIS_URL" | "default"
}

type Environment = Readonly<Record<string, string | undefined>>
type Find = (given: string | DriverOptions, options: DriverOptions) => Driver

/** Decides. An empty string counts as not given, as from an empty environment variable. */
export function chooseTarget(target: Target | undefined, env: Environment = process.env): Choice {
  const choice = choose(target, env)
  const scheme = typeof choice.target === "string" ? /^(memory|local):./.exec(choice.target)?.[1] : undefined
  if (scheme !== undefined) throw keepsNothing(`${scheme}:`)
  return choice
}

function choose(target: Target | undefined, env: Environment): Choice {
  if (target !== undefined && target !== "") return { target, from: "given" }
  if (env["REDIS_URL"]) return { target: env["REDIS_URL"], from: "REDIS_URL" }
  if (env["NODE_ENV"] === "production") throw addressRequired()
  return { target: "memory:", from: "default" }
}

/**
 * Where `connect` would connect to and why, in one line without credentials: for a program's first line of output.
 * @example
 * console.log(describeTarget("redis://user:hunter2@127.0.0.1:6379")) // → redis://127.0.0.1:6379/0, as given
 */
export function describeTarget(target?: Target, env?: Environment): string {
  const choice = chooseTarget(target, env)
  const why = {
    given: "as given",
    REDIS_URL: "from REDIS_URL",
    default: "because no address was given and REDIS_URL is not set",
  }
  return `${targetName(choice.target)}, ${why[choice.from]}`
}

export async function openTarget(target: Target | undefined, options: DriverOptions, find: Find): Promise<Opened> {
  const { target: chosen } = chooseTarget(target)
  if (chosen === "memory:") return openEngine(options)
  if (chosen === "local:") return openLocal(options, find)
  // The client that opened it closes it: other clients use it as well.
  if (typeof chosen === "object" && "driver" in chosen) return { driver: chosen.driver, close: async () => {} }
  const driver =
    typeof chosen === "object" && "engine" in chosen
      ? embeddedDriver(chosen.engine, options)
      : find(chosen as string | { client: unknown }, options)
  await driver.ready?.()
  return { driver, close: () => driver.close() }
}

function targetName(target: Target): string {
  if (target === "memory:") return "the embedded engine, in memory"
  if (target === "local:") return localTargetName()
  if (typeof target === "string" && isSentinelAddress(target)) {
    const { service, sentinels, primary } = parseSentinelAddress(target)
    return `the primary of ${service}, by ${sentinels.map(showEndpoint).join(", ")}${primary.tls ? ", over TLS" : ""}`
  }
  if (typeof target === "string") return showAddress(parseAddress(target))
  if ("driver" in target) return `${target.driver.label}, the connection of another client`
  return "engine" in target ? "an engine" : "a client"
}

function localTargetName(): string {
  const program = findServerProgram()
  return program ? `a ${program} of its own, without persistence` : targetName("memory:")
}

async function openLocal(options: DriverOptions, find: Find): Promise<Opened> {
  const program = findServerProgram()
  if (!program) return openEngine(options)
  const server = await startLocalServer(program)
  return closedWith(find(server.url, options), server)
}

async function openEngine(options: DriverOptions): Promise<Opened> {
  const { start } = await loadEmbedded()
  const engine = await start()
  return closedWith(embeddedDriver(engine, options), engine)
}

/** What was started for this driver alone ends with it. */
const closedWith = (driver: Driver, started: { stop(): Promise<void> }): Opened => ({
  driver,
  close: async () => {
    await driver.close()
    await started.stop()
  },
})
