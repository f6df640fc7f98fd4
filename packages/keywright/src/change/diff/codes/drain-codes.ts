/* Drains: what is added up in shards and moved into one key. */

import { dropped, kept, silent, row, type ChangeCode } from "./row.ts"

export const drainCodes = Object.freeze({
  "DRAIN.ADDED": row(
    "a drain is added",
    dropped,
    "nothing",
    "Old programs look at only one of the two keys: amounts disappear from the source, and appear late in the target.",
  ),
  "DRAIN.REMOVED": row(
    "a drain is removed",
    kept,
    "drain",
    "Nobody moves what is not in the target yet, and new programs do not add it when they read.",
  ),
  "DRAIN.RENAMED": row(
    "a drain has another name",
    silent,
    "drain",
    "The target notes its batches under the name of the drain: a batch that was added but not deleted yet, because a program died in between, counts again under the other name.",
  ),
  "DRAIN.SOURCE": row(
    "a drain takes from another key",
    silent,
    "drain",
    "Each side adds to a key that the other does not read. If both run, they use the same batch numbers, and the target accepts each number only once.",
  ),
  "DRAIN.TARGET": row(
    "a drain moves into another key",
    silent,
    "drain",
    "Both take from one source: what one of them has moved is not where the other one reads.",
  ),
} satisfies Record<string, ChangeCode>)
