/* Drains: what is added up in shards and moved into one key. */

import { row, silent, type ChangeCode } from "./row.ts"

export const drainCodes = Object.freeze({
  "DRAIN.ADDED": row(
    "what is added up is moved into another key",
    ["silent", "works", "silent", "works"],
    "nothing",
    "DRAIN.REMOVED",
    "Old programs look at one of the two keys alone: in the source it disappears, in the target it comes late.",
  ),
  "DRAIN.REMOVED": row(
    "a drain is gone",
    ["works", "silent", "silent", "silent"],
    "drain",
    "DRAIN.ADDED",
    "Nobody moves what is not in the target yet, and new programs do not add it when they read.",
  ),
  "DRAIN.RENAMED": row(
    "a drain has another name",
    silent,
    "drain",
    "DRAIN.RENAMED",
    "The target notes the batches that it has by the name of the drain: one that was put and not let go, because a program died in between, counts again under the other name.",
  ),
  "DRAIN.SOURCE": row(
    "a drain takes from another key",
    silent,
    "drain",
    "DRAIN.SOURCE",
    "Each side adds up where the other does not look. Beside each other they number their batches alike, and the target takes each number once.",
  ),
  "DRAIN.TARGET": row(
    "a drain moves into another key",
    silent,
    "drain",
    "DRAIN.TARGET",
    "Both take from one source: what one of them has moved is not where the other reads it.",
  ),
} satisfies Record<string, ChangeCode>)
