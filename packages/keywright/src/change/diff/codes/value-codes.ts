/* Kinds and codecs: what one value is. */

import { cells, fails, narrower, silent, wider, works, row, type ChangeCode } from "./row.ts"

export const valueCodes = Object.freeze({
  "KIND.TYPE": row(
    "another Redis type",
    fails,
    "convert",
    "Every command fails with WRONGTYPE on keys of the other type; SET overwrites them.",
  ),
  "KIND.SAME_TYPE": row(
    "another kind of the same Redis type",
    cells("silent", "fails", "silent", "fails to read"),
    "audit",
    "The commands work on both, but mean different things.",
  ),
  "CODEC.WIDENED": row(
    "more values are allowed",
    wider,
    "nothing",
    "Old programs cannot read values that only the new ones know.",
  ),
  "CODEC.NARROWED": row(
    "fewer values are allowed",
    narrower,
    "rewrite",
    "New programs cannot read values that are stored, and that old writers still write.",
  ),
  "CODEC.REPLACED": row("written in another form", fails, "rewrite", "Neither side can read the other's values."),
  "CODEC.AMBIGUOUS": row(
    "the same text means something else",
    silent,
    "move",
    "Old and new values cannot be distinguished: give the new form its own keys.",
  ),
  "CODEC.READ": row(
    "the same text is read as something else",
    works,
    "nothing",
    "What is stored stays as it is; only code that uses the value has to follow.",
  ),
  "MEMBER.SPELLING": row(
    "the same member or field is spelled differently",
    silent,
    "rewrite",
    "Each side looks for a text that the other does not write: existing elements seem to be missing, or are added a second time.",
  ),
  "CODEC.COMPRESSED": row(
    "compressed or packed in another way",
    fails,
    "rewrite",
    "Neither side can read the other's values.",
  ),
  "SCORE.CODEC": row(
    "scores in another unit",
    silent,
    "move",
    "Old and new scores share one order, and cannot be distinguished.",
  ),
  "COLUMN.ADDED": row("columns are added", fails, "rewrite", "Neither side can read the other's values."),
  "COLUMN.REMOVED": row("columns are removed", fails, "rewrite", "Neither side can read the other's values."),
  "COLUMN.ORDER": row("columns in another order", silent, "move", "Each side mistakes one column for the other."),
} satisfies Record<string, ChangeCode>)
