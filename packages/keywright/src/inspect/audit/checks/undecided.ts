/* Patterns whose TTL is undecided: one finding each, when a key of it is met. */

import { finding, type Finding } from "../finding.ts"
import type { KeyModel } from "../../model/model.ts"

export const undecidedFinding = ({ declared, db }: KeyModel): Finding =>
  finding(
    {
      code: "TTL.UNDECIDED",
      db,
      pattern: declared.pattern,
      key: declared.pattern,
      expected: "a ttl in the schema",
      found: "none",
      fixable: false,
    },
    { db, key: declared.pattern, name: declared.name, reads: [], replies: [] },
  )
