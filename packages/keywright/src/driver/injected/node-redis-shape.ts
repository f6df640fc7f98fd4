/* The parts of node-redis 5 and 6 that we use, and how its objects are recognised. They
 * are recognised by shape, because an application may have its own copy of the library. */

import { hasMethods } from "./has-methods.ts"
import type { Cancel } from "./cancel.ts"

export interface SendOptions {
  readonly typeMapping: object
  /** 0: no timer per command; the deadline is ours. */
  readonly timeout: 0
  /** Commands keep their order, even if the client is set to put each new one first. */
  readonly asap: false
  /** Takes the command out of the client's queue, if it is not written yet. */
  readonly abortSignal?: Cancel
  /** Commands with one chain are given up together when the connection is lost. */
  readonly chainId?: symbol
}

export interface NodeRedisClient {
  readonly options?: ClientOptions
  readonly isReady: boolean
  sendCommand(args: readonly (string | Buffer)[], options: SendOptions): Promise<unknown>
  duplicate(overrides?: object): NodeRedisClient
  connect(): Promise<unknown>
  destroy(): void
  on(event: string, listener: (...args: never[]) => void): unknown
  off(event: string, listener: (...args: never[]) => void): unknown
  subscribe(channels: readonly string[], listener: (message: string, channel: string) => void): Promise<unknown>
  pSubscribe(patterns: readonly string[], listener: (message: string, channel: string) => void): Promise<unknown>
}

export interface ClientOptions {
  readonly database?: number
  readonly keyPrefix?: string
  readonly socket?: { readonly host?: string; readonly port?: number; readonly path?: string; readonly tls?: unknown }
}

export interface NodeRedisPool {
  readonly idleClients: number
  /** At once, if a client is idle. */
  execute<T>(fn: (client: NodeRedisClient) => T | Promise<T>): Promise<T>
}

export interface NodeRedisCluster {
  readonly slots: readonly { readonly master: object }[]
  readonly masters: readonly object[]
  nodeClient(node: object): Promise<NodeRedisClient> | NodeRedisClient
  sendCommand(
    firstKey: string | Buffer,
    isReadonly: boolean,
    args: readonly (string | Buffer)[],
    options: SendOptions,
  ): Promise<unknown>
}

export function isNodeRedisCluster(value: object): value is NodeRedisCluster {
  return hasMethods(value, "sendCommand", "nodeClient", "getRandomNode") && "slots" in value && "masters" in value
}

export function isNodeRedisPool(value: object): value is NodeRedisPool {
  return hasMethods(value, "sendCommand", "execute") && "totalClients" in value && !("slots" in value)
}

export function isNodeRedisClient(value: object): value is NodeRedisClient {
  return (
    hasMethods(value, "sendCommand", "duplicate", "pSubscribe", "withTypeMapping") &&
    "isReady" in value &&
    !("slots" in value) &&
    !hasMethods(value, "getSentinelNode") // Its sendCommand takes other arguments.
  )
}
