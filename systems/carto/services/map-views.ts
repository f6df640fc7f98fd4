/* Map views: how many by day, of all and of each visualization (CDB-16, CDB-17). */

import { Undecodable, type Day } from "keywright"
import { fewWhileUp } from "../../platform/few-at-once.ts"
import { tooMany } from "../../platform/limits/limits.ts"
import type { CartoContext } from "../context.ts"
import { compact, daysBetween, type Calendar } from "./calendar.ts"
import { noUser, tooManyVisualizations } from "./refusals.ts"
import { visualizationCounts } from "./visualization-counts.ts"

/** `{ "20111003": 3 }` */
type ViewsByDay = Record<string, number>

const DAY_MS = 86_400_000
/** What the step `view` returns, and does nothing else, when a visualization is new and may not be. */
const IS_NEW = -1
/** Requests for the views of one user, who may ask for those of ten years. */
const AT_ONCE = 2

export function mapViews(context: CartoContext, calendar: Calendar) {
  const { db, lenient, redis, settings } = context
  const inTurn = fewWhileUp(redis, AT_ONCE)
  /** Members that are not days, such as `total`, have another meaning: they are skipped. */
  const onUndecodable = (error: Undecodable): void => {
    if ((error.details as { part?: string } | undefined)?.part !== "a member") lenient.onUndecodable(error)
  }
  /** The views of each user, by SCAN. */
  const countAll = async (): Promise<Map<string, number>> => {
    const counts = new Map<string, number>()
    for await (const { params } of db.users.mapViewsOf.scan())
      counts.set(params.username, (counts.get(params.username) ?? 0) + 1)
    return counts
  }
  const counts = visualizationCounts(context, countAll)
  const exists = async (username: string): Promise<void> => {
    if (!(await db.users.user({ username }).exists())) throw noUser(username)
  }
  const all = async (username: string, visualization?: string): Promise<(readonly [day: string, views: number])[]> => {
    const found: [day: Day | "total", views: number][] =
      visualization === undefined
        ? await db.users.mapViews({ username }).rangeWithScores(0, -1, { onUndecodable })
        : await db.users.mapViewsOf({ username, visualization }).rangeWithScores(0, -1, { onUndecodable })
    return found.map(([day, views]) => [day === "total" ? day : compact(day), views])
  }
  const scores = (username: string, days: readonly Day[], visualization?: string) =>
    visualization === undefined
      ? db.users.mapViews({ username }).scores(days)
      : db.users.mapViewsOf({ username, visualization }).scores(days)

  /** The views on each of these days. A score that is not a number of views is reported, and counts as 0 (ALL-11). */
  const byDay = async (username: string, days: readonly Day[], visualization?: string): Promise<number[]> => {
    try {
      return (await scores(username, days, visualization)).map((score) => score ?? 0)
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error
    }
    const found = new Map(await all(username, visualization))
    return days.map((day) => found.get(compact(day)) ?? 0)
  }

  return {
    /** One more, in one step; 404 when there is no such user, 409 or 429 when strangers named too many visualizations. */
    async count(username: string, visualization?: string): Promise<void> {
      const mapViewsOf = visualization === undefined ? [] : [{ visualization }]
      const day = calendar.today()
      const view = (mayBeNew: boolean) => db.$steps.view({ username, mapViewsOf, day, mayBeNew })
      const known = await view(!settings.limits)
      const counted = known === IS_NEW ? await counts.ifRoom(username, day, () => view(true)) : known
      if (counted === 0) throw noUser(username)
      if (counted === "none") throw tooManyVisualizations(settings.mostVisualizations)
      if (counted === "none today") throw tooMany("too many new visualizations of this user today", DAY_MS)
    },

    /** By day, those without views too. */
    stats: (username: string, from: Day, to: Day, visualization?: string) =>
      inTurn(username, async () => {
        await exists(username)
        const days = daysBetween(from, to)
        const views = await byDay(username, days, visualization)
        return {
          days: Object.fromEntries(days.map((day, i) => [compact(day), views[i]!])),
          total: views.reduce((sum, one) => sum + one, 0),
        }
      }),

    /** Every day that has some. */
    all: async (username: string): Promise<ViewsByDay> => Object.fromEntries((await all(username)).sort()),

    byDay,

    renamed: counts.renamed,

    /** The visualizations whose views are counted under a user name, by SCAN. */
    async visualizations(username: string): Promise<string[]> {
      const found: string[] = []
      for await (const { params } of db.users.mapViewsOf.scan({ username })) found.push(params.visualization)
      return found
    },
  }
}

export type MapViews = ReturnType<typeof mapViews>
