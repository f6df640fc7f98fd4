/* Marks, services, and what must hold between keys. */

import { works, row, type ChangeCode } from "./row.ts"

export const ruleCodes = Object.freeze({
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
    ["n/a", "works", "n/a", "works"],
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
    ["works", "works", "silent", "works"],
    "audit",
    "INVARIANT.TRUTH",
    "repair now changes the other side: it takes away what old writers add to the one that was the truth.",
  ),
} satisfies Record<string, ChangeCode>)
