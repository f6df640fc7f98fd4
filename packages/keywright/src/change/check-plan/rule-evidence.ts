/* Whether an action that calls itself the fix of a broken value or record (VALUE, ENTITY …), of a broken rule (THROUGH,
 * SAME …) or of a note of the sweeper is what the audit would propose if its conditions hold. */

import { compareCheck } from "../../inspect/audit/checks/compare.ts"
import { hasCountedIds } from "../../inspect/audit/checks/counter.ts"
import { excludesCheck } from "../../inspect/audit/checks/excludes.ts"
import { expiryCheck } from "../../inspect/audit/checks/expired.ts"
import { indexEntriesCheck } from "../../inspect/audit/checks/index-entries.ts"
import { inverseCheck } from "../../inspect/audit/checks/inverse.ts"
import { keyOfCheck } from "../../inspect/audit/checks/key-of.ts"
import { recordIdCheck } from "../../inspect/audit/checks/record-id.ts"
import { referenceCheck } from "../../inspect/audit/checks/reference.ts"
import { refersToCheck } from "../../inspect/audit/checks/refers-to.ts"
import { sameIdsCheck } from "../../inspect/audit/checks/same-ids.ts"
import { throughCheck } from "../../inspect/audit/checks/through.ts"
import { valueCheck } from "../../inspect/audit/checks/value.ts"
import type { KeyModel, Model } from "../../inspect/model/model.ts"
import type { CheckKey, CheckKind } from "../../inspect/audit/checks/check.ts"
import { isDeadlineOfFamily } from "./family-evidence.ts"
import type { Action } from "../plan/plan.ts"
import { isProposed, type OwnerIn } from "./replayed-check.ts"
import type { Stored } from "./stored-values.ts"
import { keyOf } from "../plan/word.ts"

/** Whether an action is judged by the values in its conditions: of digests, the values have to be known. */
export const isByValues = ({ code }: Action): boolean => checkOf(code) !== undefined

/** By the code, or by its first part: the check that finds it. */
const checks: Readonly<Record<string, CheckKind>> = {
  THROUGH: throughCheck,
  SAME: sameIdsCheck,
  INVERSE: inverseCheck,
  EXCLUDES: excludesCheck,
  COMPARE: compareCheck,
  REFERS: refersToCheck,
  EXPIRY: expiryCheck,
  KEYOF: keyOfCheck,
  "VALUE.UNDECODABLE": valueCheck,
  "VALUE.FIELD_MISSING": valueCheck,
  "ENTITY.ID": recordIdCheck,
  "ENTITY.NOT_INDEXABLE": indexEntriesCheck,
  "UNIQUE.TAKEN": indexEntriesCheck,
  "REFERENCE.MISSING": referenceCheck,
}

/** The check that is run again on the conditions of an action with this code; undefined when none is. */
export const checkOf = (code: string): CheckKind | undefined => byCode(checks, code)

/** What a table has for a code, or for its first part. */
export function byCode<T>(table: Readonly<Record<string, T>>, code: string): T | undefined {
  const name = [code, code.slice(0, code.indexOf("."))].find((one) => Object.hasOwn(table, one))
  return name === undefined ? undefined : table[name]
}

/** Makes the function that prepares a check for the keys of a pattern, once. */
export function preparing(model: Model): (check: CheckKind, row: KeyModel) => readonly CheckKey[] {
  const made = new Map<CheckKind, Map<KeyModel, readonly CheckKey[]>>()
  return (check, row) => {
    const ofRows = made.get(check) ?? new Map<KeyModel, readonly CheckKey[]>()
    made.set(check, ofRows)
    const found = ofRows.get(row) ?? [check(row, model) ?? []].flat()
    ofRows.set(row, found)
    return found
  }
}

/** Makes the function that says whether an action by a rule is justified by one that the schema has. */
export function ruleChecker(
  model: Model,
): (action: Action, ownerIn: OwnerIn, /** It has only the digests of these. */ replies: Stored["replies"]) => boolean {
  const checksOf = preparing(model)
  return (action, ownerIn, replies) => {
    const check = checkOf(action.code)
    if (check !== undefined) return isProposed(action, model, ownerIn, (row) => checksOf(check, row), replies)
    const [name, key] = action.commands.at(-1)!
    if (name !== "PEXPIREAT" && name !== "RAISE") return true
    const row = model.keys.get(ownerIn(action.db)!(keyOf(key!)).row?.name ?? "")
    if (row === undefined) return false
    return name === "RAISE"
      ? hasCountedIds(model.entities.get(row.declared.entity!.name)!)
      : isDeadlineOfFamily(action, row, model)
  }
}
