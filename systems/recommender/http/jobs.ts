import type { Day as DayText } from "keywright"
import * as z from "zod"
import type { RouteFor } from "../../platform/http/route.ts"
import { TABLES } from "../tables.ts"
import type { Nightly } from "../services/nightly.ts"
import { Day, DistinctCategory, Id, MaxPostAge } from "./fields.ts"

const Report = z.object({
  date: Day,
  day_index: z.int(),
  added: z.object(Object.fromEntries(TABLES.map((name) => [name, z.int()]))),
  skipped: z.array(z.object({ table: z.enum(TABLES), id: Id, reason: z.string() })),
  more_skipped: z.int().optional(),
  duration_ms: z.int(),
})

export const jobRoutes = (nightly: Nightly, forAdmin: RouteFor<void>) => [
  forAdmin("POST /jobs/nightly", {
    summary: "Mirrors what is new in the source; the first run for a date advances the ring of days.",
    body: z.strictObject({ date: Day.optional() }).optional(),
    answer: Report,
    errors: [409],
    handle: ({ body }) => nightly.run(body?.date as DayText | undefined),
  }),
  forAdmin("POST /jobs/rebuild", {
    summary: "Forgets everything and mirrors the whole source again, with other parameters if they are given.",
    body: z
      .strictObject({ max_post_age: MaxPostAge.optional(), distinct_category: DistinctCategory.optional() })
      .optional(),
    ignored: ["day_index", "last_run_date"],
    answer: Report,
    errors: [409],
    handle: ({ body }) => nightly.rebuild(body ?? {}),
  }),
]
