/* Names, patterns and parameters: where keys are. */

import { moved, narrower, silent, works, row, type ChangeCode } from "./row.ts"

export const patternCodes = Object.freeze({
  "NAME.ENTRY": row(
    "renamed in the source, same keys",
    works,
    "nothing",
    "NAME.ENTRY",
    "Only code that uses the name has to follow; saved plans speak of the old name.",
  ),
  "NAME.ID": row("an id has another name", works, "nothing", "NAME.ID", "Only the compiler distinguishes such ids."),
  "NAME.REUSED": row(
    "a reserved name is back",
    silent,
    "audit",
    [],
    "What was kept under this name may still be there, with another meaning.",
  ),
  "PATTERN.ADDED": row(
    "a new pattern",
    works,
    "nothing",
    "PATTERN.REMOVED",
    "Nobody used these keys; audit now looks at them.",
  ),
  "PATTERN.REMOVED": row(
    "a pattern is gone",
    ["silent", "n/a", "silent", "n/a"],
    "purge",
    "PATTERN.ADDED",
    "Old readers find nothing new; what old writers still write belongs to nobody.",
  ),
  "PATTERN.SHADOWS": row(
    "a more literal pattern takes keys of another",
    ["fails", "fails", "silent", "fails"],
    "move",
    "PATTERN.UNSHADOWS",
    "What was stored under such an id is now somebody else's key.",
  ),
  "PATTERN.UNSHADOWS": row(
    "a more literal pattern is gone: its keys are another's",
    ["fails", "fails", "fails", "silent"],
    "purge",
    "PATTERN.SHADOWS",
    "What it stored is now among the keys of the other pattern.",
  ),
  "PATTERN.MOVED": row("the keys have another name", silent, "move", "PATTERN.MOVED", moved),
  "PATTERN.PARAMS": row("parameters added, removed or reordered", silent, "move", "PATTERN.PARAMS", moved),
  "PATTERN.SPLIT": row("one pattern becomes several", silent, "move", "PATTERN.MERGED", moved),
  "PATTERN.MERGED": row("several patterns become one", silent, "move", "PATTERN.SPLIT", moved),
  "DB.MOVED": row("the keys are in another database", silent, "move", "DB.MOVED", moved),
  "TAG.CHANGED": row("another hash tag", silent, "move", "TAG.CHANGED", moved),
  "PARAM.SPELLING": row("the same id is spelled differently in the key", silent, "move", "PARAM.SPELLING", moved),
  "PARAM.WIDENED": row(
    "more ids are allowed in the key",
    ["fails", "works", "works", "works"],
    "nothing",
    "PARAM.NARROWED",
    "Old programs refuse ids that new ones use.",
  ),
  "PARAM.NARROWED": row(
    "fewer ids are allowed in the key",
    narrower,
    "audit",
    "PARAM.WIDENED",
    "New programs refuse ids whose keys are there, and that old writers still use.",
  ),
} satisfies Record<string, ChangeCode>)
