/* Fences that somebody else has written to: an error that says so, and no record left out or applied twice. */

import { expect, it } from "vitest"
import { int } from "../../schema/codec/number.ts"
import { map } from "../../schema/define.ts"
import { fence } from "../../schema/fence.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { sharded } from "../../schema/sharded.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"
import { takeFences } from "./fences.ts"

const schema = keyspace(
  { user: sharded(0, "user", { total: map("total", int, int), fence: fence("fence") }) },
  { ttl: "never", params: { user: int } },
)

onBothServers("a fence", (server) => {
  it.each(["abc", "-1", "1.5", "inf", "nan", "1e300", "9007199254740993", "99999999999999999999", ""])(
    "with %j as its term or as a record is not taken",
    async (odd) => {
      const db = await connect(schema, server().target)
      const of = (user: number) => db.user({ user }).fence()
      const take = () => takeFences({ on: db, term: 1, all: [of(1)], of })
      for (const field of ["term", "reaction"]) {
        await server().driver.send(["HSET", of(1).key, field, odd])
        await expect(take()).rejects.toMatchObject({ code: "FENCE.UNREADABLE", key: of(1).key })
        await server().driver.send(["DEL", of(1).key])
      }
      expect((await take()).highest("reaction")).toBe(0)
      await db.$close()
    },
  )
})
