/* The command line → what is to be served. Whatever is not understood is an error that
 * says what is known. */

import { isHostPattern, type HostPattern } from "./http/hosts.ts"
import { readSettings } from "./settings.ts"
import type { System } from "./system.ts"
import { UsageError } from "./usage-error.ts"

/** What is to be served, and where. */
export interface ServePlan {
  readonly systems: readonly System[]
  /** By system. */
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly port: number
  readonly host: string
  /** Names that it answers to; none: all. */
  readonly hosts: readonly HostPattern[]
  /** An address; without one, the embedded engine. */
  readonly redis: string | undefined
  readonly database: string | undefined
  readonly adminToken: string | undefined
  readonly clock: Date | undefined
  readonly demo: boolean
  readonly force: boolean
}

export type Catalog = Readonly<Record<string, () => Promise<System>>>

/** What `--help` says. */
export const usage = (names: readonly string[]) => `usage: npm run serve -- <system>[,<system>…] [options]

systems: ${names.join(", ")}

  --port N             0 picks a free one (3000)
  --host H             the address to listen on (127.0.0.1)
  --allow-host NAME    answers to this Host header and to loopback names only; *.example.com for
                       the names below; may be repeated
  --redis URL          redis://host:6379/0; without it, the embedded engine, in memory
  --database URL       sqlite:<file> or postgres://…; without it, SQLite in memory
  --admin-token T      opens the admin routes to who has it
  --clock ISO          the instant at which the application's clock starts
  --set name=value     a setting: shop.pageTtl=60; may be repeated
  --demo               adds the few rows that a demonstration needs
  --force              starts on a database that has another system's keys`

const WITH_VALUE = new Set(["port", "host", "allow-host", "redis", "database", "admin-token", "clock", "set"])
const WITHOUT = new Set(["demo", "force"])

export async function readOptions(args: readonly string[], catalog: Catalog): Promise<ServePlan> {
  const names = Object.keys(catalog)
  const fail = (what: string) => new UsageError(`${what}\n\n${usage(names)}`)
  const { words, options } = split(args, fail)
  const one = (name: string): string | undefined => {
    const given = options.get(name)
    if (given !== undefined && given.length > 1) throw fail(`--${name} is given twice`)
    return given?.[0]
  }

  const wanted = words.flatMap((word) => word.split(",")).filter((word) => word !== "")
  if (wanted.length === 0) throw fail("which system?")
  for (const [i, name] of wanted.entries()) {
    if (!Object.hasOwn(catalog, name)) throw fail(`no system "${name}"`)
    if (wanted.indexOf(name) !== i) throw fail(`${name} is named twice`)
  }
  const systems = await Promise.all(wanted.map((name) => catalog[name]!()))
  const declared = Object.fromEntries(systems.map(({ name, settings }) => [name, settings]))

  return {
    systems,
    settings: readSettings(declared, options.get("set") ?? []),
    port: portOf(one("port") ?? "3000", fail),
    host: one("host") ?? "127.0.0.1",
    hosts: hostsOf(options.get("allow-host") ?? [], fail),
    redis: one("redis"),
    database: one("database"),
    adminToken: one("admin-token"),
    clock: clockOf(one("clock"), fail),
    demo: options.has("demo"),
    force: options.has("force"),
  }
}

type Fail = (what: string) => UsageError

function split(args: readonly string[], fail: Fail) {
  const words: string[] = []
  const options = new Map<string, string[]>()
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    if (!arg.startsWith("--")) {
      words.push(arg)
      continue
    }
    const equals = arg.indexOf("=")
    const name = arg.slice(2, equals < 0 ? undefined : equals)
    const isFlag = WITHOUT.has(name)
    if (!isFlag && !WITH_VALUE.has(name)) throw fail(`no option "--${name}"`)
    if (isFlag && equals >= 0) throw fail(`--${name} takes no value`)
    const value = isFlag ? "" : equals < 0 ? args[++i] : arg.slice(equals + 1)
    if (value === undefined || (!isFlag && value === "")) throw fail(`--${name} needs a value`)
    options.set(name, [...(options.get(name) ?? []), value])
  }
  return { words, options }
}

function portOf(text: string, fail: Fail): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw fail("--port takes a number from 0 to 65535")
  return port
}

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
