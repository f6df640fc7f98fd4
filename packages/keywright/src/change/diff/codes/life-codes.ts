/* How long keys live, and how much of them is kept. */

import { cells, dropped, silent, works, row, type ChangeCode } from "./row.ts"

export const lifeCodes = Object.freeze({
  "TTL.ADDED": row(
    "keys now expire",
    dropped,
    "expire",
    "What old readers count on vanishes; what old writers write stays forever.",
  ),
  "TTL.REMOVED": row(
    "keys no longer expire",
    cells("works", "silent", "silent", "works"),
    "persist",
    "Existing keys, and those of old writers, still vanish.",
  ),
  "TTL.SHORTENED": row(
    "keys expire sooner",
    dropped,
    "expire",
    "What old readers count on vanishes sooner; what old writers write stays longer.",
  ),
  "TTL.LENGTHENED": row(
    "keys expire later",
    cells("works", "silent", "silent", "works"),
    "nothing",
    "Existing keys, and those of old writers, vanish sooner than new readers expect.",
  ),
  "TTL.MODE": row(
    "other events restart the deadline",
    silent,
    "nothing",
    "Each side restarts the deadline at times when the other does not.",
  ),
  "TTL.DECIDED": row(
    "the TTL is decided",
    works,
    "audit",
    "It was undecided before; audit shows the keys that do not fit.",
  ),
  "TTL.UNDECIDED": row("the TTL is undecided", works, "nothing", "audit no longer looks at the TTLs of these keys."),
  "FAMILY.CHANGED": row(
    "another family, or another marker",
    cells("silent", "silent", "silent", "works"),
    "refill",
    "Keys that live and die together for one side expire separately for the other.",
  ),
  "KEEP.LOWERED": row(
    "fewer elements are kept",
    cells("silent", "works", "silent", "silent"),
    "trim",
    "The first write of a new program trims the existing elements.",
    // Trimming was requested: no deployment order saves the data, only old readers can be protected.
    "readers first",
  ),
  "KEEP.RAISED": row(
    "more elements are kept",
    cells("works", "works", "silent", "works"),
    "nothing",
    "Every write of an old program trims to the old number.",
  ),
  "EVICT.ALLOWED": row(
    "keys may be evicted",
    cells("silent", "works", "works", "works"),
    "audit",
    "Under memory pressure the server may drop what old readers count on.",
  ),
  "EVICT.FORBIDDEN": row(
    "keys must no longer be evicted",
    cells("works", "silent", "works", "works"),
    "audit",
    "A server that evicts such keys drops what new readers count on.",
  ),
} satisfies Record<string, ChangeCode>)
