import * as z from "zod"
import { notFound } from "../../platform/http/problem.ts"
import { route, type RouteFor } from "../../platform/http/route.ts"
import { Row } from "../schema.ts"
import type { Customers } from "../services/customers.ts"
import type { Inventory } from "../services/inventory.ts"
import { Delay, Password, RowId, User } from "./fields.ts"

export const rowRoutes = (inventory: Inventory, customers: Customers, forAdmin: RouteFor<void>) => [
  route("GET /inventory/{id}", {
    summary: "A row of the database, from the cache if it is scheduled.",
    params: { id: RowId },
    answer: Row,
    errors: [404],
    withoutRedis: true,
    async handle({ params, http }) {
      const { value, isDegraded, copy } = await inventory.find(params.id)
      if (isDegraded) http.env.outgoing.setHeader("X-Degraded", "redis")
      if (value === undefined) throw notFound("there is no such row")
      http.env.outgoing.setHeader("X-Cache", copy === undefined ? "MISS" : "HIT")
      if (copy !== undefined) {
        http.env.outgoing.setHeader("Age", String(copy.age))
        http.env.outgoing.setHeader("X-Refreshed-Every", String(copy.every))
      }
      return value
    },
  }),
  forAdmin("PUT /rows/{id}/schedule", {
    summary: "Keeps a copy of a row, refreshed at this interval in seconds; 0 or less stops it at the next pass.",
    params: { id: RowId },
    body: z.strictObject({ delay: Delay }),
    handle: ({ params, body }) => inventory.schedule(params.id, body.delay),
  }),
  forAdmin("DELETE /rows/{id}/schedule", {
    summary: "Stops keeping a copy of a row, from the next pass on.",
    params: { id: RowId },
    handle: ({ params }) => inventory.unschedule(params.id),
  }),
  forAdmin("PUT /source/rows/{id}", {
    summary: "Writes a row to the source.",
    params: { id: RowId },
    body: Row,
    withoutRedis: true,
    handle: ({ params, body }) => inventory.put(params.id, body),
  }),
  forAdmin("DELETE /source/rows/{id}", {
    summary: "Removes a row from the source.",
    params: { id: RowId },
    withoutRedis: true,
    handle: ({ params }) => inventory.remove(params.id),
  }),
  forAdmin("PUT /source/customers/{user}", {
    summary: "Writes a customer to the source.",
    params: { user: User },
    body: z.strictObject({ password: Password }),
    withoutRedis: true,
    handle: ({ params, body }) => customers.put(params.user, body.password),
  }),
]
