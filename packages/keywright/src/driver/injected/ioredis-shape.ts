/* The parts of ioredis 5 and 6 that we use, and how its objects are recognised. */

import { hasMethods } from "./has-methods.ts"

export interface IoCommand {
  /** The slot that a cluster routes by. */
  slot?: number | null
  promise: Promise<unknown>
  /** The cluster client puts its own function here, which follows redirections. */
  reject: (error: Error) => void
  toWritable(socket?: object): string | Buffer
}

export type IoCommandClass = new (
  name: string,
  args: readonly (string | Buffer)[],
  options: { readonly replyEncoding: null },
) => IoCommand

export interface IoRedisOptions {
  readonly host?: string
  readonly port?: number
  readonly path?: string
  readonly db?: number
  readonly tls?: object
  readonly keyPrefix?: string
  /** ioredis 6: "resp3" makes objects of maps and numbers of doubles. */
  readonly replyMapping?: string
  readonly stringNumbers?: boolean
  readonly autoResendUnfulfilledCommands?: boolean
  readonly enableOfflineQueue?: boolean
  /** null: it keeps what waits for a connection for as long as it has none. */
  readonly maxRetriesPerRequest?: number | null
  readonly commandTimeout?: number
}

interface IoSender {
  readonly status: string
  connect(): Promise<unknown>
  on(event: string, listener: (...args: never[]) => void): unknown
  off(event: string, listener: (...args: never[]) => void): unknown
  sendCommand(command: IoCommand): Promise<unknown>
  pipeline(): { call(name: string): { readonly _queue?: readonly IoCommand[] } }
}

export interface IoRedis extends IoSender {
  readonly options: IoRedisOptions
  /** From the first connection on. */
  readonly condition?: { readonly select?: number } | null
  duplicate(overrides?: object): IoRedis
  disconnect(): void
  ping(): Promise<unknown>
  subscribe(...channels: string[]): Promise<unknown>
  psubscribe(...patterns: string[]): Promise<unknown>
}

export interface IoCluster extends IoSender {
  readonly isCluster: true
  readonly options: { readonly keyPrefix?: string; readonly redisOptions?: IoRedisOptions }
  /** The addresses of the nodes that have a slot, the primary's first. */
  readonly slots: readonly (readonly string[] | undefined)[]
  nodes(role: "master"): readonly IoRedis[]
}

export function isIoCluster(value: object): value is IoCluster {
  return hasMethods(value, "sendCommand", "pipeline", "nodes") && "isCluster" in value && value.isCluster === true
}

export function isIoRedis(value: object): value is IoRedis {
  return (
    hasMethods(value, "sendCommand", "pipeline", "duplicate", "psubscribe") && "status" in value && !isIoCluster(value)
  )
}

/** The class of this copy of the library, taken from a pipeline that is never executed. */
export function commandClassOf(client: IoSender): IoCommandClass | undefined {
  const [command] = client.pipeline().call("PING")._queue ?? []
  return command?.constructor as IoCommandClass | undefined
}
