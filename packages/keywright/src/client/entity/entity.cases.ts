/* A small keyspace with everything that an entity can have, for the tests. */

import * as z from "zod"
import { json } from "../../schema/codec/json.ts"
import { counter } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { commonEntries, commonRelations, dishKeys, record } from "./common.cases.ts"

const User = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().optional(),
  roleId: z.string().optional(),
  points: z.number().optional(),
  tags: z.array(z.string()).optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
  createdBy: z.string().optional(),
  updatedBy: z.string().optional(),
})
const Dish = z.object({
  id: z.string(),
  name: z.string(),
  categoryId: z.string().nullable(),
  price: z.number(),
  stock: z.int(),
  available: z.boolean().optional(),
  addedAt: z.string().optional(),
})

export const kitchen = keyspace(
  {
    ...commonEntries,
    user: record("user", json(User), { unique: { email: "email" }, index: { role: "roleId" }, stamps: true }),
    dish: entity("dish:{id}", json(Dish), dishKeys),
    visits: counter("visits"),
  },
  { ttl: "never", relations: { ...commonRelations, cart: { owner: { one: "user", from: "userId" } } } },
)
