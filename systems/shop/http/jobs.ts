import type { Job } from "keywright"
import * as z from "zod"
import type { RouteFor } from "../../platform/http/route.ts"
import type { Refreshed } from "../jobs/refresh-rows.ts"
import type { Popularity } from "../services/popularity.ts"

interface Jobs {
  readonly clean: Job<{ removed: number }>
  readonly rows: Job<Refreshed>
  readonly rescale: Job<{ kept: number }, { kept: number } | undefined>
}

export const jobRoutes = ({ clean, rows, rescale }: Jobs, popularity: Popularity, forAdmin: RouteFor<void>) => [
  forAdmin("POST /jobs/clean/run", {
    summary: "Removes a batch of the oldest sessions above the limit.",
    answer: z.object({ removed: z.int() }),
    handle: () => clean.runOnce(),
  }),
  forAdmin("POST /jobs/rows/run", {
    summary: "Refreshes all rows that are due.",
    answer: z.object({ refreshed: z.int(), removed: z.int(), failed: z.int() }),
    handle: () => rows.runOnce(),
  }),
  forAdmin("POST /jobs/rescale/run", {
    summary: "Halves the popularity, once per interval; `force` ignores the interval and begins a new one.",
    body: z.strictObject({ force: z.boolean().optional() }).optional(),
    answer: z.object({ rescaled: z.boolean(), kept: z.int() }),
    async handle({ body }) {
      const done = await rescale.runOnce({ force: body?.force ?? false })
      return done ? { rescaled: true, kept: done.kept } : { rescaled: false, kept: await popularity.count() }
    },
  }),
]

/** With shards only. */
export const drainRoutes = (
  drain: Job<{ batches: number }, { batches: number } | undefined>,
  forAdmin: RouteFor<void>,
) => [
  forAdmin("POST /jobs/drain/run", {
    summary: "Adds views to the popularity; returns how many shards had some.",
    answer: z.object({ batches: z.int() }),
    handle: async () => (await drain.runOnce()) ?? { batches: 0 },
  }),
]
