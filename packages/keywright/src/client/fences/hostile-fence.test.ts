/* Fences that somebody else has written to: an error that says so, and no record left out or applied twice. */

import { inspect } from "node:util"
import { expect, it } from "vitest"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { secret } from "../../schema/codec/wrap.ts"
import { map } from "../../schema/define.ts"
import { fence, fencedStep } from "../../schema/fence.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { sharded } from "../../schema/sharded.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"
import { takeFences } from "./fences.ts"

const schema = keyspace(
  { user: sharded(0, "user", { total: map("total", int, int), fence: fence("fence") }) },
  {
    ttl: "never",
    params: { user: int },
    steps: {
      add: fencedStep({
        script: "-- KEYS total  ARGV n, records\nfor i = 2, #ARGV do redis.call('HSET', KEYS[1], ARGV[i], 1) end",
        keys: ["user.total"],
        fence: "user.fence",
        record: int,
      }),
    },
  },
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

  it("is refused without the secret parts of its key", async () => {
    const own = keyspace({ fence: fence("fence:{token}", { ttl: "never" }) }, { params: { token: secret(text) } })
    const db = await connect(own, server().target)
    const [odd, late] = [db.fence({ token: "CANARY1" }), db.fence({ token: "CANARY2" })]
    await server().driver.send(["HSET", odd.key, "reaction", "abc"])
    await server().driver.send(["HSET", late.key, "term", "7"])
    for (const one of [odd, late]) {
      const error = await takeFences({ on: db, term: 1, all: [one], of: () => one }).catch((caught: unknown) => caught)
      expect(error).toMatchObject({ key: "fence:…" })
      expect(inspect(error, { depth: 20 })).not.toContain("CANARY")
    }
    await db.$close()
  })

  it("has no sequence whose ids would replace its term", async () => {
    const db = await connect(schema, server().target)
    const of = (user: number) => db.user({ user }).fence()
    const fences = await takeFences({ on: db, term: 100, all: [of(1)], of })
    expect(() => fences.split("term", [{ id: 1 }], () => 1)).toThrow(
      expect.objectContaining({ code: "FENCE.SEQUENCE" }),
    )
    const [part] = fences.split("likes", [{ id: 150 }], () => 1)
    const apply = (sequence: string) => db.$steps.add({ user: 1, records: [150], sequence, fence: part!.fence })
    await expect(apply("term")).rejects.toMatchObject({ code: "FENCE.SEQUENCE" })
    expect(await apply("likes")).toBe(1)
    expect(await server().driver.send(["HGET", of(1).key, "term"])).toBe("100")
    await db.$close()
  })
})
