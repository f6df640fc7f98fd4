/* Whether a deadline that an action gives to a key of a family is the one that counts for all of its keys. */

import { membersOf } from "../../inspect/audit/checks/family.ts"
import type { KeyModel, Model } from "../../inspect/model/model.ts"
import { spell } from "../../inspect/model/spell.ts"
import { expectedAt, paramsOf } from "./grounds.ts"
import type { Action } from "../plan/plan.ts"
import { wordText } from "../plan/plan-grammar.ts"
import { keyOf } from "../plan/word.ts"

/** Its conditions say that the key which counts has this deadline, and that those which would count before it have none. */
export function isDeadlineOfFamily(action: Action, changed: KeyModel, model: Model): boolean {
  const [, word, deadline] = action.commands.at(-1)!
  const params = paramsOf(keyOf(word!), changed.declared)
  for (const member of membersOf(changed, params, model)) {
    if (member === changed) {
      // It lacks one: the next counts. Otherwise its own does, and it follows no other.
      if (action.code === "TTL.MISSING") continue
      return false
    }
    const said = expectedAt(action, "PEXPIRETIME", spell(member, params))
    if (said.includes(Number(wordText(deadline)))) return true
    if (!said.some((is) => is === -1 || is === -2)) return false
  }
  return false
}
