/* The nightly run: mirrors what is new in the five tables (REC-1 to REC-11).
 *
 * One process runs it at a time. Whatever happens to that process, the next run continues
 * where the cursors are, and reaches the same result. */

import { exclusive, takeFences, type Day, type Fences, type Pass } from "keywright"
import { conflict } from "../../platform/http/problem.ts"
import { localDay } from "../../platform/days.ts"
import type { RecommenderContext } from "../context.ts"
import { tableSizes } from "../source/reading.ts"
import { boundsOfRun } from "../source/sequence.ts"
import { ANYBODY, MOST_CATEGORIES } from "../schema.ts"
import { TABLES } from "../tables.ts"
import type { Changes, Params } from "./params.ts"
import { addChallenges, passMembers, passTrackings } from "./run/add-challenges.ts"
import { addPosts } from "./run/add-posts.ts"
import { addReactions } from "./run/add-reactions.ts"
import { dropFinished, readOngoing } from "./run/ongoing.ts"
import { newReport, type RunReport } from "./run/report.ts"
import { turnRing } from "./run/ring.ts"
import { inFlow, type NightlyRun } from "./run/run.ts"

/** The claim of a run that died is freed after this long (REC-4). */
const CLAIM = "10s"

/** With shards, contributions are forgotten shard by shard. */
const NO_SINGLE_KEY = {}

export function nightly(context: RecommenderContext, params: Params) {
  const { db, source, clock, settings, log, lenient } = context
  const claim = exclusive({ name: "recommender.run", on: db, ttl: CLAIM })
  const dayOf = localDay(settings.timeZone)
  const today = () => dayOf(clock.now()) as Day

  const alone = async (work: (pass: Pass) => Promise<RunReport>): Promise<RunReport> => {
    const report = await claim.run(work)
    if (report === undefined) throw conflict("already_running", "a run is already in progress")
    return report
  }

  const takeBounds = () => source.transaction((sql) => boundsOfRun(sql))

  const runFor = async (date: Day, pass: Pass): Promise<RunReport> => {
    const started = performance.now()
    const isRebuilding = (await db.rebuilding().get()) !== undefined
    const fences = settings.shards === 0 ? undefined : await fencesOf(isRebuilding)
    if (isRebuilding) await forgetUsers()
    const now = await params.read()
    if (now.last_run_date !== undefined && date < now.last_run_date)
      throw conflict("date_passed", `the last run was for ${now.last_run_date}`)
    const bounds = await takeBounds()
    const index = await turnRing(context, params, now, date)
    const keeper = newReport(date, index)
    const run: NightlyRun = {
      ...{ context, params, date, bounds, pass, fences, report: keeper },
      categories: now.distinct_category,
      cursors: Object.fromEntries(TABLES.map((name) => [name, now[`cursor_${name}`] ?? 0])) as NightlyRun["cursors"],
    }
    const before = new Set(await db.challenges().fields(lenient))
    await addChallenges(run)
    await passMembers(run)
    const ongoing = await readOngoing(run)
    await addPosts(run, ongoing)
    await addReactions(run, ongoing)
    await passTrackings(run)
    await dropFinished(run, ongoing, before)
    await db.tableSizes().setMany(await source.ask((sql) => tableSizes(sql, bounds)))
    keeper.report.duration_ms = Math.round(performance.now() - started)
    const { added, skipped, more_skipped = 0, duration_ms } = keeper.report
    log.info("nightly run", { date, day_index: index, ...added, skipped: skipped.length + more_skipped, duration_ms })
    return keeper.report
  }

  /** Where there are shards: from here on these apply nothing that an earlier run has sent. */
  const fencesOf = async (forget: boolean): Promise<Fences<number>> =>
    takeFences({
      ...{ on: db, forget },
      term: await db.term().increment(),
      all: db.user.shards().map((shard) => shard.fence()),
      of: (user: number) => db.user({ user }).fence(),
    })

  /** The second half of forgetting: what is kept for single users. */
  const forgetUsers = async (): Promise<void> => {
    await inFlow(async (send) => {
      for await (const { handle } of db.user.likedPosts.scan()) await send(handle.delete())
      for await (const { handle } of db.user.preferences.scan()) await send(handle.delete())
      for (const shard of db.user.shards()) await send(shard.contributions().delete())
    })
    await db.rebuilding().delete()
  }

  return {
    today,

    /**
     * For a date (default: today); a second run for it reads what is new since (REC-2). When `stop` is aborted it
     * ends after the batches that are under way.
     */
    run: (date?: Day, stop?: AbortSignal) =>
      alone((pass) => {
        const signal = stop === undefined ? pass.signal : AbortSignal.any([pass.signal, stop])
        return runFor(date ?? today(), { ...pass, signal })
      }),

    /** Forgets everything, and replays the source as of today (REC-11). */
    rebuild: (changes: Changes) =>
      alone(async (pass) => {
        await takeBounds() // Without a source nothing is forgotten.
        const recentPosts = Array.from({ length: MOST_CATEGORIES + 1 }, (_, suffix) => ({ suffix }))
        const whole = settings.shards === 0 ? ANYBODY : (NO_SINGLE_KEY as typeof ANYBODY)
        await db.$steps.beginRebuild({ ...(await params.changed(changes)), ...whole, recentPosts })
        return runFor(today(), pass)
      }),

    /** Whether a run is under way, in any process. */
    isRunning: () => claim.isUnderWay(),
  }
}

export type Nightly = ReturnType<typeof nightly>
