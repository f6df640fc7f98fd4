/* Names, patterns and parameters: where keys are. */

import { cells, moved, narrower, silent, works, row, type ChangeCode } from "./row.ts"

export const patternCodes = Object.freeze({
  "NAME.ENTRY": row(
    "renamed in the source, same keys",
    works,
    "nothing",
    "Only code that uses the name has to follow; saved plans contain the old name.",
  ),
  "NAME.ID": row("an id has another name", works, "nothing", "Only the compiler distinguishes such ids."),
  "NAME.REUSED": row(
    "a reserved name is used again",
    silent,
    "audit",
    "Old data under this name may still be there, with another meaning.",
  ),
  "PATTERN.ADDED": row("a new pattern", works, "nothing", "Nobody used these keys before; audit now looks at them."),
  "PATTERN.REMOVED": row(
    "a pattern is removed",
    cells("silent", "n/a", "silent", "n/a"),
    "purge",
    "Old readers find nothing new; no pattern owns what old writers still write.",
  ),
  "PATTERN.SHADOWS": row(
    "a more literal pattern takes keys of another",
    cells("fails", "fails", "silent", "fails"),
    "move",
    "What was stored under such an id is now a key of the other pattern.",
  ),
  "PATTERN.UNSHADOWS": row(
    "a more literal pattern is removed, and another one takes its keys",
    cells("fails", "fails", "fails", "silent"),
    "purge",
    "What it stored is now among the keys of the other pattern.",
  ),
  "PATTERN.MOVED": row("the keys have another name", silent, "move", moved),
  "PATTERN.PARAMS": row("parameters added, removed or reordered", silent, "move", moved),
  "PATTERN.SPLIT": row("one pattern becomes several", silent, "move", moved),
  "PATTERN.MERGED": row("several patterns become one", silent, "move", moved),
  "DB.MOVED": row("the keys are in another database", silent, "move", moved),
  "TAG.CHANGED": row("another hash tag", silent, "move", moved),
  "PARAM.SPELLING": row("the same id is spelled differently in the key", silent, "move", moved),
  "PARAM.WIDENED": row(
    "more ids are allowed in the key",
    cells("fails", "works", "works", "works"),
    "nothing",
    "Old programs refuse ids that new ones use.",
  ),
  "PARAM.NARROWED": row(
    "fewer ids are allowed in the key",
    narrower,
    "audit",
    "New programs refuse ids of existing keys, which old writers still use.",
  ),
} satisfies Record<string, ChangeCode>)
