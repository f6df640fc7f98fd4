/* What operators do: jobs, logs, and a look at the databases. */

import type { Job } from "keywright"
import * as z from "zod"
import type { DatabaseSize } from "../../platform/databases.ts"
import { wholeInQuery } from "../../platform/http/fields.ts"
import type { RouteFor } from "../../platform/http/route.ts"
import type { Services } from "../services.ts"
import type { Refreshed } from "../services/api-calls.ts"
import { DayInPath } from "./fields.ts"

interface Jobs {
  readonly refresh: Job<Refreshed>
  readonly retention: Job<{ removed: number }>
}

export const operationRoutes = (
  { apiCalls, requestLog, restore }: Services,
  { refresh, retention }: Jobs,
  sizes: () => Promise<DatabaseSize[]>,
  forAdmin: RouteFor<void>,
) => [
  forAdmin("GET /logs/{date}", {
    summary: "Requests of a day, the newest first.",
    params: { date: DayInPath },
    query: { offset: wholeInQuery(0, 0, 1_000_000_000), limit: wholeInQuery(100, 1, 1000) },
    answer: z.object({
      entries: z.array(z.object({ ip: z.string(), controller: z.string(), action: z.string() })),
    }),
    handle: async ({ params, query }) => ({
      entries: await requestLog.entries(params.date, query.offset, query.limit),
    }),
  }),
  forAdmin("POST /jobs/api-calls/run", {
    summary: "Writes api_calls for all users whose values are old; with `force`, for all users.",
    body: z.strictObject({ force: z.boolean().optional() }).optional(),
    answer: z.object({ updated: z.int(), skipped: z.int() }),
    handle: ({ body }) => (body?.force ? apiCalls.refresh(true) : refresh.runOnce()),
  }),
  forAdmin("POST /jobs/log-retention/run", {
    summary: "Removes request logs that are past their retention.",
    answer: z.object({ removed: z.int() }),
    handle: () => retention.runOnce(),
  }),
  forAdmin("POST /jobs/restore/run", {
    summary: "Rebuilds the metadata of users and tables from the catalogue.",
    answer: z.object({ users: z.int(), tables: z.int() }),
    handle: () => restore.run(),
  }),
  forAdmin("GET /databases", {
    summary: "The six databases, and how many keys each has.",
    answer: z.array(z.object({ db: z.int(), name: z.string(), keys: z.int() })),
    handle: () => sizes(),
  }),
]
