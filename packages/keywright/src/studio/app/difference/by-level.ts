/* Changes in the order in which somebody has to look at them. */

import type { ShownChange } from "../../api.ts"

type Level = ShownChange["level"]

/** From the worst to the least. */
const headlines: Readonly<Record<Level, string>> = {
  silent: "Goes wrong silently",
  "breaks-writers": "Breaks writers",
  "breaks-readers": "Breaks readers",
  data: "Nothing breaks; the data needs work",
  harmless: "Harmless",
}

export interface LevelGroup {
  readonly level: Level
  readonly title: string
  readonly changes: readonly ShownChange[]
}

export const byLevel = (changes: readonly ShownChange[]): LevelGroup[] =>
  (Object.entries(headlines) as [Level, string][])
    .map(([level, title]) => ({ level, title, changes: changes.filter((change) => change.level === level) }))
    .filter((group) => group.changes.length > 0)
