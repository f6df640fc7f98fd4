/* api_calls: the map views of the last 30 days, today first, kept in each user's record
 * for readers that want one field (CDB-C6, CDB-18). */

import type { CartoContext } from "../context.ts"
import type { Calendar } from "./calendar.ts"
import type { MapViews } from "./map-views.ts"
import { noUser } from "./refusals.ts"
import { isMoving } from "./renaming.ts"
import { inBatches } from "../../platform/in-batches.ts"
import { tolerant } from "../../platform/tolerant.ts"

export interface Refreshed {
  updated: number
  /** Fresh still. */
  skipped: number
}

const DAYS = 30
const AT_ONCE = 200

export function apiCalls(context: CartoContext, calendar: Calendar, mapViews: MapViews) {
  const { db, clock, settings } = context
  const unlessCorrupt = tolerant(context.lenient)
  return {
    /** As they are now, counted. */
    async of(username: string): Promise<number[]> {
      const [isThere, views] = await Promise.all([
        db.users.user({ username }).exists(),
        mapViews.byDay(username, calendar.lastDays(DAYS)),
      ])
      if (!isThere) throw noUser(username)
      return views
    },

    /** Writes those of all users that are old, or all of them; one step for each. */
    async refresh(force: boolean, signal?: AbortSignal): Promise<Refreshed> {
      const counts: Refreshed = { updated: 0, skipped: 0 }
      for await (const batch of inBatches(db.users.user.scan(), AT_ONCE)) {
        const how = { now: clock.seconds(), every: settings.apiCallsEvery, force, days: calendar.lastDays(DAYS) }
        const done = await Promise.all(
          batch.map(({ params: { username } }) =>
            // One who is being renamed is found under the other name, or by the next run.
            unlessCorrupt(db.$steps.storeApiCalls({ username, ...how })).catch((error: unknown) => {
              if (!isMoving(error)) throw error
            }),
          ),
        )
        for (const one of done) {
          if (one === 1) counts.updated += 1
          if (one === 0) counts.skipped += 1
        }
        if (signal?.aborted) break
      }
      return counts
    },
  }
}

export type ApiCalls = ReturnType<typeof apiCalls>
