import * as z from "zod"
import { route, type RouteFor } from "../../platform/http/route.ts"
import type { Services } from "../services.ts"
import type { Callers } from "./callers.ts"
import { ApiKey, MonthInQuery, Seconds, Statements, UserId, UserIdInPath } from "./fields.ts"

const count = z.int()

export const queryRoutes = ({ queries, access }: Services, { known }: Callers, forAdmin: RouteFor<void>) => [
  forAdmin("POST /queries", {
    summary: "Counts the queries of a text, and the seconds they took together.",
    body: z.strictObject({ user_id: UserId, sql: Statements, time: Seconds.optional() }),
    handle: ({ body }) => queries.record(body.user_id, body.sql, body.time),
  }),
  route("GET /usage/{user_id}", {
    summary: "Queries of a month (default: this one), by kind and by day; and in total.",
    auth: known((caller, { user_id }) => access.id(caller, Number(user_id))),
    params: { user_id: UserIdInPath },
    query: { month: MonthInQuery.optional(), api_key: ApiKey },
    answer: z.object({
      total: count,
      month: z.object({
        queries: count,
        time: z.number(),
        select: count,
        insert: count,
        update: count,
        delete: count,
        other: count,
      }),
      days: z.record(z.string(), z.object({ queries: count, time: z.number() })),
      deprecated: z.literal(true),
    }),
    errors: [429],
    async handle({ caller, params, query }) {
      await access.id(caller, params.user_id)
      return { ...(await queries.usage(params.user_id, query.month)), deprecated: true as const }
    },
  }),
]
