/* From what `connect` was given to a driver: an address, or somebody's client,
 * recognised by its shape. */

import { clientRefuses, clientUnknown } from "../errors/driver.ts"
import type { Driver } from "./driver.ts"
import { ioredisDriver } from "./injected/ioredis.ts"
import { isIoCluster, isIoRedis } from "./injected/ioredis-shape.ts"
import { nodeRedisDriver } from "./injected/node-redis.ts"
import { isNodeRedisClient, isNodeRedisCluster, isNodeRedisPool } from "./injected/node-redis-shape.ts"
import { DEFAULTS, openServer, type RespOptions } from "./resp/open-resp.ts"

export interface DriverOptions extends RespOptions {
  /** A node-redis 5/6 client, pool or cluster, or an ioredis 5/6 client or cluster. Stays open. */
  readonly client?: unknown
}

/** The driver for an address (`"redis://…"`), or for a client that was handed in. */
export function findDriver(given: string | DriverOptions, options: RespOptions = {}): Driver {
  if (typeof given === "string") return openServer(given, options)
  const { client } = given
  const injected = {
    timeoutMs: given.timeoutMs ?? options.timeoutMs ?? DEFAULTS.timeoutMs,
    queueCalls: given.queueCalls ?? options.queueCalls ?? DEFAULTS.queueCalls,
  }
  if (typeof client !== "object" || client === null) throw clientUnknown(describe(client))
  if (isNodeRedisCluster(client) || isNodeRedisPool(client) || isNodeRedisClient(client)) {
    return nodeRedisDriver(client, injected)
  }
  if (isIoCluster(client) || isIoRedis(client)) return ioredisDriver(client, injected)
  if ("then" in client) throw clientRefuses("the client that was passed in is a promise", "Await it first.")
  throw clientUnknown(describe(client))
}

/** What somebody handed in, without its contents. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === "function") return `the function ${value.name || "(anonymous)"}`
  if (typeof value !== "object") return `a ${typeof value}`
  const name = value.constructor?.name ?? "object"
  const methods = new Set<string>()
  for (let at: object | null = value; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const key of Object.getOwnPropertyNames(at)) if (key !== "constructor") methods.add(key)
  }
  const shown = [...methods].slice(0, 6).join(", ")
  return `an object of class ${name}${shown === "" ? "" : ` with ${shown}${methods.size > 6 ? ", …" : ""}`}`
}
