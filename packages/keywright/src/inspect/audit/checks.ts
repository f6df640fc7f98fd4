/* Every kind of check. Values come first: what cannot be decoded is not followed. */

import { counterCheck } from "./counter.ts"
import { expiryCheck } from "./expired.ts"
import { familyCheck } from "./family.ts"
import { indexEntriesCheck } from "./index-entries.ts"
import { indexHoldersCheck } from "./index-holders.ts"
import { inverseCheck } from "./inverse.ts"
import { keepCheck } from "./keep.ts"
import { keyOfCheck } from "./key-of.ts"
import { listEntryCheck, listHoldersCheck } from "./list.ts"
import type { Model, RowModel } from "./model.ts"
import { recordIdCheck } from "./record-id.ts"
import { referenceCheck } from "./reference.ts"
import { refersToCheck } from "./refers-to.ts"
import { sameIdsCheck } from "./same-ids.ts"
import type { Check, Look } from "./subject.ts"
import { throughCheck } from "./through.ts"
import { ttlCheck } from "./ttl.ts"
import { valueCheck } from "./value.ts"

const checks: readonly Check[] = [
  valueCheck,
  ttlCheck,
  familyCheck,
  keepCheck,
  recordIdCheck,
  indexEntriesCheck,
  indexHoldersCheck,
  listEntryCheck,
  listHoldersCheck,
  counterCheck,
  referenceCheck,
  throughCheck,
  sameIdsCheck,
  refersToCheck,
  inverseCheck,
  keyOfCheck,
  expiryCheck,
]

/** What to do with the keys of a pattern. */
export const looksFor = (row: RowModel, model: Model): Look[] => checks.flatMap((check) => check(row, model) ?? [])
