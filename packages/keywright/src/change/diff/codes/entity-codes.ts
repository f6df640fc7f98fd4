/* Entities: records, and everything that is kept with them. */

import { fails, silent, works, row, type ChangeCode } from "./row.ts"

/**
 * A writer that looks records up is a reader too: no deployment order protects an old one from what new ones no
 * longer maintain.
 */
const ownLookups = "all at once"

/** Ids of old writers run ahead of the counter until the last of them is gone. */
const twoSources = "all at once"

export const entityCodes = Object.freeze({
  "STORE.CHANGED": row(
    "records are kept as another type",
    fails,
    "convert",
    "STORE.CHANGED",
    "Every command fails with WRONGTYPE on records of the other type.",
  ),
  "INDEX.ADDED": row(
    "an index",
    ["works", "silent", "silent", "silent"],
    "index",
    "INDEX.DROPPED",
    "Records that are there are not in it, old writers do not keep it, and an update that leaves the field alone does not add them.",
  ),
  "INDEX.DROPPED": row(
    "an index is gone",
    ["silent", "works", "silent", "works"],
    "purge",
    "INDEX.ADDED",
    "Old readers do not find what new writers save.",
    ownLookups,
  ),
  "INDEX.CHANGED": row(
    "an index is kept otherwise",
    silent,
    "index",
    "INDEX.CHANGED",
    "Each side looks into an index that the other does not keep.",
  ),
  "MIRROR.ADDED": row(
    "a mirror of an index",
    ["works", "silent", "silent", "silent"],
    "index",
    "MIRROR.REMOVED",
    "Old writers do not keep it.",
  ),
  "MIRROR.REMOVED": row(
    "a mirror of an index is gone",
    ["silent", "works", "silent", "works"],
    "purge",
    "MIRROR.ADDED",
    "Those who read it by hand do not find what new writers save.",
    ownLookups,
  ),
  "UNIQUE.ADDED": row(
    "a unique index",
    ["works", "silent", "silent", "silent"],
    "index",
    "UNIQUE.DROPPED",
    "Records that are there may share a value and are not found by it, and old writers continue to write such records.",
  ),
  "UNIQUE.DROPPED": row(
    "a unique index is gone",
    ["silent", "works", "silent", "works"],
    "purge",
    "UNIQUE.ADDED",
    "Old readers do not find what new writers save; old writers refuse values that are free.",
    ownLookups,
  ),
  "UNIQUE.CHANGED": row(
    "a unique index is kept otherwise",
    silent,
    "index",
    "UNIQUE.CHANGED",
    "Each side looks into an index that the other does not keep: a value can be taken twice.",
  ),
  "ALL.ADDED": row(
    "a set of all ids",
    ["works", "silent", "silent", "silent"],
    "index",
    "ALL.DROPPED",
    "Records that are there are not in it, old writers do not keep it, and an update that leaves the field alone does not add them.",
  ),
  "ALL.DROPPED": row(
    "the set of all ids is gone",
    ["silent", "works", "silent", "works"],
    "purge",
    "ALL.ADDED",
    "Old readers do not find what new writers save.",
    ownLookups,
  ),
  "ALL.MOVED": row(
    "the set of all ids is another key",
    silent,
    "index",
    "ALL.MOVED",
    "Each side looks into a set that the other does not keep.",
  ),
  "IDS.SOURCE": row(
    "ids of new records are made otherwise",
    works,
    "nothing",
    "IDS.SOURCE",
    "Ids of both kinds are there; make sure that neither can be mistaken for the other.",
  ),
  "COUNTER.ADDED": row(
    "ids are counted",
    ["works", "works", "silent", "works"],
    "raise",
    "COUNTER.DROPPED",
    "The counter begins at 1: until it has been raised, each new record skips the ids that are taken.",
    twoSources,
  ),
  "COUNTER.DROPPED": row(
    "ids are not counted any more",
    works,
    "purge",
    "COUNTER.ADDED",
    "Nobody counts any more; old writers skip the ids that new ones take.",
  ),
  "COUNTER.MOVED": row(
    "the counter of ids is another key",
    ["works", "works", "silent", "works"],
    "raise",
    "COUNTER.MOVED",
    "Two counters hand out the same ids: each has to skip those of the other.",
    twoSources,
  ),
  "STAMPS.ADDED": row(
    "a stamp on every save",
    ["works", "silent", "silent", "silent"],
    "nothing",
    "STAMPS.REMOVED",
    "Old writers do not keep it.",
  ),
  "STAMPS.REMOVED": row(
    "a stamp is not kept any more",
    ["silent", "works", "silent", "works"],
    "nothing",
    "STAMPS.ADDED",
    "Old readers do not find when or by whom new writers saved.",
  ),
  "DURABILITY.LOWERED": row(
    "writes wait for fewer replicas",
    works,
    "nothing",
    "DURABILITY.RAISED",
    "A failover may lose what was acknowledged, and what a drain has moved may count again.",
  ),
  "DURABILITY.RAISED": row(
    "writes wait for more replicas",
    ["works", "works", "works", "fails"],
    "nothing",
    "DURABILITY.LOWERED",
    "Saves and drains of new programs fail until the server has as many replicas: add them first.",
    // It is the server that new writers wait for, not other programs.
    "any",
  ),
} satisfies Record<string, ChangeCode>)
