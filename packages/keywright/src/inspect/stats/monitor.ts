/* MONITOR for a while, on a separate connection that is closed afterwards: the only way
 * to see which keys commands touch without changing the server. It makes a busy server
 * slower, so it is bounded by time and by lines. */

import { parseAddress, showAddress } from "../../driver/address.ts"
import type { Driver, Reply, Transport } from "../../driver/driver.ts"
import { dialSocket } from "../../driver/resp/dial.ts"
import { greet } from "../../driver/resp/greet.ts"
import { DEFAULTS } from "../../driver/resp/open-resp.ts"
import type { Link } from "../../driver/resp/link.ts"
import { isSentinelAddress, parseSentinelAddress } from "../../driver/sentinel/sentinel-address.ts"
import { KeywrightError } from "../../errors/error.ts"

export interface MonitorOptions {
  readonly forMs: number
  /** Stops early after this many lines. */
  readonly mostLines: number
  readonly connectTimeoutMs?: number
  readonly signal?: AbortSignal
}

export interface Monitored {
  readonly lines: number
  /** How long it listened. */
  readonly ms: number
  /** It stopped before its time: too many lines, or the server hung up on it. */
  readonly cut: "lines" | "connection" | undefined
}

/** A server as MONITOR reaches it: an engine of this process has no address. */
export interface MonitorTarget {
  readonly dial: (signal: AbortSignal) => Promise<Transport>
  /** For messages. */
  readonly label: string
  readonly username?: string | undefined
  readonly password?: string | undefined
}

/** The servers behind an address. Where it names several, or one to be looked up, `driver` says how to reach them. */
export async function targetsOf(server: string | MonitorTarget, driver: Driver): Promise<MonitorTarget[]> {
  const { username, password } = typeof server === "string" ? credentialsOf(server) : server
  const nodes = await driver.primaries()
  if (nodes.some(({ dial }) => dial === undefined)) return [typeof server === "string" ? targetOf(server) : server]
  return nodes.map((node) => ({ dial: (signal) => node.dial!(signal), label: node.label, username, password }))
}

const credentialsOf = (url: string) => (isSentinelAddress(url) ? parseSentinelAddress(url).primary : parseAddress(url))

function targetOf(url: string): MonitorTarget {
  const address = parseAddress(url)
  const { username, password } = address
  return { dial: dialSocket(address), label: showAddress(address), username, password }
}

/** Calls `onLine` for every command that the server carries out meanwhile. */
export async function monitor(
  server: string | MonitorTarget,
  options: MonitorOptions,
  onLine: (line: string) => void,
): Promise<Monitored> {
  const { dial, label, username, password } = typeof server === "string" ? targetOf(server) : server
  const connecting = AbortSignal.timeout(options.connectTimeoutMs ?? 5000)
  const transport = await dial(connecting)
  const link = await greet(
    transport,
    {
      label,
      protocol: 2,
      username,
      password,
      db: 0,
      name: "keywright-top",
      replyBytes: DEFAULTS.replyBytes,
    },
    connecting,
  )
  return listen(link, options, onLine)
}

/** The same on several servers at once. */
export async function monitorAll(
  servers: readonly MonitorTarget[],
  options: MonitorOptions,
  onLine: (line: string) => void,
): Promise<Monitored> {
  const heard = await Promise.all(servers.map((server) => monitor(server, options, onLine)))
  return {
    lines: heard.reduce((sum, { lines }) => sum + lines, 0),
    ms: Math.max(...heard.map(({ ms }) => ms)),
    cut: heard.find(({ cut }) => cut !== undefined)?.cut,
  }
}

function listen(
  link: Link,
  { forMs, mostLines, signal }: MonitorOptions,
  onLine: (line: string) => void,
): Promise<Monitored> {
  return new Promise((resolve, reject) => {
    let [lines, started, ended] = [0, 0, false]
    const end = (cut: Monitored["cut"], error?: unknown) => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      signal?.removeEventListener("abort", stop)
      link.end()
      if (error === undefined) resolve({ lines, ms: started === 0 ? 0 : performance.now() - started, cut })
      else reject(error as Error)
    }
    const stop = () => end(undefined)
    const timer = setTimeout(stop, forMs)
    signal?.addEventListener("abort", stop, { once: true })
    if (signal?.aborted) return stop()
    link.owner = {
      label: link.owner.label,
      onAnswer: () => undefined,
      onRoom: () => undefined,
      onEnd: () => end("connection"),
      onStray: (reply: Reply) => {
        if (reply instanceof KeywrightError) return end(undefined, reply)
        if (started === 0) {
          started = performance.now() // The OK of MONITOR itself.
          return
        }
        if (ended) return
        onLine(String(reply))
        if (++lines >= mostLines) end("lines")
      },
    }
    link.tell(["MONITOR"])
  })
}
