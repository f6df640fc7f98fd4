/* How many visualizations users have, and how many of them were new today: strangers name them. Redis has no such
 * numbers, so each server keeps them in memory, also for those who are renamed, and counts again at most once an hour
 * and only while new ones come. The first new one waits for the first count. A place is taken before a new one is
 * written: in this process, and then at its other workers, which answer with the places that they have taken. So two
 * that want the last one may both be refused, and never are both accepted. */

import type { Day } from "keywright"
import { errorFields } from "../../platform/log.ts"
import type { CartoContext } from "../context.ts"

/** Why there may be no more. */
export type NoRoom = "none today" | "none"

type Counts = Map<string, number>
type News = readonly ["new", username: string, day: string] | readonly ["renamed", from: string, to: string]
/** What another worker knows about a user. */
interface Known {
  readonly taken: number
  readonly ofToday: number
  readonly ofAll: number
}

const TOPIC = "carto: visualizations"
const PLACES = "carto: places of visualizations"
const HOUR_MS = 3_600_000
/** What the step `view` returns for a visualization that had no views before. */
const NEW = 2

export function visualizationCounts({ clock, log, settings, team }: CartoContext, countAll: () => Promise<Counts>) {
  const { newVisualizations, mostVisualizations } = settings
  let today = ""
  let ofToday: Counts = new Map()
  let ofAll: Counts = new Map()
  /** New ones that are being written. */
  const taken: Counts = new Map()
  let countedAt = -Infinity
  let isCounted = false
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
  const known = (username: string, day: string): Known => ({
    taken: taken.get(username) ?? 0,
    ofToday: since(day).get(username) ?? 0,
    ofAll: ofAll.get(username) ?? 0,
  })
  team.answer(TOPIC, (news) => note(news as News))
  team.answer(PLACES, (about) => known(...(about as [username: string, day: string])))

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
    isCounted = true
  }
  let counting: Promise<void> | undefined
  const count = (): Promise<void> => {
    countedAt = clock.now().getTime()
    counting ??= countAgain().finally(() => (counting = undefined))
    return counting
  }
  /** Waits for the first count only. */
  const refresh = async (): Promise<void> => {
    if (mostVisualizations === 0) return
    if (!isCounted) return count()
    if (Math.abs(clock.now().getTime() - countedAt) < HOUR_MS) return
    count().catch((error: unknown) => log.warn("visualizations could not be counted", errorFields(error)))
  }

  /** For a user who has taken a place already. */
  const roomFor = async (username: string, day: string): Promise<NoRoom | undefined> => {
    const others = team.size > 1 ? ((await team.ask(PLACES, [username, day])) as Known[]) : []
    const all = [known(username, day), ...others]
    const places = all.reduce((sum, one) => sum + one.taken, 0)
    const most = (of: "ofToday" | "ofAll") => places + Math.max(...all.map((one) => one[of]))
    if (mostVisualizations > 0 && most("ofAll") > mostVisualizations) return "none"
    return most("ofToday") > newVisualizations ? "none today" : undefined
  }

  return {
    /** Makes a new one, if there is room for it; `make` returns NEW when it did. */
    async ifRoom(username: string, day: Day, make: () => Promise<number>): Promise<number | NoRoom> {
      await refresh()
      let told: Promise<void> | undefined
      add(taken, username, 1)
      try {
        const none = await roomFor(username, day)
        if (none !== undefined) return none
        const made = await make()
        if (made === NEW) told = tell(["new", username, day])
        return made
      } finally {
        leave(taken, username)
        await told
      }
    },

    /** They keep what was counted of them. */
    renamed: (from: string, to: string): Promise<void> => tell(["renamed", from, to]),
  }
}

function leave(counts: Counts, name: string): void {
  const rest = counts.get(name)! - 1
  if (rest > 0) counts.set(name, rest)
  else counts.delete(name)
}

function add(counts: Counts, name: string, more: number): void {
  if (more > 0) counts.set(name, (counts.get(name) ?? 0) + more)
}
