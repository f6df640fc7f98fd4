/* From an address and options to our own connection. */

import type { ConnectionOptions as TlsOptions } from "node:tls"
import { parseAddress, showAddress } from "../address.ts"
import type { Driver } from "../driver.ts"
import { dialSocket } from "./dial.ts"
import { RespDriver } from "./resp-driver.ts"

export interface RespOptions {
  /** RESP version; 3 falls back to 2 by itself. */
  readonly protocol?: 2 | 3
  /** The deadline of each call. Default: 2000. */
  readonly timeoutMs?: number
  readonly connectTimeoutMs?: number
  /** How many calls, and bytes of calls, may wait for a connection before more are refused. */
  readonly queueCalls?: number
  readonly queueBytes?: number
  /** The most bytes of one reply, what its elements take in memory included; more ends the connection. Default: 1 GiB. */
  readonly replyBytes?: number
  /** The logical database, instead of the address's. */
  readonly db?: number
  /** The name shown by CLIENT LIST. */
  readonly name?: string
  /** For `rediss://`: certificates and what else `tls.connect` takes. */
  readonly tls?: TlsOptions
}

export const DEFAULTS = {
  protocol: 3,
  timeoutMs: 2000,
  connectTimeoutMs: 2000,
  queueCalls: 100_000,
  queueBytes: 128 * 1024 * 1024,
  replyBytes: 1024 * 1024 * 1024,
} as const

/** Starts to connect at once; calls wait until there is a connection, each up to its deadline. */
export function openResp(url: string, options: RespOptions = {}): Driver {
  const address = parseAddress(url)
  return new RespDriver({
    kind: "resp",
    labelOf: (db) => `${showAddress({ ...address, db })} (own connection)`,
    dial: dialSocket(address, options.tls),
    username: address.username,
    password: address.password,
    db: options.db ?? address.db,
    name: options.name ?? address.name,
    protocol: options.protocol ?? address.protocol ?? DEFAULTS.protocol,
    timeoutMs: options.timeoutMs ?? address.timeoutMs ?? DEFAULTS.timeoutMs,
    connectTimeoutMs: options.connectTimeoutMs ?? address.connectTimeoutMs ?? DEFAULTS.connectTimeoutMs,
    queueCalls: options.queueCalls ?? DEFAULTS.queueCalls,
    queueBytes: options.queueBytes ?? DEFAULTS.queueBytes,
    replyBytes: options.replyBytes ?? DEFAULTS.replyBytes,
  })
}
