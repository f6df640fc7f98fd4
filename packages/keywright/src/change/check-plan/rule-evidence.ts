/* Whether an action that calls itself the fix of a broken rule (THROUGH, KEYOF, SAME …), or of a note of the sweeper, is what
 * the audit would propose if its conditions hold. */

import { excludesCheck } from "../../inspect/audit/checks/excludes.ts"
import { expiryCheck } from "../../inspect/audit/checks/expired.ts"
import { inverseCheck } from "../../inspect/audit/checks/inverse.ts"
import { keyOfSpec } from "../../inspect/audit/checks/key-of.ts"
import { refersToCheck } from "../../inspect/audit/checks/refers-to.ts"
import { sameIdsCheck } from "../../inspect/audit/checks/same-ids.ts"
import { throughCheck } from "../../inspect/audit/checks/through.ts"
import type { KeyModel, Model } from "../../inspect/model/model.ts"
import type { CheckKey, CheckKind } from "../../inspect/audit/checks/check.ts"
import { isText } from "../../inspect/walk/wire.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { idIn, quote } from "../../schema/codec/quoted.ts"
import type { InvariantRule } from "../../schema/invariant.ts"
import type { Key } from "../../schema/key.ts"
import { type OtherSide, saysBroken } from "./compare-evidence.ts"
import { says } from "../plan/expected.ts"
import { isDeadlineOfFamily } from "./family-evidence.ts"
import { expectedAt, paramsOf } from "./grounds.ts"
import type { Action } from "../plan/plan.ts"
import { isProposed, type OwnerIn } from "./replayed-check.ts"
import { keyOf, nameOf } from "../plan/word.ts"

type CompareRule = Extract<InvariantRule, { kind: "compare" }>

/** An action, and what is known of the key that it changes. */
interface Changed {
  readonly action: Action
  readonly row: Key
  /** For the key: its parameters. */
  readonly own: Readonly<Record<string, string>>
  /** Its conditions on other keys that the schema owns. */
  readonly others: readonly OtherSide[]
}

/** Whether an action is judged by the values in its conditions: of digests, the texts have to be known. */
export const isByValues = ({ code }: Action): boolean =>
  code === "COMPARE.BROKEN" || Object.hasOwn(checks, code.slice(0, code.indexOf(".")))

/** By the first part of the code: the check that finds it. */
const checks: Readonly<Record<string, CheckKind>> = {
  THROUGH: throughCheck,
  SAME: sameIdsCheck,
  INVERSE: inverseCheck,
  EXCLUDES: excludesCheck,
  REFERS: refersToCheck,
  EXPIRY: expiryCheck,
}

/** Makes the function that says whether an action by a rule is justified by one that the schema has. */
export function ruleChecker(
  model: Model,
): (action: Action, ownerIn: OwnerIn, /** Of which it has the digests. */ texts: readonly string[]) => boolean {
  const { keyspace } = model
  const made = new Map<string, readonly CheckKey[]>()
  const checksOf = (kind: string, row: KeyModel): readonly CheckKey[] => {
    const name = `${kind} ${row.db} ${row.declared.name}`
    const found = made.get(name) ?? [checks[kind]!(row, model) ?? []].flat()
    made.set(name, found)
    return found
  }
  const isBrokenRule = ({ row, ...changed }: Changed, texts: readonly string[]) =>
    keyspace.invariants.some(
      (rule) =>
        rule.kind === "compare" &&
        rule.left.key === row.name &&
        saysBroken({ row, ...changed }, rule as CompareRule, changed.others, texts),
    )
  return (action, ownerIn, texts) => {
    const kind = action.code.slice(0, action.code.indexOf("."))
    if (Object.hasOwn(checks, kind)) return isProposed(action, model, ownerIn, (row) => checksOf(kind, row), texts)
    const followsFamily = action.commands.at(-1)![0] === "PEXPIREAT"
    if (kind !== "KEYOF" && kind !== "COMPARE" && !followsFamily) return true
    const changed = changedBy(action, ownerIn)
    if (changed === undefined) return false
    if (followsFamily) {
      const row = model.keys.get(changed.row.name)
      return row !== undefined && isDeadlineOfFamily(action, row, model)
    }
    return kind === "KEYOF" ? leadsNowhere(changed) : isBrokenRule(changed, texts)
  }
}

function changedBy(action: Action, ownerIn: OwnerIn): Changed | undefined {
  const [, word] = action.commands.at(-1)!
  const { row } = ownerIn(action.db)!(keyOf(word!))
  if (row === undefined) return undefined
  const others = action.expects.flatMap(({ db = action.db, read, is }): OtherSide[] => {
    const found = ownerIn(db)?.(keyOf(read[1]!)).row
    if (found === undefined || (db === action.db && nameOf(read[1]) === nameOf(word))) return []
    return [{ row: found, params: paramsOf(keyOf(read[1]!), found), read, is }]
  })
  return { action, row, own: paramsOf(keyOf(word!), row), others }
}

/** The key that is held there does not exist. */
function leadsNowhere({ action, row }: Changed): boolean {
  const [name, key, element] = action.commands.at(-1)!
  const { kind, shape } = row
  const part = kind === "set" ? "member" : "value"
  if (kind !== "string" && kind !== "set" && kind !== "map") return false
  if (name !== { string: "UNLINK", set: "SREM", map: "HDEL" }[kind]) return false
  if (keyOfSpec((shape[part] as AnyCodec | undefined)?.spec) === undefined) return false
  const tag = /^\{[^}]*\}:/.exec(row.pattern.startsWith("{{shard}}:") ? nameOf(key) : "")?.[0] ?? ""
  return action.expects.some(({ db, read, is }) => {
    const there = keyOf(read[1]!)
    if (db !== undefined || read[0] !== "EXISTS" || is !== 0 || !isText(there) || !there.startsWith(tag)) return false
    const bare = there.slice(tag.length)
    // What is in quotes is not the key that is held, but how it is held.
    if (idIn(bare) !== bare) return false
    return [bare, quote(bare)].some((held) =>
      kind === "set"
        ? nameOf(element) === held
        : kind === "map"
          ? expectedAt(action, "HGET", key!, element!).some((one) => says(one, held))
          : expectedAt(action, "GET", key!).some((one) => says(one, held)),
    )
  })
}
