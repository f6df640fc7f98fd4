/* Days and months as they are written in keys, where the setting timeZone says. */

import type { Day, Month } from "keywright"
import { addDays, daysFrom, localDay } from "../../platform/days.ts"
import type { CartoContext } from "../context.ts"

/** No time zone begins its day within a quarter of an hour. */
const QUARTER_MS = 900_000

export interface Calendar {
  today(): Day
  /** The last n days, today first. */
  lastDays(count: number): Day[]
}

export function calendar({ clock, settings }: Pick<CartoContext, "clock" | "settings">): Calendar {
  const dayAt = localDay(settings.timeZone)
  let [quarter, latest] = [Number.NaN, "" as Day]
  const today = (): Day => {
    const now = clock.now()
    const at = Math.floor(now.getTime() / QUARTER_MS)
    if (at !== quarter) [quarter, latest] = [at, dayAt(now) as Day]
    return latest
  }
  return {
    today,
    lastDays(count) {
      const day = today()
      return Array.from({ length: count }, (_, i) => addDays(day, -i))
    },
  }
}

/** From one day to another, both included. */
export const daysBetween = (from: Day, to: Day): Day[] =>
  Array.from({ length: daysFrom(from, to) + 1 }, (_, i) => addDays(from, i))

export const monthOf = (day: Day): Month => day.slice(0, 7) as Month

export const daysOf = (month: Month): Day[] =>
  Array.from({ length: 31 }, (_, i) => addDays(`${month}-01` as Day, i)).filter((day) => monthOf(day) === month)

/** `"2011-10-03"` → `"20111003"` */
export const compact = (day: Day): string => day.replaceAll("-", "")
