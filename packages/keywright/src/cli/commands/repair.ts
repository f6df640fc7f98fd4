import { type Deletion, deletions } from "../../change/deletions.ts"
import { planRepair } from "../../change/plan-repair.ts"
import { usageRefused } from "../../errors/cli.ts"
import { audit } from "../../inspect/audit.ts"
import { runPlan } from "../change-plan.ts"
import type { Call, Handler } from "../command.ts"
import { loadConfig } from "../load-config.ts"
import { walkOptions } from "../walk-options.ts"

export const run: Handler = async (call) => {
  const { keyspace, url, rules, accept } = await loadConfig(call)
  const wanted = wantedDeletions(call)
  const options = { ...walkOptions(call), ...(rules && { rules }), ...(accept && { accept }) }
  return runPlan(call, url, async (driver) => {
    const { findings } = await audit(keyspace, driver, options)
    return planRepair(findings, keyspace, driver, { delete: wanted })
  })
}

/** `--delete unknown,broken --delete orphans` */
function wantedDeletions({ options }: Call): Deletion[] {
  const words = ((options["delete"] as readonly string[] | undefined) ?? []).flatMap((list) => list.split(","))
  const odd = words.find((word) => !Object.hasOwn(deletions, word))
  if (odd !== undefined)
    throw usageRefused(`--delete does not know ${JSON.stringify(odd)}`, `use ${Object.keys(deletions).join(", ")}`)
  return words as Deletion[]
}
