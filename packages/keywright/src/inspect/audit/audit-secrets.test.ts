/* The five systems' keyspaces with a canary in every secret place, everything of another
 * type or shape than declared: neither findings nor stats nor single keys show one. */

import { expect, it } from "vitest"
import { carto } from "../../../../../systems/carto/schema.ts"
import { messagingSchema } from "../../../../../systems/messaging/schema.ts"
import { recommender } from "../../../../../systems/recommender/schema.ts"
import { restaurant } from "../../../../../systems/restaurant/schema.ts"
import { shop } from "../../../../../systems/shop/schema.ts"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command, Driver } from "../../driver/driver.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { audit } from "./audit.ts"
import { inspectKey } from "../model/inspect-key.ts"
import { stats } from "../stats/stats.ts"

/** Its rules leave the sweepers twice as long as it is between two passes: an audit waits that out. */
const messaging = messagingSchema({ sweepEvery: 0.5 })
const systems = { carto, messaging, recommender, restaurant, shop } as unknown as Readonly<Record<string, Keyspace>>
const CANARY = "CANARY-0123456789-abcdefghij"

/** A canary where it is secret, else something that fits or does not. */
const put = (codec: AnyCodec | undefined, other = "x y"): string => (codec?.secret === true ? CANARY : other)

const keyOf = ({ pattern, params }: Key): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => put(params[name], params[name]!.example))

function write(row: Key): Command[] {
  const key = keyOf(row)
  const part = (name: string) => row.shape[name] as AnyCodec
  const document = { id: "another", ...Object.fromEntries([row.secret ?? []].flat().map((name) => [name, CANARY])) }
  switch (row.kind) {
    case "string":
    case "counter":
      return [["SET", key, Array.isArray(row.secret) ? JSON.stringify(document) : put(part("value"))]]
    case "hash":
      return Object.entries(row.shape["fields"] as CodecFields).map(([name, codec]) => ["HSET", key, name, put(codec)])
    case "map":
      return [["HSET", key, put(part("field")), put(part("value"))]]
    case "list":
      return [["RPUSH", key, put(part("item"))]]
    case "set":
      return [["SADD", key, put(part("member"))]]
    case "zset":
      return [["ZADD", key, "inf", put(part("member"))]]
    default:
      return []
  }
}

const another = (row: Key): Command[] => {
  const key = keyOf(row)
  return [["DEL", key], row.kind === "list" ? ["SET", key, CANARY] : ["RPUSH", key, CANARY]]
}

onAnyServer("secrets", (server) => {
  it.each(Object.keys(systems))("are not shown: %s", async (name) => {
    const schema = systems[name]!
    const { driver } = server()
    const driverOf = async (row: Key): Promise<Driver> => driver.database(row.db)
    const shown: unknown[] = []
    for (const commands of [write, another]) {
      for (const row of schema.keys) await (await driverOf(row)).batch(commands(row))
      const { findings, ...rest } = await audit(schema, driver)
      expect(findings.length).toBeGreaterThan(schema.keys.length / 4)
      shown.push(findings, rest, await stats(schema, driver))
      for (const row of schema.keys) shown.push(await inspectKey(schema, driver, keyOf(row)))
    }
    expect(JSON.stringify(shown)).not.toContain(CANARY)
  })
})
