/* Fields, choices and limits of documents and hashes. */

import { fails, moved, narrower, silent, wider, works, row, type ChangeCode } from "./row.ts"

export const fieldCodes = Object.freeze({
  "FIELD.ADDED": row(
    "an optional field is added",
    works,
    "nothing",
    "Old programs keep it as it is. If documents already have such a field, audit shows those that do not fit.",
  ),
  "FIELD.DEFAULTED": row(
    "a field with a default is added",
    works,
    "nothing",
    "If it is absent, readers use the default.",
  ),
  "FIELD.DEFAULT": row(
    "a field has another default",
    silent,
    "backfill",
    "If the field is absent, each side reads its own default.",
  ),
  "FIELD.REQUIRED": row(
    "a field becomes required",
    narrower,
    "backfill",
    "New programs cannot read what was stored without it, and old writers leave it out.",
    // A removed value concerns some records, this all of them: no update by a new writer works.
    "all at once",
  ),
  "FIELD.RELAXED": row(
    "a field becomes optional",
    wider,
    "nothing",
    "Old programs cannot read what is stored without it.",
  ),
  "FIELD.REMOVED": row(
    "an optional field is removed",
    works,
    "nothing",
    "What is stored keeps it. Reserve the name, so that nobody gives it another meaning.",
  ),
  "FIELD.RENAMED": row("a field has another name", silent, "rewrite", moved),
  "FIELD.TYPE": row("a field has another type", fails, "rewrite", "What one side writes, the other cannot read."),
  "FIELD.REUSED": row(
    "a reserved field is used again",
    silent,
    "audit",
    "Old values under this name may still be there, with another meaning.",
  ),
  "ENUM.ADDED": row("a value is added", wider, "nothing", "Old programs cannot read the new value."),
  "ENUM.REMOVED": row(
    "a value is removed",
    narrower,
    "rewrite",
    "New programs cannot read the value where it is stored, and old writers still write it.",
  ),
  "LIMIT.TIGHTENED": row("a limit is tightened", narrower, "audit", "New programs cannot read what is beyond it."),
  "LIMIT.LOOSENED": row(
    "a limit is loosened",
    wider,
    "nothing",
    "Old programs cannot read what is beyond the old limit.",
  ),
  "CONTENT.CLOSED": row(
    "unknown fields are refused",
    narrower,
    "audit",
    "New programs cannot read documents with fields that they do not know.",
  ),
  "CONTENT.OPENED": row(
    "unknown fields are accepted",
    wider,
    "nothing",
    "Old programs cannot read documents with fields that they do not know.",
  ),
} satisfies Record<string, ChangeCode>)
