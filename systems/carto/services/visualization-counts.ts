/* How many visualizations users have, and how many of them were new today: strangers name them. Redis has no such
 * numbers, so each server keeps them in memory, also for those who are renamed, and counts again in the background, at
 * most once an hour and only while new ones come. Until the first count is done, only the bound of a day holds. */

import type { Day } from "keywright"
import { errorFields } from "../../platform/log.ts"
import type { CartoContext } from "../context.ts"

/** How many more there may be: some, none today, or none at all. */
export type Room = "some" | "none today" | "none"

type Counts = Map<string, number>
type News = readonly ["new", username: string, day: string] | readonly ["renamed", from: string, to: string]

const TOPIC = "carto: visualizations"
const HOUR_MS = 3_600_000

export function visualizationCounts({ clock, log, settings, team }: CartoContext, countAll: () => Promise<Counts>) {
  const { limits, newVisualizations, mostVisualizations } = settings
  let today = ""
  let ofToday: Counts = new Map()
  let ofAll: Counts = new Map()
  let countedAt = -Infinity
  /** Since counting began. */
  let [grown, renames] = [new Set<string>(), 0]

  const since = (day: string): Counts => {
    if (day !== today) ofToday = new Map()
    today = day
    return ofToday
  }
  const note = ([kind, one, other]: News): void => {
    if (kind === "new") {
      add(since(other), one, 1)
      add(ofAll, one, 1)
      grown.add(one)
      return
    }
    renames += 1
    for (const counts of [ofToday, ofAll]) {
      add(counts, other, counts.get(one) ?? 0)
      counts.delete(one)
    }
  }
  const tell = async (news: News): Promise<void> => {
    note(news)
    if (team.size > 1) await team.ask(TOPIC, news)
  }
  team.answer(TOPIC, (news) => note(news as News))

  /**
   * What was counted while somebody was renamed may have them under both names, or neither: the next count is better.
   * One of the new ones that came meanwhile may or may not have been counted.
   */
  const countAgain = async (): Promise<void> => {
    ;[grown, renames] = [new Set(), 0]
    const found = await countAll()
    if (renames > 0) return
    for (const name of grown) found.set(name, Math.max(found.get(name) ?? 0, ofAll.get(name) ?? 0))
    ofAll = found
  }

  return {
    room(username: string, day: Day): Room {
      if (!limits) return "some"
      if (mostVisualizations > 0 && (ofAll.get(username) ?? 0) >= mostVisualizations) return "none"
      return (since(day).get(username) ?? 0) < newVisualizations ? "some" : "none today"
    },

    add: (username: string, day: Day): Promise<void> => tell(["new", username, day]),

    /** They keep what was counted of them. */
    renamed: (from: string, to: string): Promise<void> => tell(["renamed", from, to]),

    /** Counts again, unless that was done a short time ago; nobody waits for it. */
    refresh(): void {
      const now = clock.now().getTime()
      if (!limits || mostVisualizations === 0 || Math.abs(now - countedAt) < HOUR_MS) return
      countedAt = now
      countAgain().catch((error: unknown) => log.warn("visualizations could not be counted", errorFields(error)))
    },
  }
}

function add(counts: Counts, name: string, more: number): void {
  if (more > 0) counts.set(name, (counts.get(name) ?? 0) + more)
}
