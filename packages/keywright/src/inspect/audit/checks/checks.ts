/* Every check of a key that was read. The checks of keys that cannot be read (type, unknown), and of patterns without a
 * decision about their TTL (undecided), are called by page-audit.ts.
 * Values come first: what cannot be decoded is not followed. */

import { compareCheck } from "./compare.ts"
import { counterCheck } from "./counter.ts"
import { excludesCheck } from "./excludes.ts"
import { expiryCheck } from "./expired.ts"
import { familyCheck } from "./family.ts"
import { indexEntriesCheck } from "./index-entries.ts"
import { indexHoldersCheck } from "./index-holders.ts"
import { inverseCheck } from "./inverse.ts"
import { keepCheck } from "./keep.ts"
import { keyOfCheck } from "./key-of.ts"
import { listEntryCheck, listHoldersCheck } from "./list.ts"
import type { Model, KeyModel } from "../../model/model.ts"
import { paramsCheck } from "./params.ts"
import { quotesCheck } from "./quotes.ts"
import { recordIdCheck } from "./record-id.ts"
import { referenceCheck } from "./reference.ts"
import { refersToCheck } from "./refers-to.ts"
import { sameIdsCheck } from "./same-ids.ts"
import { shardCheck } from "./shard.ts"
import type { CheckKind, CheckKey } from "./check.ts"
import { type Sums, sumCheck } from "../sums.ts"
import { throughCheck } from "./through.ts"
import { ttlCheck } from "./ttl.ts"
import { valueCheck } from "./value.ts"

/** Checks of a key alone, and of what it says about plain keys. */
const ownChecks: readonly CheckKind[] = [
  paramsCheck,
  shardCheck,
  valueCheck,
  quotesCheck,
  ttlCheck,
  familyCheck,
  keepCheck,
  recordIdCheck,
  counterCheck,
  referenceCheck,
  throughCheck,
  sameIdsCheck,
  refersToCheck,
  inverseCheck,
  excludesCheck,
  compareCheck,
  keyOfCheck,
  expiryCheck,
]

/** Records against their index entries and lists, both ways, each looked up. */
const indexChecks: readonly CheckKind[] = [indexEntriesCheck, indexHoldersCheck, listEntryCheck, listHoldersCheck]

/** What a walk checks: everything; everything, with indexes only summed up; all but the indexes; only the indexes. */
export type Checking = "all" | { readonly sums: Sums } | "own" | "indexes"

/** The checks that concern a pattern, prepared to run on each of its keys. */
export function checksFor(row: KeyModel, model: Model, checking: Checking): CheckKey[] {
  const checks =
    checking === "all"
      ? [...ownChecks, ...indexChecks]
      : checking === "own"
        ? ownChecks
        : checking === "indexes"
          ? indexChecks
          : [...ownChecks, sumCheck(checking.sums)]
  return checks.flatMap((check) => check(row, model) ?? [])
}
