/* Marks such as `secret`, the services that may read or write a key, and what must hold between keys. */

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
    "no longer secret",
    works,
    "nothing",
    "SECRET.ADDED",
    "From now on it is printed in logs, pages and exports.",
  ),
  "ACCESS.LOST": row(
    "a service may no longer use it",
    ["fails", "n/a", "fails", "n/a"],
    "nothing",
    "ACCESS.GAINED",
    "If the server's ACL users follow the schema, the service is refused.",
  ),
  "ACCESS.GAINED": row(
    "another service uses it",
    ["n/a", "works", "n/a", "works"],
    "nothing",
    "ACCESS.LOST",
    "If the server's ACL users follow the schema, they need the right first.",
  ),
  "RELATION.STRICT": row(
    "the target of a relation must exist",
    ["works", "works", "silent", "works"],
    "audit",
    "RELATION.RELAXED",
    "References to missing records are findings from now on.",
  ),
  "RELATION.RELAXED": row(
    "the target of a relation may be missing, or the relation is removed",
    works,
    "nothing",
    "RELATION.STRICT",
    "audit no longer reports references to missing records.",
  ),
  "INVARIANT.ADDED": row(
    "a rule between keys is added",
    ["works", "works", "silent", "works"],
    "audit",
    "INVARIANT.REMOVED",
    "Old writers do not know the rule.",
  ),
  "INVARIANT.REMOVED": row(
    "a rule between keys is removed",
    works,
    "nothing",
    "INVARIANT.ADDED",
    "audit no longer checks it.",
  ),
  "INVARIANT.TRUTH": row(
    "another side of a rule is the truth",
    ["works", "works", "silent", "works"],
    "audit",
    "INVARIANT.TRUTH",
    "repair now changes the other side: it removes what old writers add to the side that was the truth before.",
  ),
} satisfies Record<string, ChangeCode>)
