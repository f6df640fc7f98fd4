/* How long keys live, and how much of them is kept. */

import { silent, works, row, type ChangeCode } from "./row.ts"

export const lifeCodes = Object.freeze({
  "TTL.ADDED": row(
    "keys now expire",
    ["silent", "works", "silent", "works"],
    "expire",
    "TTL.REMOVED",
    "What old readers count on vanishes; what old writers write stays forever.",
  ),
  "TTL.REMOVED": row(
    "keys no longer expire",
    ["works", "silent", "silent", "works"],
    "persist",
    "TTL.ADDED",
    "Existing keys, and those of old writers, still vanish.",
  ),
  "TTL.SHORTENED": row(
    "keys expire sooner",
    ["silent", "works", "silent", "works"],
    "expire",
    "TTL.LENGTHENED",
    "What old readers count on vanishes sooner; what old writers write stays longer.",
  ),
  "TTL.LENGTHENED": row(
    "keys expire later",
    ["works", "silent", "silent", "works"],
    "nothing",
    "TTL.SHORTENED",
    "Existing keys, and those of old writers, vanish sooner than new readers expect.",
  ),
  "TTL.MODE": row(
    "other events restart the deadline",
    silent,
    "nothing",
    "TTL.MODE",
    "Each side restarts the deadline at times when the other does not.",
  ),
  "TTL.DECIDED": row(
    "the TTL is decided",
    works,
    "audit",
    "TTL.UNDECIDED",
    "It was undecided before; audit shows the keys that do not fit.",
  ),
  "TTL.UNDECIDED": row(
    "the TTL is undecided",
    works,
    "nothing",
    "TTL.DECIDED",
    "audit no longer looks at the TTLs of these keys.",
  ),
  "FAMILY.CHANGED": row(
    "another family, or another marker",
    ["silent", "silent", "silent", "works"],
    "refill",
    "FAMILY.CHANGED",
    "Keys that live and die together for one side expire separately for the other.",
  ),
  "KEEP.LOWERED": row(
    "fewer elements are kept",
    ["silent", "works", "silent", "silent"],
    "trim",
    "KEEP.RAISED",
    "The first write of a new program trims the existing elements.",
    // Trimming was requested: no deployment order saves the data, only old readers can be protected.
    "readers first",
  ),
  "KEEP.RAISED": row(
    "more elements are kept",
    ["works", "works", "silent", "works"],
    "nothing",
    "KEEP.LOWERED",
    "Every write of an old program trims to the old number.",
  ),
  "EVICT.ALLOWED": row(
    "keys may be evicted",
    ["silent", "works", "works", "works"],
    "audit",
    "EVICT.FORBIDDEN",
    "Under memory pressure the server may drop what old readers count on.",
  ),
  "EVICT.FORBIDDEN": row(
    "keys must no longer be evicted",
    ["works", "silent", "works", "works"],
    "audit",
    "EVICT.ALLOWED",
    "A server that evicts such keys drops what new readers count on.",
  ),
} satisfies Record<string, ChangeCode>)
