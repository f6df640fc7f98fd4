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
    "keys do not expire any more",
    ["works", "silent", "silent", "works"],
    "persist",
    "TTL.ADDED",
    "What is there, and what old writers write, still vanishes.",
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
    "What is there, and what old writers write, vanishes sooner than new readers expect.",
  ),
  "TTL.MODE": row(
    "other events move the deadline",
    silent,
    "nothing",
    "TTL.MODE",
    "Each side moves the deadline at times when the other does not.",
  ),
  "TTL.DECIDED": row(
    "somebody decided when keys expire",
    works,
    "audit",
    "TTL.UNDECIDED",
    "It was open before; audit shows the keys that do not fit.",
  ),
  "TTL.UNDECIDED": row(
    "nobody decides any more when keys expire",
    works,
    "nothing",
    "TTL.DECIDED",
    "audit does not look at their TTLs any more.",
  ),
  "FAMILY.CHANGED": row(
    "another family, or another marker",
    ["silent", "silent", "silent", "works"],
    "refill",
    "FAMILY.CHANGED",
    "Keys that one side takes for one whole live and die apart on the other.",
  ),
  "KEEP.LOWERED": row(
    "fewer elements are kept",
    ["silent", "works", "silent", "silent"],
    "trim",
    "KEEP.RAISED",
    "The first write of a new program trims what was there.",
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
    "it may be evicted",
    ["silent", "works", "works", "works"],
    "audit",
    "EVICT.FORBIDDEN",
    "Under memory pressure the server may drop what old readers count on.",
  ),
  "EVICT.FORBIDDEN": row(
    "it may not be evicted any more",
    ["works", "silent", "works", "works"],
    "audit",
    "EVICT.ALLOWED",
    "A server that evicts it drops what new readers count on.",
  ),
} satisfies Record<string, ChangeCode>)
