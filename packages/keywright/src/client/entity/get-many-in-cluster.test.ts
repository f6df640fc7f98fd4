/* getMany reads by MGET on one server, and by one command for each record in a cluster: what it returns is the same. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod"
import { needs } from "../../../../../test/needs.ts"
import { startRedis } from "../../../../../test/real-redis.ts"
import { startPrimaries } from "../../../../../test/redis-cluster.ts"
import { json } from "../../schema/codec/json.ts"
import { text } from "../../schema/codec/text.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { connect } from "../connect.ts"

const schema = keyspace(
  { dish: entity("dish:{id}", json(z.object({ id: z.string() }))), guest: entity("guest:{id}", { id: text }) },
  { ttl: "never" },
)

describe.runIf(needs("redis-server"))("getMany, on one server and in a cluster", () => {
  const servers: { readonly url: string; stop(): Promise<void> }[] = []
  beforeAll(async () => {
    const [one, cluster] = await Promise.all([startRedis(), startPrimaries(3)])
    servers.push(one, { url: cluster.nodes[0]!.url, stop: () => cluster.stop() })
  })
  afterAll(() => Promise.all(servers.map((server) => server.stop())))

  test("another type in the place of a document counts as missing; in the place of a hash it is an error", async () => {
    for (const { url } of servers) {
      const db = await connect(schema, url)
      const ids = ["1", "2", "3", "4"]
      for (const id of ["1", "2"]) await db.dish.create({ id })
      await db.$driver().send(["SADD", "dish:3", "x"])
      expect(await db.dish.getMany(ids)).toEqual([{ id: "1" }, { id: "2" }, undefined, undefined])
      await db.$driver().send(["SADD", "guest:3", "x"])
      await expect(db.guest.getMany(ids)).rejects.toMatchObject({ code: "SERVER.WRONGTYPE" })
      await db.$close()
    }
  })
})
