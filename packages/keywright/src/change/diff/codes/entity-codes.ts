/* Entities: records, and everything that is kept with them. */

import { cells, dropped, fails, kept, silent, works, row, type ChangeCode } from "./row.ts"

/**
 * A writer that looks records up is a reader too: no deployment order protects an old one from what new ones no
 * longer maintain.
 */
const ownLookups = "all at once"

/** Ids of old writers run ahead of the counter until the last of them is gone. */
const twoSources = "all at once"

export const entityCodes = Object.freeze({
  "STORE.CHANGED": row(
    "records are stored as another type",
    fails,
    "convert",
    "Every command fails with WRONGTYPE on records of the other type.",
  ),
  "INDEX.ADDED": row(
    "an index is added",
    kept,
    "index",
    "Existing records are not in it, old writers do not maintain it, and an update that leaves the field unchanged does not add them.",
  ),
  "INDEX.DROPPED": row(
    "an index is dropped",
    dropped,
    "purge",
    "Old readers do not find what new writers save.",
    ownLookups,
  ),
  "INDEX.CHANGED": row(
    "an index has another form",
    silent,
    "index",
    "Each side looks into an index that the other does not maintain.",
  ),
  "MIRROR.ADDED": row("a mirror of an index is added", kept, "index", "Old writers do not maintain it."),
  "MIRROR.REMOVED": row(
    "a mirror of an index is removed",
    dropped,
    "purge",
    "Programs that read it directly do not find what new writers save.",
    ownLookups,
  ),
  "UNIQUE.ADDED": row(
    "a unique index is added",
    kept,
    "index",
    "Existing records may share a value and are not found by it, and old writers keep writing such records.",
  ),
  "UNIQUE.DROPPED": row(
    "a unique index is dropped",
    dropped,
    "purge",
    "Old readers do not find what new writers save; old writers refuse values that are free.",
    ownLookups,
  ),
  "UNIQUE.CHANGED": row(
    "a unique index has another form",
    silent,
    "index",
    "Each side looks into an index that the other does not maintain: a value can be taken twice.",
  ),
  "ALL.ADDED": row(
    "a set of all ids is added",
    kept,
    "index",
    "Existing records are not in it, old writers do not maintain it, and an update that leaves the field unchanged does not add them.",
  ),
  "ALL.DROPPED": row(
    "the set of all ids is dropped",
    dropped,
    "purge",
    "Old readers do not find what new writers save.",
    ownLookups,
  ),
  "ALL.MOVED": row(
    "the set of all ids is another key",
    silent,
    "index",
    "Each side looks into a set that the other does not maintain.",
  ),
  "IDS.SOURCE": row(
    "ids of new records are made in another way",
    works,
    "nothing",
    "Ids of both kinds exist; make sure that they cannot be mistaken for each other.",
  ),
  "COUNTER.ADDED": row(
    "a counter of ids is added",
    cells("works", "works", "silent", "works"),
    "raise",
    "The counter begins at 1: until it has been raised, each new record skips the ids that are taken.",
    twoSources,
  ),
  "COUNTER.DROPPED": row(
    "the counter of ids is dropped",
    works,
    "purge",
    "New writers do not count; old writers skip the ids that new ones take.",
  ),
  "COUNTER.MOVED": row(
    "the counter of ids is another key",
    cells("works", "works", "silent", "works"),
    "raise",
    "Two counters assign the same ids: each has to skip those of the other.",
    twoSources,
  ),
  "STAMPS.ADDED": row("a stamp is added", kept, "nothing", "Old writers do not maintain it."),
  "STAMPS.REMOVED": row(
    "a stamp is removed",
    dropped,
    "nothing",
    "Old readers do not see when or by whom new writers saved.",
  ),
  "DURABILITY.LOWERED": row(
    "writes wait for fewer replicas",
    works,
    "nothing",
    "A failover may lose acknowledged writes, and what a drain has moved may count again.",
  ),
  "DURABILITY.RAISED": row(
    "writes wait for more replicas",
    cells("works", "works", "works", "fails"),
    "nothing",
    "Saves and drains of new programs fail until the server has that many replicas: add them first.",
    // It is the server that new writers wait for, not other programs.
    "any",
  ),
} satisfies Record<string, ChangeCode>)
