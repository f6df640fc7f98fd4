/* What is in there (RST-39): keys and bytes by pattern, the biggest keys, and single keys. */

import { inspectKey, stats, type InspectedKey } from "keywright/operate"
import { serverMemory } from "../../platform/server-info.ts"
import { notFound } from "../../platform/http/problem.ts"
import type { Area } from "../area.ts"
import type { RestaurantContext } from "../context.ts"
import { ENTITIES } from "../schema.ts"

const BIGGEST = 10

export function monitoring({ db, redis }: RestaurantContext, { match, has }: Area) {
  return {
    async stats() {
      await redis.ping()
      const driver = db.$driver()
      const [found, memory, numbers] = await Promise.all([
        stats(db.$keyspace, driver, { top: BIGGEST, ...(match !== undefined && { match }) }),
        serverMemory(driver),
        Promise.all(ENTITIES.map((entity) => db[entity].count())),
      ])
      return {
        keys: found.keys,
        bytes: found.bytes,
        memory,
        counts: Object.fromEntries(ENTITIES.map((entity, i) => [entity, numbers[i]!])),
        biggest: found.biggest.map(({ key, type, bytes }) => ({ key, type, bytes })),
        patterns: found.databases
          .flatMap(({ patterns, toolkit, unknown }) => [...patterns, ...toolkit, ...unknown])
          .map(({ pattern, keys, bytes }) => ({ pattern, keys, bytes })),
      }
    },

    /** Type, TTL, memory and value of a key, and what it is related to; secrets are not shown. */
    async key(key: string): Promise<InspectedKey> {
      if (!has(key)) throw notFound("this is not a key of this restaurant")
      await redis.ping()
      return inspectKey(db.$keyspace, db.$driver(), key)
    },
  }
}

export type Monitoring = ReturnType<typeof monitoring>
