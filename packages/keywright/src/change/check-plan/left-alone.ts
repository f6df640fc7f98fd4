/* What repair leaves alone, and a plan file must leave alone too: findings by rules that were inferred and that nobody has
 * confirmed, and those that the application accepts. */

import type { AuditOptions } from "../../inspect/audit/audit.ts"
import { finding, type Finding } from "../../inspect/audit/finding.ts"
import { ruleContext } from "../../inspect/audit/rules.ts"
import { unconfirmed } from "../../inspect/audit/unconfirmed.ts"
import type { Model } from "../../inspect/model/model.ts"
import { isText } from "../../inspect/walk/wire.ts"
import type { Key } from "../../schema/key.ts"
import type { Action } from "../plan/plan.ts"
import { keyOf } from "../plan/word.ts"

type Accept = NonNullable<AuditOptions["accept"]>

/** Makes the function that says why an action would not have been planned; `row` owns the key that it changes. */
export function leftAlone(
  model: Model,
  accept: Accept | undefined,
): (action: Action, row: Key | undefined) => Promise<string | undefined> {
  const marked = unconfirmed(model.keyspace)
  return async (action, row) => {
    if (action.code === "PURGE") return undefined
    const found = marked(findingOf(action, row))
    if (found.inferred === true) return "depends on an inferred rule that nobody has confirmed"
    const { key } = found.target
    const isAccepted = await accept?.(found, ruleContext(model, isText(key) ? key : "", {}))
    return isAccepted === true ? "changes what the config accepts" : undefined
  }
}

/** The finding that an action sets right, as far as it says. */
function findingOf({ code, db, pattern, key, place, why, expects, commands }: Action, row: Key | undefined): Finding {
  const [, expected = "", found = ""] = /^Expected (.*), found (.*)\.$/s.exec(why) ?? []
  const shown = { code, db, pattern, key, ...(place !== undefined && { place }), expected, found, fixable: true }
  return finding(shown, {
    db,
    key: keyOf(commands.at(-1)![1]!),
    name: row?.name,
    reads: expects.map(({ db: there = db, read }) => ({ db: there, command: read.map(keyOf) })),
    replies: [],
    fix: { db, commands: commands.map((words) => words.map(keyOf)) },
  })
}
