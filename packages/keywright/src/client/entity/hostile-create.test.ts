/* A server that answers a create with anything but an id: that is an error, and not a record. */

import { expect, it } from "vitest"
import * as z from "zod"
import { startHostile } from "../../../../../test/hostile-server.ts"
import { json } from "../../schema/codec/json.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { connect } from "../connect.ts"

const schema = keyspace({
  dish: entity("dish:{id}", json(z.object({ id: z.string(), name: z.string() })), { counter: "dish:counter" }),
})

it.each([
  ["true", "#t\r\n"],
  ["a number", ":1\r\n"],
  ["a list without an id", "*1\r\n:1\r\n"],
  ["nothing as the id", "*2\r\n:1\r\n_\r\n"],
  ["a list as the id", "*2\r\n:1\r\n*1\r\n:7\r\n"],
])("%s is not an answer to a create", async (_, answer) => {
  const server = await startHostile(() => answer)
  const db = await connect(schema, server.url, { sweep: false })
  await expect(db.dish.create({ name: "Soup" })).rejects.toMatchObject({ code: "DRIVER.REPLY" })
  await db.$close()
  await server.close()
})
