/* A small keyspace with drains, and drainers that can be interrupted. */

import type { CallOptions, Driver, Script, Wire } from "../../driver/driver.ts"
import { counter, drain, type Drain, float, int, keyspace, map, replicated, sharded, text, zset } from "../../index.ts"
import { DirectLane } from "../call/lane.ts"
import { readyKeys } from "../call/ready-key.ts"
import { OwnConnections } from "../call/own-connections.ts"
import { type Drainers, drainersOf } from "./drain-handles.ts"

export const schemaOf = (shards: number, durability: ReturnType<typeof replicated> = "fast") =>
  keyspace(
    {
      session: sharded(shards, "token", {
        views: zset("keywright:views", text, { score: float({ max: 0 }) }),
        sums: map("keywright:sums", text, int),
        total: counter("keywright:total"),
      }),
      popular: zset("viewed:", text, { score: float({ max: 0 }) }),
      sum: map("sum:", text, int),
      all: counter("all:"),
    },
    {
      name: "drained",
      ttl: "never",
      drains: {
        views: drain({ from: "session.views", into: "popular", durability }),
        sums: drain({ from: "session.sums", into: "sum", durability }),
        total: drain({ from: "session.total", into: "all", durability }),
      },
    },
  )
type Schema = ReturnType<typeof schemaOf>

/** Called around each script, with its name. */
export interface Interruption {
  before?(script: string): Promise<void> | void
  after?(script: string): Promise<void> | void
}

/** The drains of another process, as it were: with an identity of their own. */
export function drainers(
  schema: Schema,
  driver: Driver,
  interruption: Interruption = {},
): Drainers<Schema["entries"], Schema["drains"]> {
  const lane = new DirectLane(interrupted(driver, interruption), new OwnConnections(driver))
  const drains = schema.drains as unknown as Record<string, Drain>
  return drainersOf(drains, readyKeys(schema.keys), () => lane) as never
}

function interrupted(driver: Driver, { before, after }: Interruption): Driver {
  return new Proxy(driver, {
    get(target, name) {
      if (name === "run")
        return async (script: Script, keys: readonly Wire[], args: readonly Wire[], options: CallOptions) => {
          await before?.(script.name)
          const reply = await target.run(script, keys, args, options)
          await after?.(script.name)
          return reply
        }
      const value = Reflect.get(target, name, target) as unknown
      return typeof value === "function" ? (value as (...args: never[]) => unknown).bind(target) : value
    },
  })
}
