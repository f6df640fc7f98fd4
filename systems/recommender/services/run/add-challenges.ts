import type { Day } from "keywright"
import { challengePage, memberPage, trackingPage, type Stretch } from "../../source/reading.ts"
import type { Sql } from "../../source/sequence.ts"
import { dayOfMillis } from "./day-of.ts"
import { addDays } from "../../../platform/days.ts"
import { batchesOf, inFlow, pagesOf, type NightlyRun } from "./run.ts"

/** New challenges, public or not (REC-5); those of an unknown category are skipped (REC-6). */
export async function addChallenges(run: NightlyRun): Promise<void> {
  const { db, source, settings } = run.context
  const dayOf = dayOfMillis(settings.timeZone)
  const read = (stretch: Stretch) => source.ask((sql) => challengePage(sql, stretch))
  await inFlow(async (send) => {
    for await (const page of pagesOf(run, "clg", read, (rows) => rows)) {
      for (const { from, to, rows } of batchesOf(page, settings.batch)) {
        const known = rows.filter(({ category }) => category < run.categories)
        for (const { id, category } of rows)
          if (category >= run.categories) run.report.skipped("clg", id, "unknown_category")
        run.report.added("clg", known.length)
        await send(
          db.$steps.addChallenges({
            date: run.date,
            from,
            to,
            ids: known.map(({ id }) => id),
            infos: known.map(({ category, is_public, duration, created }) => ({
              category,
              isPublic: is_public === 1,
              duration,
              finishedDate: addDays(dayOf(created), duration) satisfies Day,
            })),
          }),
        )
      }
    }
  })
}

/** New members: they may post; nothing is stored of them. Those of a skipped challenge are skipped too (REC-6). */
export const passMembers = (run: NightlyRun): Promise<void> =>
  passRecords(run, "mmbr", memberPage, ({ id, category, is_stray }) => {
    if (is_stray === 0 && category < run.categories) return true
    run.report.skipped("mmbr", id, is_stray === 1 ? "unknown_challenge" : "unknown_category")
    return false
  })

/** Trackings are counted only (REC-C12). */
export const passTrackings = (run: NightlyRun): Promise<void> => passRecords(run, "tracking", trackingPage, () => true)

/** Records of which nothing is stored but their number. */
async function passRecords<R extends { readonly id: number }>(
  run: NightlyRun,
  table: "mmbr" | "tracking",
  page: (sql: Sql, stretch: Stretch) => Promise<R[]>,
  isAdded: (row: R) => boolean,
): Promise<void> {
  const { db, source, settings } = run.context
  const read = (stretch: Stretch) => source.ask((sql) => page(sql, stretch))
  await inFlow(async (send) => {
    for await (const all of pagesOf(run, table, read, (rows) => rows)) {
      for (const { from, to, rows } of batchesOf(all, settings.batch)) {
        run.report.added(table, rows.filter(isAdded).length)
        await send(db.$steps.moveCursor({ date: run.date, from, to, table }))
      }
    }
  })
}
