/* Every kind of change: its code, which is stable, what it does to old and new readers and
 * writers, and what has to happen to the data. Text, SARIF, the studio and the docs read this
 * table; verdicts.test.ts runs every row of it on a real server.
 *
 * Where a row depends on what exactly changed (a codec, a kind), it holds the usual case, and
 * the comparison says the precise one. */

import type { Cell, DataWork, Order, Verdicts } from "./verdict.ts"

export interface ChangeCode extends Verdicts {
  readonly title: string
  /** Who is hurt, and how. */
  readonly why: string
  readonly data: DataWork
  /** The code of the same change the other way round: one of these, or no change at all. */
  readonly reverse: readonly string[]
  /** Where it does not follow from the verdicts. */
  readonly order?: Order
}

type Cells = readonly [oldReader: Cell, newReader: Cell, oldWriter: Cell, newWriter: Cell]

const row = (
  title: string,
  [oldReader, newReader, oldWriter, newWriter]: Cells,
  data: DataWork,
  reverse: string | readonly string[],
  why: string,
  order?: Order,
): ChangeCode => ({
  title,
  why,
  oldReader,
  newReader,
  oldWriter,
  newWriter,
  data,
  reverse: typeof reverse === "string" ? [reverse] : reverse,
  ...(order !== undefined && { order }),
})

const works: Cells = ["works", "works", "works", "works"]
const silent: Cells = ["silent", "silent", "silent", "silent"]
const fails: Cells = ["fails", "fails", "fails", "fails to read"]
/** What was valid stays valid; there is more now. */
const wider: Cells = ["fails", "works", "fails to read", "works"]
/** Some of what is stored is valid no longer. */
const narrower: Cells = ["works", "fails", "fails", "fails to read"]

const moved = "Each side looks where the other does not write: a missing key is not an error, so nobody is told."

export const changeCodes = Object.freeze({
  "NAME.ENTRY": row(
    "renamed in the source, same keys",
    works,
    "nothing",
    "NAME.ENTRY",
    "Only code that uses the name has to follow; saved plans speak of the old name.",
  ),
  "NAME.ID": row("an id has another name", works, "nothing", "NAME.ID", "Only the compiler tells such ids apart."),
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
    "What it stored now stands among the keys of the other pattern.",
  ),
  "PATTERN.MOVED": row("the keys have another name", silent, "move", "PATTERN.MOVED", moved),
  "PATTERN.PARAMS": row("parameters added, removed or reordered", silent, "move", "PATTERN.PARAMS", moved),
  "PATTERN.SPLIT": row("one pattern becomes several", silent, "move", "PATTERN.MERGED", moved),
  "PATTERN.MERGED": row("several patterns become one", silent, "move", "PATTERN.SPLIT", moved),
  "DB.MOVED": row("the keys are in another database", silent, "move", "DB.MOVED", moved),
  "TAG.CHANGED": row("another hash tag", silent, "move", "TAG.CHANGED", moved),

  "PARAM.SPELLING": row("the same id is spelled otherwise in the key", silent, "move", "PARAM.SPELLING", moved),
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

  "KIND.TYPE": row(
    "another Redis type",
    fails,
    "convert",
    "KIND.TYPE",
    "Every command fails with WRONGTYPE on keys of the other type; SET overwrites them.",
  ),
  "KIND.SAME_TYPE": row(
    "another kind of the same Redis type",
    ["silent", "fails", "silent", "fails to read"],
    "audit",
    "KIND.SAME_TYPE",
    "The commands work on both, and what they mean differs.",
  ),

  "CODEC.WIDENED": row(
    "more values are allowed",
    wider,
    "nothing",
    "CODEC.NARROWED",
    "Old programs cannot read values that only the new ones know.",
  ),
  "CODEC.NARROWED": row(
    "fewer values are allowed",
    narrower,
    "rewrite",
    "CODEC.WIDENED",
    "New programs cannot read values that are stored, and that old writers still write.",
  ),
  "CODEC.REPLACED": row("written in another form", fails, "rewrite", "CODEC.REPLACED", "Neither side reads the other."),
  "CODEC.AMBIGUOUS": row(
    "the same text means something else",
    silent,
    "move",
    "CODEC.AMBIGUOUS",
    "Nothing tells old values from new ones: give the new form keys of its own.",
  ),
  "CODEC.COMPRESSED": row(
    "compression switched on or off",
    fails,
    "rewrite",
    "CODEC.COMPRESSED",
    "Neither side reads the other.",
  ),
  "SCORE.CODEC": row(
    "scores in another unit",
    silent,
    "move",
    "SCORE.CODEC",
    "Old and new scores stand in one order, and nothing tells them apart.",
  ),
  "COLUMN.ADDED": row("more columns in a line", fails, "rewrite", "COLUMN.REMOVED", "Neither side reads the other."),
  "COLUMN.REMOVED": row("fewer columns in a line", fails, "rewrite", "COLUMN.ADDED", "Neither side reads the other."),
  "COLUMN.ORDER": row(
    "columns in another order",
    silent,
    "move",
    "COLUMN.ORDER",
    "Each side takes one column for the other.",
  ),

  "FIELD.ADDED": row(
    "an optional field",
    works,
    "nothing",
    "FIELD.REMOVED",
    "Old programs keep it as it is. If documents already have such a field, audit shows those that do not fit.",
  ),
  "FIELD.DEFAULTED": row(
    "a field with a default on reading",
    works,
    "nothing",
    "FIELD.REMOVED",
    "Where it is absent, readers take the default.",
  ),
  "FIELD.REQUIRED": row(
    "a field is required",
    narrower,
    "backfill",
    "FIELD.RELAXED",
    "New programs cannot read what was stored without it, and old writers leave it out.",
  ),
  "FIELD.RELAXED": row(
    "a required field may be absent",
    wider,
    "nothing",
    "FIELD.REQUIRED",
    "Old programs cannot read what is stored without it.",
  ),
  "FIELD.REMOVED": row(
    "an optional field is gone",
    works,
    "nothing",
    ["FIELD.ADDED", "FIELD.DEFAULTED"],
    "What is stored keeps it. Reserve the name, so that nobody gives it another meaning.",
  ),
  "FIELD.RENAMED": row("a field has another name", silent, "rewrite", "FIELD.RENAMED", moved),
  "FIELD.TYPE": row(
    "a field of another type",
    fails,
    "rewrite",
    "FIELD.TYPE",
    "What fits the one does not fit the other.",
  ),
  "FIELD.REUSED": row(
    "a reserved field is back",
    silent,
    "audit",
    [],
    "Old values under this name may still be there, with another meaning.",
  ),
  "ENUM.ADDED": row("a further value", wider, "nothing", "ENUM.REMOVED", "Old programs cannot read the new value."),
  "ENUM.REMOVED": row(
    "a value is gone",
    narrower,
    "rewrite",
    "ENUM.ADDED",
    "New programs cannot read the value where it is stored, and old writers still write it.",
  ),
  "LIMIT.TIGHTENED": row(
    "a stricter limit",
    narrower,
    "audit",
    "LIMIT.LOOSENED",
    "New programs cannot read what is beyond it.",
  ),
  "LIMIT.LOOSENED": row(
    "a looser limit",
    wider,
    "nothing",
    "LIMIT.TIGHTENED",
    "Old programs cannot read what is beyond the old one.",
  ),
  "CONTENT.CLOSED": row(
    "unknown fields are refused",
    narrower,
    "audit",
    "CONTENT.OPENED",
    "New programs cannot read documents with fields that they do not know.",
  ),
  "CONTENT.OPENED": row(
    "unknown fields are taken",
    wider,
    "nothing",
    "CONTENT.CLOSED",
    "Old programs cannot read documents with fields that they do not know.",
  ),

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
  ),
  "UNIQUE.ADDED": row(
    "a unique index",
    ["works", "silent", "silent", "silent"],
    "index",
    "UNIQUE.DROPPED",
    "Records that are there may share a value and are not found by it, and old writers go on to write such.",
  ),
  "UNIQUE.DROPPED": row(
    "a unique index is gone",
    ["silent", "works", "silent", "works"],
    "purge",
    "UNIQUE.ADDED",
    "Old readers do not find what new writers save; old writers refuse values that are free.",
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
    "Ids of both kinds are there; see that neither can be taken for the other.",
  ),
  "COUNTER.ADDED": row(
    "ids are counted",
    ["works", "works", "silent", "works"],
    "raise",
    "COUNTER.DROPPED",
    "The counter begins at 1: until it has been raised, each new record skips the ids that are taken.",
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
    "saves wait for fewer replicas",
    works,
    "nothing",
    "DURABILITY.RAISED",
    "A failover may lose what was acknowledged.",
  ),
  "DURABILITY.RAISED": row(
    "saves wait for more replicas",
    works,
    "nothing",
    "DURABILITY.LOWERED",
    "Saves fail where the server has not so many replicas.",
  ),

  "TTL.ADDED": row(
    "keys now expire",
    ["silent", "works", "silent", "works"],
    "expire",
    "TTL.REMOVED",
    "What old readers count on vanishes; what old writers write stays for ever.",
  ),
  "TTL.REMOVED": row(
    "keys do not expire any more",
    ["works", "silent", "silent", "works"],
    "persist",
    "TTL.ADDED",
    "What is there still vanishes, and what old writers write.",
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
    "What is there vanishes sooner than new readers expect, and what old writers write.",
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
    // Trimming is what was asked for: no order spares the data, only old readers can be spared.
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
  "SECRET.ADDED": row(
    "marked as secret",
    works,
    "nothing",
    "SECRET.REMOVED",
    "Old programs, logs and exports still show it.",
  ),
  "SECRET.REMOVED": row(
    "not secret any more",
    works,
    "nothing",
    "SECRET.ADDED",
    "From now on it is printed in logs, pages and exports.",
  ),
  "ACCESS.LOST": row(
    "a service may not use it any more",
    ["fails", "n/a", "fails", "n/a"],
    "nothing",
    "ACCESS.GAINED",
    "Where the server's users follow the schema, the service is refused.",
  ),
  "ACCESS.GAINED": row(
    "a further service uses it",
    works,
    "nothing",
    "ACCESS.LOST",
    "Where the server's users follow the schema, they need the right first.",
  ),

  "RELATION.STRICT": row(
    "a relation whose target must exist",
    ["works", "works", "silent", "works"],
    "audit",
    "RELATION.RELAXED",
    "References that lead nowhere are findings from now on.",
  ),
  "RELATION.RELAXED": row(
    "a relation that may lead nowhere, or is gone",
    works,
    "nothing",
    "RELATION.STRICT",
    "audit does not report such references any more.",
  ),
  "INVARIANT.ADDED": row(
    "a rule between keys",
    ["works", "works", "silent", "works"],
    "audit",
    "INVARIANT.REMOVED",
    "Old writers do not know of it.",
  ),
  "INVARIANT.REMOVED": row(
    "a rule between keys is gone",
    works,
    "nothing",
    "INVARIANT.ADDED",
    "audit does not look at it any more.",
  ),
  "INVARIANT.TRUTH": row(
    "another side of a rule is the truth",
    works,
    "audit",
    "INVARIANT.TRUTH",
    "repair now changes the other side.",
  ),
} satisfies Record<string, ChangeCode>)

export type Code = keyof typeof changeCodes
