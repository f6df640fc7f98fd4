/* Every kind of change: its code, which is stable, what it does to old and new readers and
 * writers, and what has to happen to the data. Text, SARIF, the studio and the docs read this
 * table; verdicts.test.ts runs every row of it on a real server.
 *
 * Where a row depends on what exactly changed (a codec, a kind), it holds the usual case, and
 * the comparison says the precise one. */

import { drainCodes } from "./codes/drain-codes.ts"
import { entityCodes } from "./codes/entity-codes.ts"
import { fieldCodes } from "./codes/field-codes.ts"
import { lifeCodes } from "./codes/life-codes.ts"
import { patternCodes } from "./codes/pattern-codes.ts"
import { ruleCodes } from "./codes/rule-codes.ts"
import { valueCodes } from "./codes/value-codes.ts"

export const changeCodes = Object.freeze({
  ...patternCodes,
  ...valueCodes,
  ...fieldCodes,
  ...entityCodes,
  ...lifeCodes,
  ...ruleCodes,
  ...drainCodes,
})

export type ChangeCode = keyof typeof changeCodes
