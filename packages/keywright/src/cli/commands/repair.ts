import { auditForPlan, type FoundForPlan } from "../../change/make-plan/audit-for-plan.ts"
import { codesOf, type Deletion, deletions, fixOf } from "../../change/make-plan/deletions.ts"
import { type ChangePlan, withUnreadable } from "../../change/plan/plan.ts"
import { planRepair } from "../../change/make-plan/plan-repair.ts"
import { usageRefused } from "../../errors/cli.ts"
import { countText } from "../../render/quantity.ts"
import { runPlan } from "../change-plan.ts"
import { defined, type Handler, type Invocation } from "../command.ts"
import { loadConfig } from "../load-config.ts"
import { walkOptions } from "../walk-options.ts"

export const run: Handler = async (call) => {
  const { keyspace, url, rules, accept } = await loadConfig(call)
  const wanted = wantedDeletions(call)
  const options = { ...walkOptions(call), ...defined({ rules, accept }) }
  const source = { keyspace, url, databases: options.databases, ...defined({ accept }) }
  return runPlan(call, source, async (driver) => {
    const codes = codesOf(wanted)
    const found = await auditForPlan(keyspace, driver, (finding) => fixOf(finding, codes) !== undefined, options)
    if (found.more > 0)
      call.out.warn(`${countText(found.more)} more do not fit into this plan: carry it out, then run this again`)
    const plan = await planRepair(found.findings, keyspace, driver, { delete: wanted })
    const unreadable = [...found.unreadable, ...(plan.unreadable ?? [])]
    return withUnreadable({ ...plan, left: leftOf(found, plan) }, unreadable)
  })
}

/** What was found and is not in the plan, by code. */
function leftOf({ summary }: FoundForPlan, { actions }: ChangePlan): ChangePlan["left"] {
  const left: Record<string, number> = { ...summary }
  for (const { code } of actions) left[code]!--
  return Object.fromEntries(Object.entries(left).filter(([, count]) => count > 0))
}

/** `--delete unknown,broken --delete orphans` */
function wantedDeletions({ options }: Invocation): Deletion[] {
  const words = ((options["delete"] as readonly string[] | undefined) ?? []).flatMap((list) => list.split(","))
  const odd = words.find((word) => !Object.hasOwn(deletions, word))
  if (odd !== undefined)
    throw usageRefused(
      `--delete does not know ${JSON.stringify(odd)}`,
      `Use one of: ${Object.keys(deletions).join(", ")}.`,
    )
  return words as Deletion[]
}
