/* Every kind of finding: its code, which is stable, and what it means. Docs, SARIF and
 * the studio read this table. `fixable` says whether repair can fix such a finding;
 * "flag": only with the option to delete data that is not derived. */

/**
 * What `findingCodes` says about a code. `fixable` is `"flag"` where repair needs the option to delete data that is not derived.
 * @example
 * const title = (code: FindingCode) => code.title
 */
export interface FindingCode {
  readonly title: string
  readonly why: string
  readonly fix: string
  readonly fixable: boolean | "flag"
}

const entry = (title: string, why: string, fix: string, fixable: FindingCode["fixable"] = false): FindingCode => ({
  title,
  why,
  fix,
  fixable,
})

const ofIndexes = "Indexes are derived from records; somebody wrote one without the other."
const betweenKeys = "The schema declares an invariant between these keys; somebody wrote one without the other."

/**
 * Every code of a finding, with what it means and what to do. The codes are stable.
 * @example
 * console.log(findingCodes["TTL.MISSING"].title) // → no TTL where there must be one
 */
export const findingCodes = Object.freeze({
  "KEY.UNKNOWN": entry(
    "a key that no pattern owns",
    "It is mistyped, a leftover, or missing in the schema.",
    "Declare its pattern, or delete the key.",
    "flag",
  ),
  "KEY.TYPE": entry(
    "a key of the wrong Redis type",
    "Every command of the declared type fails on it.",
    "Find the program that writes it; then delete or convert the key. If it is an index, a list or a counter, the next repair rebuilds it.",
    "flag",
  ),
  "SHARD.WRONG": entry(
    "a key in the wrong shard",
    "No client looks for it there: to programs it does not exist.",
    "Fix the program that writes it, or the number of shards of the schema, which is fixed for the life of the data. Repair does not move the key: no step works in two slots. If the same name under the expected tag does not exist, DUMP the key, RESTORE it there without REPLACE and with the rest of its TTL, then delete it. If it does exist, programs use that one: delete this key once nothing in it is needed.",
  ),
  "KEY.SEGMENT": entry(
    "a key with a segment that does not fit",
    "It has the form of its pattern, but no client can build it: another program writes it by other rules.",
    "Fix the program that writes it; then rename or delete the key. Or declare the segment as it is.",
    "flag",
  ),

  "TTL.UNEXPECTED": entry(
    "a TTL where there must be none",
    "The data vanishes when the TTL runs out.",
    "Remove the TTL (PERSIST).",
    true,
  ),
  "TTL.MISSING": entry(
    "no TTL where there must be one",
    "The key stays forever.",
    "Set the declared TTL (PEXPIRE).",
    true,
  ),
  "TTL.TOO_LONG": entry(
    "a TTL longer than declared",
    "The key stays longer than the schema promises.",
    "Set the declared TTL (PEXPIRE).",
    true,
  ),
  "TTL.FAMILY": entry(
    "a deadline that differs within a family",
    "Keys of a family live and die together: otherwise half of a family is read as the whole.",
    "Set the family's deadline (PEXPIREAT).",
    true,
  ),
  "TTL.UNDECIDED": entry(
    "a pattern whose TTL is undecided",
    "Neither the key nor a group around it says when it expires.",
    'State ttl, or "never", in the schema.',
  ),

  "VALUE.UNDECODABLE": entry(
    "a value that its codec cannot read",
    "Another program wrote it, or the schema has changed since.",
    "Correct the value or the schema.",
  ),
  "VALUE.BARE": entry(
    "a text without the declared quotes",
    "It was written before the schema declared quotes, or by a program with another serializer: a program that looks for the quoted text does not find it.",
    "Put quotes around it.",
    true,
  ),
  "VALUE.FIELD_MISSING": entry(
    "a hash without a required field",
    "The schema says that every such hash has this field.",
    "Write it, or declare it optional.",
  ),
  "VALUE.FIELD_UNKNOWN": entry(
    "a hash field that is not declared",
    "It is mistyped, or missing in the schema.",
    "Declare the field, or delete it.",
    "flag",
  ),
  "VALUE.TOO_LARGE": entry(
    "a value too large to read",
    "Reading it would block the server and fill the memory.",
    "Raise the limit, or split the value.",
  ),
  "VALUE.TOO_MANY": entry(
    "more elements than declared",
    "Every write should trim it to `keep`; a program wrote without trimming.",
    "Trim it.",
    true,
  ),

  "ENTITY.ID": entry(
    "a document whose id differs from its key",
    "A program that reads it by its key would save it under another key.",
    "Correct the id in the document, or move it.",
  ),
  "ENTITY.NOT_INDEXABLE": entry(
    "a document with a field that no index key can hold",
    "The record cannot be found through that index.",
    "Correct the field.",
  ),

  "INDEX.MISSING": entry("a record that is not in its index", ofIndexes, "Add it.", true),
  "INDEX.DANGLING": entry("an index entry without a record", ofIndexes, "Remove it.", true),
  "INDEX.STALE": entry("an index entry of a record that now belongs elsewhere", ofIndexes, "Remove it.", true),
  "INDEX.SCORE": entry("an index entry with a wrong score", ofIndexes, "Set the score.", true),
  "INDEX.EXPIRED": entry(
    "an index entry of a record that has expired",
    "There is no note of when the record would expire, so nobody removed its entries.",
    "Remove it.",
    true,
  ),
  "MIRROR.MISSING": entry("a record that is not in the second copy of its index", ofIndexes, "Add it.", true),
  "MIRROR.DANGLING": entry("an entry without a record in the second copy of an index", ofIndexes, "Remove it.", true),
  "MIRROR.STALE": entry(
    "an entry that belongs elsewhere in the second copy of an index",
    ofIndexes,
    "Remove it.",
    true,
  ),
  "MIRROR.SCORE": entry("a wrong score in the second copy of an index", ofIndexes, "Set the score.", true),
  "MIRROR.EXPIRED": entry(
    "an expired record's entry in the second copy of an index",
    "There is no note of when the record would expire.",
    "Remove it.",
    true,
  ),
  "UNIQUE.MISSING": entry("a record that its unique index does not point to", ofIndexes, "Set it.", true),
  "UNIQUE.DANGLING": entry(
    "a unique index that points to no record",
    ofIndexes,
    "Delete it, or point it to the record that has the value.",
    true,
  ),
  "UNIQUE.STALE": entry(
    "a unique index that points to a record with another value",
    ofIndexes,
    "Delete it, or point it to the record that has the value.",
    true,
  ),
  "UNIQUE.TAKEN": entry(
    "two records with one unique value",
    "Only one of them can be found by it.",
    "Change the value in one of them.",
  ),
  "LIST.MISSING": entry("a record that is not in the set of all ids", ofIndexes, "Add it.", true),
  "LIST.DANGLING": entry("an id without a record in the set of all ids", ofIndexes, "Remove it.", true),
  "LIST.EXPIRED": entry(
    "an expired record's id in the set of all ids",
    "There is no note of when the record would expire.",
    "Remove it.",
    true,
  ),
  "COUNTER.BEHIND": entry(
    "a counter below the highest id",
    "The next ids that it gives are already in use.",
    "Raise it.",
    true,
  ),
  "COUNTER.NOT_A_NUMBER": entry(
    "a counter that is not a number",
    "INCR fails on it.",
    "Set it to the highest id.",
    true,
  ),
  "COUNTER.TOO_HIGH": entry(
    "a counter that is too high to give ids",
    "It is beyond the largest exact integer, so no record can be created.",
    "Set it to the highest id.",
  ),
  "REFERENCE.MISSING": entry(
    "a reference to a record that does not exist",
    "The record was deleted while others still referred to it, or it never existed.",
    "Restore it, change the reference, or declare `mayDangle: true`.",
  ),
  "THROUGH.DANGLING": entry(
    "an id without a record in a set between two entities",
    "The record was deleted, but not its entries in such sets.",
    "Remove it.",
    true,
  ),
  "THROUGH.ORPHAN": entry(
    "a set between two entities whose owner does not exist",
    "The owner was deleted, but not this set.",
    "Delete it.",
    "flag",
  ),

  "SAME.MISSING": entry("an id that is in one place and not in the other", betweenKeys, "Write it in both places."),
  "SAME.EXTRA": entry("an id that is not in the place that counts as the truth", betweenKeys, "Remove it.", true),
  "REFERS.DANGLING": entry("an id that refers to nothing", betweenKeys, "Remove it.", true),
  "REFERS.ORPHAN": entry(
    "a key of something that does not exist",
    "What it belongs to was deleted, or never existed.",
    "Restore what it belongs to, or delete the key.",
    "flag",
  ),
  "EXCLUDES.BOTH": entry(
    "an id in two places that exclude each other",
    betweenKeys,
    "Remove it from the place that is not the truth.",
    true,
  ),
  "COMPARE.BROKEN": entry(
    "a value that breaks a declared comparison",
    "It is outside the bounds that another value sets, or differs from the value that it repeats.",
    "Fix the program that writes it; then correct the value. A field that repeats a segment of its key is set to it.",
    "flag",
  ),
  "INVERSE.MISSING": entry("the other side of a pair is missing", betweenKeys, "Add it.", true),
  "INVERSE.EXTRA": entry(
    "one side of a pair that the other side, the truth, does not have",
    betweenKeys,
    "Remove it.",
    true,
  ),
  "KEYOF.DANGLING": entry(
    "the key of something that does not exist",
    "It was deleted or has expired, but its key is still stored here.",
    "Remove it.",
    true,
  ),

  "EXPIRY.OVERDUE": entry(
    "expired records that were not swept",
    "No process that writes them is running, its sweeper is off (`sweep: false`), or it cannot keep up: their index entries are still there.",
    "Start a process that sweeps, or call `$sweep`.",
    true,
  ),
  "EXPIRY.UNREADABLE": entry("an unreadable note of the sweeper", "Another program wrote it.", "Remove it.", true),
} as const satisfies Record<string, FindingCode>)

/**
 * The codes of findings.
 * @example
 * const ignored: FindingCodeName[] = ["KEY.UNKNOWN"]
 */
export type FindingCodeName = keyof typeof findingCodes
