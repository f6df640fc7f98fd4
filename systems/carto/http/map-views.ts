import * as z from "zod"
import { badRequest } from "../../platform/http/problem.ts"
import { addDays, daysFrom } from "../../platform/days.ts"
import { route } from "../../platform/http/route.ts"
import type { Services } from "../services.ts"
import type { Callers } from "./callers.ts"
import { ApiKey, CompactDay, Username, Visualization } from "./fields.ts"

const LAST_DAYS = 30
const MOST_DAYS = 3660
const params = { username: Username }

export const mapViewRoutes = ({ mapViews, apiCalls, calendar, access }: Services, { forSelf }: Callers) => [
  route("POST /users/{username}/mapviews", {
    summary: "Counts a map view, and one of the visualization if it is named.",
    params,
    query: { api_key: ApiKey },
    body: z.strictObject({ visualization_id: Visualization.optional() }).optional(),
    errors: [404, 409, 429],
    handle: ({ params, body }) => mapViews.count(params.username, body?.visualization_id),
  }),
  forSelf("GET /users/{username}/mapviews", {
    summary: "Map views by day, and their sum; by default of the last 30 days.",
    params,
    query: {
      from: CompactDay.optional(),
      to: CompactDay.optional(),
      visualization: Visualization.optional(),
      api_key: ApiKey,
    },
    answer: z.object({ days: z.record(z.string(), z.int()), total: z.int() }),
    errors: [404, 429],
    async handle({ caller, params, query }) {
      await access.user(caller, params.username)
      const to = query.to ?? (query.from === undefined ? calendar.today() : later(query.from, calendar.today()))
      const from = query.from ?? addDays(to, 1 - LAST_DAYS)
      const days = daysFrom(from, to) + 1
      if (days < 1 || days > MOST_DAYS)
        throw badRequest("invalid_input", `query: from has to be before to, by at most ${MOST_DAYS} days`)
      return mapViews.stats(params.username, from, to, query.visualization)
    },
  }),
  forSelf("GET /users/{username}/api-calls", {
    summary: "Map views of the last 30 days, today first.",
    params,
    query: { api_key: ApiKey },
    answer: z.array(z.int()),
    errors: [404],
    async handle({ caller, params }) {
      await access.user(caller, params.username)
      return apiCalls.of(params.username)
    },
  }),
]

const later = <T extends string>(one: T, other: T): T => (one > other ? one : other)
