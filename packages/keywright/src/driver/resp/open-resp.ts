/* From an address and options to our own connection. */

import { isIP } from "node:net"
import type { ConnectionOptions as TlsOptions } from "node:tls"
import { type Address, parseAddress, showAddress } from "../address.ts"
import type { Endpoint, Nat } from "../cluster/endpoint.ts"
import type { Driver, ReadRole } from "../driver.ts"
import { openSentinel } from "../sentinel/open-sentinel.ts"
import { isSentinelAddress, parseSentinelAddress, type SentinelAddress } from "../sentinel/sentinel-address.ts"
import type { Dial } from "./dialler.ts"
import { dialSocket } from "./dial.ts"
import { RespDriver, type RespDriverOptions } from "./resp-driver.ts"

export interface RespOptions {
  /** RESP version; 3 falls back to 2 by itself. */
  readonly protocol?: 2 | 3
  /** The deadline of each call. Default: 2000. */
  readonly timeoutMs?: number
  readonly connectTimeoutMs?: number
  /** How many calls, and bytes of calls, may wait for a connection before more are refused. */
  readonly queueCalls?: number
  readonly queueBytes?: number
  /** How large a reply may be, in bytes, including what its elements take in memory; a larger one ends the connection. Default: 1 GiB. */
  readonly replyBytes?: number
  /** Another default for `replyBytes`, which the address can still override. */
  readonly usualReplyBytes?: number
  /** The logical database, instead of the one in the address. */
  readonly db?: number
  /** The name shown by CLIENT LIST. */
  readonly name?: string
  /** For `rediss://`: certificates and other options of `tls.connect`. */
  readonly tls?: TlsOptions
  /** "off" uses only the server of the address, even if it is a node of a cluster. Default: "auto". */
  readonly cluster?: "auto" | "off"
  /** Addresses that nodes of a cluster announce, and by which to reach them: `{"10.0.0.1:6379": "localhost:7001"}`. */
  readonly nat?: Nat
  /**
   * Which servers answer reads, in a cluster or with sentinels: "replica" takes load off the primary, but may lag
   * behind. A call can override this. Default: "primary".
   */
  readonly read?: ReadRole
  /** Why a cluster is not to be used, should the server turn out to be a node of one: calls are refused with this error. */
  readonly refuseCluster?: () => Error | undefined
}

export const DEFAULTS = {
  protocol: 3,
  timeoutMs: 2000,
  connectTimeoutMs: 2000,
  queueCalls: 100_000,
  queueBytes: 128 * 1024 * 1024,
  replyBytes: 1024 * 1024 * 1024,
} as const

/** The most bytes of one reply for tools, which read in pages: few of them are in memory at a time. */
export const TOOL_REPLY_BYTES = 256 * 1024 * 1024

/** To one server, whether it is a node of a cluster or not. Starts to connect at once; calls wait until there is a
 * connection, each up to its deadline. */
export function openResp(url: string, options: RespOptions = {}): Driver {
  return new RespDriver(driverOptions(parseAddress(url), options))
}

/** As `openResp`; a node of a cluster gives access to the whole cluster. */
export function openServer(url: string, options: RespOptions = {}): Driver {
  if (isSentinelAddress(url)) return openPrimary(parseSentinelAddress(url), options)
  const address = parseAddress(url)
  const common = driverOptions(address, options)
  if ((options.cluster ?? address.cluster) === "off") return new RespDriver(common)
  const seeds: readonly Endpoint[] = [address, ...address.others].map(({ host, port }) => ({
    host: host === "" ? "127.0.0.1" : host,
    port,
  }))
  const { tls } = options
  let turn = 0
  return new RespDriver({
    ...common,
    refuseCluster: options.refuseCluster,
    dial: seeds.length === 1 ? common.dial : (signal) => dialNode(address, seeds[turn++ % seeds.length]!, tls)(signal),
    inCluster: {
      seeds,
      dial: (endpoint) => dialNode(address, endpoint, tls),
      labelOf: ({ host, port }) => `${showAddress({ ...address, path: undefined, host, port })} (own connection)`,
      nat: options.nat,
      read: options.read ?? address.read ?? "primary",
    },
  })
}

/** The primary that sentinels name. */
function openPrimary(address: SentinelAddress, options: RespOptions): Driver {
  const { dial: _, labelOf: __, ...driver } = driverOptions(address.primary, options)
  const dial = (endpoint: Endpoint) => dialNode(address.primary, endpoint, options.tls)
  const read = options.read ?? address.primary.read ?? "primary"
  return openSentinel({ address, driver, dialPrimary: dial, dialSentinel: dial, read })
}

/** Certificates are checked against the name that a node announces; where it has only an address, the name that was given. */
function dialNode(given: Address, { host, port, name }: Endpoint, tls: TlsOptions | undefined): Dial {
  const servername = [name, host, given.host].find((one) => one !== undefined && isIP(one) === 0 && one !== "")
  const options = servername === undefined ? tls : { servername, ...tls }
  return dialSocket({ host, port, path: undefined, tls: given.tls }, given.tls ? options : tls)
}

function driverOptions(address: Address, options: RespOptions): RespDriverOptions {
  return {
    kind: "resp",
    labelOf: (db) => `${showAddress({ ...address, db })} (own connection)`,
    dial: dialSocket(address, options.tls),
    username: address.username,
    password: address.password,
    ...settingsOf(options, address),
  }
}

/** What is not in the options is in the address, or the default. */
export function settingsOf(options: RespOptions, address: Partial<Address> = {}) {
  return {
    db: options.db ?? address.db ?? 0,
    name: options.name ?? address.name,
    protocol: options.protocol ?? address.protocol ?? DEFAULTS.protocol,
    timeoutMs: options.timeoutMs ?? address.timeoutMs ?? DEFAULTS.timeoutMs,
    connectTimeoutMs: options.connectTimeoutMs ?? address.connectTimeoutMs ?? DEFAULTS.connectTimeoutMs,
    queueCalls: options.queueCalls ?? DEFAULTS.queueCalls,
    queueBytes: options.queueBytes ?? DEFAULTS.queueBytes,
    replyBytes: options.replyBytes ?? address.replyBytes ?? options.usualReplyBytes ?? DEFAULTS.replyBytes,
  }
}
