/* What a server says of itself, read once: INFO, CONFIG, the slow log, latency. A
 * server that forbids CONFIG leaves its settings unknown, and that is said. */

import type { Driver, Reply, ServerFacts } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"

export interface ServerSettings extends ServerFacts {
  readonly info: Readonly<Record<string, string>>
  /** Undefined where CONFIG is forbidden. Passwords are not in it. */
  readonly config: Readonly<Record<string, string>> | undefined
  /** Whether the default user needs a password; undefined when the user may not ask. */
  readonly password: boolean | undefined
  readonly slow: readonly SlowEntry[]
  readonly latency: readonly LatencyEvent[]
  /** Round trips of PING, in milliseconds. */
  readonly ping: { readonly p50: number; readonly p99: number }
  /** How far the server's clock is ahead of ours, in milliseconds. */
  readonly clockAheadMs: number
}

export interface SlowEntry {
  readonly micros: number
  /** Unix seconds. */
  readonly at: number
  readonly command: readonly string[]
}

export interface LatencyEvent {
  readonly event: string
  readonly lastMs: number
  readonly worstMs: number
}

const SETTINGS =
  "maxmemory maxmemory-policy appendonly appendfsync save protected-mode bind databases maxclients stop-writes-on-bgsave-error min-replicas-to-write latency-monitor-threshold slowlog-log-slower-than notify-keyspace-events cluster-require-full-coverage"
const SECRET = ["requirepass"]
const PINGS = 50
const SLOW = "128"

export async function readSettings(driver: Driver): Promise<ServerSettings> {
  const [facts, info] = [
    await driver.facts(),
    fields(String(await driver.send(["INFO", "everything"], { safe: true }))),
  ]
  const asked = await driver.batch(
    [...SETTINGS.split(" "), ...SECRET].map((name) => ["CONFIG", "GET", name]),
    { safe: true },
  )
  const replies = asked.filter((reply): reply is readonly string[] => Array.isArray(reply) && reply.length > 1)
  const pairs = replies.map(([name, value]) => [String(name), String(value)] as const)
  const settings = pairs.filter(([name]) => !SECRET.includes(name))
  const [user, slow, latency] = await driver.batch(
    [
      ["ACL", "GETUSER", "default"],
      ["SLOWLOG", "GET", SLOW],
      ["LATENCY", "LATEST"],
    ],
    { safe: true },
  )
  return {
    ...facts,
    info,
    config: settings.length === 0 ? undefined : Object.fromEntries(settings),
    password: passwordOf(user, pairs),
    slow: list(slow).map(slowEntry),
    latency: list(latency).map((row) => {
      const [event, , lastMs, worstMs] = list(row)
      return { event: String(event), lastMs: Number(lastMs), worstMs: Number(worstMs) }
    }),
    ...(await measure(driver)),
  }
}

const list = (reply: Reply | undefined): readonly Reply[] =>
  Array.isArray(reply) && !(reply instanceof KeywrightError) ? (reply as readonly Reply[]) : []

const fields = (info: string): Record<string, string> =>
  Object.fromEntries([...info.matchAll(/^([\w|-]+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]))

function slowEntry(row: Reply): SlowEntry {
  const [, at, micros, command] = list(row)
  return { at: Number(at), micros: Number(micros), command: list(command).map(String) }
}

function passwordOf(user: Reply | undefined, config: readonly (readonly [string, string])[]): boolean | undefined {
  const parts = list(user)
  const flags = parts[parts.indexOf("flags") + 1]
  if (parts.length > 0 && Array.isArray(flags)) return !(flags as readonly Reply[]).includes("nopass")
  const required = config.find(([name]) => name === "requirepass")
  return required && required[1] !== ""
}

async function measure(driver: Driver): Promise<Pick<ServerSettings, "ping" | "clockAheadMs">> {
  const times: number[] = []
  for (let i = 0; i < PINGS; i++) {
    const started = performance.now()
    await driver.send(["PING"], { safe: true })
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round((times[Math.floor(share * (times.length - 1))] ?? 0) * 100) / 100
  const [before, time] = [Date.now(), list(await driver.send(["TIME"], { safe: true }))]
  const middle = (before + Date.now()) / 2
  return {
    ping: { p50: at(0.5), p99: at(0.99) },
    clockAheadMs: Math.round(Number(time[0]) * 1000 + Number(time[1]) / 1000 - middle),
  }
}
