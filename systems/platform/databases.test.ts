/* Counting keys by their prefixes. */

import { expect, it } from "vitest"
import { connect, keyspace, string, text } from "keywright"
import { startHostile } from "../../test/hostile-server.ts"
import { prefixSizes } from "./databases.ts"

const schema = keyspace({ name: string("db0:name:{id}", text) }, { ttl: "never" })
const names = [
  [0, "names"],
  [1, "others"],
] as const

it("counts each key by the number before its first colon", async () => {
  const db = await connect(schema, "memory:")
  for (const id of ["a", "b", "c"]) await db.name({ id }).set("x")
  await db.$driver().send(["SET", "db7:strange", "x"])
  await db.$driver().send(["SET", "strange", "x"])
  expect(await prefixSizes(db.$driver(), names)).toEqual([
    { db: 0, name: "names", keys: 3 },
    { db: 1, name: "others", keys: 0 },
  ])
  await db.$close()
})

it("is not kept busy for ever by a server whose cursor comes again", async () => {
  const page = "*2\r\n$1\r\n5\r\n*1\r\n$10\r\ndb0:name:a\r\n"
  const server = await startHostile(([name]) => (name === "SCAN" ? page : ":0\r\n"))
  const db = await connect(schema, server.url)
  await expect(prefixSizes(db.$driver(), names)).rejects.toMatchObject({
    cause: expect.objectContaining({ code: "DRIVER.CURSOR" }) as unknown,
  })
  await db.$close()
  await server.close()
})
