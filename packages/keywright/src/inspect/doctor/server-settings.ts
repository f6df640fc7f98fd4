/* What a server says about itself, read once: INFO, CONFIG, the slow log, latency. A
 * server that forbids CONFIG leaves its settings unknown, which is reported. */

import type { Driver, Reply, ServerFacts } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import { patient } from "../walk/patient.ts"
import { isRefusal, isUnknownCommand, noting, type RefusedRead, RefusedReads } from "../walk/refusal.ts"

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
  /** How far the server's clock is ahead of ours, in milliseconds; undefined where TIME is forbidden. */
  readonly clockAheadMs: number | undefined
  /** What the server refused to say. */
  readonly unreadable?: readonly RefusedRead[]
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

export async function readSettings(given: Driver): Promise<ServerSettings> {
  const refused = new RefusedReads()
  const driver = noting(patient(given, given.timeoutMs), (command, refusal) => {
    // Some hosts have no CONFIG at all: a finding of its own says so.
    if (!isUnknownCommand(refusal)) refused.note(command, refusal)
  })
  const facts = await driver.facts()
  // Without it there is nothing to report: who may not ask for it gets the server's error.
  const info = fields(String(await driver.send(["INFO", "everything"], SAFE)))
  const asked = await driver.batch(
    [...SETTINGS.split(" "), ...SECRET].map((name) => ["CONFIG", "GET", name]),
    SAFE,
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
    SAFE,
  )
  const measured = await measure(driver)
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
    ...measured,
    ...refused.result(),
  }
}

const list = (reply: Reply | undefined): readonly Reply[] => (Array.isArray(reply) ? (reply as readonly Reply[]) : [])

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
    await driver.send(["PING"], SAFE)
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round((times[Math.floor(share * (times.length - 1))] ?? 0) * 100) / 100
  const before = Date.now()
  const [time] = await driver.batch([["TIME"]], SAFE)
  const [seconds, micros] = list(time)
  const middle = (before + Date.now()) / 2
  return {
    ping: { p50: at(0.5), p99: at(0.99) },
    clockAheadMs: isRefusal(time) ? undefined : Math.round(Number(seconds) * 1000 + Number(micros) / 1000 - middle),
  }
}
