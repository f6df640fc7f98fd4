/* What repair leaves alone, and a plan file must leave alone too: findings by rules that were inferred and that nobody has
 * confirmed, and those that the application accepts. */

import type { AuditOptions } from "../../inspect/audit/audit.ts"
import { finding, type Finding } from "../../inspect/audit/finding.ts"
import { type RuleContext, ruleContext } from "../../inspect/audit/rules.ts"
import { unconfirmed } from "../../inspect/audit/unconfirmed.ts"
import type { Model } from "../../inspect/model/model.ts"
import { isText } from "../../inspect/walk/wire.ts"
import type { Key } from "../../schema/key.ts"
import type { Action } from "../plan/plan.ts"
import { keyOf } from "../plan/word.ts"
import { isOfFinding, withFindings } from "./found-again.ts"
import type { OwnerIn } from "./replayed-check.ts"

/** Makes the function that says whether an action rests on a guess; `row` owns the key that it changes. */
export function guesses(model: Model): (action: Action, row: Key | undefined) => boolean {
  const marked = unconfirmed(model.keyspace)
  return (action, row) => isOfFinding(action) && marked(findingOf(action, row)).inferred === true
}

/** The finding that an action sets right, as far as its rule is concerned. */
function findingOf({ code, db, pattern, key, commands }: Action, row: Key | undefined): Finding {
  return finding(
    { code, db, pattern, key, expected: "", found: "", fixable: true },
    { db, key: keyOf(commands.at(-1)![1]!), name: row?.name, reads: [], replies: [] },
  )
}

/** What the application says about the actions of a plan. */
interface Acceptance {
  /** The first action that only sets right what is accepted. */
  readonly accepted?: number
  /** Actions that would not fix anything at the moment: whether the application accepts what they fix is not known. */
  readonly outdated: readonly number[]
}

/** Asks the application about what the audit finds where a plan would change something. */
export async function askedAbout(
  actions: readonly Action[],
  model: Model,
  ownerIn: OwnerIn,
  accept: NonNullable<AuditOptions["accept"]>,
): Promise<Acceptance> {
  const outdated: number[] = []
  for await (const [at, action, findings] of withFindings(actions, model, ownerIn)) {
    if (!isOfFinding(action)) continue
    const isLeft = await Promise.all(findings.map((one) => accept(one, contextOf(one, model))))
    if (isLeft.length === 0) outdated.push(at)
    else if (isLeft.every((one) => one)) return { accepted: at, outdated }
  }
  return { outdated }
}

const contextOf = ({ target: { key } }: Finding, model: Model): RuleContext =>
  ruleContext(model, isText(key) ? key : "", {})
