import type { Day } from "keywright"
import { challengePage, countRecords, strayMembers } from "../../source/reading.ts"
import { dayOfMillis } from "./day-of.ts"
import { addDays } from "./ring.ts"
import { batchesOf, inFlow, pagesOf, type Run } from "./run.ts"

/** New challenges, public or not (REC-5); those of an unknown category are skipped (REC-6). */
export async function addChallenges(run: Run): Promise<void> {
  const { db, source, settings } = run.context
  const dayOf = dayOfMillis(settings.timeZone)
  const read = (stretch: Parameters<typeof challengePage>[1]) => source.ask((sql) => challengePage(sql, stretch))
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

const MOST_STRAYS = 1000

/** New members: they may post; nothing is stored of them. Those of a skipped challenge are skipped too (REC-6). */
export async function passMembers(run: Run): Promise<void> {
  const { source } = run.context
  const upTo = run.bounds.mmbr
  let [after, strays] = [run.cursors.mmbr, 0]
  for (;;) {
    const found = await source.ask((sql) => strayMembers(sql, { after, upTo, limit: MOST_STRAYS }, run.categories))
    for (const { id, category } of found)
      run.report.skipped("mmbr", id, category === null ? "unknown_challenge" : "unknown_category")
    strays += found.length
    if (found.length < MOST_STRAYS) break
    after = found.at(-1)!.id
  }
  await passRecords(run, "mmbr", strays)
}

/** Records of which nothing is stored but their number. */
export async function passRecords(run: Run, table: "mmbr" | "tracking", skipped = 0): Promise<void> {
  const [from, to] = [run.cursors[table], run.bounds[table]]
  if (from >= to) return
  const { db, source } = run.context
  run.report.added(table, (await source.ask((sql) => countRecords(sql, table, from, to))) - skipped)
  await db.$steps.moveCursor({ date: run.date, from, to, table })
}
