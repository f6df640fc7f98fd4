/* The command line → what is to be served. Whatever is not understood is an error that
 * says what is known. */

import { isHostPattern, type HostPattern } from "./http/hosts.ts"
import { readSecretFile } from "./secret-file.ts"
import { readSettings, variableOf } from "./settings.ts"
import type { System } from "./system.ts"
import { UsageError } from "./usage-error.ts"

export interface ServePlan {
  readonly systems: readonly System[]
  /** By system. */
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly port: number
  readonly host: string
  /** Names that it answers to; none: all. */
  readonly hosts: readonly HostPattern[]
  /** Clients are distinguished by what a proxy adds to X-Forwarded-For. */
  readonly behindProxy: boolean
  /** An address; without one, the embedded engine. */
  readonly redis: string | undefined
  readonly database: string | undefined
  readonly adminToken: string | undefined
  readonly clock: Date | undefined
  readonly demo: boolean
  readonly force: boolean
  /** Processes that serve the port together. */
  readonly workers: number
}

export type Catalog = Readonly<Record<string, () => Promise<System>>>

/** What `--help` says. */
export const usage = (names: readonly string[]) => `usage: npm run serve -- <system>[,<system>…] [options]

systems: ${names.join(", ")}

  --port N             0 picks a free one (3000)
  --host H             the address to listen on (127.0.0.1)
  --allow-host NAME    answers to this Host header and to loopback names only; *.example.com for
                       the names below; may be repeated
  --behind-proxy       distinguishes clients by the last address of X-Forwarded-For; only where
                       every request comes through a proxy that adds it
  --redis URL          redis://host:6379/0; without it, the embedded engine, in memory
  --database URL       sqlite:<file> or postgres://…; without it, SQLite in memory
  --admin-token T      gives access to the admin routes
  --clock ISO          the instant at which the application's clock starts
  --set name=value     a setting: shop.pageTtl=60; may be repeated
  --set-file name=path the same from a file: restaurant.jwtSecret=/run/secrets/jwt
  --workers N          serves with N processes on one port; jobs still run once (1)
  --demo               adds the few rows that a demonstration needs
  --force              starts on a database that has another system's keys

Arguments can be seen by everybody on this machine. --redis-file, --database-file and --admin-token-file
take the path of a file that holds what the option without -file would take. The admin token may also come
from KEYWRIGHT_ADMIN_TOKEN, and secret settings from variables such as KEYWRIGHT_RESTAURANT_JWT_SECRET.`

/** May hold a secret: `--redis-file` is read, and is what `--redis` would be. */
const WITH_FILE = ["redis", "database", "admin-token"] as const
const WITH_VALUE = new Set<string>(
  ["port", "host", "allow-host", "redis", "database", "admin-token", "clock", "set", "set-file", "workers"].concat(
    WITH_FILE.map((name) => `${name}-file`),
  ),
)
const WITHOUT = new Set(["demo", "force", "behind-proxy"])

export async function readOptions(
  args: readonly string[],
  catalog: Catalog,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ServePlan> {
  const names = Object.keys(catalog)
  const fail = (what: string) => new UsageError(`${what}\n\n${usage(names)}`)
  const { words, late, options } = split(args, fail)
  const one = (name: string): string | undefined => {
    const given = options.get(name)
    if (given !== undefined && given.length > 1) throw fail(`--${name} is given twice`)
    return given?.[0]
  }
  const number = (name: string, fallback: number, least: number, most: number): number => {
    const text = one(name) ?? String(fallback)
    const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= least && value <= most)) throw fail(`--${name} takes a number from ${least} to ${most}`)
    return value
  }
  const secret = (name: (typeof WITH_FILE)[number]): string | undefined => {
    const [given, file] = [one(name), one(`${name}-file`)]
    if (given !== undefined && file !== undefined) throw fail(`--${name} and --${name}-file are both given`)
    return file === undefined ? given : readSecretFile(`--${name}-file`, file)
  }

  const wanted = words.flatMap((word) => word.split(",")).filter((word) => word !== "")
  if (wanted.length === 0) throw fail("which system?")
  for (const [i, name] of wanted.entries()) {
    // Behind an option it may be the end of a secret with a space in it.
    if (!Object.hasOwn(catalog, name) && late.some((word) => word.split(",").includes(name)))
      throw fail("a word after an option is not a system: quote values with spaces")
    if (!Object.hasOwn(catalog, name)) throw fail(`no system "${name}"`)
    if (wanted.indexOf(name) !== i) throw fail(`${name} is named twice`)
  }
  const systems = await Promise.all(wanted.map((name) => catalog[name]!()))
  const declared = Object.fromEntries(systems.map(({ name, settings }) => [name, settings]))

  return {
    systems,
    settings: readSettings(declared, options.get("set") ?? [], { files: options.get("set-file") ?? [], env }),
    port: number("port", 3000, 0, 65_535),
    host: one("host") ?? "127.0.0.1",
    behindProxy: options.has("behind-proxy"),
    hosts: hostsOf(options.get("allow-host") ?? [], fail),
    redis: secret("redis"),
    database: secret("database"),
    adminToken: secret("admin-token") ?? (env[variableOf("admin.token")] || undefined),
    clock: clockOf(one("clock"), fail),
    demo: options.has("demo"),
    force: options.has("force"),
    workers: number("workers", 1, 1, MOST_WORKERS),
  }
}

type Fail = (what: string) => UsageError

function split(args: readonly string[], fail: Fail) {
  const words: string[] = []
  const late: string[] = []
  const options = new Map<string, string[]>()
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    if (!arg.startsWith("--")) {
      words.push(arg)
      if (options.size > 0) late.push(arg)
      continue
    }
    const equals = arg.indexOf("=")
    const name = arg.slice(2, equals < 0 ? undefined : equals)
    const isFlag = WITHOUT.has(name)
    if (!isFlag && !WITH_VALUE.has(name))
      throw fail(/^[a-z-]{1,20}$/.test(name) ? `no option "--${name}"` : "no such option")
    if (isFlag && equals >= 0) throw fail(`--${name} takes no value`)
    const value = isFlag ? "" : equals < 0 ? args[++i] : arg.slice(equals + 1)
    if (value === undefined || (!isFlag && value === "")) throw fail(`--${name} needs a value`)
    options.set(name, [...(options.get(name) ?? []), value])
  }
  return { words, late, options }
}

const MOST_WORKERS = 128

function hostsOf(names: readonly string[], fail: Fail): HostPattern[] {
  const hosts = names.flatMap((name) => name.toLowerCase().split(","))
  if (!hosts.every(isHostPattern)) throw fail("--allow-host takes a name such as example.com or *.example.com")
  return hosts
}

function clockOf(text: string | undefined, fail: Fail): Date | undefined {
  if (text === undefined) return undefined
  const found = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text)
  const date = new Date(found && text.includes("T") && found[1] === undefined ? `${text}Z` : text)
  // Date rolls the 30th of February over.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10))
  if (!found || !isDay || Number.isNaN(date.getTime()))
    throw fail("--clock takes an instant such as 2026-03-01T12:00:00Z")
  return date
}
