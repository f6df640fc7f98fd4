/* Marks such as `secret`, the services that may read or write a key, and what must hold between keys. */

import { cells, works, row, type ChangeCode } from "./row.ts"

export const ruleCodes = Object.freeze({
  "SECRET.ADDED": row("marked as secret", works, "nothing", "Old programs, logs and exports still show it."),
  "SECRET.REMOVED": row("no longer secret", works, "nothing", "From now on it is printed in logs, pages and exports."),
  "ACCESS.LOST": row(
    "a service may no longer use it",
    cells("fails", "n/a", "fails", "n/a"),
    "nothing",
    "If the server's ACL users follow the schema, the service is refused.",
  ),
  "ACCESS.GAINED": row(
    "another service uses it",
    cells("n/a", "works", "n/a", "works"),
    "nothing",
    "If the server's ACL users follow the schema, they need the right first.",
  ),
  "RELATION.STRICT": row(
    "the target of a relation must exist",
    cells("works", "works", "silent", "works"),
    "audit",
    "References to missing records are findings from now on.",
  ),
  "RELATION.RELAXED": row(
    "the target of a relation may be missing, or the relation is removed",
    works,
    "nothing",
    "audit no longer reports references to missing records.",
  ),
  "INVARIANT.ADDED": row(
    "a rule between keys is added",
    cells("works", "works", "silent", "works"),
    "audit",
    "Old writers do not know the rule.",
  ),
  "INVARIANT.REMOVED": row("a rule between keys is removed", works, "nothing", "audit no longer checks it."),
  "INVARIANT.TRUTH": row(
    "another side of a rule is the truth",
    cells("works", "works", "silent", "works"),
    "audit",
    "repair now changes the other side: it removes what old writers add to the side that was the truth before.",
  ),
} satisfies Record<string, ChangeCode>)
